import ast
import json
import random
from itertools import islice

import pytest

from shipbar.building.bands import FLIP_LEAST, MEMORY, NULL_MOST
from shipbar.building.batch import DONE, jobs_of, note_done, place, read_done
from shipbar.building.batch import Done as BatchDone
from shipbar.building.builder import Order
from shipbar.building.mutants import FLIP_BACK, HOLLOW, OVER, REMEMBERED
from shipbar.errors import UserError
from shipbar.grading.tasks import RECORD, digest_of, load_task
from tests.building.conftest import RULES
from tests.building.toy.family import FAMILY, Toy

# A build judges dozens of packages.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(scope="session")
def folder(built, tmp_path_factory):
    return place(built, tmp_path_factory.mktemp("tasks"))


def test_a_built_task_loads_and_counts(folder, built):
    task = load_task(folder)
    assert task.contract.grader.min_passed == len(task.suite.cases) == FAMILY.count
    assert task.contract.known_bad_install[0] == f"grader/known_bad/{REMEMBERED}"
    assert (folder / "solver" / "SPEC.md").read_text() == built.parts.specification


def test_the_same_order_gives_the_same_bytes(builder, built, folder, tmp_path):
    again = builder.build(Order(family=FAMILY, seed="s1"), RULES)
    assert digest_of(place(again, tmp_path)) == digest_of(folder)


def test_another_seed_shares_no_item_and_no_name(builder, built):
    other = builder.build(Order(family=FAMILY, seed="s2"), RULES)
    items = [{p.expression for p in b.parts.probes} for b in (built, other)]
    names = [set(b.variant.draw.names.values()) for b in (built, other)]
    assert items[0].isdisjoint(items[1])
    assert names[0].isdisjoint(names[1])


def test_wrong_packages_score_in_their_bands(built):
    scores = built.bands.scores
    assert MEMORY[0] <= scores[REMEMBERED] <= MEMORY[1]
    assert scores[HOLLOW] <= NULL_MOST
    assert 0.6 <= scores[OVER] <= 0.85
    flips = [s for name, s in scores.items() if name.startswith(FLIP_BACK)]
    assert len(flips) == len(FAMILY.space.inverted(RULES))
    assert all(FLIP_LEAST <= score <= 1 - 3 / FAMILY.count for score in flips)


def test_a_solver_sees_neither_rules_nor_seed_nor_family(folder):
    text = (folder / "solver" / "SPEC.md").read_text().lower()
    assert "toy" not in text
    for path in folder.rglob("*"):
        if path.is_file():
            assert b'"s1"' not in path.read_bytes()
    assert json.loads((folder / RECORD).read_text())["rules"] == RULES


def test_examples_are_answered_by_the_reference_and_are_no_hidden_input(built, folder):
    names = built.variant.draw.names
    assert f'`{names.join}(["a", "B"])` is `' in built.parts.specification
    hidden = {probe.expression for probe in built.parts.probes}
    assert hidden.isdisjoint(item.expression for item in built.specified.examples)


def test_the_reference_bears_no_trace_of_its_template(built):
    (source,) = built.parts.reference.values()
    assert b"{%" not in source
    assert b"{{" not in source
    ast.parse(source)


def test_rules_differ_from_those_of_tasks_that_are_there(folder):
    order = Order(family=FAMILY, seed="s1")
    near = [job for job in jobs_of(order, 3, folder.parent) if job.rules == RULES]
    assert near == []


def test_what_is_done_is_remembered_while_it_is_there(folder, tmp_path):
    (job,) = jobs_of(Order(family=FAMILY, seed="s9"), 1, tmp_path)
    note_done(tmp_path, BatchDone(key=job.key, task_id="gone", digest="sha256:0"))
    assert read_done(tmp_path) == {}
    (tmp_path / "gone").mkdir()
    assert set(read_done(tmp_path)) == {job.key}
    assert "s9" not in (tmp_path / DONE).read_text()


class Poor(Toy):
    """A toy with hardly anything to ask."""

    def probes(self, draw, rng):
        del rng
        return islice(super().probes(draw, random.Random(1)), 60)


def test_a_count_that_cannot_be_filled_says_what_is_missing(builder):
    with pytest.raises(UserError, match=r"filled honestly|only one rule decides"):
        builder.build(Order(family=Poor(), seed="s1"), RULES)


def test_too_many_variants_say_how_many_there_are(tmp_path):
    with pytest.raises(UserError, match="selections lie 3 axes apart"):
        jobs_of(Order(family=FAMILY, seed="s1"), 5000, tmp_path)
