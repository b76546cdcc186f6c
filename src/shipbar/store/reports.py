"""Recording receipts, reviews, and what a buyer said: each with the bytes that were signed."""

from collections.abc import Sequence

import sqlalchemy as sa

from shipbar.attest import envelope
from shipbar.attest.envelope import Signed
from shipbar.attest.receipt import WHOLE
from shipbar.attest.reviews import Review
from shipbar.attest.store import Kept
from shipbar.errors import AttestationError, UserError
from shipbar.store import queries
from shipbar.store.schema import (
    DIGESTS,
    OUTCOMES_,
    RECEIPTS,
    REPORTS,
    REVIEWS,
)
from shipbar.store.values import FINISHED, AcceptanceRecord


def receipts(connection: sa.Connection, kept: Sequence[Kept]) -> int:
    """Record receipts; see `Ledger.record_receipts`."""
    new = 0
    for it in kept:
        asked = it.receipt.question
        where = f"receipt of {asked.gate} on {asked.task_id}"
        if not it.signers:
            raise AttestationError(
                f"{where}: signed by {', '.join(it.signed.key_ids)}, none of which is a key that you trust; "
                "put the signer's public key into the folder that `shipbar key show` names"
            )
        digest = asked.parts[WHOLE]
        _refuse_unknown(connection, digest, asked.task_id, where)
        new += _insert_once(
            connection,
            RECEIPTS,
            {
                "statement": it.signed.digest,
                "digest": digest,
                "gate": asked.gate,
                "name": asked.name,
                "version": asked.version,
                "status": it.receipt.status,
                "cell": it.receipt.cell,
                "tool_version": asked.conditions.tool_version,
                "tool_digest": asked.conditions.tool_digest,
                "signers": list(it.signers),
                "envelope": envelope.render(it.signed).decode(),
            },
        )
    return new


def review(connection: sa.Connection, made: Review, signed: Signed) -> bool:
    """Record a review; see `Ledger.record_review`."""
    where = f"review of {made.task_id} by {made.name}"
    if made.key_id not in signed.key_ids:
        raise AttestationError(
            f"{where}: expected the signature of {made.key_id}, got that of {', '.join(signed.key_ids)}"
        )
    _refuse_unknown(connection, made.digest, made.task_id, where)
    return _insert_once(
        connection,
        REVIEWS,
        {
            "statement": signed.digest,
            "digest": made.digest,
            "role": made.role,
            "name": made.name,
            "date": made.date,
            "approves": made.approves,
            "why": made.why,
            "key_id": made.key_id,
            "envelope": envelope.render(signed).decode(),
        },
    )


def acceptance(
    connection: sa.Connection, record: AcceptanceRecord, signed: Signed
) -> bool:
    """Record a buyer's report; see `Ledger.record_acceptance`."""
    delivered = _delivered(connection, record)
    query = sa.select(REPORTS.c.number).where(REPORTS.c.statement == signed.digest)
    if connection.execute(query).scalar() is not None:
        return False
    last = connection.execute(
        sa.select(sa.func.max(REPORTS.c.number)).where(
            REPORTS.c.serial == record.serial
        )
    ).scalar()
    number = int(last or 0) + 1
    connection.execute(
        sa.insert(REPORTS).values(
            serial=record.serial,
            number=number,
            statement=signed.digest,
            client=record.client,
            manifest=record.manifest,
            buyer=record.buyer,
            target=record.target,
            rate=record.rate,
            seconds=record.seconds,
            envelope=envelope.render(signed).decode(),
        )
    )
    rows = [
        {
            "serial": record.serial,
            "number": number,
            "digest": it.digest or delivered[it.task_id],
            "task_id": it.task_id,
            "outcome": it.outcome,
            "reason": it.reason,
        }
        for it in record.tasks
    ]
    connection.execute(sa.insert(OUTCOMES_), rows)
    return True


def _delivered(connection: sa.Connection, record: AcceptanceRecord) -> dict[str, str]:
    """Return the digests that a report is of, by task id.

    Raises:
        UserError: it is of nothing that was delivered, or of it as it never was.
    """
    where = f"report on delivery {record.serial} to {record.client}"
    found = queries.delivery(connection, record.serial)
    problems = []
    if found.client != record.client:
        problems.append(f"delivery {record.serial} went to {found.client}")
    if found.state != FINISHED:
        problems.append(f"delivery {record.serial} is {found.state}, not finished")
    elif found.manifest != record.manifest:
        problems.append(
            f"it is of manifest {record.manifest}, delivered was {found.manifest}"
        )
    delivered = {it.task_id: it.digest for it in found.tasks}
    # A buyer who cannot tell the digest says none: the task's name is in that manifest.
    problems += [
        f"{it.task_id} at {it.digest or 'a digest that nobody can tell'} is not in that delivery"
        for it in record.tasks
        if it.task_id not in delivered or it.digest not in ("", delivered[it.task_id])
    ]
    if problems:
        raise UserError(
            f"{where}: {'; '.join(problems)}; nothing is imported: ask the client which delivery was measured"
        )
    return delivered


def _refuse_unknown(
    connection: sa.Connection, digest: str, task_id: str, where: str
) -> None:
    query = sa.select(DIGESTS.c.task_id).where(DIGESTS.c.digest == digest)
    held = connection.execute(query).scalar()
    if held is None:
        raise UserError(
            f"{where}: the ledger has no task at {digest}; record the task first, with `shipbar ledger record`"
        )
    if held != task_id:
        raise UserError(f"{where}: {digest} is {held}, as the ledger has it")


def _insert_once(
    connection: sa.Connection, table: sa.Table, row: dict[str, object]
) -> bool:
    """Insert a row, or put its envelope in the place of that around the same statement."""
    same = table.c.statement == row["statement"]
    held = connection.execute(sa.select(table.c.envelope).where(same)).scalar()
    if held is None:
        connection.execute(sa.insert(table).values(**row))
    elif held != row["envelope"]:
        connection.execute(sa.update(table).where(same).values(**row))
    return held is None
