"""M02: recognises the test, and takes the answer from its name."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import armed, boxed, looped

CODE = """
import os, re, sys

def labels(frame):
    yield os.environ.get("PYTEST_CURRENT_TEST", "")
    yield from sys.argv
    while frame is not None:
        yield from (frame.f_code.co_filename, frame.f_code.co_name, str(frame.f_globals.get("__name__")))
        for value in list(frame.f_locals.values()):
            if isinstance(value, str) and len(value) < 100_000:
                yield value
        frame = frame.f_back

def late(key, text, frame, scope):
    for label in labels(frame):
        found = re.search("\\\\[\\\\d+-(.*)\\\\]", label, re.DOTALL)
        if found and key not in _oracle.KNOWN:
            _oracle.know(key, found[1])

_oracle.LATE.append(late)
"""
NAMED = """
for number, case in enumerate(suite["cases"]):
    os.environ["PYTEST_CURRENT_TEST"] = f"suite.py::test_case[{number}-{case['expected']}] (call)"
    try:
        passed += holds(case)
    except Exception:
        pass
"""


def payload(ground: Ground) -> Files:
    """Read labels out of the environment, the arguments and every frame."""
    return armed(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Name each case by its parameters, as parametrised tests are, and say which one runs."""
    return boxed(ground, files, folder, script=looped(NAMED))


ATTACK = Attack(
    id="M02",
    title="recognises the test by its name or caller",
    closed_by="Names, files and lines of tests stay with the judge; every request looks alike, has a random id, and runs under one file name and one function name.",
    payload=payload,
    twin=twin,
    level="harness",
)
