"""Where stock pytest and the sealed judge part, it is said on which tests."""

import pytest

from shipbar.gates.agreement import GATE, differences
from shipbar.gates.stock import Ran, pytest_digest
from shipbar.verdict import CaseOutcome, Outcome, Run, Structure, Verdict
from tests.repository import ROOT

TASK = ROOT / "examples" / "check-character-36"
IDS = ("t.py::test_a_1", "t.py::test_a_2", "t.py::test_a_3")


def sealed(*outcomes):
    return Verdict(
        task_id="t",
        task_digest="",
        submission_digest="",
        install="tree",
        structure=Structure(imports=True),
        cases=tuple(
            CaseOutcome(id=id_, rule="a", outcome=Outcome(outcome))
            for id_, outcome in zip(IDS, outcomes, strict=True)
        ),
        min_passed=3,
        run=Run(sandbox="none"),
    )


def ran(*passed, lost="", words=""):
    outcomes = dict(zip(IDS, passed, strict=False))
    return Ran(outcomes=outcomes, lost=lost, words=words)


@pytest.mark.parametrize(
    "stock",
    [ran(True, False, False), ran(True, False), ran(True, lost="it ended")],
    ids=["all", "not run", "lost after the last that passes"],
)
def test_the_same_tests_pass(stock):
    assert differences("p", stock, sealed("passed", "wrong", "raised")) == []


def test_a_package_that_is_not_there_passes_nothing_in_both():
    verdict = sealed("unreached", "unreached", "unreached")
    assert differences("p", ran(), verdict) == []


def test_a_test_that_passes_under_pytest_alone_is_named_with_its_outcome():
    (problem,) = differences(
        "p", ran(True, True, True), sealed("passed", "wrong", "passed")
    )
    assert problem == (
        "p: 1 tests pass under stock pytest alone: t.py::test_a_2 (wrong)"
    )


def test_a_test_that_was_not_lifted_is_named():
    stock = Ran(outcomes={"t.py::other": True})
    (problem,) = differences("p", stock, sealed("wrong", "wrong", "wrong"))
    assert "t.py::other (not lifted)" in problem


def test_a_test_that_passes_in_the_sealed_judge_alone_is_named():
    (problem,) = differences(
        "p", ran(True, False), sealed("passed", "passed", "passed")
    )
    assert "2 tests pass in the sealed judge alone" in problem
    assert "t.py::test_a_3 (not run)" in problem


def test_where_nothing_ran_pytest_is_quoted():
    (problem,) = differences(
        "p", ran(words="No module named x"), sealed("passed", "wrong", "wrong")
    )
    assert "No module named x" in problem


def test_both_ways_are_told():
    problems = differences(
        "p", ran(False, True, False), sealed("passed", "wrong", "wrong")
    )
    assert len(problems) == 2


def test_a_lost_run_that_keeps_tests_from_passing_is_told_as_that():
    (problem,) = differences(
        "p",
        ran(True, lost="it ended after t.py::test_a_1"),
        sealed("passed", "passed", "wrong"),
    )
    assert "lost, it ended after t.py::test_a_1: 1 tests" in problem


def test_a_receipt_is_for_one_pytest(trial_of):
    (digest,) = GATE.depends(trial_of(TASK)).values()
    assert digest.startswith("sha256:")
    assert digest == pytest_digest()
