"""What is recorded, as values. Everything comes in an order of its own, the same on every database."""

from collections import defaultdict
from collections.abc import Mapping

import sqlalchemy as sa

from shipbar.attest import envelope
from shipbar.attest.envelope import Signed
from shipbar.errors import UserError
from shipbar.store.schema import (
    DELIVERED,
    DELIVERIES,
    DIGESTS,
    NAMES,
    OUTCOMES_,
    RECEIPTS,
    REPORTS,
    REVIEWS,
    TASKS,
)
from shipbar.store.values import (
    MOST_SERIAL,
    AcceptanceFacts,
    AcceptanceRecord,
    Delivered,
    Delivery,
    ReceiptFacts,
    ReviewFacts,
    TaskFacts,
    TaskOutcome,
)


def tasks(
    connection: sa.Connection, client: str | None = None, task_id: str | None = None
) -> list[TaskFacts]:
    """Return tasks, by id.

    Args:
        connection: an open transaction.
        client: only those that this client has.
        task_id: only that one.
    """
    query = sa.select(TASKS)
    if client is not None:
        query = query.where(TASKS.c.client == client)
    if task_id is not None:
        query = query.where(TASKS.c.task_id == task_id)
    names: defaultdict[str, list[str]] = defaultdict(list)
    for owner, name in connection.execute(sa.select(NAMES.c.task_id, NAMES.c.name)):
        names[owner].append(name)
    states: defaultdict[str, dict[str, str]] = defaultdict(dict)
    rows = connection.execute(
        sa.select(DIGESTS.c.task_id, DIGESTS.c.digest, DIGESTS.c.fingerprint)
    )
    for owner, digest, print_ in rows:
        states[owner][digest] = print_
    found = [
        _task(row, names[row["task_id"]], states[row["task_id"]])
        for row in connection.execute(query).mappings()
    ]
    return sorted(found, key=lambda it: it.task_id)


def task_id_of(connection: sa.Connection, digest: str) -> str | None:
    """Return whose digest that is, if it is recorded."""
    query = sa.select(DIGESTS.c.task_id).where(DIGESTS.c.digest == digest)
    return connection.execute(query).scalar()


def receipts(
    connection: sa.Connection, digest: str | None = None, client: str | None = None
) -> list[ReceiptFacts]:
    """Return receipts, by task digest, gate and statement; of one digest, or of one client's tasks."""
    query = sa.select(RECEIPTS)
    if digest is not None:
        query = query.where(RECEIPTS.c.digest == digest)
    if client is not None:
        query = query.where(RECEIPTS.c.digest.in_(_digests_of(client)))
    found = [_receipt(row) for row in connection.execute(query).mappings()]
    return sorted(found, key=lambda it: (it.digest, _gate(it.gate), it.statement))


def reviews(connection: sa.Connection, digest: str | None = None) -> list[ReviewFacts]:
    """Return reviews, by task digest, role, date and statement; of one digest if it is given."""
    query = sa.select(REVIEWS)
    if digest is not None:
        query = query.where(REVIEWS.c.digest == digest)
    found = [_review(row) for row in connection.execute(query).mappings()]
    return sorted(found, key=lambda it: (it.digest, it.role, it.date, it.statement))


def deliveries(connection: sa.Connection, client: str | None = None) -> list[Delivery]:
    """Return deliveries, by serial; of one client if it is given."""
    query = sa.select(DELIVERIES)
    if client is not None:
        query = query.where(DELIVERIES.c.client == client)
    return _deliveries(connection, query)


def delivery(connection: sa.Connection, serial: int) -> Delivery:
    """Return one delivery.

    Raises:
        UserError: there is none of that number.
    """
    # No number that a column cannot hold is asked for: a database takes that for a fault.
    query = sa.select(DELIVERIES).where(DELIVERIES.c.serial == serial)
    found = _deliveries(connection, query) if serial <= MOST_SERIAL else []
    if not found:
        raise UserError(
            f"no delivery {serial} in the ledger; see `shipbar ledger list deliveries`"
        )
    return found[0]


def acceptance(
    connection: sa.Connection, client: str | None = None, serial: int | None = None
) -> list[AcceptanceFacts]:
    """Return buyers' reports, by delivery and number; of one client or delivery if it is given."""
    query = sa.select(REPORTS)
    if client is not None:
        query = query.where(REPORTS.c.client == client)
    if serial is not None:
        query = query.where(REPORTS.c.serial == serial)
    outcomes: defaultdict[tuple[int, int], list[TaskOutcome]] = defaultdict(list)
    for row in connection.execute(sa.select(OUTCOMES_)).mappings():
        outcomes[row["serial"], row["number"]].append(
            TaskOutcome(
                task_id=row["task_id"],
                digest=row["digest"],
                outcome=row["outcome"],
                reason=row["reason"],
            )
        )
    found = [
        _acceptance(row, outcomes[row["serial"], row["number"]])
        for row in connection.execute(query).mappings()
    ]
    return sorted(found, key=lambda it: (it.record.serial, it.number))


def _deliveries(
    connection: sa.Connection, query: sa.Select[tuple[object, ...]]
) -> list[Delivery]:
    rows = sorted(connection.execute(query).mappings(), key=lambda row: row["serial"])
    wanted = [row["serial"] for row in rows]
    held: defaultdict[int, list[Delivered]] = defaultdict(list)
    inside = sa.select(DELIVERED).where(DELIVERED.c.serial.in_(wanted))
    for row in connection.execute(inside).mappings():
        it = Delivered(task_id=row["task_id"], digest=row["digest"])
        held[row["serial"]].append(it)
    return [
        Delivery(
            serial=row["serial"],
            client=row["client"],
            date=row["date"],
            state=row["state"],
            previous=row["previous"],
            manifest=row["manifest"],
            tasks=tuple(sorted(held[row["serial"]], key=lambda it: it.task_id)),
        )
        for row in rows
    ]


def _digests_of(client: str) -> sa.Select[tuple[str]]:
    return (
        sa.select(DIGESTS.c.digest)
        .join(TASKS, TASKS.c.task_id == DIGESTS.c.task_id)
        .where(TASKS.c.client == client)
    )


def _gate(id_: str) -> tuple[int, str]:
    """Order `G2` before `G10`."""
    return len(id_), id_


def _task(row: sa.RowMapping, names: list[str], states: Mapping[str, str]) -> TaskFacts:
    return TaskFacts(
        task_id=row["task_id"],
        package=row["package"],
        task_class=row["task_class"],
        language=row["language"],
        split=row["split"],
        canary=row["canary"],
        family=row["family"],
        rules=dict(sorted(row["rules"].items())),
        names=tuple(sorted(names)),
        client=row["client"] or "",
        digests=dict(sorted(states.items())),
    )


def _signed(row: sa.RowMapping) -> Signed:
    return envelope.parse(row["envelope"].encode(), f"ledger, {row['statement']}")


def _receipt(row: sa.RowMapping) -> ReceiptFacts:
    return ReceiptFacts(
        statement=row["statement"],
        digest=row["digest"],
        gate=row["gate"],
        name=row["name"],
        version=row["version"],
        status=row["status"],
        cell=row["cell"],
        tool_version=row["tool_version"],
        tool_digest=row["tool_digest"],
        signers=tuple(row["signers"]),
        signed=_signed(row),
    )


def _review(row: sa.RowMapping) -> ReviewFacts:
    return ReviewFacts(
        statement=row["statement"],
        digest=row["digest"],
        role=row["role"],
        name=row["name"],
        date=row["date"],
        approves=row["approves"],
        why=row["why"],
        key_id=row["key_id"],
        signed=_signed(row),
    )


def _acceptance(row: sa.RowMapping, outcomes: list[TaskOutcome]) -> AcceptanceFacts:
    return AcceptanceFacts(
        number=row["number"],
        record=AcceptanceRecord(
            client=row["client"],
            serial=row["serial"],
            manifest=row["manifest"],
            tasks=tuple(sorted(outcomes, key=lambda it: it.task_id)),
            buyer=row["buyer"],
            target=row["target"],
            rate=row["rate"],
            seconds=row["seconds"],
        ),
        statement=row["statement"],
        signed=_signed(row),
    )
