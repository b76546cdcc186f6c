import pytest

from shipbar.building.rules import LEAST_INVERTED, Space, child_rng, distance
from shipbar.errors import UnknownNameError, UserError
from tests.building.toy.family import FAMILY

SPACE = FAMILY.space


def test_neighbouring_seeds_share_nothing():
    draws = [child_rng(seed, "a").random() for seed in (1, 2, "1", "11")]
    assert len(set(draws)) == 3  # 1 and "1" are one seed
    assert child_rng(1, "a", "b").random() != child_rng(1, "ab").random()


def test_a_draw_is_coherent_and_turns_enough_axes():
    for seed in range(50):
        rules = SPACE.draw(child_rng(seed), {})
        assert SPACE.broken(rules) is None
        assert len(SPACE.inverted(rules)) >= LEAST_INVERTED


def test_a_draw_turns_no_more_axes_than_a_small_suite_can_carry():
    few = Space(SPACE.axes, SPACE.constraints, LEAST_INVERTED)
    for seed in range(50):
        assert len(few.inverted(few.draw(child_rng(seed), {}))) == LEAST_INVERTED


def test_a_wish_for_more_axes_than_may_be_turned_is_refused():
    turned = {axis.id: axis.others[0] for axis in SPACE.axes[:3]}
    with pytest.raises(
        UserError,
        match=r"with case=upper, join=bar, order=desc .*1 to 2 axes have to differ",
    ):
        Space(SPACE.axes, most=2).draw(child_rng(1), turned, least=1)


def test_what_is_wanted_is_drawn():
    rules = SPACE.draw(child_rng(1), {"join": "bar", "limit": "wrap"})
    assert (rules["join"], rules["limit"], rules["case"]) == ("bar", "wrap", "lower")


def test_an_impossible_wish_names_the_constraint():
    with pytest.raises(UserError, match="a bar joins lower case only"):
        SPACE.draw(child_rng(1), {"join": "bar", "case": "upper"})


@pytest.mark.parametrize(
    ("wanted", "known"),
    [({"colour": "red"}, "case, count-base"), ({"case": "red"}, "lower, upper")],
)
def test_an_unknown_axis_or_value_lists_the_known(wanted, known):
    with pytest.raises(UnknownNameError, match=known):
        SPACE.checked(wanted)


def test_a_sequence_keeps_its_distance_from_itself_and_from_what_is_used():
    used = [SPACE.draw(child_rng("used"), {})]
    drawn = []
    for rules in SPACE.sequence(child_rng(1), {}, 3, used):
        drawn.append(rules)
        if len(drawn) == 12:
            break
    everything = used + drawn
    for number, one in enumerate(everything):
        for other in everything[number + 1 :]:
            assert distance(one, other) >= 3


def test_capacity_is_less_the_farther_apart():
    assert SPACE.capacity(3) > SPACE.capacity(4) > 1


def test_flipping_back_gives_what_is_remembered():
    rules = SPACE.draw(child_rng(3), {})
    assert SPACE.flipped(rules, *SPACE.inverted(rules)) == SPACE.memory
