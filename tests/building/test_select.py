import pytest

from shipbar.building.select import (
    CALIBRATION,
    JOINTS,
    LEAST_OWN,
    MEMORY_SHARE,
    MOST_OF_ONE,
    NULL_SHARE,
    Kills,
    Selector,
    ShortError,
)

AXES = ["a", "b", "c", "d", "e"]


def kills(**changes):
    """A pool of 120: twenty items for each axis, then twenty that nothing inverted touches."""
    flips = {
        axis: frozenset(range(20 * number, 20 * number + 20))
        for number, axis in enumerate(AXES)
    }
    facts = {
        "flips": flips,
        "ordinary": {"z": frozenset(range(100, 110))},
        "memory": frozenset(range(100)),
        "over": frozenset(range(100, 110)),
        "nulls": {"hollow": frozenset(range(5, 120))},
        "mutants": [],
    }
    return Kills(**(facts | changes))


def test_a_suite_is_filled_evenly_and_within_every_bound():
    facts = kills()
    chosen = set(Selector(40, 120, facts).choose())
    assert len(chosen) == 40
    costs = [len(chosen & hit) for hit in facts.flips.values()]
    assert min(costs) >= LEAST_OWN
    assert max(costs) <= MOST_OF_ONE * 40
    assert max(costs) - min(costs) <= 1
    assert len(chosen - facts.memory) <= MEMORY_SHARE * 40
    assert len(chosen - facts.nulls["hollow"]) <= NULL_SHARE * 40
    assert chosen & facts.ordinary["z"], "calibration that catches an over-inverter"


def test_an_axis_without_items_of_its_own_is_named():
    flips = dict(kills().flips)
    flips["b"] = flips["a"]
    with pytest.raises(ShortError, match=r"a \(0 found\), b \(0 found\)"):
        Selector(40, 120, kills(flips=flips)).choose()


def test_a_pool_that_is_too_small_is_never_padded():
    with pytest.raises(ShortError, match="can be filled honestly from 120 probes"):
        Selector(200, 120, kills()).choose()


def test_items_that_kill_a_mutant_come_first():
    mutants = [frozenset({7}), frozenset({7, 8}), frozenset({108})]
    chosen = Selector(30, 120, kills(mutants=mutants)).choose()
    assert {7, 108} <= set(chosen)


def test_the_choice_is_the_same_every_time():
    assert Selector(40, 120, kills()).choose() == Selector(40, 120, kills()).choose()


def test_what_no_inverted_axis_touches_is_no_more_than_its_share():
    flips = kills().flips
    chosen = set(Selector(40, 120, kills()).choose())
    assert len(chosen - frozenset().union(*flips.values())) == round(40 * CALIBRATION)


def test_items_that_several_axes_decide_have_a_share():
    flips = dict(kills().flips)
    # Each axis also decides the first five of the next one.
    for number, axis in enumerate(AXES):
        start = 20 * ((number + 1) % len(AXES))
        flips[axis] |= frozenset(range(start, start + 5))
    chosen = Selector(40, 120, kills(flips=flips)).choose()
    several = [i for i in chosen if sum(i in hit for hit in flips.values()) > 1]
    assert len(several) >= round(40 * JOINTS)


def test_catching_an_over_inverter_never_makes_a_suite_longer():
    """With few items that one fails, the search for more ends at the suite's size."""
    facts = kills(ordinary={}, over=frozenset(range(100, 120)))
    assert len(Selector(40, 120, facts).choose()) == 40


def test_calibration_is_joined_by_what_kills_more_and_nothing_else_is():
    # Mutants that only items of the untouched twenty kill, more than there is room for.
    mutants = [frozenset({item}) for item in range(100, 120)]
    facts = kills(mutants=mutants)
    selector = Selector(40, 120, facts)
    chosen = selector.choose()
    joined = selector.companions(range(120), 3)
    assert joined
    assert all(item >= 100 for item in joined)
    asked = {*chosen, *(other for others in joined.values() for other in others)}
    assert len(asked) == 40 + sum(map(len, joined.values())), "each is asked once"
    assert all(1 <= len(others) <= 2 for others in joined.values())
    assert len([m for m in mutants if m & asked]) > len(
        [m for m in mutants if m & set(chosen)]
    )


def test_nothing_is_joined_that_brings_nothing():
    selector = Selector(40, 120, kills())
    selector.choose()
    assert selector.companions(range(120), 3) == {}


def test_a_rule_left_bare_is_asked_in_a_joined_item():
    facts = kills(
        ordinary={"z": frozenset(range(100, 119)), "y": frozenset({119})},
        over=frozenset(),
    )
    selector = Selector(20, 120, facts)
    chosen = selector.choose()
    asked = {
        *chosen,
        *(o for its in selector.companions(range(120), 3).values() for o in its),
    }
    assert 119 in asked
