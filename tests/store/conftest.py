"""A file and a server to keep a ledger in; every promise is tried on both."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from shipbar.store.ledger import Ledger

USER = "ledger"


def _programs() -> Path | None:
    """Where PostgreSQL's programs lie, if they are installed."""
    known = shutil.which("postgres")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    paths = [*map(Path, [known] if known else []), *reversed(found)]
    return paths[0].parent if paths else None


def _runs_as() -> int | None:
    """The user to run a server as, which refuses to be root's; None for this one."""
    return pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else None


class Server:
    """A PostgreSQL server of these tests alone, on a socket in a folder."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.folder = folder
        self._made: set[str] = set()
        self._user = _runs_as()
        if self._user is not None:
            os.chown(folder, self._user, -1)
        self._call(
            *(programs / "initdb", "-D", folder / "data", "-U", USER, "-A", "trust"),
            *("--no-sync", "--encoding=UTF8", "--locale=C"),
        )
        self._process = subprocess.Popen(
            [
                *(programs / "postgres", "-D", folder / "data", "-k", folder),
                *("-c", "listen_addresses=", "-c", "fsync=off"),
            ],
            user=self._user,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._wait()

    def _call(self, *words: object) -> None:
        subprocess.run(
            [str(word) for word in words],
            check=True,
            user=self._user,
            cwd=self.folder,
            capture_output=True,
            timeout=50,
        )

    def _wait(self) -> None:
        end = time.monotonic() + 40
        while True:
            try:
                return self.ask("SELECT 1")
            except psycopg.OperationalError:
                assert self._process.poll() is None, "the server ended"
                assert time.monotonic() < end, "the server did not come up in time"
                time.sleep(0.05)

    def ask(self, *statements: str, database: str = "postgres") -> None:
        with psycopg.connect(
            host=str(self.folder), user=USER, dbname=database, autocommit=True
        ) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def url(self, number: int = 0) -> str:
        """The URL of an empty database; making one takes longer than clearing it."""
        name = f"ledger{number}"
        if name in self._made:
            self.ask(
                "DROP SCHEMA public CASCADE", "CREATE SCHEMA public", database=name
            )
        else:
            self.ask(f"CREATE DATABASE {name}")
            self._made.add(name)
        return f"postgresql://{USER}@/{name}?host={self.folder}"

    def stop(self) -> None:
        self._process.send_signal(signal.SIGINT)  # ends sessions, and then itself
        self._process.wait(timeout=30)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL's server is not installed (Debian: postgresql)")
    # Below /tmp itself: the path of a socket may have 107 bytes.
    with tempfile.TemporaryDirectory(prefix="shipbar-pg-") as name:
        made = Server(programs, Path(name))
        try:
            yield made
        finally:
            made.stop()


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an empty ledger; making one takes longer than most tests."""
    path = tmp_path_factory.mktemp("ledger") / "empty.db"
    Ledger.open(str(path))
    return path


@pytest.fixture(
    params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)],
)
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Return what gives the place of an empty ledger."""
    numbers = iter(range(100))
    if request.param == "postgresql":
        server: Server = request.getfixturevalue("server")
        return lambda: server.url(next(numbers))
    empty: Path = request.getfixturevalue("empty")
    return lambda: str(shutil.copy(empty, tmp_path / f"ledger-{next(numbers)}.db"))


@pytest.fixture
def place(new_place: Callable[[], str]) -> str:
    """The place of an empty ledger."""
    return new_place()


@pytest.fixture
def ledger(place: str) -> Ledger:
    """An empty ledger."""
    return Ledger.open(place)
