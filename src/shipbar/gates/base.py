"""What a gate is, and the evidence that it gives."""

import enum
import logging
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import attrs

from shipbar.errors import SeamError
from shipbar.gates.trial import Trial

log = logging.getLogger(__name__)


class Status(enum.StrEnum):
    """How a gate came out for a task."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not applicable"
    """The gate asks about something that this class of task does not have."""
    NOT_RUN = "not run"
    """It could not be tried here, or it broke; the task does not go out."""


@attrs.frozen(kw_only=True)
class Evidence:
    """What a gate measured on a task."""

    gate: str
    """The gate's id."""
    status: Status
    """How it came out."""
    cell: str = ""
    """The figure that stands for it in a table, such as `104/104`."""
    figures: Mapping[str, Any] = attrs.field(factory=dict)
    """What was measured, as JSON values: the same at every run."""
    problems: tuple[str, ...] = ()
    """What fails the task; empty unless it failed."""
    why: str = ""
    """Why it does not apply, or could not run and what to do about it."""
    parameters: Mapping[str, Any] = attrs.field(factory=dict)
    """With what it ran, as JSON values: counts, seeds, bounds."""
    machine: Mapping[str, Any] = attrs.field(factory=dict)
    """What this machine offered, as JSON values: told, and not held to another's."""


class CannotRunError(Exception):
    """A gate cannot be tried here; says why and what to do about it."""


class Gate(ABC):
    """One question that every task must answer."""

    id: ClassVar[str]
    """`G1` to `G12`."""
    name: ClassVar[str]
    """A word for it in `--gate`."""
    title: ClassVar[str]
    """What it proves, in a few words."""
    version: ClassVar[int] = 1
    """Raised whenever it asks something else, so that old receipts do not count."""

    def examine(self, trial: Trial) -> Evidence:
        """Examine a task; whatever breaks is `not run`, and other gates go on."""
        try:
            return self._examine(trial)
        except (CannotRunError, SeamError) as why:
            return self._not_run(str(why))
        except Exception as cause:  # broad on purpose: our own fault fails no task
            log.exception("gate %s broke on %s", self.id, trial.task.folder)
            return self._not_run(
                f"the gate itself broke, see the log: {type(cause).__name__}: {cause}"
            )

    @abstractmethod
    def _examine(self, trial: Trial) -> Evidence:
        """Examine it.

        Raises:
            CannotRunError: it cannot be tried here.
            SeamError: the machine failed, or an upstream is not fetched.
        """

    def depends(self, trial: Trial) -> Mapping[str, str]:
        """Name what the outcome depends on beside the task, the tool and the sandbox, by digest."""
        del trial
        return {}

    def _not_run(self, why: str) -> Evidence:
        return Evidence(gate=self.id, status=Status.NOT_RUN, cell="not run", why=why)

    def _verdict(
        self,
        cell: str,
        problems: list[str],
        figures: Mapping[str, Any],
        parameters: Mapping[str, Any] | None = None,
        machine: Mapping[str, Any] | None = None,
    ) -> Evidence:
        """Return evidence that passes if there are no problems."""
        return Evidence(
            gate=self.id,
            status=Status.FAILED if problems else Status.PASSED,
            cell=cell,
            figures=figures,
            problems=tuple(problems),
            parameters=parameters or {},
            machine=machine or {},
        )
