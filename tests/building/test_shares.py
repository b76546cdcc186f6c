from itertools import islice

from shipbar.building.family import Draw
from shipbar.building.names import draw_names
from shipbar.building.rules import child_rng
from shipbar.building.shares import (
    SHARES,
    by_role,
    probes_of_share,
    share_of,
)
from tests.building.toy.family import FAMILY, Toy

RULES = FAMILY.space.memory


def draw(seed):
    names = draw_names(FAMILY.roles, child_rng(seed, "names"))
    return Draw(rules=RULES, names=names, parameters={})


def asked(seed, place):
    """The first probes of a variant, with roles in place of names."""
    one = draw(f"{seed}-{place}")
    told = by_role(one.names)
    probes = probes_of_share(FAMILY, one, seed, (place,), share_of(seed, place))
    return {told(f"{p.arrange} {p.expression}") for p in islice(probes, 60)}


def test_places_in_a_row_ask_nothing_twice():
    variants = [asked("s", place) for place in range(SHARES)]
    assert all(variants)
    assert len(set().union(*variants)) == sum(map(len, variants))


def test_seeds_that_follow_each_other_ask_nothing_twice():
    assert asked("seed-1", 0).isdisjoint(asked("seed-2", 0))


def test_names_are_replaced_as_whole_words():
    told = by_role({"parse": "velm", "package": "orin"})
    assert told("velm(orin.velmor)") == "«parse»(«package».velmor)"


class Poor(Toy):
    """A toy that has five questions."""

    def probes(self, draw, rng):
        yield from islice(super().probes(draw, rng), 5)


def test_a_finite_generator_comes_to_an_end():
    one = draw("s")
    for share in range(SHARES):
        found = list(probes_of_share(Poor(), one, "s", (0,), share))
        assert len(found) < 5 * 70
