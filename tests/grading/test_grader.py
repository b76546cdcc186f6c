"""A grade from the path to the verdict, with runners in plain processes."""

import time
from fractions import Fraction

import attrs
import pytest

from shipbar.errors import GraderFault, IntakeError, RequirementError, SandboxError
from shipbar.grading import grader as module
from shipbar.grading.grader import Grader
from shipbar.grading.tasks import load_task
from shipbar.ports import SURROUNDINGS, Guard
from shipbar.testing.fakes import Scripted, Unconfined, always
from shipbar.verdict import Copying, Level, Likeness
from tests.cli import tiny


@pytest.fixture
def task(tmp_path):
    return load_task(tiny.task(tmp_path / "task"))


@pytest.fixture
def work(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


class Watchman(Guard):
    """Finds what it is told to, and notes what it was asked."""

    name = "sha256:watchman"

    def __init__(self, found=None):
        self.asked = []
        self._found = found or Copying(metric=1, hard_fail=True, sources=())

    def _check(self, written):
        self.asked.append(written)
        if isinstance(self._found, Exception):
            raise self._found
        return self._found


COPIED = Copying(
    metric=1,
    hard_fail=True,
    sources=(Likeness(source="reference", level=Level.COPY, reasons=("so",)),),
)


@pytest.fixture
def grader(task, work):
    with Grader(task, Unconfined(), work) as opened:
        yield opened
    assert list(work.iterdir()) == []


def submission(tmp_path, text=tiny.REFERENCE, name="mine", **files):
    return tiny.write(tmp_path / name, {"tally/__init__.py": text, **files})


def test_a_right_submission_ships(grader, task, tmp_path):
    verdict = grader.grade(submission(tmp_path))
    assert verdict.shipped
    assert verdict.passed == verdict.total == 4
    assert verdict.structure.ok
    assert verdict.install == "tree"
    assert verdict.task_id == "tally"
    assert verdict.task_digest == task.digest
    assert verdict.submission_digest.startswith("sha256:")
    assert [case.rule for case in verdict.cases] == ["adding"] * 2 + ["faults", "names"]
    assert verdict.run.sandbox == "unconfined"
    assert verdict.run.lacks == Unconfined.lacks
    assert verdict.run.subjects == 1
    assert verdict.run.seconds > 0


def test_without_a_guard_nothing_is_said_of_copies(grader, tmp_path):
    verdict = grader.grade(submission(tmp_path))
    assert verdict.copying is None
    assert "copy_guard" not in verdict.as_json()


@pytest.mark.parametrize(
    "text", [tiny.REFERENCE, "raise OSError\n"], ids=["imports", "raises"]
)
def test_a_guard_is_asked_once_whatever_becomes_of_the_package(
    task, work, tmp_path, text
):
    guard = Watchman()
    path = submission(tmp_path, text)
    with Grader(task, Unconfined(), work, guard=guard) as grader:
        verdict = grader.grade(path)
    (asked,) = guard.asked
    assert dict(asked.files) == {"tally/__init__.py": text.encode()}
    assert asked.digest == verdict.submission_digest
    assert dict(asked.built) == {}
    assert verdict.copying is not None
    assert verdict.run.copy_index == "sha256:watchman"


def test_a_guard_reads_while_the_subject_is_at_work(task, work, tmp_path):
    class Slow(Watchman):
        def _check(self, written):
            # Inside a case's wall limit, though it is longer than all cases take.
            time.sleep(0.3)
            return super()._check(written)

    with Grader(task, Unconfined(), work, guard=Slow()) as grader:
        verdict = grader.grade(submission(tmp_path))
    assert verdict.shipped
    assert verdict.run.subjects == 1


def test_a_copy_scores_nothing_and_its_behaviour_is_kept(task, work, tmp_path):
    with Grader(task, Unconfined(), work, guard=Watchman(COPIED)) as grader:
        verdict = grader.grade(submission(tmp_path))
    assert (verdict.score, verdict.shipped) == (0.0, False)
    assert (verdict.behaviour, verdict.passed) == (Fraction(1), 4)


@pytest.mark.parametrize(
    ("fault", "seen"),
    [(ValueError("?"), GraderFault), (SandboxError("no"), SandboxError)],
)
def test_a_guard_that_fails_is_our_fault_and_no_score(
    task, work, tmp_path, fault, seen
):
    path = submission(tmp_path)
    with (
        Grader(task, Unconfined(), work, guard=Watchman(fault)) as grader,
        pytest.raises(seen),
    ):
        grader.grade(path)
    assert list(work.iterdir()) == []


def test_a_wrong_one_fails_what_it_gets_wrong(grader, tmp_path):
    verdict = grader.grade(submission(tmp_path, tiny.HOLLOW))
    assert verdict.passed == 2
    assert not verdict.shipped


def test_two_grades_have_equal_verdicts_and_share_nothing(grader, tmp_path):
    """The second candidate looks for what the first left."""
    counting = tiny.REFERENCE + (
        "\nimport pathlib, tempfile\n"
        "mark = pathlib.Path(__file__).with_name('mark')\n"
        "names = (lambda: ['tally']) if not mark.exists() else list\n"
        "try:\n    mark.touch()\nexcept OSError:\n    pass\n"
    )
    path = submission(tmp_path, counting)
    first, second = grader.grade(path), grader.grade(path)
    assert first == second
    assert first.digest == second.digest
    assert first.shipped


def test_a_package_that_does_not_import_scores_nothing_and_says_why(grader, tmp_path):
    verdict = grader.grade(submission(tmp_path, "raise KeyError('missing part')\n"))
    assert verdict.structure.why == "raised"
    assert {str(case.outcome) for case in verdict.cases} == {"unreached"}
    assert "KeyError: 'missing part'" in verdict.run.trace
    assert "runner" not in verdict.run.trace
    assert verdict.score == 0


def test_a_package_without_a_symbol_scores_nothing_and_names_it(grader, tmp_path):
    verdict = grader.grade(
        submission(tmp_path, tiny.REFERENCE.replace("def names", "def other"))
    )
    assert verdict.structure.missing == ("names",)
    assert verdict.score == 0


def test_a_submission_without_the_package_is_graded_without_a_subject(grader, tmp_path):
    verdict = grader.grade(tiny.write(tmp_path / "mine", {"other/__init__.py": ""}))
    assert verdict.structure.why == "not found"
    assert verdict.run.subjects == 0
    assert verdict.total == 4


@pytest.mark.parametrize(
    ("name", "error"), [("tally", RequirementError), ("./nowhere", IntakeError)]
)
def test_what_is_no_submission_is_refused(name, error, grader):
    with pytest.raises(error):
        grader.grade(name)


def test_what_was_left_out_is_told_beside_the_verdict(grader, tmp_path):
    verdict = grader.grade(
        submission(tmp_path, **{"tally/__pycache__/x.cpython-311.pyc": ""})
    )
    assert any("pycache" in word for word in verdict.run.left_out)
    assert verdict.digest == grader.grade(submission(tmp_path, name="clean")).digest


def test_a_grader_s_own_fault_is_a_fault_and_no_score(grader, tmp_path, monkeypatch):
    def faulty(*_, **__):
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(module, "judge", faulty)
    with pytest.raises(GraderFault, match="ZeroDivisionError: ours"):
        grader.grade(submission(tmp_path))


def test_a_full_disk_is_a_fault_and_no_score(grader, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "write_tree", full)
    with pytest.raises(GraderFault, match="No space left"):
        grader.grade(submission(tmp_path))


def test_a_sandbox_that_breaks_is_a_fault_and_no_score(task, work, tmp_path):
    with (
        Grader(task, Scripted(lambda actor: None), work) as grader,
        pytest.raises(SandboxError),
    ):
        grader.grade(submission(tmp_path))
    assert list(work.iterdir()) == []


def test_sandboxes_are_started_ahead_and_ended_at_the_close(task, work, tmp_path):
    sandbox = Scripted(always(b"null"))
    with Grader(task, sandbox, work, ahead=2) as grader:
        assert sandbox.actors == []
        for grades in (1, 2, 3):
            grader.grade(submission(tmp_path))
            assert len(sandbox.actors) == grades + 1
    grader.close()
    assert list(work.iterdir()) == []
    folders = [job.folders["candidate"] for job in sandbox.jobs]
    assert len(set(folders)) == len(folders)  # each seat served one submission


def test_the_environment_is_fixed_but_for_what_a_proof_changes(task, work, tmp_path):
    sandbox = Scripted(always(b"null"))
    with Grader(task, sandbox, work, surroundings={"TZ": "Asia/Tokyo"}) as grader:
        grader.grade(submission(tmp_path))
    assert sandbox.jobs[0].surroundings == {**SURROUNDINGS, "TZ": "Asia/Tokyo"}
    assert sandbox.jobs[0].limits == task.contract.grader.limits


def test_one_answer_to_everything_scores_nothing(task, work, tmp_path):
    for payload in (b"null", b"true", b'["opaque","yes"]', b'["list"]', b"[]"):
        with Grader(task, Scripted(always(payload)), work) as grader:
            assert grader.grade(submission(tmp_path)).score == 0


def test_the_judge_s_list_is_the_denominator(task, work, tmp_path):
    """However few answers come, every case of the suite is in the verdict."""
    for script in (always(b"garbage"), lambda actor: actor.ready()):
        with Grader(task, Scripted(script), work) as grader:
            verdict = grader.grade(submission(tmp_path))
        assert verdict.total == 4
        assert [case.id for case in verdict.cases] == [c.id for c in task.suite.cases]


def test_a_task_can_be_used_by_many_graders(task, work, tmp_path):
    assert attrs.evolve(task) == task
    with (
        Grader(task, Unconfined(), work) as one,
        Grader(task, Unconfined(), work) as two,
    ):
        path = submission(tmp_path)
        assert one.grade(path) == two.grade(path)
