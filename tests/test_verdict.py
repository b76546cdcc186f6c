"""The verdict: exact scores, and a digest of what honest runs share and nothing else."""

import hashlib
import json
from fractions import Fraction

import attrs
import pytest

from shipbar.verdict import (
    CaseOutcome,
    Copying,
    Level,
    Likeness,
    Outcome,
    Run,
    SharedRegion,
    Structure,
    Verdict,
    canonical,
)


def verdict(*outcomes: Outcome, **changes) -> Verdict:
    cases = tuple(
        CaseOutcome(id=f"t.py::test_{n}", rule="mark", outcome=outcome)
        for n, outcome in enumerate(outcomes)
    )
    return attrs.evolve(
        Verdict(
            task_id="a-task",
            task_digest="sha256:00",
            submission_digest="sha256:11",
            install="tree",
            structure=Structure(imports=True),
            cases=cases,
            min_passed=len(cases),
            run=Run(sandbox="bubblewrap"),
        ),
        **changes,
    )


def test_only_a_right_answer_counts():
    found = verdict(*Outcome)
    assert found.total == len(Outcome)
    assert found.passed == 1
    assert found.fraction == Fraction(1, len(Outcome))
    assert not found.shipped


def test_a_score_is_exact():
    found = verdict(*[Outcome.PASSED] * 2, Outcome.WRONG)
    assert found.fraction == Fraction(2, 3)
    assert found.score == 2 / 3


@pytest.mark.parametrize(
    ("outcomes", "min_passed", "shipped"),
    [
        ([Outcome.PASSED] * 3, 3, True),
        ([Outcome.PASSED] * 2 + [Outcome.WRONG], 3, False),
        ([Outcome.PASSED] * 2 + [Outcome.WRONG], 2, False),  # all means all
        ([Outcome.PASSED] * 2, 3, False),
        ([Outcome.UNREACHED] * 3, 3, False),
    ],
)
def test_the_ship_bar_is_all_of_the_suite(outcomes, min_passed, shipped):
    assert verdict(*outcomes, min_passed=min_passed).shipped is shipped


def test_a_package_that_lacks_a_symbol_is_not_there():
    assert Structure(imports=True).ok
    assert not Structure(imports=True, missing=("f",)).ok
    assert not Structure(imports=False).ok


SAME = verdict(Outcome.PASSED, Outcome.WRONG)
OTHER_RUN = Run(
    sandbox="landlock",
    lacks=("a network namespace",),
    seconds=12.5,
    subjects=9,
    left_out=("x.pyc: bytecode",),
    notes=("built with pip",),
    trace="/home/someone/secret",
)


def test_how_a_run_went_is_not_in_the_digest():
    other = attrs.evolve(SAME, run=OTHER_RUN)
    assert other.digest == SAME.digest
    assert other == SAME
    assert b"someone" not in canonical(other.digested())


@pytest.mark.parametrize(
    "change",
    [
        {"task_id": "b-task"},
        {"task_digest": "sha256:01"},
        {"submission_digest": "sha256:12"},
        {"install": "pip"},
        {"structure": Structure(imports=True, missing=("f",), why="symbols missing")},
        {"structure": Structure(imports=False, why="raised")},
        {"min_passed": 1},
        {"cases": SAME.cases[:1]},
        {"cases": SAME.cases[::-1]},
        {"cases": (SAME.cases[0], attrs.evolve(SAME.cases[1], outcome=Outcome.RAISED))},
        {"cases": (SAME.cases[0], attrs.evolve(SAME.cases[1], rule="tags"))},
    ],
    ids=["task", "task files", "submission", "install", "missing", "import", "bar", "fewer", "order", "outcome", "rule"],
)  # fmt: skip
def test_whatever_is_judged_is_in_the_digest(change):
    assert attrs.evolve(SAME, **change).digest != SAME.digest


def test_the_digest_is_the_same_on_every_machine_and_version():
    assert SAME.digest == (
        "sha256:be641f098b2bcd334a35e2501724c82adc9d124c7c2c7ffdda81f6051a6ade78"
    )


def test_the_json_form_says_all_and_names_what_the_digest_covers():
    value = json.loads(json.dumps(attrs.evolve(SAME, run=OTHER_RUN).as_json()))
    assert value["score"] == 0.5
    assert value["passed"] == 1
    assert value["run"]["trace"] == "/home/someone/secret"
    digest = value.pop("digest")
    for name in ("score", "behaviour", "run"):
        del value[name]
    assert digest == "sha256:" + hashlib.sha256(canonical(value)).hexdigest()


COPY = Copying(
    metric=1,
    hard_fail=False,
    sources=(
        Likeness(source="reference", level=Level.COPY, reasons=("a share of 1",)),
        Likeness(source="upstream", level=Level.NOT_COMPARED),
    ),
)
WHOLE = verdict(Outcome.PASSED, Outcome.PASSED)


def test_a_flag_is_told_and_costs_nothing_unless_the_task_says_so():
    found = attrs.evolve(WHOLE, copying=COPY)
    assert COPY.flagged
    assert (found.score, found.shipped) == (1.0, True)


def test_where_the_task_says_so_a_flag_is_a_score_of_nothing_beside_the_behaviour():
    found = attrs.evolve(WHOLE, copying=attrs.evolve(COPY, hard_fail=True))
    assert (found.score, found.fraction, found.shipped) == (0.0, Fraction(0), False)
    assert (found.passed, found.behaviour) == (2, Fraction(1))
    told = found.as_json()
    assert (told["score"], told["behaviour"], told["shipped"]) == (0.0, 1.0, False)
    assert told["copy_guard"]["zeroed"]
    assert told["copy_guard"]["reason"] == "a copy of the reference: a share of 1"


@pytest.mark.parametrize("level", [it for it in Level if it is not Level.COPY])
def test_only_the_highest_level_flags(level):
    source = Likeness(source="reference", level=level)
    found = Copying(metric=1, hard_fail=True, sources=(source,))
    assert found.level is level
    assert not found.flagged
    assert attrs.evolve(WHOLE, copying=found).shipped


def test_without_sources_nothing_is_compared():
    found = Copying(metric=1, hard_fail=True, sources=())
    assert found.level is Level.NOT_COMPARED
    assert not found.flagged


@pytest.mark.parametrize(
    "change",
    [
        {"metric": 2},
        {"hard_fail": True},
        {"held_out": "grader/known_bad/a"},
        {"remarks": ("a.py: minified",)},
        {"sources": COPY.sources[:1]},
        {"sources": (attrs.evolve(COPY.sources[0], score=0.9), COPY.sources[1])},
        {
            "sources": (
                attrs.evolve(
                    COPY.sources[0],
                    longest=SharedRegion(
                        path="a", first=1, last=2, symbols=3, share=0.5
                    ),
                ),
                COPY.sources[1],
            )
        },
    ],
    ids=["metric", "terms", "held-out", "remarks", "fetched", "score", "region"],
)
def test_what_the_copy_guard_found_is_in_the_digest(change):
    found = attrs.evolve(WHOLE, copying=COPY)
    other = attrs.evolve(WHOLE, copying=attrs.evolve(COPY, **change))
    assert len({WHOLE.digest, found.digest, other.digest}) == 3
    json.dumps(other.as_json())


def test_a_verdict_is_frozen():
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        SAME.min_passed = 0  # type: ignore[misc]  # that is the point
