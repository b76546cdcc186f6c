"""N02: sends what a careless decoder would run, or choke on."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import equipped, split
from shipbar.attacks.weak_texts import HOSTILE

CODE = """
class Bomb:
    def __reduce__(self):
        return exec, ("import __main__; __main__.agrees = lambda case, answer: True",)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key):
        return self

    def __iter__(self):
        return iter((self,))

if _files.BOX:
    _face.stand_before(package, PUBLIC, lambda function: lambda *args, **named: Bomb())
else:
    _hostile.replace_answers(_hostile.DECODED)
"""
BY_PICKLE = """
def decode(answer):
    return pickle.loads(bytes.fromhex(answer["value"]))
"""


def payload(ground: Ground) -> Files:
    """Answer each case with other hostile bytes under the right id."""
    name = f"{ground.import_name}/_hostile.py"
    start = "from . import _hostile\n"
    return equipped(ground, start + CODE, {name: HOSTILE})


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Judge in a process apart, where answers are unpickled."""
    encode = 'answer["value"] = pickle.dumps(value).hex()'
    return split(ground, files, folder, changes=BY_PICKLE, encode=encode)


ATTACK = Attack(
    id="N02",
    title="runs code in the decoder",
    closed_by="Answers are JSON with a schema and bounds on bytes, items, depth, digits and hashed entries; nothing in them names a callable, and what breaks a bound is malformed.",
    payload=payload,
    twin=twin,
    level="harness",
)
