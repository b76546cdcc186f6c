"""What scores come to: areas, rates, thresholds chosen on one half and used on the other."""

from random import Random

import pytest

from bench.copies_pairs import COPY, HONEST, SAME_JOB, UNRELATED, honest, spec_shaped
from bench.copies_scores import Scored, auc, by_kind, half_of, rates
from bench.corpus import Library
from tests.bench.samples import PACKAGE


def scored(label, score, group, kind="rename"):
    return Scored(
        label=label, kind=kind, target=group, name="x", group=group, score=score
    )


def test_the_area_is_the_chance_that_a_copy_scores_higher():
    assert auc([0.9, 0.8], [0.1, 0.2]) == 1
    assert auc([0.1], [0.1]) == 0.5
    assert auc([0.3, 0.0], [0.1, 0.2]) == 0.5


def test_halves_are_about_equal_and_the_same_whatever_the_order():
    groups = [f"job {number}" for number in range(20)]
    half, other = half_of(groups), half_of(reversed(groups))
    assert [half(it) for it in groups] == [other(it) for it in groups]
    assert sum(half(it) for it in groups) == 10


def test_rates_count_copies_above_all_honest_work():
    pairs = [scored(COPY, score, "a") for score in (0.9, 0.8, 0.3)]
    pairs += [scored(HONEST, score, "a", SAME_JOB) for score in (0.4, 0.1)]
    found = rates(pairs)
    assert found.highest == 0.4
    assert found.at_zero == pytest.approx(2 / 3)
    assert (found.copies, found.honest) == (3, 2)
    (kind,) = by_kind(pairs, found)
    assert (kind.kind, kind.lowest) == ("rename", 0.3)
    assert kind.at_zero == found.at_zero


def test_a_threshold_is_judged_on_the_half_it_was_not_chosen_on():
    half = half_of(["a", "b"])
    low, high = sorted(("a", "b"), key=half)
    pairs = [scored(COPY, 0.9, low), scored(HONEST, 0.1, low, UNRELATED)]
    # The other half's honest work is more alike than the first would allow for.
    pairs += [scored(COPY, 0.95, high), scored(HONEST, 0.5, high, UNRELATED)]
    found = rates(pairs)
    assert list(found.thresholds) == pytest.approx([0.3, 0.689], abs=0.001)
    assert found.by_halves == 1
    assert found.false_alarms == 0.5


def test_what_is_too_small_to_judge_is_not_counted():
    pair = Scored(
        label=COPY, kind="x", target="a", name="x", group="a", score=0, judged=False
    )
    assert rates([pair]).copies == 0


def test_spec_shaped_work_has_the_signatures_and_no_body():
    other = {"o.py": "def f():\n    return 77\n"}
    (text,) = spec_shaped(PACKAGE, other, Random(1)).values()
    assert "def summary(text, short=False):" in text
    assert text.count("return 77") == 1
    assert "f'{total} words" not in text
    assert "_LONG" not in text


def test_what_descends_from_the_target_is_no_honest_work():
    def library(name, group, related=""):
        return Library(name=name, group=group, files=PACKAGE, related=related)

    target = library("t", "g")
    everything = [target, library("fork", "g", "a fork"), library("other", "h")]
    told = {(it.name, it.label, it.kind) for it in honest(target, everything)}
    assert told == {
        ("fork", "related", SAME_JOB),
        ("other", HONEST, UNRELATED),
    }
