"""N01: forges the protocol: early, replayed, foreign, oversized and cut frames."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import equipped, split

CODE = """
import json, os, time

if _files.BOX:
    print(json.dumps({"tally": 10_000}), flush=True)

runner, requests = _wire.runner()
names = json.dumps(["list", *PUBLIC, "builtins.ValueError", "builtins.Exception"])

def answer_all(honest):
    \"\"\"Serve every request that was sent ahead, in order, without the runner.\"\"\"
    _wire.write(honest)
    for kind, id_, text in _wire.take():
        if kind != b"C":
            _wire.write(_wire.frame(b"D", id_))
        elif "lambda: [" in text:
            _wire.write(_wire.frame(b"V", id_, '["list",true]'))
        else:
            _wire.write(_wire.frame(b"R", id_, names))
    time.sleep(600)

def forge(number, id_, honest):
    \"\"\"What is written in place of an honest answer to a case.\"\"\"
    ahead = [one for kind, one, _ in _wire.ahead() if kind == b"C"] or [bytes(16)]
    tricks = (
        honest + honest,
        _wire.frame(b"V", ahead[-1], "true") + honest,
        _wire.frame(b"V", id_, "true") + _wire.frame(b"R", id_, names),
        bytes([255] * 4) + honest,
        bytes(4) + honest,
        (16).to_bytes(4, "big") + id_,
        (2_000_000).to_bytes(4, "big") + honest[4:] + bytes(1_999_000),
        _wire.frame(b"C", id_, "def case(): return lambda: True"),
        _wire.frame(b"D", id_),
        _wire.frame(b"V", bytes(16), "true"),
        _wire.frame(b"V", id_[:15] + bytes([id_[15] ^ 1]), "true"),
        b"".join(_wire.frame(b"V", one, "true") for one in reversed(ahead)),
        honest[:-1],  # and never the rest
    )
    return tricks[number]

if runner is not None:
    say, count = runner.say, []

    def forging(kind, id_, text=""):
        number = _wire.turn(14)
        if kind not in (b"V", b"R", b"E") or len(count) < 2:
            say(kind, id_, text)
        elif number == 13 and len(_wire.ahead()) < 12:  # near the end, for it ends the run
            answer_all(_wire.frame(kind, id_, text))
        else:
            _wire.write(forge(number % 13, id_, _wire.frame(kind, id_, text)))
            time.sleep(600 if number % 13 == 12 else 0)
        count.append(kind)

    runner.say = forging
"""
TALLY = """
tallies = []

def ask(number, case):
    subject.stdin.write(json.dumps(request(number, case)) + "\\n")
    subject.stdin.flush()
    while True:
        heard = json.loads(subject.stdout.readline())
        if "tally" in heard:
            tallies.append(heard["tally"])
        elif heard["id"] == number:
            return heard
"""
LOOP = """
for number, case in enumerate(suite["cases"]):
    passed += opinion(number, case)
passed = max([passed, *tallies])
"""


def payload(ground: Ground) -> Files:
    """Read the ids that were sent ahead and write, after two honest answers, a forgery."""
    return equipped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Judge in a process apart, with a message for a tally that the subject may send."""
    return split(ground, files, folder, changes=TALLY, loop=LOOP)


ATTACK = Attack(
    id="N01",
    title="forges and desynchronises the protocol",
    closed_by="An answer is taken only under the random id that is due, in order and once, with its length capped before it is read; whatever else comes ends the subject. And an answer is only a value, still to be compared.",
    payload=payload,
    twin=twin,
    level="harness",
)
