"""Reserving and finishing deliveries: one client a task, one open delivery a client.

A delivery is reserved before anything of it is written, and finished once all of it is.
Who was stopped in between runs the same again, and is given the same reservation.
"""

from collections.abc import Sequence

import attrs
import sqlalchemy as sa

from shipbar.errors import UserError
from shipbar.store import queries, tasks
from shipbar.store.schema import DELIVERED, DELIVERIES, TASKS
from shipbar.store.values import (
    FINISHED,
    RESERVED,
    WITHDRAWN,
    Delivery,
    TaskEntry,
    checked_digest,
    client_name,
)
from shipbar.verdict import canonical, sha256


@attrs.frozen(kw_only=True)
class Reservation:
    """A delivery that may be written now."""

    delivery: Delivery
    """What goes to whom; finished if just this was delivered before."""
    resumed: bool
    """Whether it was there already: reserved by a run that was stopped, or finished."""

    @property
    def serial(self) -> int:
        """The delivery's number."""
        return self.delivery.serial

    @property
    def previous(self) -> str:
        """``sha256:…`` of the manifest of the client's previous delivery; empty for the first."""
        return self.delivery.previous

    @property
    def finished(self) -> bool:
        """Whether just this was delivered before."""
        return self.delivery.state == FINISHED


def reserve(
    connection: sa.Connection,
    client: str,
    entries: Sequence[TaskEntry],
    date: str,
    *,
    again: bool,
) -> Reservation:
    """Reserve a delivery; see `Ledger.reserve_delivery`."""
    client_name(client)
    _check_entries(entries)
    _refuse_held(connection, client, entries)
    for entry in entries:
        tasks.record(connection, entry)
    content = sha256(canonical({"tasks": sorted(it.digest for it in entries)}))
    found = _there(connection, client, content, again=again)
    if found is not None:
        return Reservation(delivery=queries.delivery(connection, found), resumed=True)
    serial = _next_serial(connection)
    _insert(connection, serial, client, entries, {"date": date, "content": content})
    return Reservation(delivery=queries.delivery(connection, serial), resumed=False)


def finish(connection: sa.Connection, serial: int, manifest: str) -> Delivery:
    """Note that a delivery is complete; see `Ledger.finish_delivery`."""
    checked_digest(manifest, f"manifest of delivery {serial}")
    found = queries.delivery(connection, serial)
    if found.state == FINISHED and found.manifest == manifest:
        return found
    if found.state != RESERVED:
        raise UserError(
            f"delivery {serial} to {found.client} is {found.state}{f' with manifest {found.manifest}' if found.manifest else ''}, "
            f"and cannot be finished with {manifest}; deliver again"
        )
    _set(connection, serial, state=FINISHED, manifest=manifest)
    return queries.delivery(connection, serial)


def withdraw(connection: sa.Connection, serial: int) -> Delivery:
    """Give up a reservation; see `Ledger.withdraw_delivery`."""
    found = queries.delivery(connection, serial)
    if found.state == FINISHED:
        raise UserError(
            f"delivery {serial} to {found.client} is finished: what a client received stays theirs"
        )
    connection.execute(sa.delete(DELIVERED).where(DELIVERED.c.serial == serial))
    # Whatever the client has from other deliveries stays theirs.
    others = sa.select(DELIVERED.c.task_id)
    ids = [it.task_id for it in found.tasks]
    connection.execute(
        sa.update(TASKS)
        .where(TASKS.c.task_id.in_(ids), TASKS.c.task_id.not_in(others))
        .values(client=None)
    )
    _set(connection, serial, state=WITHDRAWN)
    return queries.delivery(connection, serial)


def _check_entries(entries: Sequence[TaskEntry]) -> None:
    ids = [it.task_id for it in entries]
    if not ids:
        raise UserError("a delivery holds at least one task, got none")
    if twice := sorted({it for it in ids if ids.count(it) > 1}):
        raise UserError(
            f"a delivery holds a task once, got more of {', '.join(twice)}; leave out all but one"
        )


def _refuse_held(
    connection: sa.Connection, client: str, entries: Sequence[TaskEntry]
) -> None:
    query = (
        sa.select(DELIVERED.c.task_id, DELIVERED.c.client, DELIVERED.c.serial)
        .where(DELIVERED.c.task_id.in_([it.task_id for it in entries]))
        .where(DELIVERED.c.client != client)
        .order_by(DELIVERED.c.task_id, DELIVERED.c.serial)
    )
    rows = list(connection.execute(query))
    if rows:
        told = [f"  {task_id}: {other} has it, by delivery {serial}" for task_id, other, serial in rows]  # fmt: skip
        raise UserError(
            "\n".join(
                [
                    f"no task goes to two clients; nothing is reserved for {client}:",
                    *told,
                    "  leave these out, or build others in their place",
                ]
            )
        )


def _there(
    connection: sa.Connection, client: str, content: str, *, again: bool
) -> int | None:
    """Return the serial of what is reserved or finished with that content.

    Raises:
        UserError: something else is reserved for that client.
    """
    query = (
        sa.select(DELIVERIES.c.serial, DELIVERIES.c.state, DELIVERIES.c.content)
        .where(DELIVERIES.c.client == client, DELIVERIES.c.state != WITHDRAWN)
        .order_by(DELIVERIES.c.serial.desc())
    )
    finished = None
    for serial, state, held in connection.execute(query):
        if state == RESERVED and held != content:
            raise UserError(
                f"delivery {serial} to {client} is reserved for other tasks and not finished; "
                f"see `shipbar ledger show {serial}`: run that delivery again to finish it, or give it up with `shipbar ledger withdraw {serial}`"
            )
        if state == RESERVED:
            return int(serial)
        if held == content and finished is None:
            finished = int(serial)
    return None if again else finished


def _next_serial(connection: sa.Connection) -> int:
    last = connection.execute(sa.select(sa.func.max(DELIVERIES.c.serial))).scalar()
    return int(last or 0) + 1


def _previous(connection: sa.Connection, client: str) -> str:
    query = (
        sa.select(DELIVERIES.c.manifest)
        .where(DELIVERIES.c.client == client, DELIVERIES.c.state == FINISHED)
        .order_by(DELIVERIES.c.serial.desc())
        .limit(1)
    )
    return connection.execute(query).scalar() or ""


def _insert(
    connection: sa.Connection,
    serial: int,
    client: str,
    entries: Sequence[TaskEntry],
    facts: dict[str, str],
) -> None:
    connection.execute(
        sa.insert(DELIVERIES).values(
            serial=serial,
            client=client,
            state=RESERVED,
            previous=_previous(connection, client),
            manifest="",
            **facts,
        )
    )
    ids = [it.task_id for it in entries]
    connection.execute(
        sa.update(TASKS).where(TASKS.c.task_id.in_(ids)).values(client=client)
    )
    rows = [
        {
            "serial": serial,
            "client": client,
            "task_id": it.task_id,
            "digest": it.digest,
        }
        for it in entries
    ]
    connection.execute(sa.insert(DELIVERED), rows)


def _set(connection: sa.Connection, serial: int, **facts: str) -> None:
    connection.execute(
        sa.update(DELIVERIES).where(DELIVERIES.c.serial == serial).values(**facts)
    )
