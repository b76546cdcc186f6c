"""Which parts a task has in its receipts."""

import pytest

from shipbar.errors import UserError
from shipbar.gates.receipts import parts_in, parts_of
from shipbar.grading.tasks import load_task
from tests.cli import tiny

BUILT = {
    "grader/ladder/01-of-02/tally/__init__.py": "x = 1\n",
    "grader/ladder/02-of-02/tally/__init__.py": "x = 2\n",
    "grader/adapter/tally/__init__.py": "x = 3\n",
    "grader/variant.json": "{}\n",
    "grader/probes.py": "\n",
}


def test_every_part_of_a_built_task_has_a_digest(tmp_path):
    task = load_task(tiny.write(tiny.task(tmp_path / "tally"), BUILT))
    parts = parts_of(task)
    assert set(parts) == {
        *("task", "contract", "specification", "suite", "reference"),
        *("known-bad hollow", "ladder 01-of-02", "ladder 02-of-02"),
        *("adapter", "record", "other"),
    }
    assert parts["task"] == task.digest
    assert len(set(parts.values())) == len(parts)


def test_several_suites_are_told_apart(tmp_path):
    text = tiny.contract(
        (
            'pytest_paths = ["grader/tests"]',
            'pytest_paths = ["grader/tests", "grader/more"]',
        )
    )
    folder = tiny.task(tmp_path / "tally", contract=text)
    tiny.write(folder, {"grader/more/test_more.py": "\n"})
    found = parts_in(folder, load_task(folder).contract)
    assert {name for name in found if "suite" in name} == {
        *("suite grader/tests", "suite grader/more")
    }


def test_what_tools_leave_behind_is_in_no_part(tmp_path):
    task = load_task(tiny.task(tmp_path / "tally"))
    before = parts_of(task)
    left = {
        "grader/tests/__pycache__/x.cpython-311.pyc": "",
        ".pytest_cache/README": "",
    }
    tiny.write(task.folder, left)
    assert parts_of(task) == before


def test_a_task_that_changes_meanwhile_is_told_of(tmp_path):
    task = load_task(tiny.task(tmp_path / "tally"))
    (task.folder / "TASK.md").write_text("Tally!\n")
    with pytest.raises(UserError, match="changed while it was worked on"):
        parts_of(task)
