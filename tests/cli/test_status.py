"""`shipbar status`: how far tasks are, and what to do next."""

import json
import re

import attrs
import pytest

from shipbar import config, wiring
from shipbar.attest import envelope, reviews, store
from shipbar.attest.keys import public_text
from shipbar.attest.statement import statement_of
from shipbar.attest.tool import tool_digest
from shipbar.gates import Trial
from shipbar.grading.tasks import load_task
from shipbar.store.entries import entry_of
from shipbar.store.ledger import Ledger
from tests.attest.samples import CONDITIONS, RECEIPT, signer
from tests.cli import tiny
from tests.cli.fakes import Absent
from tests.cli.tiny import Command, command
from tests.delivery import making
from tests.store.samples import MANIFEST, report, reviewed, signed

COLUMNS = ("built", "proven", "reviewed", "delivered", "accepted")


@pytest.fixture
def home(monkeypatch, tmp_path):
    for word in ("KEYS", "CACHE"):
        monkeypatch.setenv(f"SHIPBAR_{word}", str(tmp_path / word.lower()))
    monkeypatch.setenv("SHIPBAR_LEDGER", str(tmp_path / "ledger.db"))
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "maker.pub").write_text(
        public_text(signer("maker").public_key)
    )
    return tmp_path


@pytest.fixture
def shipbar(capsys) -> Command:
    return command(capsys)


@pytest.fixture
def task(home):
    return tiny.task(home / "tasks" / "tally")


def prove(task, names=None, status="passed", tool=None, folder=None):
    """Keep a receipt of each gate, as `shipbar verify` would."""
    made = entry_of(task)
    trial = Trial(
        task=load_task(task),
        sandbox=Absent(config.current()),
        work=task,
        cache=task,
    )
    for name in names or wiring.names("gate"):
        gate = wiring.gate(name)
        question = attrs.evolve(
            RECEIPT.question,
            gate=gate.id,
            name=gate.name,
            version=gate.version,
            task_id=made.task_id,
            parts={"task": made.digest},
            depends=gate.depends(trial) if name == "review" else {},
            conditions=attrs.evolve(CONDITIONS, tool_digest=tool or tool_digest()),
        )
        receipt = attrs.evolve(RECEIPT, question=question, status=status)
        to = folder or config.current().cache / "receipts"
        signed_ = envelope.sign(statement_of(receipt), signer("maker"))
        store.write(to / f"{gate.id}-{question.digest[7:17]}.dsse.json", signed_)


def review(task):
    for role in reviews.ROLES:
        reviews.write(task, *reviewed(entry_of(task), role))


@pytest.fixture
def row(shipbar, home):
    """What it says of the one task there is, and what to do next."""

    def asked(*words):
        said = shipbar("status", home / "tasks", *words)
        assert said.code == 0, said.err
        head, line = (re.split(r"\s{2,}", it) for it in said.out.splitlines()[:2])
        told = dict(zip(head, line, strict=True))
        _, _, next_ = said.out.partition("next:\n")
        return tuple(told[it] for it in COLUMNS), next_.strip()

    return asked


def test_a_task_from_beginning_to_end(row, task, home):
    tasks = task.parent
    assert row() == (
        ("by hand", "0/12", "0/2", "-", "-"),
        f"shipbar verify {task}",
    )
    assert not (home / "ledger.db").exists(), "asking writes nothing"
    prove(task, [it for it in wiring.names("gate") if it != "review"])
    told, next_ = row()
    assert told[1] == "11/12"
    assert next_ == f"shipbar review sign {task} --role breaker --name NAME"
    review(task)
    assert row() == (
        ("by hand", "11/12", "2/2", "-", "-"),
        f"shipbar verify {task} --gate review",
    )
    prove(task, ["review"])
    assert row()[1] == f"shipbar deliver {task} -o DIR --client NAME"
    ledger = Ledger.open(str(home / "ledger.db"))
    ledger.reserve_delivery("acme", [entry_of(task)])
    told, next_ = row()
    assert told[3] == "acme (1, not finished)"
    assert next_ == f"shipbar deliver {task} -o DIR --client acme"
    delivery = ledger.finish_delivery(1, MANIFEST)
    assert row() == (
        ("by hand", "12/12", "2/2", "acme (1)", "-"),
        "shipbar ledger import REPORT",
    )
    record = report(delivery)
    ledger.record_acceptance(record, signed(record))
    assert row() == (("by hand", "12/12", "2/2", "acme (1)", "accepted"), "")
    (task / "TASK.md").write_text("Mended.\n")
    told, next_ = row()
    assert told == ("by hand", "0/12", "0/2", "acme (1, at another digest)", "-")
    assert tasks.name in next_


def test_what_a_buyer_rejects_is_told_with_the_reason(shipbar, task, home):
    ledger = Ledger.open(str(home / "ledger.db"))
    ledger.reserve_delivery("acme", [entry_of(task)])
    record = report(ledger.finish_delivery(1, MANIFEST), rejected=["tally"])
    ledger.record_acceptance(record, signed(record))
    said = shipbar("status", task)
    assert "tally: the buyer says: G7: 94 of 100 killed" in said.out
    assert "shipbar ledger show 1" in said.out


def test_another_shipbars_receipts_do_not_count(shipbar, task):
    prove(task, ["reference"], tool="sha256:" + "0" * 64)
    said = shipbar("status", task)
    assert "tally: proven by another Shipbar: G1" in said.out
    assert "0/12" in said.out


def test_a_failure_is_told_with_the_command_that_shows_it(shipbar, task):
    prove(task, ["reference", "strength"], status="failed")
    said = shipbar("status", task)
    assert "tally: fails G1, G7" in said.out
    assert f"shipbar verify {task} --gate G1 --gate G7" in said.out


def test_what_was_said_of_earlier_reviews_does_not_count(row, task):
    prove(task, [it for it in wiring.names("gate") if it != "review"])
    reviews.write(task, *reviewed(entry_of(task), "senior"))
    prove(task, ["review"], status="failed")
    assert "--gate G12" in row()[1]
    review(task)
    assert row()[1] == f"shipbar verify {task} --gate review"
    prove(task, ["review"])
    assert row()[1].startswith("shipbar deliver")


def test_receipts_may_lie_elsewhere(row, task, home):
    prove(task, folder=home / "out")
    assert row()[0][1] == "0/12"
    assert row("--receipts", home / "out")[0][1] == "12/12"


def test_a_folder_is_summed_up_and_what_is_common_said_once(shipbar, task, home):
    tiny.task(home / "tasks" / "other")
    (home / "tasks" / "bad").mkdir()
    (home / "tasks" / "bad" / "task.toml").write_text("task_id = 3\n")
    digest = entry_of(task).digest
    line = json.dumps({"key": "k", "task_id": "tally", "digest": digest})
    (home / "tasks" / "built.jsonl").write_text(line + "\n")
    (home / "tasks" / "other" / "TASK.md").write_text("Changed.\n")
    said = shipbar("status", home / "tasks")
    assert "3 tasks, 1 built, 0 proven, 0 reviewed, 0 delivered, 0 accepted" in said.out
    assert "tally  built" in said.out
    assert "tally  changed" in said.out
    assert "was changed after it was built" in said.out
    assert said.out.count("shipbar verify") == 1
    assert f"  shipbar verify {home / 'tasks'}\n" in said.out
    assert f"shipbar task check {home / 'tasks' / 'bad'}" in said.out


def test_a_task_for_evaluation_is_delivered_with_its_grader_withheld(shipbar, home):
    # The second in order, so that the first does not speak for both.
    tiny.task(home / "tasks" / "tally")
    making.task(home / "tasks", "zebra", number=1, split="eval")
    for task in ("tally", "zebra"):
        review(home / "tasks" / task)
        prove(home / "tasks" / task)
    told = json.loads(shipbar("status", home / "tasks", "--json").out)
    deliver = f"shipbar deliver {home / 'tasks'}"
    assert told["next"] == [f"{deliver} -o DIR --client NAME --withhold eval"]
    assert [it["next"].endswith("--withhold eval") for it in told["tasks"]] == [
        False,
        True,
    ]


def test_as_json(shipbar, task):
    prove(task, ["reference"])
    told = json.loads(shipbar("status", task, "--json").out)
    (one,) = told["tasks"]
    assert one["proven"]["passed"] == ["G1"]
    assert (one["recorded"], one["is_proven"], one["delivery"]) == (False, False, "")
    assert told["sum"]["tasks"] == 1
    assert told["next"] == [one["next"]] == [f"shipbar verify {task}"]


def test_where_there_is_no_task(shipbar, home):
    said = shipbar("status", home)
    assert said.code == 2
    assert "expected a task, or a folder of tasks" in said.err
