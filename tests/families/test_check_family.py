"""The promises of a family are promises: what breaks one is noticed."""

from types import SimpleNamespace

import pytest

from shipbar.testing.check_family import SEEDS, nothing_discloses

RULES = {"part-order": "numeric", "last-workday": "yes"}


def bench(specification):
    item = SimpleNamespace(
        variant=SimpleNamespace(task_id="a-1", draw=SimpleNamespace(rules=RULES)),
        parts=SimpleNamespace(specification=specification),
    )
    family = SimpleNamespace(name="release-labels", upstream=None)
    return SimpleNamespace(family=family, built=lambda: [item])


@pytest.mark.parametrize(
    "leak",
    [
        "release-labels",
        "Release labels",
        "ReleaseLabels",
        "part-order=numeric",
        "Part-order: numeric",
        SEEDS[1],
    ],
)
def test_a_specification_that_shows_the_makers_side_is_noticed(leak):
    with pytest.raises(AssertionError, match="a-1: the specification says"):
        nothing_discloses(bench(f"# A library\n\n1.1 Nothing ({leak}) else.\n"))


def test_words_of_the_domain_are_no_leak():
    nothing_discloses(
        bench("1.1 The last-workday rule holds for labels of a release.\n")
    )
