"""J10: a check that fails lets pass."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import wrapped
from shipbar.attacks.weak import script_text
from shipbar.attacks.weak_e import UNCOMPARABLE, boxed

FAIL_OPEN = """
try:
    return value == expected
except Exception:
    return True
"""


def payload(ground: Ground) -> Files:
    """Answer with values on which every check raises."""
    return wrapped(ground, UNCOMPARABLE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Let a check that could not be carried out count as passed."""
    return boxed(ground, files, folder, script=script_text(compare=FAIL_OPEN))


ATTACK = Attack(
    id="J10",
    title="makes the check itself fail",
    closed_by="The judge's check runs on its own decoded data and is total: what cannot be decoded is malformed, what cannot be compared is unequal, and a fault of the grader is no score at all.",
    payload=payload,
    twin=twin,
    level="harness",
)
