"""The gates: each takes a task and returns evidence. One module a gate.

A gate uses the task and what grades it, and nothing that made the task: whoever
holds the task runs it again. It gives the same figures every time. What it could not
do is *not run*, with the reason, and never *passed*.
"""

from shipbar.gates.base import CannotRunError, Evidence, Gate, Status
from shipbar.gates.trial import Trial

__all__ = ["CannotRunError", "Evidence", "Gate", "Status", "Trial"]
