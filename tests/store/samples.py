"""Facts for the tests of this folder: tasks, receipts, reviews and reports, made from words."""

from collections.abc import Sequence
from typing import Any

import attrs

from shipbar.attest import envelope, reviews
from shipbar.attest.envelope import Signed
from shipbar.attest.reviews import Review
from shipbar.attest.statement import statement_of
from shipbar.attest.store import Kept
from shipbar.store.acceptance import payload_of
from shipbar.store.ledger import Ledger
from shipbar.store.values import (
    AcceptanceRecord,
    Delivery,
    TaskEntry,
    TaskOutcome,
)
from shipbar.verdict import sha256
from tests.attest.samples import QUESTION, RECEIPT, signer

AXES = ("brackets", "case", "joins", "marks", "order", "signs")
MANIFEST = sha256(b"manifest")


def rules(values: str) -> dict[str, str]:
    """A selection: one letter an axis."""
    return dict(zip(AXES, values, strict=True))


def entry(word: str, values: str = "", **facts: Any) -> TaskEntry:
    """A task that shares nothing with that of another word.

    With ``values`` it is a variant of the family `strips` with those rules.
    """
    built = {"family": "strips", "rules": rules(values)} if values else {}
    return TaskEntry(
        **{
            "task_id": f"{word}-1",
            "digest": sha256(f"{word} all".encode()),
            "fingerprint": sha256(f"{word} content".encode()),
            "package": word,
            "task_class": "invented",
            "language": "python",
            "split": "train",
            "canary": f"shipbar-canary-{word}",
            "names": (f"{word}read", f"{word.capitalize()}Fault"),
            **built,
            **facts,
        }
    )


def mended(made: TaskEntry, word: str) -> TaskEntry:
    """The same task in another state."""
    return attrs.evolve(
        made,
        digest=sha256(f"{word} all".encode()),
        fingerprint=sha256(f"{word} content".encode()),
    )


def kept(made: TaskEntry, gate: str = "G1", by: str = "maker") -> Kept:
    """A signed receipt of a task."""
    question = attrs.evolve(
        QUESTION, gate=gate, task_id=made.task_id, parts={"task": made.digest}
    )
    receipt = attrs.evolve(RECEIPT, question=question)
    signed = envelope.sign(statement_of(receipt), signer(by))
    return Kept(receipt=receipt, signed=signed, signers=signed.key_ids)


def reviewed(made: TaskEntry, role: str = "senior") -> tuple[Review, Signed]:
    """A signed review of a task."""
    own = signer(role)
    review = Review(
        task_id=made.task_id,
        parts={"task": made.digest},
        role=role,
        name=f"Ada the {role}",
        date="2026-11-30",
        approves=True,
        tool_version="0.1.0",
        key_id=own.public_key.keyid,
    )
    return review, reviews.signed_review(review, own)


def report(
    delivery: Delivery, rejected: Sequence[str] = (), **facts: Any
) -> AcceptanceRecord:
    """What a buyer says of a delivery: all accepted but some."""
    tasks = tuple(
        TaskOutcome(
            task_id=it.task_id,
            digest=it.digest,
            outcome="rejected" if it.task_id in rejected else "accepted",
            reason="G7: 94 of 100 killed" if it.task_id in rejected else "",
        )
        for it in delivery.tasks
    )
    made = AcceptanceRecord(
        client=delivery.client,
        serial=delivery.serial,
        manifest=delivery.manifest,
        tasks=tasks,
        buyer=signer("buyer").public_key.keyid,
        target=0.9,
        rate=1 - len(rejected) / len(tasks) if tasks else 0.0,
        seconds=812.5,
    )
    return attrs.evolve(made, **facts)


def signed(record: AcceptanceRecord, by: str = "buyer") -> Signed:
    """A report under a key's signature."""
    return envelope.sign(payload_of(record), signer(by))


def delivered(ledger: Ledger, client: str, *entries: TaskEntry) -> Delivery:
    """Deliver tasks, as far as the ledger is concerned."""
    serial = ledger.reserve_delivery(client, entries).serial
    return ledger.finish_delivery(serial, sha256(f"manifest {serial}".encode()))
