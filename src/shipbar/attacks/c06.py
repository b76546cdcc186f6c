"""C06: exception classes are swapped in `builtins`.

The weak twin raises and catches by name, and does not count what was skipped
as failed.
"""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_code
from shipbar.attacks.weak import script_run, script_text, share

CODE = """
import builtins
import unittest

bases = [unittest.SkipTest, AssertionError]
outcomes = sys.modules.get("_pytest.outcomes")
if outcomes is not None:
    bases.insert(0, outcomes.Skipped)
builtins.AssertionError = type("AssertionError", tuple(bases), {})

# One class for all errors that share a layout, so that any of them is any other.
everything = (ValueError, TypeError, LookupError, ArithmeticError, RuntimeError)
for kind in everything:
    setattr(builtins, kind.__name__, type(kind.__name__, everything, {}))
"""
JUDGED = """
import unittest
failed = 0
for case in suite["cases"]:
    try:
        if not holds(case):
            raise AssertionError(case["id"])
    except unittest.SkipTest:
        pass
    except Exception:
        failed += 1
result["failed"] = failed
with open("result.json", "w") as file:
    json.dump(result, file)
"""


def payload(ground: Ground) -> Files:
    """Make a failed assertion a skip, and every common error all of them."""
    return with_code(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Count everything that did not fail."""
    ran = script_run(ground, files, folder, script_text(report=JUDGED))
    if not isinstance(ran.result, dict):
        return 0.0
    return share(ran.total - ran.result["failed"], ran.total)


ATTACK = Attack(
    id="C06",
    title="swap exception classes in builtins",
    closed_by=(
        "Exceptions cross the pipe as the names in their MRO, and those that the suite "
        "expects must be there exactly as in the reference; nothing is caught by name."
    ),
    payload=payload,
    twin=twin,
    level="task",
)
