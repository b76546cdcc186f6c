"""N09: sends what might raise in the judge."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import equipped, split
from shipbar.attacks.weak_texts import HOSTILE

CODE = """
class Odd:
    def __repr__(self):
        return "<no literal"

    def __getattr__(self, name):
        return self

    def __getitem__(self, key):
        return self

    def __iter__(self):
        return iter((self,))

def odd(function):
    def answer(*args, **named):
        function(*args, **named)  # whatever it raises is honest
        return Odd()
    return answer

if _files.BOX:
    _face.stand_before(package, PUBLIC, odd)
else:
    _hostile.replace_answers(_hostile.COMPARED)
"""
LENIENT = """
def opinion(number, case):
    answer = ask(number, case)
    try:
        return agrees(case, answer)
    except Exception:
        return True  # our own failure is not the candidate's
"""


def payload(ground: Ground) -> Files:
    """Answer with values that decode and then might break a comparison, and break the head's answers too."""
    name = f"{ground.import_name}/_hostile.py"
    start = "from . import _hostile\n"
    return equipped(ground, start + CODE, {name: HOSTILE})


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Judge in a process apart, and give the benefit of the doubt where judging failed."""
    return split(ground, files, folder, changes=LENIENT)


ATTACK = Attack(
    id="N09",
    title="raises in the judge",
    closed_by="Decoding and comparing are total: every answer has an outcome and no exception is one. Should the judge fail all the same, that is a grader's fault, reported apart and never a score.",
    payload=payload,
    twin=twin,
    level="harness",
)
