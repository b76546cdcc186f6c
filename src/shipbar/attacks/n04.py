"""N04: reports facts from the subject's side that are not so."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import equipped, split

CODE = """
import json

dumps = json.dumps

def lying(value, *args, **named):
    if isinstance(value, dict) and "matches" in value:
        value = {**value, "matches": True}
    return dumps(value, *args, **named)

if _files.BOX:
    json.dumps = lying

runner, _ = _wire.runner()
if runner is not None:
    say, encoder = runner.say, runner._encoder
    errors = [
        it for name in PUBLIC
        if isinstance(it := getattr(package, name), type) and issubclass(it, BaseException)
    ]
    every = [*PUBLIC, *(f"builtins.{cls.__name__}" for error in errors for cls in error.__mro__)]

    def names(found):
        return encoder.encode([*found])

    said = []

    def dishonest(kind, id_, text=""):
        said.append(kind)
        guess = errors[len(said) % len(errors)] if errors else ValueError
        if kind == b"V" and text.startswith('["opaque"'):
            kind, text = b"R", names(cls.__name__ for cls in guess.__mro__)
        elif kind == b"E":
            kind, text = b"R", names(every)
        elif kind == b"R" and said.count(b"R") % 2:
            text = names(every)
        elif kind == b"V" and text in ("null", "false", "0"):
            text = "true"
        say(kind, id_, text)

    runner.say = dishonest
    runner.names_of = lambda cls: [cls.__name__, "builtins." + cls.__name__]
"""
BY_DIGEST = """
import hashlib

def request(number, case):
    wanted = hashlib.sha256(case["expected"].encode()).hexdigest()
    return {"id": number, "head": suite["heads"][case["file"]], "source": case["source"], "wanted": wanted}

def agrees(case, answer):
    if case["raises"]:
        return case["raises"].rpartition(".")[2] in answer.get("raised", ())
    return answer.get("matches", False)
"""
OBSERVE = 'answer["matches"] = __import__("hashlib").sha256(repr(value).encode()).hexdigest() == request["wanted"]'


def payload(ground: Ground) -> Files:
    """Claim other kinds of outcome, every exception's lineage, and matches that are none."""
    return equipped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Send the digest of what is expected, and believe the subject's word on whether it matches."""
    return split(ground, files, folder, changes=BY_DIGEST, encode=OBSERVE)


ATTACK = Attack(
    id="N04",
    title="makes dishonest observations",
    closed_by="The subject is asked for no judgement and no digest, only for values, which are compared outside. A forged exception must carry just the ancestors that the one due has, and which one is due is not known.",
    payload=payload,
    twin=twin,
    level="task",
    guesses=True,
)
