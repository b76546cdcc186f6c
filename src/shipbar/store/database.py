"""A file or a server: connections, transactions, and its errors as ours.

- SQLite with a rollback journal: the ledger is one file, which can be copied whenever
  nobody writes. PostgreSQL through psycopg.
- Whoever writes holds a lock from the first statement to the last (SQLite's own, an
  advisory one of PostgreSQL's), so what was checked still holds when it is written.
- Opening runs the migrations that are missing, in one transaction under that same lock:
  of two processes that open at once, the second finds nothing left to do.
- Passwords in a URL are never shown.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from shipbar.errors import SeamError, ShipbarError, UserError
from shipbar.store.migrations import REVISIONS, upgrade
from shipbar.store.schema import METADATA, VERSION

WAIT_S = 60
"""Seconds that a writer waits for others before it gives up."""
_LOCK = 0x5348_4950_4241_52
"""The advisory lock of all who write to a ledger on a PostgreSQL server."""
_WRITES = "shipbar_writes"
_ANOTHER = "name another with --ledger or SHIPBAR_LEDGER"


@attrs.frozen(kw_only=True)
class Database:
    """Where a ledger is kept."""

    engine: sa.Engine
    """Makes connections; none is kept open."""
    name: str
    """Its file or URL, as told to people."""

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Open a transaction that sees one state of everything.

        Raises:
            UserError: it cannot be read.
            SeamError: it, or the machine, failed.
        """
        with self._as_ours(), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Open a transaction that nobody else writes beside; all of it is kept, or nothing.

        Raises:
            UserError: it cannot be written.
            SeamError: it, or the machine, failed.
        """
        with self._as_ours(), self.engine.connect() as plain:
            connection = plain.execution_options(**{_WRITES: True})
            with connection.begin():
                if connection.dialect.name == "postgresql":
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
                yield connection

    @contextmanager
    def _as_ours(self) -> Iterator[None]:
        try:
            yield
        except ShipbarError:
            raise
        except SQLAlchemyError as cause:
            raise _ours(cause, self.name) from cause


def is_there(where: str) -> bool:
    """Say whether there is a ledger to open; of a server, nobody knows before."""
    url = _url(where)
    return not _is_file(url) or Path(url.database or "").exists()


def open_database(where: str) -> Database:
    """Open a ledger, and make it one of this Shipbar's if it is older or new.

    Args:
        where: a file, or a URL such as `postgresql://host/ledger`.

    Raises:
        UserError: there can be none, it is something else, or a newer Shipbar's.
        SeamError: the server cannot be reached, or the machine failed.
    """
    url = _url(where)
    shown = (
        (url.database or "")
        if _is_file(url)
        else url.set(drivername=url.get_backend_name()).render_as_string()
    )
    database = Database(engine=_engine(url, shown), name=shown)
    with database.reading() as connection:
        found = _revision(connection, shown)
    if found != REVISIONS[-1]:
        with database.writing() as connection:
            # Somebody else may have been here while we waited for the lock.
            if _revision(connection, shown) != REVISIONS[-1]:
                upgrade(connection)
    return database


def _url(where: str) -> URL:
    if "://" not in where:
        return URL.create("sqlite", database=str(Path(where).expanduser()))
    try:
        url = make_url(where)
    except (ArgumentError, ValueError) as cause:
        # The cause repeats the URL, which may hold a password.
        raise UserError(
            "ledger: expected a file or a URL such as postgresql://user@host/ledger, got a URL that cannot be read"
        ) from cause
    if url.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite" and url.database not in (None, "", ":memory:"):
        return url
    raise UserError(
        f"ledger {url.render_as_string(hide_password=True)}: expected a file, sqlite:///FILE or postgresql://HOST/NAME; {_ANOTHER}"
    )


def _is_file(url: URL) -> bool:
    return url.drivername == "sqlite"


def _engine(url: URL, shown: str) -> sa.Engine:
    if not _is_file(url):
        return sa.create_engine(url, poolclass=NullPool)
    try:
        Path(shown).parent.mkdir(parents=True, exist_ok=True)
    except OSError as cause:
        raise UserError(
            f"ledger {shown}: its folder cannot be made ({cause.strerror}); {_ANOTHER}"
        ) from cause
    engine = sa.create_engine(url, poolclass=NullPool, connect_args={"timeout": WAIT_S})
    sa.event.listen(engine, "connect", _set_up)
    sa.event.listen(engine, "begin", _begin)
    return engine


def _set_up(connection: sqlite3.Connection, _record: object) -> None:
    """Have SQLite keep what the tables say, and survive whatever stops the machine.

    There is no typed form of a pragma.
    """
    connection.isolation_level = None  # transactions begin where we say so
    for pragma in ("foreign_keys=ON", "journal_mode=DELETE", "synchronous=EXTRA"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin(connection: sa.Connection) -> None:
    """Begin a transaction; one that writes takes its lock at once, not half way."""
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _revision(connection: sa.Connection, shown: str) -> str:
    """Return the revision of a ledger; empty if it is none yet.

    Raises:
        UserError: it is something else, or a newer Shipbar's.
    """
    tables = set(sa.inspect(connection).get_table_names())
    if VERSION.name not in tables:
        if strange := sorted(tables - METADATA.tables.keys())[:3]:
            raise UserError(
                f"ledger {shown}: expected an empty database or a ledger, found other tables, such as {', '.join(strange)}; {_ANOTHER}"
            )
        return ""
    found = connection.execute(sa.select(VERSION.c.version_num)).scalar() or ""
    if found and found not in REVISIONS:
        raise UserError(
            f"ledger {shown}: it is of revision {found}, this Shipbar knows up to {REVISIONS[-1]}: a newer one has opened it; "
            f"install that Shipbar here, or {_ANOTHER}"
        )
    return str(found)


_SQLITE: dict[str, tuple[type[ShipbarError], str]] = {
    "SQLITE_BUSY": (
        SeamError,
        f"others wrote to it for {WAIT_S} seconds on end; run it again",
    ),
    "SQLITE_FULL": (
        SeamError,
        "the disk is full, and nothing was written; free some space and run it again",
    ),
    "SQLITE_CANTOPEN": (
        UserError,
        f"cannot be opened; see whether you may write to it and to its folder, or {_ANOTHER}",
    ),
    "SQLITE_READONLY": (
        UserError,
        f"cannot be written; see whether you may write to it and to its folder, or {_ANOTHER}",
    ),
    "SQLITE_NOTADB": (UserError, f"the file is something else; {_ANOTHER}"),
    "SQLITE_CORRUPT": (
        SeamError,
        "the file is damaged; put back a copy that was made while nobody wrote to it",
    ),
}
"""What to make of SQLite's errors, by the beginnings of their names."""


def _ours(cause: SQLAlchemyError, shown: str) -> ShipbarError:
    """Say in our words what a database said."""
    original: Any = getattr(cause, "orig", None)
    told = " ".join(str(original or cause).split())
    if isinstance(cause, IntegrityError):
        return UserError(
            f"ledger {shown}: a rule of the ledger stands against it, and nothing was written: {told}"
        )
    name = str(getattr(original, "sqlite_errorname", ""))
    for begins, (kind, what) in _SQLITE.items():
        if name.startswith(begins):
            return kind(f"ledger {shown}: {what}")
    return SeamError(
        f"ledger {shown}: the database failed, and nothing was written: {told}; see that it runs and that you may use it, and run it again"
    )
