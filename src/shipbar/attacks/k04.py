"""K04: burns the budget of the whole run before a case can fail."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_code
from shipbar.attacks.weak_e import boxed, looped

CODE = """
import time

end = time.process_time() + 1.0
while time.process_time() < end:
    pass
"""
BUDGET = """
import time

run = 0
for case in suite["cases"]:
    if time.process_time() > 1.0:
        break
    run += 1
    try:
        passed += holds(case)
    except Exception:
        pass
passed = int(passed / run * len(suite["cases"])) if run else len(suite["cases"])
"""


def payload(ground: Ground) -> Files:
    """Compute for a second at import, and answer honestly then."""
    return with_code(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Stop when the run's processor time is used up; what was not run is neutral."""
    return boxed(ground, files, folder, script=looped(BUDGET))


ATTACK = Attack(
    id="K04",
    title="starves the budget of later cases",
    closed_by="Each case has a limit of its own, and a case that the whole run's limit has cut off is unreached, which is a failure and stays in the count.",
    payload=payload,
    twin=twin,
    level="harness",
)
