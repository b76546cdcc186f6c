"""The first tables; `shipbar.store.schema` says what each rule is for."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    _tasks()
    _contents()
    _evidence()
    _deliveries()
    _acceptance()


def downgrade() -> None:
    """Refuse: a ledger is not thrown away by a migration."""
    raise NotImplementedError("there is no older form of a ledger")


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.String(), nullable=False) for name in names]


def _whole(*names: str) -> list[sa.Column[int]]:
    return [
        sa.Column(name, sa.Integer(), nullable=False, autoincrement=False)
        for name in names
    ]


def _of(table: str, *columns: str, cascades: bool = False) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        columns,
        [f"{table}.{column}" for column in columns],
        ondelete="CASCADE" if cascades else None,
    )


def _tasks() -> None:
    op.create_table(
        "tasks",
        *_text("task_id", "package", "task_class", "language", "split", "canary"),
        *_text("family"),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("client", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("task_id"),
        sa.UniqueConstraint("package"),
        sa.UniqueConstraint("task_id", "client"),
    )
    op.create_index("ix_tasks_family", "tasks", ["family"])
    op.create_table(
        "names",
        *_text("name", "task_id"),
        sa.PrimaryKeyConstraint("name"),
        _of("tasks", "task_id", cascades=True),
    )
    op.create_index("ix_names_task_id", "names", ["task_id"])
    op.create_table(
        "spots",
        *_text("family", "spot", "task_id"),
        sa.PrimaryKeyConstraint("family", "spot"),
        _of("tasks", "task_id", cascades=True),
    )
    op.create_index("ix_spots_task_id", "spots", ["task_id"])


def _contents() -> None:
    op.create_table(
        "contents",
        *_text("fingerprint", "task_id"),
        sa.PrimaryKeyConstraint("fingerprint"),
        sa.UniqueConstraint("fingerprint", "task_id"),
        _of("tasks", "task_id", cascades=True),
    )
    op.create_table(
        "digests",
        *_text("digest", "task_id", "fingerprint"),
        sa.PrimaryKeyConstraint("digest"),
        sa.UniqueConstraint("digest", "task_id"),
        _of("contents", "fingerprint", "task_id", cascades=True),
    )
    op.create_index("ix_digests_task_id", "digests", ["task_id"])


def _evidence() -> None:
    op.create_table(
        "receipts",
        *_text("statement", "digest", "gate", "name"),
        *_whole("version"),
        *_text("status", "cell", "tool_version", "tool_digest"),
        sa.Column("signers", sa.JSON(), nullable=False),
        sa.Column("envelope", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("statement"),
        _of("digests", "digest", cascades=True),
    )
    op.create_index("ix_receipts_digest", "receipts", ["digest"])
    op.create_table(
        "reviews",
        *_text("statement", "digest", "role", "name", "date"),
        sa.Column("approves", sa.Boolean(), nullable=False),
        *_text("why", "key_id"),
        sa.Column("envelope", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("statement"),
        _of("digests", "digest", cascades=True),
    )
    op.create_index("ix_reviews_digest", "reviews", ["digest"])


def _deliveries() -> None:
    state = sa.column("state", sa.String())
    manifest = sa.column("manifest", sa.String())
    op.create_table(
        "deliveries",
        *_whole("serial"),
        *_text("client", "date", "state", "content", "previous", "manifest"),
        sa.PrimaryKeyConstraint("serial"),
        sa.UniqueConstraint("serial", "client"),
        sa.CheckConstraint(
            state.in_(("reserved", "finished", "withdrawn")), name="state"
        ),
        sa.CheckConstraint((state == "finished") == (manifest != ""), name="manifest"),
    )
    op.create_index(
        "uq_deliveries_open",
        "deliveries",
        ["client"],
        unique=True,
        sqlite_where=state == "reserved",
        postgresql_where=state == "reserved",
    )
    op.create_table(
        "delivered",
        *_whole("serial"),
        *_text("digest", "task_id", "client"),
        sa.PrimaryKeyConstraint("serial", "digest"),
        sa.UniqueConstraint("serial", "task_id"),
        _of("deliveries", "serial", "client"),
        _of("digests", "digest", "task_id"),
        _of("tasks", "task_id", "client"),
    )
    op.create_index("ix_delivered_task_id", "delivered", ["task_id"])


def _acceptance() -> None:
    op.create_table(
        "reports",
        *_whole("serial", "number"),
        *_text("statement", "client", "manifest", "buyer"),
        *(
            sa.Column(name, sa.Double(), nullable=False)
            for name in ("target", "rate", "seconds")
        ),
        sa.Column("envelope", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("serial", "number"),
        sa.UniqueConstraint("statement"),
        _of("deliveries", "serial", "client"),
    )
    op.create_table(
        "outcomes",
        *_whole("serial", "number"),
        *_text("digest", "task_id", "outcome", "reason"),
        sa.CheckConstraint(
            sa.column("outcome").in_(("accepted", "rejected")), name="outcome"
        ),
        sa.PrimaryKeyConstraint("serial", "number", "digest"),
        _of("reports", "serial", "number"),
        _of("delivered", "serial", "digest"),
    )
