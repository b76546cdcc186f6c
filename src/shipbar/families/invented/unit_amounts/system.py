"""The invented system of units of one variant: five units, each a whole number of the one before."""

import random
from fractions import Fraction

import attrs

_ONSETS = ("br", "dr", "fl", "gl", "kr", "pl", "sk", "tr", "v", "z", "m", "n")
_VOWELS = ("a", "e", "i", "o", "u")
_CODAS = ("lv", "rb", "zd", "mf", "xt", "lm", "rg", "nv")
_RATIOS = (3, 4, 5, 6, 7, 8, 10, 12)
_GRAINS = tuple(map(Fraction, ("2/5", "3/8", "2/7", "3/10", "4/9", "3/7")))
BASE = 1
"""The place of the unit in which sizes are told: one unit is smaller."""
UNITS = 5


@attrs.frozen(kw_only=True)
class System:
    """Units from the smallest to the largest."""

    units: tuple[str, ...]
    """Their names."""
    ratios: tuple[int, ...]
    """How many of each unit make one of the next."""
    sizes: tuple[Fraction, ...]
    """How many of the base unit each is."""
    grain: Fraction
    """What is negligible; between 0 and 1."""


def draw_system(rng: random.Random) -> System:
    """Draw names, ratios and the grain."""
    onsets = rng.sample(_ONSETS, UNITS)
    units = tuple(onset + rng.choice(_VOWELS) + rng.choice(_CODAS) for onset in onsets)
    ratios = tuple(rng.sample(_RATIOS, UNITS - 1))
    size = Fraction(1, ratios[0])
    sizes = [size]
    for ratio in ratios:
        size *= ratio
        sizes.append(size)
    return System(
        units=units, ratios=ratios, sizes=tuple(sizes), grain=rng.choice(_GRAINS)
    )
