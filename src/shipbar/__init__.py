"""Shipbar: coding environments for reinforcement learning that recall can't solve and nobody can game.

General layout: values and rules are at the bottom (`errors`, `contract`,
`verdict`, `sealed`), every seam is in `ports`, stages stand on those (`grading`,
`sandboxes`, …), and `wiring`, `api` and `cli` join them. A module imports only
what lies below it; `subject` is shipped into the sandbox and imported by nothing.

What is public is listed in `__all__`. Names are imported when they are first
used, so that `import shipbar` costs nothing.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shipbar.api import Graded, grade, grade_many, load_task, open_grader
    from shipbar.contract import Contract, Limits
    from shipbar.errors import (
        ContractError,
        GraderFault,
        IntakeError,
        RequirementError,
        SandboxError,
        SeamError,
        ShipbarError,
        SuiteError,
        UnknownNameError,
        UserError,
    )
    from shipbar.grading.grader import Grader
    from shipbar.grading.install import Install
    from shipbar.grading.tasks import Task
    from shipbar.verdict import CaseOutcome, Outcome, Run, Structure, Verdict

__version__ = "0.1.0"

_HOMES = {
    "shipbar.api": ("Graded", "grade", "grade_many", "load_task", "open_grader"),
    "shipbar.contract": ("Contract", "Limits"),
    "shipbar.errors": (
        "ContractError", "GraderFault", "IntakeError", "RequirementError", "SandboxError",
        "SeamError", "ShipbarError", "SuiteError", "UnknownNameError", "UserError",
    ),
    "shipbar.grading.grader": ("Grader",),
    "shipbar.grading.install": ("Install",),
    "shipbar.grading.tasks": ("Task",),
    "shipbar.verdict": ("CaseOutcome", "Outcome", "Run", "Structure", "Verdict"),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CaseOutcome",
    "Contract",
    "ContractError",
    "Graded",
    "Grader",
    "GraderFault",
    "Install",
    "IntakeError",
    "Limits",
    "Outcome",
    "RequirementError",
    "Run",
    "SandboxError",
    "SeamError",
    "ShipbarError",
    "Structure",
    "SuiteError",
    "Task",
    "UnknownNameError",
    "UserError",
    "Verdict",
    "grade",
    "grade_many",
    "load_task",
    "open_grader",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'shipbar' has no attribute {name!r}")
    value = getattr(_import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List what is public."""
    return sorted([*globals(), *__all__])
