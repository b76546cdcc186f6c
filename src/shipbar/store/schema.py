"""The tables, and the rules that the database itself keeps.

- *One client a task.* A task's row names its client, once it has one; a row of
  `delivered` refers to a task together with a client, and to a delivery together with
  its client. So there is no way to write a task into deliveries to two clients.
- *A task is one, under whatever name.* A fingerprint belongs to one task, a digest to
  one task and one of its fingerprints.
- *No reuse of names.* A name has one row, which belongs to one task.
- *Distance.* Two selections of rules differ in fewer than three axes exactly if they
  are equal once some two axes are left out. Each way of leaving two out is a row of
  `spots`, and no two rows are equal: who comes too near finds a spot taken.
- *One open delivery a client*, so that each delivery can name the one before it.

What these cannot express, and what a person needs to be told, is checked before, by
whoever holds the lock that all writers take.
"""

import sqlalchemy as sa

from shipbar.store.values import FINISHED, OUTCOMES, RESERVED, STATES

METADATA = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def _text(name: str, *, primary_key: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), primary_key=primary_key, nullable=False)


def _one_of(column: str, values: tuple[str, ...], name: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(sa.column(column).in_(values), name=name)


TASKS = sa.Table(
    "tasks",
    METADATA,
    _text("task_id", primary_key=True),
    _text("package"),
    _text("task_class"),
    _text("language"),
    _text("split"),
    _text("canary"),
    _text("family"),
    sa.Column("rules", sa.JSON(), nullable=False),
    sa.Column("client", sa.String(), nullable=True),
    sa.UniqueConstraint("package"),
    sa.UniqueConstraint("task_id", "client"),
    sa.Index(None, "family"),
)

NAMES = sa.Table(
    "names",
    METADATA,
    _text("name", primary_key=True),
    _text("task_id"),
    sa.ForeignKeyConstraint(["task_id"], ["tasks.task_id"], ondelete="CASCADE"),
    sa.Index(None, "task_id"),
)

SPOTS = sa.Table(
    "spots",
    METADATA,
    _text("family", primary_key=True),
    _text("spot", primary_key=True),
    _text("task_id"),
    sa.ForeignKeyConstraint(["task_id"], ["tasks.task_id"], ondelete="CASCADE"),
    sa.Index(None, "task_id"),
)

CONTENTS = sa.Table(
    "contents",
    METADATA,
    _text("fingerprint", primary_key=True),
    _text("task_id"),
    sa.UniqueConstraint("fingerprint", "task_id"),
    sa.ForeignKeyConstraint(["task_id"], ["tasks.task_id"], ondelete="CASCADE"),
)

DIGESTS = sa.Table(
    "digests",
    METADATA,
    _text("digest", primary_key=True),
    _text("task_id"),
    _text("fingerprint"),
    sa.UniqueConstraint("digest", "task_id"),
    sa.ForeignKeyConstraint(
        ["fingerprint", "task_id"],
        ["contents.fingerprint", "contents.task_id"],
        ondelete="CASCADE",
    ),
    sa.Index(None, "task_id"),
)

RECEIPTS = sa.Table(
    "receipts",
    METADATA,
    _text("statement", primary_key=True),
    _text("digest"),
    _text("gate"),
    _text("name"),
    sa.Column("version", sa.Integer(), nullable=False, autoincrement=False),
    _text("status"),
    _text("cell"),
    _text("tool_version"),
    _text("tool_digest"),
    sa.Column("signers", sa.JSON(), nullable=False),
    sa.Column("envelope", sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(["digest"], ["digests.digest"], ondelete="CASCADE"),
    sa.Index(None, "digest"),
)

REVIEWS = sa.Table(
    "reviews",
    METADATA,
    _text("statement", primary_key=True),
    _text("digest"),
    _text("role"),
    _text("name"),
    _text("date"),
    sa.Column("approves", sa.Boolean(), nullable=False),
    _text("why"),
    _text("key_id"),
    sa.Column("envelope", sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(["digest"], ["digests.digest"], ondelete="CASCADE"),
    sa.Index(None, "digest"),
)

_OPEN = sa.column("state") == RESERVED
DELIVERIES = sa.Table(
    "deliveries",
    METADATA,
    sa.Column("serial", sa.Integer(), primary_key=True, autoincrement=False),
    _text("client"),
    _text("date"),
    _text("state"),
    _text("content"),
    _text("previous"),
    _text("manifest"),
    sa.UniqueConstraint("serial", "client"),
    _one_of("state", STATES, "state"),
    sa.CheckConstraint(
        (sa.column("state") == FINISHED) == (sa.column("manifest") != ""),
        name="manifest",
    ),
    sa.Index(
        "uq_deliveries_open",
        "client",
        unique=True,
        sqlite_where=_OPEN,
        postgresql_where=_OPEN,
    ),
)

DELIVERED = sa.Table(
    "delivered",
    METADATA,
    sa.Column("serial", sa.Integer(), primary_key=True, autoincrement=False),
    _text("digest", primary_key=True),
    _text("task_id"),
    _text("client"),
    sa.UniqueConstraint("serial", "task_id"),
    sa.ForeignKeyConstraint(
        ["serial", "client"], ["deliveries.serial", "deliveries.client"]
    ),
    sa.ForeignKeyConstraint(
        ["digest", "task_id"], ["digests.digest", "digests.task_id"]
    ),
    sa.ForeignKeyConstraint(["task_id", "client"], ["tasks.task_id", "tasks.client"]),
    sa.Index(None, "task_id"),
)

REPORTS = sa.Table(
    "reports",
    METADATA,
    sa.Column("serial", sa.Integer(), primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
    _text("statement"),
    _text("client"),
    _text("manifest"),
    _text("buyer"),
    sa.Column("target", sa.Double(), nullable=False),
    sa.Column("rate", sa.Double(), nullable=False),
    sa.Column("seconds", sa.Double(), nullable=False),
    sa.Column("envelope", sa.Text(), nullable=False),
    sa.UniqueConstraint("statement"),
    sa.ForeignKeyConstraint(
        ["serial", "client"], ["deliveries.serial", "deliveries.client"]
    ),
)

OUTCOMES_ = sa.Table(
    "outcomes",
    METADATA,
    sa.Column("serial", sa.Integer(), primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
    _text("digest", primary_key=True),
    _text("task_id"),
    _text("outcome"),
    _text("reason"),
    _one_of("outcome", OUTCOMES, "outcome"),
    sa.ForeignKeyConstraint(["serial", "number"], ["reports.serial", "reports.number"]),
    sa.ForeignKeyConstraint(
        ["serial", "digest"], ["delivered.serial", "delivered.digest"]
    ),
)

VERSION = sa.Table("alembic_version", sa.MetaData(), sa.Column("version_num"))
"""Where Alembic notes which migrations a ledger has seen."""
