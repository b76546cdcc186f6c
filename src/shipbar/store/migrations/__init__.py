"""How a ledger of an older Shipbar becomes one of this: Alembic's migrations.

A migration that has been released is never changed: another one follows it, in a module
of its own below `versions/`, and its id goes to the end of `REVISIONS`.
"""

from pathlib import Path

import sqlalchemy as sa

REVISIONS = ("0001",)
"""The ids of all migrations, the first one first."""


def upgrade(connection: sa.Connection) -> None:
    """Run the migrations that a ledger has not seen, in the transaction that is open."""
    # Here, since it takes long to import and a ledger needs it once.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    settings = Config(attributes={"connection": connection})
    # A percent sign would be read as the beginning of a setting's name.
    here = str(Path(__file__).parent).replace("%", "%%")
    settings.set_main_option("script_location", here)
    settings.set_main_option("path_separator", "os")
    command.upgrade(settings, "head")
