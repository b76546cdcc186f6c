"""Inputs of the domain: rows of names, and names to ask them for."""

import random
from collections.abc import Sequence

NAMES = (
    "ash",
    "bay",
    "cedar",
    "elm",
    "fig",
    "fir",
    "hazel",
    "ivy",
    "larch",
    "lime",
    "maple",
    "oak",
    "olive",
    "palm",
    "pear",
    "pine",
    "plum",
    "rowan",
    "yew",
)
"""In alphabetical order, and distinct."""


def row(rng: random.Random, least: int = 2, most: int = 5) -> list[str]:
    """Return distinct names in no order."""
    return rng.sample(NAMES, rng.randint(least, most))


def strangers(rng: random.Random, names: Sequence[str], number: int = 1) -> list[str]:
    """Return distinct names that are none of ``names``."""
    return rng.sample([name for name in NAMES if name not in names], number)


def mixed(
    rng: random.Random, names: Sequence[str], known: int = 2, new: int = 2
) -> list[str]:
    """Return some of the names and some others, distinct, in no order."""
    found = rng.sample(list(names), min(known, len(names)))
    found += strangers(rng, names, new)
    rng.shuffle(found)
    return found


def shuffled(rng: random.Random, names: Sequence[str]) -> list[str]:
    """Return the names in another order than theirs, if there is one."""
    found = list(names)
    while found == list(names) and len(found) > 1:
        rng.shuffle(found)
    return found
