import json

import pytest

from tests.cli.tiny import Command, command
from tests.grading.authoring import SUITE, edit, new_task


@pytest.fixture
def shipbar(capsys) -> Command:
    return command(capsys)


@pytest.fixture
def folder(tmp_path):
    return new_task(tmp_path)


def test_a_task_in_order_gets_a_table_and_zero(shipbar, folder):
    said = shipbar("task", "check", folder)
    assert said.code == 0
    assert said.out.splitlines()[0] == "strips: in order"
    assert [line.split() for line in said.out.splitlines()[-3:]] == [
        ["reference", "reference", "12/12", "1.0000", "as", "it", "should", "be"],
        ["remembered", "known-bad", "3/12", "0.2500", "as", "it", "should", "be"],
        ["hollow", "known-bad", "0/12", "0.0000", "as", "it", "should", "be"],
    ]


def test_all_problems_are_told_and_the_code_is_two(shipbar, folder):
    (folder / "TASK.md").unlink()
    edit(folder / "task.toml", "recall_ceiling = 0.5", "recall_ceiling = 0.1")
    said = shipbar("task", "check", folder)
    assert said.code == 2
    lines = said.out.splitlines()
    assert lines[0] == "strips: 2 problems"
    assert "TASK.md: expected by the contract" in lines[1]
    assert "over recall_ceiling" in lines[2]
    assert "problem" in said.out.splitlines()[-2].split()


def test_json_is_alone_on_standard_output(shipbar, folder):
    edit(folder / SUITE, "== 255", "== 256")
    said = shipbar("task", "check", folder, "--json")
    found = json.loads(said.out)
    assert said.code == 2
    assert found["ok"] is False
    assert found["task_id"] == "strips"
    assert found["suite"]["assertions"] == 12
    assert [package["passed"] for package in found["packages"]] == [11, 3, 0]
    assert found["problems"]


def test_a_contract_that_cannot_be_read_is_told_line_by_line(shipbar, folder):
    edit(folder / "task.toml", 'split = "train"', 'split = "both"')
    said = shipbar("task", "check", folder)
    assert said.code == 2
    assert "task.toml:6: split: expected" in said.out


def test_what_a_package_wrote_cannot_drive_the_terminal(shipbar, folder):
    bad = folder / "grader/known_bad/hollow/strips/__init__.py"
    bad.write_text("raise ImportError('\\x1b[2J\\u202e gone')\n")
    said = shipbar("task", "check", folder)
    assert said.code == 2
    assert "\\x1b[2J\\u202e gone" in said.out
    assert "\x1b" not in said.out


def test_no_task_is_the_callers_mistake_and_no_sandbox_the_names(
    shipbar, tmp_path, folder
):
    said = shipbar("task", "check", tmp_path)
    assert (said.code, said.out) == (2, "")
    assert "is no task" in said.err
    said = shipbar("task", "check", folder, "--sandbox", "nothing")
    assert (said.code, said.out) == (2, "")
    assert "no sandbox named 'nothing'" in said.err
