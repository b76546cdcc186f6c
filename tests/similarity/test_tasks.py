"""What a task's candidates are compared with, and what it teaches as base material."""

import pytest

from shipbar.errors import UserError
from shipbar.similarity import Thresholds, compare, guarded
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


def test_what_the_task_keeps_as_independent_is_learned_from_unless_it_is_a_copy(
    task, tmp_path
):
    tiny.write(
        task / "grader/independent", {"ada/tally.py": OTHER, "bob/tally.py": LIBRARY}
    )
    guard = guarded(task, tmp_path)
    assert guard.base.learned == ("specification", "ada")
    assert "bob" in [it.partition(":")[0] for it in guard.base.set_aside]


def test_the_tasks_own_packages_are_known_by_their_content_but_not_the_reference(
    task, tmp_path
):
    tiny.write(task / "grader/ladder/1", {"tally/__init__.py": OTHER})
    guard = guarded(task, tmp_path)
    # The known-bad is the reference here: it is called by its own name.
    assert set(guard.held_out.values()) == {
        "grader/known_bad/hollow",
        "grader/ladder/1",
    }


def test_thresholds_are_the_tasks_in_the_units_of_the_score(task, tmp_path):
    (source,) = guarded(task, tmp_path).sources
    assert source.thresholds == Thresholds()
    lax = Thresholds.at(0.6)
    assert (lax.note, lax.review, lax.copy) == (0.32, 0.4, 0.6)


def test_what_is_no_task_is_told(tmp_path):
    with pytest.raises(UserError, match="no task"):
        guarded(tmp_path, tmp_path)
