"""Opening a ledger: where there can be none, by whom it was made, what went wrong."""

import os
import sqlite3
import stat

import pytest
import sqlalchemy as sa
from alembic.script import ScriptDirectory

from shipbar.errors import SeamError, UserError
from shipbar.store import database, migrations
from shipbar.store.database import is_there, open_database
from shipbar.store.ledger import Ledger
from shipbar.store.schema import METADATA, VERSION
from tests.store.samples import entry, kept


def refusal(where, kind=UserError) -> str:
    with pytest.raises(kind) as caught:
        open_database(str(where))
    return str(caught.value)


def test_a_file_is_made_with_its_folder(tmp_path):
    path = tmp_path / "new" / "ledger.db"
    assert not is_there(str(path))
    assert Ledger.open(str(path)).tasks() == []
    assert is_there(str(path))
    assert [it.name for it in path.parent.iterdir()] == ["ledger.db"]
    assert Ledger.open(f"sqlite:///{path}").name == str(path)


def test_a_path_may_have_any_letters(tmp_path):
    path = tmp_path / "100% ours?" / "the ledger.db"
    Ledger.open(str(path)).record_task(entry("tally"))
    assert Ledger.open(str(path)).task("tally-1").package == "tally"


def test_the_file_is_all_of_it_when_nobody_writes(tmp_path):
    ledger = Ledger.open(str(tmp_path / "ledger.db"))
    ledger.record(entry("tally"), [kept(entry("tally"))])
    assert [it.name for it in tmp_path.iterdir()] == ["ledger.db"]
    (tmp_path / "copy.db").write_bytes((tmp_path / "ledger.db").read_bytes())
    assert len(Ledger.open(str(tmp_path / "copy.db")).receipts()) == 1


@pytest.mark.parametrize(
    "where",
    [
        "mysql://host/ledger",
        "sqlite://",
        "sqlite:///:memory:",
        "postgresql+asyncpg://h/l",
    ],
)
def test_a_place_that_is_none_is_refused(where):
    told = refusal(where)
    assert "expected a file, sqlite:///FILE or postgresql://HOST/NAME" in told
    assert "--ledger or SHIPBAR_LEDGER" in told


@pytest.mark.parametrize(
    "where",
    ["mysql://ada:secret@host/ledger", "postgresql://ada:secret@host:port/ledger"],
)
def test_a_password_is_never_told(where):
    assert "secret" not in refusal(where)


def test_a_server_that_is_not_there_is_told_without_a_password(tmp_path):
    told = refusal(f"postgresql://ada:secret@/ledger?host={tmp_path}", SeamError)
    assert "the database failed" in told
    assert "secret" not in told
    assert "ada:***@" in told


def test_a_file_that_is_something_else_is_refused_and_left(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a ledger at all, but many notes\n" * 40)
    before = path.read_bytes()
    assert "the file is something else" in refusal(path)
    assert path.read_bytes() == before


def test_a_folder_is_refused(tmp_path):
    assert "cannot be opened" in refusal(tmp_path)


def test_a_file_below_a_file_is_refused(tmp_path):
    (tmp_path / "file").touch()
    assert "its folder cannot be made" in refusal(tmp_path / "file" / "ledger.db")


def test_somebody_elses_database_is_refused_and_left(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    connection.close()
    before = path.read_bytes()
    assert "other tables, such as songs" in refusal(path)
    assert path.read_bytes() == before


def test_a_newer_ledger_is_refused_and_left(tmp_path):
    path = tmp_path / "ledger.db"
    made = open_database(str(path))
    with made.writing() as connection:
        connection.execute(sa.update(VERSION).values(version_num="0999"))
    before = path.read_bytes()
    told = refusal(path)
    assert "it is of revision 0999, this Shipbar knows up to 0001" in told
    assert "install that Shipbar" in told
    assert path.read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_may_not_be_written_is_told(tmp_path):
    path = tmp_path / "ledger.db"
    ledger = Ledger.open(str(path))
    path.chmod(stat.S_IRUSR)
    with pytest.raises(UserError, match="cannot be written"):
        ledger.record_task(entry("tally"))


def test_a_full_disk_is_told_and_nothing_is_written(empty, tmp_path, monkeypatch):
    path = tmp_path / "ledger.db"
    path.write_bytes(empty.read_bytes())
    ledger = Ledger.open(str(path))
    set_up = database._set_up

    def small(connection, record):
        set_up(connection, record)
        connection.execute(f"PRAGMA max_page_count={path.stat().st_size // 4096}")

    engine = ledger._database.engine
    sa.event.listen(engine, "connect", small)
    many = entry("tally", names=tuple(f"name{number}" for number in range(3000)))
    with pytest.raises(SeamError, match="the disk is full, and nothing was written"):
        ledger.record_task(many)
    assert Ledger.open(str(path)).tasks() == []


def test_who_waits_too_long_is_told(empty, tmp_path, monkeypatch):
    path = tmp_path / "ledger.db"
    path.write_bytes(empty.read_bytes())
    monkeypatch.setattr(database, "WAIT_S", 0.1)
    ledger = Ledger.open(str(path))
    with (
        open_database(str(path)).writing(),
        pytest.raises(SeamError, match="others wrote to it"),
    ):
        ledger.record_task(entry("tally"))
    assert ledger.record_task(entry("tally"))


def test_what_fails_half_way_leaves_nothing(ledger, place):
    def begin():
        with open_database(place).writing() as connection:
            connection.execute(
                sa.insert(METADATA.tables["deliveries"]).values(
                    serial=1,
                    client="acme",
                    date="",
                    state="reserved",
                    content="",
                    previous="",
                    manifest="",
                )
            )
            raise RuntimeError

    with pytest.raises(RuntimeError):
        begin()
    assert ledger.deliveries() == []


# -- migrations


def described(engine: sa.Engine) -> dict[str, object]:
    """Every table as the database describes it."""
    look = sa.inspect(engine)
    by_name = lambda found: sorted(found, key=lambda it: str(it["name"]))  # noqa: E731
    return {
        table: {
            "columns": [
                (it["name"], str(it["type"]), it["nullable"])
                for it in look.get_columns(table)
            ],
            "primary key": look.get_pk_constraint(table),
            "foreign keys": by_name(look.get_foreign_keys(table)),
            "unique": by_name(look.get_unique_constraints(table)),
            "checks": [
                {**it, "sqltext": it["sqltext"].replace(" ", "")}
                for it in by_name(look.get_check_constraints(table))
            ],
            "indexes": [
                {
                    **it,
                    "dialect_options": {
                        key: str(value)
                        for key, value in it.get("dialect_options", {}).items()
                    },
                }
                for it in by_name(look.get_indexes(table))
            ],
        }
        for table in sorted(set(look.get_table_names()) - {VERSION.name})
    }


def test_migrations_make_what_the_tables_say(new_place):
    migrated = open_database(new_place())
    made = open_database(new_place())
    with made.writing() as connection:
        METADATA.drop_all(connection)
        METADATA.create_all(connection)
    assert described(migrated.engine) == described(made.engine)
    assert described(made.engine).keys() == METADATA.tables.keys()


def test_all_migrations_are_listed_in_their_order():
    here = str(migrations.__file__).rpartition("/")[0]
    script = ScriptDirectory(here)
    found = [it.revision for it in script.walk_revisions()]
    assert tuple(reversed(found)) == migrations.REVISIONS


def test_opening_again_migrates_nothing(ledger, place, monkeypatch):
    def never(connection):
        raise AssertionError("it was migrated again")

    monkeypatch.setattr(database, "upgrade", never)
    open_database(place)


def test_a_migration_that_fails_leaves_an_empty_database(tmp_path, monkeypatch):
    path = tmp_path / "ledger.db"

    def half(connection):
        METADATA.create_all(connection)
        raise UserError("half way")

    with monkeypatch.context() as patched:
        patched.setattr(database, "upgrade", half)
        with pytest.raises(UserError, match="half way"):
            open_database(str(path))
    assert Ledger.open(str(path)).tasks() == []
