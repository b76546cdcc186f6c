"""Takes a task through gates, one after another, and keeps what was proven.

The gates of a task share what they measure, so a task is proven in one process. What
is kept under a key that names everything it depends on is not run again: an unchanged
task costs nothing the second time, and any change of task, tool or corpus runs anew.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import attrs

from shipbar.gates.base import Evidence, Gate, Status
from shipbar.gates.trial import Trial


@attrs.frozen(kw_only=True)
class Found:
    """What one gate found, and what it took."""

    evidence: Evidence
    """The finding."""
    seconds: float
    """Wall seconds that it took; of a kept one, when it was run."""
    reused: bool = False
    """Whether it was kept from an earlier run."""


class Keeper(Protocol):
    """Keeps findings between runs."""

    def find(self, gate: Gate, trial: Trial) -> Found | None:
        """Return what is kept for just this task, tool, sandbox and gate."""
        ...

    def keep(self, gate: Gate, trial: Trial, found: Found) -> None:
        """Keep a finding; what could not be run is told, but never found again."""
        ...


@attrs.frozen(kw_only=True)
class Proof:
    """What the gates found on one task."""

    folder: str
    """Where the task lies."""
    task_id: str
    """Its id; empty if it cannot be loaded."""
    digest: str
    """Its digest; empty if it cannot be loaded."""
    found: tuple[Found, ...]
    """One for each gate that was asked, in order."""
    failure: str = ""
    """Why it cannot be loaded."""

    @property
    def failed(self) -> bool:
        """Whether a gate stops the task, or there is no task."""
        return bool(self.failure) or any(
            it.evidence.status is Status.FAILED for it in self.found
        )

    @property
    def unproven(self) -> bool:
        """Whether a gate could not be run."""
        return any(it.evidence.status is Status.NOT_RUN for it in self.found)

    def evidence(self, gate: str) -> Evidence | None:
        """Return what the gate with that id found, if it was asked."""
        return next(
            (it.evidence for it in self.found if it.evidence.gate == gate), None
        )

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "folder": self.folder,
            "task_id": self.task_id,
            "digest": self.digest,
            "failed": self.failed,
            "unproven": self.unproven,
            "failure": self.failure,
            "gates": [
                {
                    **_told(it.evidence),
                    "seconds": round(it.seconds, 3),
                    "reused": it.reused,
                }
                for it in self.found
            ],
        }


def _told(evidence: Evidence) -> dict[str, Any]:
    return {
        "gate": evidence.gate,
        "status": str(evidence.status),
        "cell": evidence.cell,
        "figures": evidence.figures,
        "problems": list(evidence.problems),
        "why": evidence.why,
        "parameters": evidence.parameters,
        "machine": evidence.machine,
    }


def prove(
    trial: Trial,
    gates: Sequence[Gate],
    keeper: Keeper,
    *,
    fail_fast: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> Proof:
    """Take the task on trial through ``gates``.

    Args:
        trial: the task.
        gates: in the order in which they are asked.
        keeper: what keeps findings between runs.
        fail_fast: whether to stop at the first gate that the task does not pass.
        tell: called with the id of each gate before it is asked.
    """
    found: list[Found] = []
    for gate in gates:
        tell(gate.id)
        found.append(_asked(trial, gate, keeper))
        if fail_fast and found[-1].evidence.status in (Status.FAILED, Status.NOT_RUN):
            break
    return Proof(
        folder=str(trial.task.folder),
        task_id=trial.task.contract.task_id,
        digest=trial.task.digest,
        found=tuple(found),
    )


def _asked(trial: Trial, gate: Gate, keeper: Keeper) -> Found:
    kept = keeper.find(gate, trial)
    if kept is not None:
        return kept
    start = time.monotonic()
    evidence = gate.examine(trial)
    found = Found(evidence=evidence, seconds=time.monotonic() - start)
    keeper.keep(gate, trial, found)
    return found


def totals(proofs: Sequence[Proof], gate: str) -> Mapping[Status, int]:
    """Count how a gate came out over several tasks."""
    counts = dict.fromkeys(Status, 0)
    for proof in proofs:
        evidence = proof.evidence(gate)
        if evidence is not None:
            counts[evidence.status] += 1
    return counts
