"""`shipbar verify` as a maker and a buyer use it."""

import json
import shutil
import tempfile
import uuid
from pathlib import Path

import pytest
from click.testing import CliRunner

from shipbar.cli import cli
from shipbar.errors import UnknownNameError, UserError
from tests.repository import ROOT

TASK = ROOT / "examples" / "check-character-36"


def verify(*words):
    return CliRunner().invoke(cli, ["verify", *map(str, words)])


@pytest.fixture
def tasks(tmp_path):
    """A folder with a good task and one whose contract lowers the ceiling."""
    folder = tmp_path / "tasks"
    for name in ("good", "bad"):
        shutil.copytree(TASK, folder / name)
    contract = folder / "bad" / "task.toml"
    text = contract.read_text().replace("recall_ceiling = 0.6", "recall_ceiling = 0.01")
    contract.write_text(text)
    return folder


@pytest.mark.slow
def test_a_folder_of_tasks_is_told_task_by_gate(tasks, tmp_path):
    result = verify(
        *(tasks, "--gate", "G1", "--gate", "known-bad", "--jobs", 2, "--fresh"),
        *("--junit", tmp_path / "j.xml", "--html", tmp_path / "page.html"),
        *("--receipts", tmp_path / "receipts"),
    )
    assert result.exit_code == 1, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["task", "G1", "G2"]
    assert "passed" in lines[3]
    assert lines[3].split() == ["passed", "2/2", "1/2"]
    assert any("remembered-luhn scores" in line for line in lines)
    assert (tmp_path / "j.xml").read_text().count("<testcase") == 4
    assert "check-character-36" in (tmp_path / "page.html").read_text()
    assert list((tmp_path / "receipts").rglob("*.dsse.json"))


@pytest.mark.slow
def test_an_unchanged_task_is_not_run_again_and_a_changed_one_is(tasks):
    def change(line):
        with (tasks / "good" / "TASK.md").open("a") as file:
            file.write(f"\n{line}\n")

    def reused():
        result = verify(tasks / "good", "--gate", "G1", "--json")
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)["tasks"][0]["gates"][0]["reused"]

    # All tests share a cache, and others may have proven the example as it is there.
    change(uuid.uuid4().hex)
    assert reused() is False
    assert reused() is True
    change("One more line.")
    assert reused() is False


@pytest.mark.slow
def test_what_is_no_task_any_more_fails_and_the_others_go_on(tasks):
    (tasks / "bad" / "grader" / "reference").rename(tasks / "bad" / "away")
    result = verify(tasks, "--gate", "G1", "--json")
    assert result.exit_code == 1
    bad, good = json.loads(result.stdout)["tasks"]
    assert "grader/reference" in bad["failure"]
    assert good["gates"][0]["status"] == "passed"


@pytest.mark.slow
def test_what_could_not_be_run_says_what_to_run_and_has_a_code_of_its_own(tasks):
    result = verify(tasks / "good", "--gate", "review")
    assert result.exit_code == 3, result.output
    assert "shipbar review sign" in result.output


def test_an_unknown_gate_lists_the_known_ones():
    result = verify(TASK, "--gate", "G99")
    assert isinstance(result.exception, UnknownNameError)
    assert "known-bad" in str(result.exception)


def test_a_folder_without_tasks_is_refused(tmp_path):
    result = verify(tmp_path)
    assert isinstance(result.exception, UserError)
    assert "a folder of tasks" in str(result.exception)


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_it_may_be_the_first_command_on_a_machine(monkeypatch):
    with tempfile.TemporaryDirectory() as cache:
        Path(cache).chmod(0o755)
        monkeypatch.setenv("SHIPBAR_CACHE", cache)
        result = verify(TASK, "--gate", "G1")
    assert (result.exit_code, "1/1" in result.stdout) == (0, True), result.output
