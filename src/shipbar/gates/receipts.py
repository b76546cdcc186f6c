"""Receipts of what gates found: made, signed, kept, found again.

A receipt that is kept answers one question: this gate in this version, on a task with
these digests, by this tool in this sandbox on this interpreter, and whatever else the
gate names. Whatever differs, the gate is run again.
"""

import logging
from collections.abc import Mapping
from pathlib import Path

from shipbar.attest import envelope, keys, store
from shipbar.attest.parts import part_digests
from shipbar.attest.receipt import WHOLE, Conditions, Question, Receipt
from shipbar.attest.statement import statement_of
from shipbar.attest.store import Kept, Store
from shipbar.attest.tool import interpreter, tool_digest, tool_version
from shipbar.config import Config
from shipbar.contract import Contract
from shipbar.errors import UserError
from shipbar.gates.base import Evidence, Gate, Status
from shipbar.gates.proving import Found
from shipbar.gates.trial import Trial
from shipbar.grading.tasks import (
    ADAPTER,
    LADDER,
    RECORD,
    SPECIFICATION,
    Task,
    listing_of,
)
from shipbar.ports import Sandbox
from shipbar.sandboxes.runtime import runtime

log = logging.getLogger(__name__)

SECONDS = "seconds"
"""Key, in what a receipt says of its run, of the wall seconds that it took."""


class Receipts:
    """Keeps what gates find, as signed receipts; what `prove` calls a keeper."""

    def __init__(
        self, config: Config, *, copies: Path | None = None, fresh: bool = False
    ) -> None:
        """Sign with the user's own key, which is made, and told of, if they have none.

        Args:
            config: where receipts and keys lie.
            copies: folder that every receipt is copied to, as `TASK_ID/G1.dsse.json`.
            fresh: whether to find nothing, so that everything is run again.
        """
        own = keys.load_or_make(config.keys)
        if own.made:
            log.warning("made a key to sign receipts with: %s, id %s", own.path, own.id)
        self._signer, self._cache = own.signer, config.cache
        self._copies, self._fresh = copies, fresh
        self._store = Store(
            folder=config.cache / "receipts", keys=(own.signer.public_key,)
        )
        # By the task's digest: every gate of a task asks for the same parts.
        self._parts: dict[str, dict[str, str]] = {}
        # By the sandbox's name: one process has one interpreter and one tool.
        self._conditions: dict[str, Conditions] = {}

    def find(self, gate: Gate, trial: Trial) -> Found | None:
        """Return what was found when just this was asked before."""
        question = None if self._fresh else self._question(gate, trial)
        kept = None if question is None else self._store.find(question)
        if kept is None:
            return None
        self._copy(kept)
        seconds = kept.receipt.run.get(SECONDS, 0.0)
        return Found(evidence=evidence_of(kept.receipt), seconds=seconds, reused=True)

    def keep(self, gate: Gate, trial: Trial, found: Found) -> None:
        """Sign what was found, and keep it unless the gate could not be run.

        Raises:
            UserError: the task was changed meanwhile, or a folder cannot be written.
        """
        question = self._question(gate, trial)
        if question is None:
            return
        receipt = receipt_for(question, found.evidence, seconds=found.seconds)
        signed = envelope.sign(statement_of(receipt), self._signer)
        kept = Kept(receipt=receipt, signed=signed, signers=signed.key_ids)
        if found.evidence.status is not Status.NOT_RUN:
            self._store.keep(receipt, signed)
        self._copy(kept)

    def _copy(self, kept: Kept) -> None:
        if self._copies is not None:
            store.write(store.copy_path(self._copies, kept.receipt), kept.signed)

    def _question(self, gate: Gate, trial: Trial) -> Question | None:
        """Return what a gate asks; None if it cannot tell, and then nothing is kept."""
        task = trial.task
        if task.digest not in self._parts:
            self._parts[task.digest] = parts_of(task)
        try:
            return question_of(gate, trial, self._parts[task.digest], self._used(trial))
        except Exception:  # broad on purpose: a gate's own fault stops no other gate
            log.exception("gate %s cannot say what it depends on", gate.id)
            return None

    def _used(self, trial: Trial) -> Conditions:
        name = trial.sandbox.name
        if name not in self._conditions:
            self._conditions[name] = conditions_of(trial.sandbox, trial.cache)
        return self._conditions[name]


def question_of(
    gate: Gate, trial: Trial, parts: Mapping[str, str], conditions: Conditions
) -> Question:
    """Return what a gate asks.

    Args:
        gate: who asks.
        trial: the task on trial.
        parts: the digests of the task's parts.
        conditions: with what it is run.
    """
    return Question(
        gate=gate.id,
        name=gate.name,
        version=gate.version,
        task_id=trial.task.contract.task_id,
        parts=parts,
        conditions=conditions,
        depends=gate.depends(trial),
    )


def receipt_for(question: Question, evidence: Evidence, *, seconds: float) -> Receipt:
    """Return the receipt of a gate's evidence."""
    return Receipt(
        question=question,
        status=str(evidence.status),
        cell=evidence.cell,
        figures=evidence.figures,
        problems=evidence.problems,
        why=evidence.why,
        parameters=evidence.parameters,
        run={**evidence.machine, SECONDS: round(seconds, 3)},
    )


def evidence_of(receipt: Receipt) -> Evidence:
    """Return the evidence that a receipt is of."""
    return Evidence(
        gate=receipt.question.gate,
        status=Status(receipt.status),
        cell=receipt.cell,
        figures=receipt.figures,
        problems=receipt.problems,
        why=receipt.why,
        parameters=receipt.parameters,
        machine={key: it for key, it in receipt.run.items() if key != SECONDS},
    )


def conditions_of(sandbox: Sandbox, cache: Path) -> Conditions:
    """Return with what gates run here."""
    return Conditions(
        tool_version=tool_version(),
        tool_digest=tool_digest(),
        sandbox=sandbox.name,
        lacks=sandbox.lacks,
        runtime=runtime(cache).root.name,
        interpreter=interpreter(),
    )


def parts_of(task: Task) -> dict[str, str]:
    """Return the digests of a loaded task's parts.

    Raises:
        UserError: the task was changed since it was loaded.
    """
    parts = parts_in(task.folder, task.contract)
    if parts[WHOLE] != task.digest:
        raise UserError(
            f"{task.folder}: the task was changed while it was worked on: it was {task.digest}, is {parts[WHOLE]}; "
            "begin again, and change nothing meanwhile"
        )
    return parts


def parts_in(folder: Path, contract: Contract) -> dict[str, str]:
    """Return the digests of the parts of the task in a folder, whatever state it is in."""
    suites = contract.grader.pytest_paths
    ladder = folder / LADDER
    rungs = sorted(path.name for path in ladder.iterdir()) if ladder.is_dir() else []
    places = {
        "contract": "task.toml",
        "specification": SPECIFICATION,
        **{"suite" if len(suites) == 1 else f"suite {at}": at for at in suites},
        "reference": contract.reference_install,
        **{f"known-bad {_last(at)}": at for at in contract.known_bad_install},
        **{f"ladder {name}": f"{LADDER}/{name}" for name in rungs},
        "adapter": ADAPTER,
        "record": RECORD,
    }
    listing = listing_of(folder)
    return part_digests(listing, places)


def _last(path: str) -> str:
    return path.rpartition("/")[2]
