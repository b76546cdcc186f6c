"""Recording tasks: a name once, a content once, variants of a family apart.

What stands against a task is found before anything is written, all of it at once, and
names both sides. The tables keep the same rules, see `schema`.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence

import sqlalchemy as sa

from shipbar.building.rules import LEAST_DISTANCE, SPLIT_DISTANCE
from shipbar.errors import UserError
from shipbar.store.schema import CONTENTS, DIGESTS, NAMES, SPOTS, TASKS
from shipbar.store.values import TaskEntry
from shipbar.verdict import canonical, sha256

SPOT = 32
"""Hexadecimal digits that stand for what is left of a selection: there are many of them."""
FIXED = ("package", "task_class", "language", "split", "canary", "family", "rules")
"""What a task keeps for as long as it has its id; everything else may be mended."""


def record(connection: sa.Connection, entry: TaskEntry) -> bool:
    """Record a task at a digest; return whether that digest is new.

    Raises:
        UserError: it collides with what is recorded; says with what, and what to do.
    """
    known = _one(connection, TASKS, TASKS.c.task_id, entry.task_id)
    problems = _problems(connection, entry, known)
    if problems:
        raise UserError("\n".join([f"{entry.task_id} is not recorded:", *problems]))
    if known is None:
        facts = {name: getattr(entry, name) for name in FIXED}
        facts["rules"] = dict(entry.rules)
        connection.execute(
            sa.insert(TASKS).values(task_id=entry.task_id, client=None, **facts)
        )
        _insert(connection, SPOTS, entry.task_id, _spots(entry))
    held = _names_of(connection, entry.task_id)
    fresh = [{"name": name} for name in taken_names(entry) if name not in held]
    _insert(connection, NAMES, entry.task_id, fresh)
    if _one(connection, CONTENTS, CONTENTS.c.fingerprint, entry.fingerprint) is None:
        content = {"fingerprint": entry.fingerprint}
        _insert(connection, CONTENTS, entry.task_id, [content])
    if _one(connection, DIGESTS, DIGESTS.c.digest, entry.digest) is not None:
        return False
    state = {"digest": entry.digest, "fingerprint": entry.fingerprint}
    _insert(connection, DIGESTS, entry.task_id, [state])
    return True


def forget(connection: sa.Connection, task_id: str) -> None:
    """Remove a task that went to nobody, with its receipts and reviews.

    Raises:
        UserError: there is none, or it went to a client.
    """
    known = _one(connection, TASKS, TASKS.c.task_id, task_id)
    if known is None:
        raise UserError(f"no task {task_id!r} in the ledger, see `shipbar ledger list`")
    if known["client"] is not None:
        raise UserError(
            f"{task_id} is delivered, or about to be, to {known['client']}, and stays in the ledger; "
            "an unfinished delivery can be given up with `shipbar ledger withdraw SERIAL`"
        )
    connection.execute(sa.delete(TASKS).where(TASKS.c.task_id == task_id))


def taken_names(entry: TaskEntry) -> list[str]:
    """Return the names that are the task's alone, as they are compared."""
    return sorted({name.casefold() for name in (entry.package, *entry.names)})


def apart(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Return the axes in which two selections differ; one that only one of them has does not count."""
    return sorted(
        axis for axis in one.keys() & other.keys() if one[axis] != other[axis]
    )


def _problems(
    connection: sa.Connection,
    entry: TaskEntry,
    known: sa.RowMapping | None,
) -> list[str]:
    content = _one(connection, CONTENTS, CONTENTS.c.fingerprint, entry.fingerprint)
    if content is not None and content["task_id"] != entry.task_id:
        return [_same_content(connection, content["task_id"])]
    changed = [] if known is None else _changed(entry, known)
    if changed:
        return changed
    return [*_name_problems(connection, entry), *_near(connection, entry)]


def _same_content(connection: sa.Connection, other: str) -> str:
    client = holder(connection, other)
    return (
        f"  it is {other} under another name, {f'which {client} has' if client else 'which is recorded'}: "
        "their references are the same but for their names; build another task"
    )


def _changed(entry: TaskEntry, known: sa.RowMapping) -> list[str]:
    lines = [
        f"  {name}: the ledger has {known[name]!r}, here is {getattr(entry, name)!r}"
        for name in FIXED
        if known[name] != getattr(entry, name)
    ]
    if lines:
        lines.append(
            "  an id is used once: this is another task; build it under another id, "
            f"or `shipbar ledger forget {entry.task_id}` if the recorded one went to nobody"
        )
    return lines


def _name_problems(connection: sa.Connection, entry: TaskEntry) -> list[str]:
    query = (
        sa.select(NAMES.c.name, NAMES.c.task_id)
        .where(NAMES.c.name.in_(taken_names(entry)))
        .where(NAMES.c.task_id != entry.task_id)
        .order_by(NAMES.c.name)
    )
    lines = [
        f"  name {name}: {other} has it" for name, other in connection.execute(query)
    ]
    if lines:
        lines.append(
            "  a name is used once: build the task again with another seed, or forget the other one if it went to nobody"
        )
    return lines


def _near(connection: sa.Connection, entry: TaskEntry) -> list[str]:
    if not entry.family:
        return []
    query = (
        sa.select(TASKS.c.task_id, TASKS.c.split, TASKS.c.rules)
        .where(TASKS.c.family == entry.family, TASKS.c.task_id != entry.task_id)
        .order_by(TASKS.c.task_id)
    )
    lines = []
    for other, split, rules in connection.execute(query):
        least = LEAST_DISTANCE if split == entry.split else SPLIT_DISTANCE
        axes = apart(entry.rules, rules)
        if len(axes) < least:
            across = "" if split == entry.split else f", which is in {split}"
            lines.append(
                f"  family {entry.family}: differs from {other}{across} in {len(axes)} axes ({', '.join(axes) or 'none'}), at least {least} are wanted"
            )
    if lines:
        lines.append(
            "  build it into the folder that holds those tasks, which keeps it away from them, or with another seed"
        )
    return lines


def _spots(entry: TaskEntry) -> Iterator[dict[str, str]]:
    """Yield what is left of a selection for each way of leaving two axes out."""
    if not entry.family:
        return
    for gone in itertools.combinations(sorted(entry.rules), LEAST_DISTANCE - 1):
        left = {axis: value for axis, value in entry.rules.items() if axis not in gone}
        yield {"family": entry.family, "spot": sha256(canonical(left))[-SPOT:]}


def holder(connection: sa.Connection, task_id: str) -> str | None:
    """Return the client of a task, if it has one."""
    query = sa.select(TASKS.c.client).where(TASKS.c.task_id == task_id)
    return connection.execute(query).scalar()


def _names_of(connection: sa.Connection, task_id: str) -> set[str]:
    query = sa.select(NAMES.c.name).where(NAMES.c.task_id == task_id)
    return set(connection.execute(query).scalars())


def _one(
    connection: sa.Connection, table: sa.Table, column: sa.Column[str], value: str
) -> sa.RowMapping | None:
    query = sa.select(table).where(column == value)
    return connection.execute(query).mappings().one_or_none()


def _insert(
    connection: sa.Connection,
    table: sa.Table,
    task_id: str,
    rows: Sequence[dict[str, str]] | Iterator[dict[str, str]],
) -> None:
    values = [{"task_id": task_id, **row} for row in rows]
    if values:
        connection.execute(sa.insert(table), values)
