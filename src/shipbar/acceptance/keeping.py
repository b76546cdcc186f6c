"""What was measured, as receipts under the buyer's own key: evidence, and the way on.

A gate's receipt lies at `receipts/TASK/GATE.dsse.json` of the report. It is found again
only if the buyer's key signed just those bytes and it answers just the question that is
asked now: this task, this tool, this sandbox, this interpreter, and whatever else the
gate names. A torn or foreign file is as if it were not there. What could not be run is
never kept.
"""

import logging
from collections.abc import Mapping
from pathlib import Path

from shipbar.attest import envelope, store
from shipbar.attest.keys import Own
from shipbar.attest.receipt import Conditions, Question
from shipbar.attest.statement import statement_of
from shipbar.errors import AttestationError, SeamError, UserError
from shipbar.gates.base import Gate, Status
from shipbar.gates.proving import Found
from shipbar.gates.receipts import (
    SECONDS,
    conditions_of,
    evidence_of,
    question_of,
    receipt_for,
)
from shipbar.gates.trial import Trial

log = logging.getLogger(__name__)


class Kept:
    """Keeps what gates find on one task; what `prove` calls a keeper."""

    def __init__(self, folder: Path, own: Own, parts: Mapping[str, str]) -> None:
        """Keep receipts in ``folder``.

        Args:
            folder: `receipts` of the report.
            own: the buyer's key.
            parts: the digests of the task's parts.
        """
        self._folder, self._own, self._parts = folder, own, parts
        self._conditions: Conditions | None = None
        # By the gate's id: to name an image by its digest takes a while.
        self._questions: dict[str, Question | None] = {}

    def question(self, gate: Gate, trial: Trial) -> Question | None:
        """Return what a gate asks of the task; None if it cannot tell."""
        if gate.id not in self._questions:
            self._questions[gate.id] = self._asked(gate, trial)
        return self._questions[gate.id]

    def find(self, gate: Gate, trial: Trial) -> Found | None:
        """Return what was found when just this was asked before."""
        question = self.question(gate, trial)
        if question is None:
            return None
        try:
            kept = store.open_receipt(
                self._path(question), [self._own.signer.public_key]
            )
        except (AttestationError, UserError):
            return None
        receipt = kept.receipt
        if receipt.question != question or receipt.status == Status.NOT_RUN:
            return None
        seconds = float(receipt.run.get(SECONDS, 0.0))
        return Found(evidence=evidence_of(receipt), seconds=seconds, reused=True)

    def keep(self, gate: Gate, trial: Trial, found: Found) -> None:
        """Sign what was found, unless the gate could not be run.

        Raises:
            SeamError: the report cannot be written.
        """
        question = self.question(gate, trial)
        if question is None or found.evidence.status is Status.NOT_RUN:
            return
        receipt = receipt_for(question, found.evidence, seconds=found.seconds)
        signed = envelope.sign(statement_of(receipt), self._own.signer)
        try:
            store.write(self._path(question), signed)
        except UserError as cause:
            raise SeamError(str(cause)) from cause

    def _path(self, question: Question) -> Path:
        return self._folder / question.task_id / (question.gate + store.SUFFIX)

    def _asked(self, gate: Gate, trial: Trial) -> Question | None:
        try:
            if self._conditions is None:
                self._conditions = conditions_of(trial.sandbox, trial.cache)
            return question_of(gate, trial, self._parts, self._conditions)
        except Exception:  # broad on purpose: a gate's own fault stops no other gate
            log.exception("gate %s cannot say what it depends on", gate.id)
            return None
