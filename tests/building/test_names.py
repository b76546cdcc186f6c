import builtins
import keyword
import re
import sys

from shipbar.building.names import STEM, draw_names
from shipbar.building.rules import child_rng
from tests.building.toy.family import FAMILY


def drawn(seed, denied=()):
    return draw_names(FAMILY.roles, child_rng(seed), denied)


def test_a_seed_has_its_names_and_its_neighbour_others():
    assert dict(drawn(1)) == dict(drawn(1))
    seen = [set(drawn(seed).values()) for seed in range(40)]
    assert sum(map(len, seen)) == len(set().union(*seen))


def test_names_are_words_of_their_kind():
    for seed in range(40):
        names = drawn(seed)
        assert re.fullmatch(r"[a-z]{5,9}", names["package"])
        assert re.fullmatch(r"[a-z]{5,9}", names["join"])
        assert re.fullmatch(
            r"[A-Z][a-z]{4,8}(Fault|Refusal|Mishap|Trouble)", names["bad"]
        )
        for name in names.values():
            assert not keyword.iskeyword(name)
            assert not hasattr(builtins, name)
            assert name not in sys.stdlib_module_names


def test_no_two_names_share_a_stem():
    for seed in range(40):
        stems = [name.lower()[:STEM] for name in drawn(seed).values()]
        assert len(set(stems)) == len(stems)


def test_denied_words_are_in_no_name():
    usual = [name.lower() for seed in range(20) for name in drawn(seed).values()]
    denied = {name[:4] for name in usual[:30]}
    for seed in range(20):
        for name in drawn(seed, denied).values():
            assert not any(word in name.lower() for word in denied)
