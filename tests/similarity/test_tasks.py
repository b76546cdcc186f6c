"""What a task's candidates are compared with, and what it teaches as base material."""

import pytest

from shipbar.errors import UserError
from shipbar.similarity import compare, guarded
from tests.cli import tiny
from tests.similarity.samples import LIBRARY, OTHER, printed


@pytest.fixture
def task(tmp_path):
    folder = tiny.task(tmp_path / "task")
    for kind, text in (("reference", LIBRARY), ("known_bad/hollow", LIBRARY)):
        for path in (folder / "grader" / kind).rglob("*.py"):
            path.write_text(text)
    return folder


def test_a_copy_of_the_reference_is_flagged_and_other_work_is_not(task, tmp_path):
    guard = guarded(task, tmp_path)
    (source,) = guard.sources
    assert source.print.name == "reference"
    assert compare(printed(LIBRARY), source.print, guard.base).flagged
    assert not compare(printed(OTHER), source.print, guard.base).flagged


def test_a_known_bad_made_from_the_reference_is_set_aside(task, tmp_path):
    guard = guarded(task, tmp_path)
    assert [it.partition(":")[0] for it in guard.base.set_aside] == ["hollow"]
    assert guard.base.learned == ("specification",)


def test_an_independent_implementation_is_learned_from(task, tmp_path):
    (tmp_path / "own.py").write_text(OTHER)
    guard = guarded(task, tmp_path, (tmp_path / "own.py",))
    assert guard.base.learned[-1] == str(tmp_path / "own.py")
    assert printed(OTHER).grams <= guard.base.grams


def test_what_is_no_task_is_told(tmp_path):
    with pytest.raises(UserError, match="no task"):
        guarded(tmp_path, tmp_path)
