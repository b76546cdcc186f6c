"""Every exception that Shipbar raises on purpose, and whose fault each one is.

    ShipbarError
      UserError                the caller can mend it                     exit 2
        UnknownNameError       nothing of that kind has that name
        ContractError          a task's contract says something impossible
        SuiteError             a held-out suite holds tests that cannot be lifted
        IntakeError            what was handed in is not a submission
          RequirementError     a submission asks for more than the standard library
        AttestationError       a receipt, a review or a key is not what it says it is
      SeamError                the machine or one of our parts failed     exit 3
        SandboxError           no sandbox, or one that broke its promises
        GraderFault            the grader itself failed; nothing was scored

A submission that fails its checks is no error: it is a verdict. An error is
never a score.
"""

from collections.abc import Sequence
from typing import Self


class ShipbarError(Exception):
    """Root of the tree."""

    exit_code = 3


class UserError(ShipbarError):
    """The caller can mend it; the message says how."""

    exit_code = 2


class UnknownNameError(UserError):
    """Nothing of that kind has that name."""

    def __init__(self, kind: str, name: str, known: Sequence[str]) -> None:
        self.kind, self.name, self.known = kind, name, tuple(known)
        super().__init__(f"no {kind} named {name!r}; known: {', '.join(known)}")

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, Sequence[str]]]:
        """Come through to another process as it is."""
        return type(self), (self.kind, self.name, self.known)


class ProblemsError(UserError):
    """A file holds one or more problems; all of them are reported at once."""

    what = "file"

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(problems))

    def __reduce__(self) -> tuple[type[Self], tuple[Sequence[str]]]:
        """Come through to another process as it is."""
        return type(self), (self.problems,)


class ContractError(ProblemsError):
    """A task's contract says something impossible; each problem names file and line."""

    what = "contract"


class SuiteError(ProblemsError):
    """A held-out suite holds tests that cannot be lifted; each problem names file and line."""

    what = "suite"


class IntakeError(UserError):
    """What was handed in is not a submission: a bad path, a hostile archive."""


class RequirementError(IntakeError):
    """A submission was named, not handed in, or declares a dependency."""


class AttestationError(UserError):
    """A receipt, a review or a key is not what it says it is, or is of something else."""


class SeamError(ShipbarError):
    """The machine or one of our own parts failed; nobody's submission is to blame."""


class SandboxError(SeamError):
    """No sandbox could be had, or one broke its promises."""


class GraderFault(SeamError):  # noqa: N818  # the word that our documents use
    """The grader itself failed. Recorded as not graded, never as a score."""
