"""Which probes and names a variant has, so that neighbours have different ones.

A family's corner cases are the same for all of its variants, and its random inputs
come from domains small enough for two draws to meet. What a model has seen of one
variant would then help with the next. So a family's probes fall into `SHARES` shares,
by a checksum of the probe with each name replaced by its role, and a variant asks
those of one share alone; its names are of one share as well. Neighbours never have the same: the share moves on by one
from place to place below a seed, and from a seed to one that differs by one in its
last character.
"""

import re
import zlib
from collections.abc import Callable, Iterator, Mapping

from shipbar.building.family import Draw, Family, Probe
from shipbar.building.rules import child_rng

SHARES = 8
"""Shares of a family's probes; so many places in a row have no item in common."""
PASSES = 64
"""Times that a family's generator is run to fill a share, each with inputs of its own."""


def share_of(seed: str, place: int) -> int:
    """Return the share of the variant at ``place`` below ``seed``."""
    return (sum(seed.encode()) + place) % SHARES


def by_role(names: Mapping[str, str]) -> Callable[[str], str]:
    """Return a function that replaces each of ``names`` in a text by its role."""
    roles = {name: role for role, name in names.items()}
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, roles))})\b")
    return lambda text: pattern.sub(lambda found: f"«{roles[found[0]]}»", text)


def share_of_text(text: str) -> int:
    """Return the share of a name, or of a probe that is told with roles in place of names."""
    return zlib.crc32(text.encode()) % SHARES


def probes_of_share(
    family: Family, draw: Draw, seed: str, path: tuple[str | int, ...], share: int
) -> Iterator[Probe]:
    """Yield probes of one share; repeats are not removed.

    The generator is run again with other random inputs until it brings nothing new.
    """
    told = by_role(draw.names)
    seen: set[str] = set()
    for number in range(PASSES):
        rng = child_rng(seed, *path, "probes", number)
        new = False
        for probe in family.probes(draw, rng):
            text = f"{told(probe.arrange)}\n{told(probe.expression)}"
            if share_of_text(text) == share:
                new = new or text not in seen
                seen.add(text)
                yield probe
        if not new:
            return
