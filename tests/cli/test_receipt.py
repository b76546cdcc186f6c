"""`shipbar receipt`: what a buyer does with what a maker signed."""

import json
import shutil

import pytest

from shipbar.attest import envelope, keys, store
from shipbar.attest.statement import receipt_of, statement_of
from shipbar.gates.reference import ReferenceGate
from tests.attest.samples import signer
from tests.cli import proven, tiny
from tests.cli.tiny import Command, command


@pytest.fixture
def shipbar(capsys) -> Command:
    return command(capsys)


@pytest.fixture
def home(monkeypatch):
    with proven.household(monkeypatch) as folder:
        yield folder


@pytest.fixture
def task(home):
    return tiny.task(home / "tally")


@pytest.fixture
def receipt(task, home):
    return proven.once(task, home)


def resigned(path, change, by=None):
    """Sign a changed statement anew."""
    statement = json.loads(store.read(path).payload)
    change(statement)
    data = json.dumps(statement).encode()
    own = by or keys.load(path.parents[2] / "keys" / "default").signer
    store.write(path, envelope.sign(data, own))


def test_a_receipt_holds_and_says_what_was_found(shipbar, receipt, task):
    said = shipbar("receipt", "verify", receipt, "--task", task)
    assert said.code == 0
    assert "G1 reference passed 4/4 on tally, signed by default (" in said.out
    (facts,) = json.loads(shipbar("receipt", "verify", receipt, "--json").out)
    assert facts["holds"]
    assert (facts["gate"], facts["status"], facts["cell"]) == ("G1", "passed", "4/4")


def test_doing_it_again_agrees(shipbar, receipt, task):
    said = shipbar("receipt", "rerun", receipt, "--task", task)
    assert (said.code, said.err) == (0, "")
    assert said.out == "G1 reference on tally: agrees, passed 4/4\n"


def test_a_stranger_needs_the_signer_s_public_key(shipbar, receipt, home, monkeypatch):
    monkeypatch.setenv("SHIPBAR_KEYS", str(home / "strangers"))
    said = shipbar("receipt", "verify", receipt)
    assert said.code == 2
    assert "none of which is a key that you trust" in said.out
    public = home / "keys" / "default.pub"
    assert shipbar("receipt", "verify", receipt, "--key", public).code == 0
    shown = shipbar("receipt", "show", receipt)
    assert shown.code == 0
    assert "no key that you trust: nothing is checked" in shown.out


def test_show_tells_all_that_was_recorded(shipbar, receipt):
    out = shipbar("receipt", "show", receipt).out
    for text in ("G1 reference: passed 4/4", "suite", "interpreter  CPython", "lifted"):
        assert text in out
    (statement,) = json.loads(shipbar("receipt", "show", receipt, "--json").out)
    assert statement["predicate"]["result"] == "PASSED"


PARTS = {
    "suite": "grader/tests/test_tally.py",
    "specification": "solver/SPEC.md",
    "reference": "grader/reference/tally/__init__.py",
    "contract": "task.toml",
    "known-bad hollow": "grader/known_bad/hollow/tally/__init__.py",
    "other": "TASK.md",
}


@pytest.mark.parametrize("word", ["verify", "rerun"])
@pytest.mark.parametrize(("part", "path"), PARTS.items(), ids=PARTS.values())
def test_a_tampered_part_is_named_with_its_two_digests(
    part, path, word, shipbar, receipt, task
):
    data = bytearray((task / path).read_bytes())
    data[len(data) // 2] ^= 1
    (task / path).write_bytes(data)
    said = shipbar("receipt", word, receipt, "--task", task)
    assert said.code == 2
    (line,) = [
        line for line in (said.out + said.err).splitlines() if f"  {part}:" in line
    ]
    assert line.count("sha256:") == 2
    named = [line.split(":")[0].strip() for line in (said.out + said.err).splitlines()]
    assert not set(named) & (PARTS.keys() - {part})


def test_a_suite_that_is_no_python_any_more_is_told_by_its_digests(
    shipbar, receipt, task
):
    (task / PARTS["suite"]).write_text("def")
    said = shipbar("receipt", "rerun", receipt, "--task", task)
    assert said.code == 2
    assert "  suite: signed sha256:" in said.err


def test_a_contract_that_is_none_any_more_is_told_by_its_digests(
    shipbar, receipt, task
):
    (task / "task.toml").write_text("x")
    said = shipbar("receipt", "rerun", receipt, "--task", task)
    assert said.code == 2
    assert "  contract: signed sha256:" in said.err


@pytest.mark.parametrize("word", ["verify", "show", "rerun"])
def test_a_tampered_receipt_is_told_by_two_digests(word, shipbar, receipt, task):
    signed = store.read(receipt)
    wrong = signed.payload.replace(b'"passed":4', b'"passed":5')
    assert wrong != signed.payload
    changed = envelope.Signed(payload=wrong, signatures=signed.signatures)
    store.write(receipt, changed)
    words = [] if word == "show" else ["--task", task]
    said = shipbar("receipt", word, receipt, *words)
    assert said.code == 2
    told = said.out + said.err
    assert f"signed {signed.digest}, found {changed.digest}" in told


def test_a_receipt_of_another_task_says_so(shipbar, receipt, home):
    text = tiny.contract(('task_id = "tally"', 'task_id = "other"'))
    other = tiny.task(home / "other", contract=text)
    for word in ("verify", "rerun"):
        said = shipbar("receipt", word, receipt, "--task", other)
        assert said.code == 2
        assert "a receipt of another task: expected other" in said.out + said.err


def test_a_receipt_of_another_tool_says_so_and_is_done_again(shipbar, receipt, task):
    def change(statement):
        (tool, *_) = statement["predicate"]["configuration"]
        tool["annotations"]["version"] = "0.0.9"
        tool["digest"]["sha256"] = "0" * 64

    resigned(receipt, change)
    said = shipbar("receipt", "rerun", receipt, "--task", task)
    assert said.code == 0
    assert "a receipt of another tool: made by shipbar 0.0.9 sha256:0000" in said.err
    assert "agrees" in said.out


def test_another_version_of_the_gate_cannot_be_compared(
    shipbar, receipt, task, monkeypatch
):
    monkeypatch.setattr(ReferenceGate, "version", 2)
    said = shipbar("receipt", "rerun", receipt, "--task", task)
    assert said.code == 2
    assert "made by version 1 of G1 reference, here is version 2" in said.err


def test_figures_that_do_not_agree_are_listed(shipbar, receipt, task):
    def change(statement):
        statement["predicate"]["shipbarEvidence"]["figures"]["passed"] = 5

    resigned(receipt, change)
    said = shipbar("receipt", "rerun", receipt, "--task", task)
    assert said.code == 1
    lines = [line.strip() for line in said.out.splitlines()]
    assert lines == [
        "G1 reference on tally: does not agree",
        "figures: passed:",
        "signed 5",
        "found  4",
    ]


def test_what_else_it_depends_on_comes_first(shipbar, receipt, task, monkeypatch):
    monkeypatch.setattr(
        ReferenceGate, "depends", lambda self, trial: {"corpus": "sha256:" + "1" * 64}
    )
    said = shipbar("receipt", "rerun", receipt, "--task", task)
    assert said.code == 1
    assert said.out.splitlines()[1].strip() == "depends: corpus:"


def test_what_cannot_be_run_again_does_not_agree(shipbar, receipt, task, monkeypatch):
    monkeypatch.setattr(ReferenceGate, "_examine", lambda self, trial: 1 // 0)
    said = shipbar("receipt", "rerun", receipt, "--task", task)
    assert said.code == 3
    assert "could not be run again" in said.err
    assert "agrees" not in said.out


def test_one_bad_receipt_among_good_ones_is_told_apart(shipbar, receipt, home):
    bad = home / "bad.dsse.json"
    bad.write_text("{}")
    said = shipbar("receipt", "verify", receipt, bad, home / "missing")
    assert said.code == 2
    first, second, third = said.out.splitlines()
    assert "passed 4/4" in first
    assert f"{bad}: no signed receipt" in second
    assert "cannot be read" in third
    facts = json.loads(shipbar("receipt", "verify", bad, receipt, "--json").out)
    assert [it["holds"] for it in facts] == [False, True]


def test_hostile_text_does_not_reach_the_terminal(shipbar, receipt):
    def change(statement):
        statement["predicate"]["shipbarEvidence"]["cell"] = "\x1b[2J"

    resigned(receipt, change)
    for word in ("verify", "show"):
        said = shipbar("receipt", word, receipt)
        assert said.code == 0
        assert "\x1b" not in said.out
        assert r"\x1b[2J" in said.out


def test_a_review_is_no_receipt_of_a_gate(shipbar, home, task):
    shipbar("review", "sign", task, "--role", "senior", "--name", "Ada")
    (path,) = (home / "tally.reviews").iterdir()
    said = shipbar("receipt", "verify", path)
    assert said.code == 2
    assert "expected a statement of type" in said.out


# -- what is kept ----------------------------------------------------------------


def count(monkeypatch, kind):
    """Count how often a gate is really run."""
    runs, examine = [], kind._examine

    def counted(self, trial):
        runs.append(kind)
        return examine(self, trial)

    monkeypatch.setattr(kind, "_examine", counted)
    return runs


def test_an_unchanged_task_is_not_run_again(home, task, monkeypatch):
    runs = count(monkeypatch, ReferenceGate)
    first = proven.receipt(task, home)
    before = first.read_bytes()
    shutil.rmtree(home / "out")
    assert proven.receipt(task, home).read_bytes() == before
    assert len(runs) == 1


def test_any_change_of_the_task_runs_again(home, task, monkeypatch):
    runs = count(monkeypatch, ReferenceGate)
    proven.receipt(task, home)
    (task / "TASK.md").write_text("Tally, again.\n")
    proven.receipt(task, home)
    assert len(runs) == 2


def test_any_change_of_what_a_gate_depends_on_runs_again(home, task, monkeypatch):
    runs = count(monkeypatch, ReferenceGate)
    proven.receipt(task, home)
    monkeypatch.setattr(
        ReferenceGate, "depends", lambda self, trial: {"corpus": "sha256:" + "1" * 64}
    )
    proven.receipt(task, home)
    assert len(runs) == 2


def test_a_kept_receipt_that_was_changed_is_not_believed(home, task, monkeypatch):
    runs = count(monkeypatch, ReferenceGate)
    proven.receipt(task, home)
    (kept,) = (home / "cache" / "receipts").iterdir()
    found = receipt_of(store.read(kept).payload, "x")
    store.write(kept, envelope.sign(statement_of(found), signer("mallory")))
    proven.receipt(task, home)
    assert len(runs) == 2


def test_what_was_not_run_is_asked_again(home, task, monkeypatch):
    monkeypatch.setattr(ReferenceGate, "_examine", lambda self, trial: 1 // 0)
    runs = count(monkeypatch, ReferenceGate)
    proven.receipt(task, home)
    proven.receipt(task, home)
    assert len(runs) == 2


def test_a_gate_that_cannot_say_what_it_depends_on_still_runs(
    home, task, monkeypatch, caplog
):
    runs = count(monkeypatch, ReferenceGate)
    monkeypatch.setattr(ReferenceGate, "depends", lambda self, trial: 1 // 0)
    assert not proven.receipt(task, home).exists()
    assert len(runs) == 1
    assert "G1 cannot say what it depends on" in caplog.text


def test_a_key_that_is_made_on_first_use_is_told_of(home, task, monkeypatch, caplog):
    monkeypatch.setenv("SHIPBAR_KEYS", str(home / "new"))
    proven.receipt(task, home)
    assert (
        f"made a key to sign receipts with: {home / 'new' / 'default'}" in caplog.text
    )
