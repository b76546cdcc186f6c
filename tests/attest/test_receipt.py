"""What makes two runs the same question, and what two answers do not agree on."""

import attrs
import pytest

from shipbar.attest.receipt import (
    Difference,
    answers_that_differ,
    conditions_that_differ,
)
from shipbar.verdict import sha256
from tests.attest.samples import CONDITIONS, QUESTION, RECEIPT, came_out

OTHER = sha256(b"other")


CHANGES = {
    "gate": {"gate": "G3"},
    "version": {"version": 2},
    "task": {"task_id": "stripes"},
    "suite": {"parts": {**QUESTION.parts, "suite": OTHER}},
    "upstream": {"depends": {"upstream": OTHER}},
    "no-upstream": {"depends": {}},
    **{
        f"another-{name}": {"conditions": it}
        for name, it in {
            "release": attrs.evolve(CONDITIONS, tool_version="0.1.1"),
            "tool": attrs.evolve(CONDITIONS, tool_digest=OTHER),
            "sandbox": attrs.evolve(CONDITIONS, sandbox="podman"),
            "promise": attrs.evolve(CONDITIONS, lacks=()),
            "runtime": attrs.evolve(CONDITIONS, runtime="0"),
            "interpreter": attrs.evolve(CONDITIONS, interpreter="CPython 3.12.0"),
        }.items()
    },
}


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES.keys())
def test_whatever_differs_it_is_another_question(changes):
    assert attrs.evolve(QUESTION, **changes).digest != QUESTION.digest


def test_the_order_of_what_it_depends_on_makes_no_difference():
    turned = dict(reversed(list(QUESTION.parts.items())))
    assert attrs.evolve(QUESTION, parts=turned).digest == QUESTION.digest


def test_answers_that_agree_differ_in_nothing_but_time():
    assert answers_that_differ(RECEIPT, attrs.evolve(RECEIPT, run={})) == []


def test_digests_come_first_and_then_what_was_measured():
    found = attrs.evolve(
        came_out("failed", problems=("hollow ships",)),
        question=attrs.evolve(QUESTION, depends={"upstream": OTHER}),
        figures={"scores": {}, "new": 1},
        parameters={"seeds": ["a"], "runs": 20},
    )
    differences = answers_that_differ(RECEIPT, found)
    assert [it.what for it in differences] == [
        "depends: upstream",
        "parameters: seeds",
        "status",
        "figures: big",
        "figures: new",
        "figures: scores",
        "problems",
    ]
    assert differences[2] == Difference(
        what="status", recorded="passed", found="failed"
    )
    assert (differences[4].recorded, differences[4].found) == (None, 1)


def test_other_conditions_are_told_apart_from_answers():
    elsewhere = attrs.evolve(CONDITIONS, sandbox="podman")
    assert conditions_that_differ(CONDITIONS, elsewhere) == [
        Difference(what="sandbox", recorded="bubblewrap", found="podman")
    ]
    assert conditions_that_differ(CONDITIONS, CONDITIONS) == []


def test_there_is_no_fifth_way_to_come_out():
    with pytest.raises(ValueError, match="status"):
        came_out("skipped")
