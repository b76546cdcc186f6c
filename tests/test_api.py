"""The Python interface: the same grades as the command's, as frozen values."""

import json
import pickle
import subprocess
import sys

import attrs
import pytest

import shipbar
from tests.cli import fakes, tiny

HALF = tiny.REFERENCE.replace("return a + b", "return 3")


@pytest.fixture
def task(tmp_path):
    return tiny.task(tmp_path / "task")


@pytest.fixture(autouse=True)
def work(monkeypatch):
    """A folder to work in, in which no test may leave a thing."""
    with tiny.work_folder() as folder:
        monkeypatch.setenv("SHIPBAR_WORK", str(folder))
        yield folder


def test_a_loaded_task_and_its_folder_are_graded_alike(task):
    reference = task / "grader/reference"
    loaded = shipbar.load_task(task)
    verdict = shipbar.grade(loaded, reference)
    assert (verdict.passed, verdict.total, verdict.score) == (4, 4, 1.0)
    assert verdict.shipped
    assert verdict.fraction == 1
    assert verdict.digest == shipbar.grade(str(task), str(reference)).digest
    assert verdict.task_digest == loaded.digest


def test_values_are_frozen(task):
    verdict = shipbar.grade(task, task / "grader/known_bad/hollow")
    for value in (verdict, verdict.run, verdict.structure, verdict.cases[0]):
        field = attrs.fields(type(value))[0].name
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(value, field, None)


def test_a_verdict_holds_no_expectation(task):
    # What a solver may be shown: no value or exception of the suite is in it.
    verdict = shipbar.grade(task, task / "grader/known_bad/hollow")
    told = json.dumps(verdict.as_json())
    assert "TallyError" not in told
    assert "assert" not in told
    assert [case.outcome for case in verdict.cases] == [
        shipbar.Outcome.WRONG,
        shipbar.Outcome.WRONG,
        shipbar.Outcome.PASSED,
        shipbar.Outcome.PASSED,
    ]


def test_only_what_is_digested_changes_the_digest(task):
    verdict = shipbar.grade(task, task / "grader/reference")
    run = attrs.evolve(verdict.run, seconds=9.0, sandbox="other", trace="words")
    assert attrs.evolve(verdict, run=run) == verdict
    assert attrs.evolve(verdict, run=run).digest == verdict.digest
    assert attrs.evolve(verdict, min_passed=3).digest != verdict.digest
    case = attrs.evolve(verdict.cases[0], outcome=shipbar.Outcome.CRASHED)
    other = attrs.evolve(verdict, cases=(case, *verdict.cases[1:]))
    assert other.digest != verdict.digest
    assert not other.shipped


def test_a_grader_is_used_again_and_closed_twice(task, tmp_path, work):
    half = tiny.submission(tmp_path / "half", HALF)
    grader = shipbar.open_grader(shipbar.load_task(task), ahead=2)
    with grader:
        scores = [
            grader.grade(path).score
            for path in (task / "grader/reference", half, task / "grader/reference")
        ]
    grader.close()
    assert scores == [1.0, 0.75, 1.0]
    assert list(work.iterdir()) == []


def test_a_refusal_does_not_spoil_an_open_grader(task):
    with shipbar.open_grader(shipbar.load_task(task)) as grader:
        with pytest.raises(shipbar.RequirementError):
            grader.grade("roman==3.3")
        assert grader.grade(task / "grader/reference").shipped


@pytest.mark.parametrize(
    ("arguments", "error", "expected"),
    [
        ({"sandbox": "gaol"}, shipbar.UnknownNameError, "no sandbox named 'gaol'"),
        ({"install": "conda"}, shipbar.UnknownNameError, "known: auto, tree, pip"),
    ],
    ids=["sandbox", "install"],
)
def test_a_wrong_name_is_a_user_error_at_once(task, arguments, error, expected):
    with pytest.raises(error, match=expected):
        shipbar.grade(task, task / "grader/reference", **arguments)
    with pytest.raises(error, match=expected):
        shipbar.grade_many(task, [task / "grader/reference"], **arguments)


def test_many_are_refused_at_the_call_and_not_at_the_first_result(task):
    with pytest.raises(shipbar.UserError, match="jobs: expected 1 or more, got 0"):
        shipbar.grade_many(task, [], jobs=0)
    with pytest.raises(shipbar.UserError, match="put it in a list"):
        shipbar.grade_many(task, str(task / "grader/reference"))
    with pytest.raises(shipbar.UserError, match="is no task"):
        shipbar.grade_many(task / "grader", [])


@pytest.mark.parametrize("jobs", [1, 2], ids=["alone", "workers"])
def test_many_come_in_order_with_what_was_refused_between(task, tmp_path, jobs):
    whole = task / "grader/reference"
    half = tiny.submission(tmp_path / "half", HALF)
    candidates = [whole, "roman", half, whole]
    results = list(shipbar.grade_many(task, candidates, jobs=jobs))
    assert [result.candidate for result in results] == list(map(str, candidates))
    scores = [result.verdict.score if result.verdict else None for result in results]
    assert scores == [1.0, None, 0.75, 1.0]
    assert "names are never resolved" in results[1].refused
    assert not any(result.fault for result in results)


@pytest.mark.parametrize("jobs", [1, 3], ids=["alone", "workers"])
def test_none_are_no_results(task, jobs):
    assert list(shipbar.grade_many(task, [], jobs=jobs)) == []


def test_results_come_while_the_rest_is_to_do(task, tmp_path, work):
    whole = task / "grader/reference"
    results = shipbar.grade_many(task, [whole] * 3)
    assert next(results).verdict is not None
    results.close()
    assert list(work.iterdir()) == []


def test_workers_end_with_whoever_stops_asking(task, tmp_path):
    slow = tiny.submission(tmp_path / "slow", "while True: pass\n")
    whole = task / "grader/reference"
    results = shipbar.grade_many(task, [whole, slow, slow], jobs=2)
    assert next(results).verdict is not None
    results.close()


def test_a_fault_of_ours_is_no_verdict_and_stops_nobody(task, tmp_path, monkeypatch):
    fakes.install(tmp_path / "fakes", monkeypatch)
    whole = task / "grader/reference"
    with pytest.raises(shipbar.GraderFault, match="ZeroDivisionError"):
        shipbar.grade(task, whole, sandbox="faulty")
    with pytest.raises(shipbar.SandboxError, match="absent: no such program"):
        shipbar.grade(task, whole, sandbox="absent")
    results = list(shipbar.grade_many(task, [whole, "roman"], sandbox="faulty"))
    assert [result.verdict for result in results] == [None, None]
    assert "ZeroDivisionError" in results[0].fault
    assert results[1].refused


@pytest.mark.slow
def test_every_worker_that_dies_is_replaced(task, tmp_path, work, monkeypatch):
    # One fuse is left after each death: more deaths than workers, and no end of grading.
    fakes.install(tmp_path / "fakes", monkeypatch)
    fuse = tmp_path / "fuse"
    monkeypatch.setenv(fakes.DEADLY, str(fuse))
    results = []
    fuse.touch()
    for result in shipbar.grade_many(
        task, [task / "grader/reference"] * 6, jobs=2, sandbox="deadly"
    ):
        results.append(result)
        if len(results) == 2:
            fuse.touch()
    lost = [result for result in results if result.verdict is None]
    assert len(results) == 6
    assert 1 <= len(lost) <= 2
    assert all("signal 9" in result.fault for result in lost)
    assert all(not result.refused for result in lost)
    tiny.tidy(work)


def test_values_travel_between_processes(task):
    loaded = shipbar.load_task(task)
    verdict = shipbar.grade(loaded, task / "grader/reference")
    assert pickle.loads(pickle.dumps(verdict)) == verdict
    assert pickle.loads(pickle.dumps(loaded)) == loaded


def test_importing_it_costs_nothing():
    code = (
        "import sys, shipbar; print(sorted(m for m in sys.modules if 'shipbar.' in m))"
    )
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_one_grade_needs_no_module_of_many(task):
    code = (
        "import sys, shipbar; shipbar.grade(*sys.argv[1:]); "
        "print([m for m in ('multiprocessing', 'click', 'rich') if m in sys.modules])"
    )
    words = [sys.executable, "-c", code, str(task), str(task / "grader/reference")]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_name_that_is_not_there_says_so():
    with pytest.raises(AttributeError, match="'shipbar' has no attribute 'regrade'"):
        shipbar.regrade  # noqa: B018  # looking is the test
