"""`shipbar ledger`: record, import, list, show, export, withdraw, forget."""

import json

import pytest

from shipbar import config
from shipbar.attest import envelope, reviews, store
from shipbar.attest.keys import public_text
from shipbar.store.acceptance import payload_of
from shipbar.store.entries import entry_of
from shipbar.store.ledger import Ledger
from tests.attest.samples import signer
from tests.cli import tiny
from tests.cli.tiny import Command, command
from tests.store.samples import MANIFEST, kept, mended, report, reviewed


@pytest.fixture
def home(monkeypatch, tmp_path, empty):
    """Somebody with keys and a ledger of their own."""
    for word in ("KEYS", "CACHE"):
        monkeypatch.setenv(f"SHIPBAR_{word}", str(tmp_path / word.lower()))
    ledger = tmp_path / "ledger.db"
    ledger.write_bytes(empty.read_bytes())
    monkeypatch.setenv("SHIPBAR_LEDGER", str(ledger))
    for name in ("maker", "buyer"):
        path = tmp_path / "keys" / f"{name}.pub"
        path.parent.mkdir(exist_ok=True)
        path.write_text(public_text(signer(name).public_key))
    return tmp_path


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    path = tmp_path_factory.mktemp("ledger") / "empty.db"
    Ledger.open(str(path))
    return path


@pytest.fixture
def task(home):
    return tiny.task(home / "tasks" / "tally")


@pytest.fixture
def shipbar(capsys) -> Command:
    return command(capsys)


@pytest.fixture
def ledger(home) -> Ledger:
    return Ledger.open(str(home / "ledger.db"))


def keep_receipt(task, gate="G1", by="maker"):
    made = kept(entry_of(task), gate, by)
    folder = config.current().cache / "receipts"
    store.write(folder / f"{gate}-{by}{store.SUFFIX}", made.signed)


def another(folder):
    """The same task under another name."""
    change = lambda text: text.replace("tally", "drimel").replace("Tally", "Drimel")  # noqa: E731
    tiny.write(
        folder,
        {
            "task.toml": change(tiny.contract()),
            "TASK.md": "Drimel.\n",
            "solver/SPEC.md": "Add numbers.\n",
            "grader/tests/test_drimel.py": "",
            "grader/reference/drimel/__init__.py": change(tiny.REFERENCE),
            "grader/known_bad/hollow/drimel/__init__.py": change(tiny.HOLLOW),
        },
    )
    return folder


def finish(ledger, task, client="acme"):
    reserved = ledger.reserve_delivery(client, [entry_of(task)], date="2026-11-30")
    return ledger.finish_delivery(reserved.serial, MANIFEST)


def write_report(path, record, by="buyer"):
    signed = envelope.sign(payload_of(record), signer(by))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(envelope.render(signed))
    return path


def test_a_folder_is_recorded_with_receipts_and_reviews(shipbar, task, ledger):
    keep_receipt(task)
    keep_receipt(task, "G2")
    keep_receipt(task, "G3", by="stranger")
    reviews.write(task, *reviewed(entry_of(task)))
    said = shipbar("ledger", "record", task.parent)
    assert said.code == 0, said.err
    assert "recorded; new: 2 receipts, 1 reviews" in said.out
    said = shipbar("ledger", "record", task)
    assert "was recorded; new: 0 receipts, 0 reviews" in said.out
    assert [it.gate for it in ledger.receipts()] == ["G1", "G2"]


def test_reviews_of_an_earlier_state_do_not_keep_a_task_from_being_recorded(
    shipbar, task, ledger
):
    reviews.write(task, *reviewed(mended(entry_of(task), "before"), "breaker"))
    reviews.write(task, *reviewed(entry_of(task)))
    said = shipbar("ledger", "record", task)
    assert said.code == 0, said.err
    assert "recorded; new: 0 receipts, 1 reviews" in said.out
    assert [it.role for it in ledger.reviews()] == ["senior"]


def test_receipts_may_lie_elsewhere_and_be_by_a_key_that_is_given(
    shipbar, task, home, ledger
):
    made = kept(entry_of(task), by="stranger")
    store.write(home / "out" / "tally" / "G1.dsse.json", made.signed)
    (home / "theirs.pub").write_text(public_text(signer("stranger").public_key))
    words = ("ledger", "record", task, "--receipts", home / "out")
    assert "new: 0 receipts" in shipbar(*words).out
    assert "new: 1 receipts" in shipbar(*words, "--key", home / "theirs.pub").out


def test_what_collides_is_refused_and_the_rest_is_recorded(shipbar, task, home, ledger):
    another(task.parent / "zz-other")
    (task.parent / "broken").mkdir()
    (task.parent / "broken" / "task.toml").write_text("task_id = 3\n")
    said = shipbar("ledger", "record", task.parent)
    assert said.code == 2
    assert "it is tally under another name, which is recorded" in said.err
    assert "broken" in said.err
    assert [it.task_id for it in ledger.tasks()] == ["tally"]


def test_a_ledger_may_be_named(shipbar, task, home, ledger):
    other = home / "other" / "ledger.db"
    assert shipbar("ledger", "record", task, "--ledger", other).code == 0
    assert "tally" in shipbar("ledger", "list", "--ledger", f"sqlite:///{other}").out
    assert ledger.tasks() == []


@pytest.mark.parametrize("kind", ["tasks", "receipts", "deliveries", "acceptance"])
def test_an_empty_ledger_lists_nothing(shipbar, home, kind):
    said = shipbar("ledger", "list", kind)
    assert (said.code, said.out) == (0, "")
    assert f"no {kind} in the ledger {home / 'ledger.db'}" in said.err
    assert json.loads(shipbar("ledger", "list", kind, "--json").out) == []


def test_what_is_listed_and_shown(shipbar, task, home, ledger):
    keep_receipt(task)
    shipbar("ledger", "record", task)
    record = report(finish(ledger, task), rejected=["tally"])
    path = write_report(home / "report" / "report.dsse.json", record)
    said = shipbar("ledger", "import", path.parent)
    assert said.code == 0, said.err
    assert "delivery 1 to acme: 0 of 1 accepted, target 90.0% missed; imp" in said.out
    assert "was imported before" in shipbar("ledger", "import", path).out
    for kind, wanted in {
        "tasks": "tally  invented  train  by hand  tally  1 digest  acme",
        "receipts": "G1 known-bad  passed  3/3 fail  shipbar 0.1.0",
        "deliveries": f"1  acme  2026-11-30  finished  1 tasks  {MANIFEST}",
        "acceptance": "delivery 1  acme  report 1  0 of 1 accepted, target 90.0% missed",
    }.items():
        assert wanted in shipbar("ledger", "list", kind).out
        assert shipbar("ledger", "list", kind, "--client", "brook").out == ""
        facts = json.loads(shipbar("ledger", "list", kind, "--json").out)
        assert len(facts) == 1
    shown = shipbar("ledger", "show", "tally").out
    assert "client    acme" in shown
    assert "    G1 known-bad: passed 3/3 fail" in shown
    assert shipbar("ledger", "show", entry_of(task).digest).out == shown
    shown = shipbar("ledger", "show", "1").out
    assert "delivery 1 to acme: finished" in shown
    assert "    tally: rejected: G7: 94 of 100 killed" in shown
    told = json.loads(shipbar("ledger", "show", "1", "--json").out)
    assert told["acceptance"][0]["record"]["rate"] == 0.0
    told = json.loads(shipbar("ledger", "show", "tally", "--json").out)
    assert (told["deliveries"], told["receipts"][0]["gate"]) == ([1], "G1")


@pytest.mark.parametrize(
    "words",
    [
        ("show", "nobody"),
        ("show", "7"),
        ("show", str(2**31)),
        ("show", "9" * 30),
        ("withdraw", "9" * 30),
    ],
)
def test_what_is_not_there_is_told(shipbar, home, words):
    said = shipbar("ledger", *words)
    assert said.code == 2
    assert "in the ledger" in said.err


def test_a_client_that_is_none_is_told(shipbar, home):
    said = shipbar("ledger", "list", "--client", "Acme Labs")
    assert said.code == 2
    assert "lower-case letters" in said.err


def test_a_report_by_a_stranger_is_refused(shipbar, task, home, ledger):
    record = report(finish(ledger, task), buyer=signer("other").public_key.keyid)
    said = shipbar("ledger", "import", write_report(home / "r", record, by="other"))
    assert said.code == 2
    assert "--key" in said.err
    (home / "other.pub").write_text(public_text(signer("other").public_key))
    said = shipbar("ledger", "import", home / "r", "--key", home / "other.pub")
    assert said.code == 0, said.err


def test_a_report_by_the_maker_is_no_buyers(shipbar, task, home, ledger):
    """Else a maker could accept their own work."""
    record = report(finish(ledger, task), buyer=signer("maker").public_key.keyid)
    path = write_report(home / "r" / "report.json", record, by="maker")
    (home / "keys" / "maker").write_bytes(signer("maker").private_bytes)
    said = shipbar("ledger", "import", path, "--key", home / "keys" / "maker.pub")
    assert said.code == 2
    assert "which is a key of yours" in said.err
    assert shipbar("ledger", "list", "acceptance").out == ""


@pytest.mark.parametrize(
    ("name", "why"),
    [("none", "cannot be read"), ("folder", "expected one signed report"), ("f", "no")],
)
def test_what_is_no_report_is_refused(shipbar, home, name, why):
    (home / "folder").mkdir()
    (home / "f").write_text("{}")
    said = shipbar("ledger", "import", home / name)
    assert said.code == 2
    assert why in said.err


def test_export_writes_what_is_there(shipbar, task, home, ledger):
    shipbar("ledger", "record", task)
    said = shipbar("ledger", "export", "-o", home / "out.jsonl")
    assert said.code == 0
    kinds = [
        json.loads(it)["kind"] for it in (home / "out.jsonl").read_text().splitlines()
    ]
    assert kinds == ["ledger", "task"]
    assert shipbar("ledger", "export", "-o", home / "none" / "out").code == 2


def test_a_reservation_is_given_up_and_a_task_forgotten(shipbar, task, ledger):
    ledger.reserve_delivery("acme", [entry_of(task)])
    said = shipbar("ledger", "forget", "tally")
    assert said.code == 2
    assert "shipbar ledger withdraw SERIAL" in said.err
    said = shipbar("ledger", "withdraw", "1")
    assert "delivery 1 to acme is withdrawn; it held tally" in said.out
    assert shipbar("ledger", "forget", "tally").code == 0
    assert ledger.tasks() == []


def test_a_ledger_of_a_newer_shipbar_is_refused(shipbar, home, ledger):
    import sqlalchemy as sa

    from shipbar.store.schema import VERSION

    with ledger._database.writing() as connection:
        connection.execute(sa.update(VERSION).values(version_num="0999"))
    said = shipbar("ledger", "list")
    assert said.code == 2
    assert "install that Shipbar here" in said.err


def test_where_the_ledger_is_by_default():
    at = lambda env: config.config_from(env, uid=0).ledger  # noqa: E731
    assert at({"HOME": "/h"}) == "/h/.local/share/shipbar/ledger.db"
    assert at({"HOME": "/h", "XDG_DATA_HOME": "/d"}) == "/d/shipbar/ledger.db"
    assert at({"SHIPBAR_LEDGER": "postgresql://h/l"}) == "postgresql://h/l"
