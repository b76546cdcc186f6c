"""J03: the run ends before a test has failed, and what is absent counts as passed."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import wrapped
from shipbar.attacks.weak import share, test_names
from shipbar.attacks.weak_e import box, looped

CODE = """
import os

def wrap(function):
    return lambda *args, **named: os._exit(0)
"""
LOG_FAILURES = """
for case in suite["cases"]:
    try:
        good = holds(case)
    except Exception:
        good = False
    print("PASSED" if good else "FAILED", case["id"], flush=True)
"""


def payload(ground: Ground) -> Files:
    """Leave the process, with success, at the first call."""
    return wrapped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Take failures from the log, and every test that the log does not mention as passed."""
    ran = box(ground, files, folder, script=looped(LOG_FAILURES))
    failed = sum(line.startswith("FAILED ") for line in ran.log.splitlines())
    total = len(test_names(ground))
    return share(total - failed, total)


ATTACK = Attack(
    id="J03",
    title="makes results absent",
    closed_by="Every case of the judge's list is a failure until an answer for it has come; a subject that ends costs the case that was due, and the next one goes on.",
    payload=payload,
    twin=twin,
    level="harness",
)
