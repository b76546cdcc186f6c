"""`shipbar deliver` as a maker uses it."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import attrs
import pyrage  # type: ignore[import-untyped]  # ships no types
import pytest

from shipbar import wiring
from shipbar.delivery.proofs import Wanted
from shipbar.grading.tasks import read_contract
from tests.cli import tiny
from tests.cli.tiny import Said
from tests.delivery import making
from tests.delivery.making import House
from tests.repository import ROOT

GIT = shutil.which("git") or ""


@attrs.frozen(kw_only=True)
class Maker:
    """A house, and the command line in it."""

    house: House
    run: Callable[..., Said]

    @property
    def out(self) -> Path:
        return self.house.root / "out"

    def prove(self, tasks: Iterable[Path]) -> None:
        """Keep made-up receipts of every gate."""
        gates = [wiring.gate(name) for name in wiring.names("gate")]
        wanted = [
            Wanted(id=it.id, name=it.name, version=it.version, title=it.title)
            for it in gates
        ]
        folder = self.house.root / "cache" / "receipts"
        making.prove(tasks, self.house.own, folder, wanted)

    def deliver(self, *words: object, client: str = "north-lab") -> Said:
        return self.run(
            *("deliver", self.house.root / "tasks", "-o", self.out),
            *("--client", client, *map(str, words)),
        )


@pytest.fixture
def maker(tmp_path, capsys, monkeypatch):
    """Two training tasks and one of evaluation, each with a receipt of every gate."""
    house = making.house(tmp_path / "house", held=1)
    made = Maker(house=house, run=tiny.command(capsys))
    made.prove(house.tasks)
    for word in ("keys", "cache"):
        monkeypatch.setenv(f"SHIPBAR_{word.upper()}", str(house.root / word))
    monkeypatch.setenv("SHIPBAR_LEDGER", str(house.root / "ledger.db"))
    return made


def test_a_delivery_says_what_it_wrote_and_where(maker):
    said = maker.deliver("--withhold", "eval")
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0] == f"{maker.out}: delivery 1 to north-lab is written"
    assert lines[1] == "  3 tasks; graders: 2 open, 1 withheld"
    assert {Path(line.strip()).name for line in lines[2:4]} == {
        "tasks-solver",
        "tasks-grader",
    }
    assert all(Path(line.strip()).is_dir() for line in lines[2:4])


def test_json_says_the_same(maker):
    said = maker.deliver("--withhold", "eval", "--tranche", "first", "--json")
    facts = json.loads(said.out)
    assert facts["serial"] == 1
    assert facts["tasks"]["helda"]["grader"] == "withheld"
    assert (maker.out / "first-grader" / "MANIFEST.sig").is_file()


def test_every_gate_is_needed_those_of_people_too(maker):
    (maker.house.root / "cache/receipts/tally/G12.dsse.json").unlink()
    said = maker.deliver("--withhold", "eval")
    assert said.code == 2
    assert "tally is not proven as it is now" in said.err
    assert "G12 review has no receipt" in said.err
    assert not maker.out.exists()


def test_evaluation_graders_need_a_word(maker):
    said = maker.deliver()
    assert said.code == 2
    assert "--withhold eval" in said.err
    assert "--encrypt-to" in said.err


@pytest.mark.parametrize("form", ["text", "file"])
def test_graders_are_encrypted_to_a_key_that_is_named_or_in_a_file(maker, form):
    public = str(pyrage.x25519.Identity.generate().to_public())
    file = maker.house.root / "north-lab.pub"
    file.write_text(f"# north-lab\n{public}\n")
    said = maker.deliver("--encrypt-to", file if form == "file" else public)
    assert said.code == 0, said.err
    assert "2 open, 1 sealed" in said.out
    assert (maker.out / "tasks-grader/sealed/helda.tar.age").is_file()


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (["--encrypt-to", "age1nobody"], "expected an age public key"),
        (["--encrypt-to", "AGE-SECRET-KEY-1ABC"], "that is a secret key"),
        (["--encrypt-to", "nowhere.pub"], "read as a file (No such file or directory)"),
        (["--encrypt-to", "."], "cannot be read as a file (Is a directory)"),
        (["--encrypt-to", "x" * 300], "cannot be read as a file (File name too long)"),
        (["--encrypt-to", "ssh-rsa " + "A" * 400], "expected an age public key"),
        (
            ["--withhold", "eval", "--images", "solver", "--base", "nowhere"],
            "nowhere",
        ),
        (["--withhold", "eval", "--base", "x"], "expected --images with it"),
        (["--withhold", "eval", "--images", "both"], "expected solver or grader"),
        (["--withhold", "eval", "--tranche", "A b"], "--tranche 'A b'"),
        (["--withhold", "eval", "--key", "nobody"], "cannot be read"),
        (["--withhold", "train"], "is not 'eval'"),
        (["--withhold", "eval", "--copyright", "a\udcff"], "in one line of text"),
        (["--withhold", "eval", "--copyright", " "], "in one line of text"),
        (["--withhold", "eval", "--ledger", "/proc/x/l.db"], "/proc/x"),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_written(maker, words, match):
    said = maker.deliver(*words)
    assert said.code == 2
    assert match in said.err
    assert not maker.out.exists()


@pytest.mark.parametrize("client", ["North Lab", "../north", "", "north_lab"])
def test_a_client_s_name_that_is_none_is_told(maker, client):
    said = maker.deliver("--withhold", "eval", client=client)
    assert said.code == 2
    assert f"--client {client!r}: expected a name" in said.err


def test_somebody_else_s_key_makes_no_receipt_count(maker):
    folder = maker.house.root / "keys"
    shutil.move(folder, maker.house.root / "old")
    assert maker.run("key", "new").code == 0
    said = maker.deliver("--withhold", "eval")
    assert said.code == 2
    assert f"signed by {maker.house.own.id}" in said.err


def test_a_task_goes_to_one_client(maker):
    assert maker.deliver("--withhold", "eval").code == 0
    shutil.rmtree(maker.out)
    said = maker.deliver("--withhold", "eval", client="south-lab")
    assert said.code == 2
    assert "north-lab has it, by delivery 1" in said.err
    assert not maker.out.exists()


def test_the_same_command_again_is_no_mistake(maker):
    first = maker.deliver("--withhold", "eval", "--json")
    again = maker.deliver("--withhold", "eval", "--json")
    assert again.code == 0
    one, two = json.loads(first.out), json.loads(again.out)
    assert two == {**one, "was_there": True}


def test_an_output_that_is_taken_is_left_alone(maker):
    maker.out.mkdir()
    (maker.out / "mine").write_text("mine")
    said = maker.deliver("--withhold", "eval")
    assert said.code == 2
    assert "something else is there" in said.err
    assert tiny.snapshot(maker.out) == {"mine": b"mine"}


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.skipif(not GIT, reason="git is not installed")
def test_a_patch_applies_to_the_starting_tree_and_the_result_passes(
    maker, tmp_path, monkeypatch
):
    task = maker.house.root / "tasks" / "check-character-36"
    shutil.copytree(ROOT / "examples" / "check-character-36", task)
    licence = read_contract(task).licence.grader
    (maker.house.root / "texts").mkdir()
    (maker.house.root / "texts" / f"{licence}.txt").write_text("Theirs.\n")
    maker.prove([task])
    said = maker.deliver(
        *("--withhold", "eval", "--licences", maker.house.root / "texts")
    )
    assert said.code == 0, said.err
    monkeypatch.delenv("SHIPBAR_CACHE")
    for task_id in ("check-character-36", "tally"):
        start = tmp_path / task_id
        shutil.copytree(maker.out / "tasks-solver" / "tasks" / task_id, start)
        patch = maker.out / "tasks-grader" / "tasks" / task_id / "reference.patch"
        subprocess.run([GIT, "apply", patch], cwd=start, check=True, timeout=30)
        graded = tiny.program(
            *("grade", maker.house.root / "tasks" / task_id, start, "--json")
        )
        assert graded.code == 0, graded.err
        assert json.loads(graded.out)["shipped"] is True
