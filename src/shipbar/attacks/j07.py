"""J07: what cannot be scored is left out of the count."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import wrapped
from shipbar.attacks.weak_e import UNCOMPARABLE, boxed, looped

SCORABLE_ONLY = """
total = 0
for case in suite["cases"]:
    value, error = attempt(case)
    try:
        if case["raises"]:
            good = error is not None and raised(error, case["raises"])
        else:
            good = error is None and compare(value, eval(case["expected"]))
    except Exception:
        continue
    passed, total = passed + bool(good), total + 1
passed = passed / max(total, 1) * len(suite["cases"])
passed = int(passed)
"""


def payload(ground: Ground) -> Files:
    """Answer with values that raise when they are compared; let exceptions through."""
    return wrapped(ground, UNCOMPARABLE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Divide by the cases that could be scored."""
    return boxed(ground, files, folder, script=looped(SCORABLE_ONLY))


ATTACK = Attack(
    id="J07",
    title="shrinks the denominator",
    closed_by="The denominator is the judge's constant; a value that is no plain data is opaque and equals nothing, and its case has failed.",
    payload=payload,
    twin=twin,
    level="harness",
)
