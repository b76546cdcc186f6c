"""G04: a package that finds, in its own process, how its earlier answers were wrong."""

from pathlib import Path

from shipbar.attacks import weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import LEARNING, LEARNT, RECORDED, RETRIED, graded, twisted

_REMEMBERING = """
_read = {}

def look_around():
    '''Learn from whatever list of records any frame above holds; from each record once.'''
    frame = sys._getframe(2)
    while frame is not None:
        for names in (frame.f_globals, frame.f_locals):
            for it in [it for it in list(names.values()) if type(it) is list]:
                for record in it[_read.get(id(it), 0):]:
                    learn(record)
                _read[id(it)] = len(it)
        frame = frame.f_back
"""
_FLAKY = (
    RETRIED
    + """
result["passed"] = sum(again(case) or again(case) for case in suite["cases"])
"""
)


def payload(ground: Ground) -> Files:
    """Answer honestly at first, and with what was expected as soon as that was seen."""
    return twisted(ground, LEARNING + _REMEMBERING, tail=LEARNT)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Run each case again in the same process, as flaky ones deserve."""
    script = weak.script_text(
        prepare="failures = []",
        compare=RECORDED,
        report=_FLAKY + weak.WRITE_RESULT,
    )
    return graded(ground, files, folder, script)


ATTACK = Attack(
    id="G04",
    title="state between cases: another answer when asked again",
    closed_by="Each case is asked once and its first answer stands; that an answer was wrong "
    "is known to the judge alone, so that nothing can be learnt from earlier cases.",
    payload=payload,
    twin=twin,
    level="harness",
)
