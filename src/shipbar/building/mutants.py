"""The wrong packages that a task is measured by.

Rule packages are rendered from the same templates as the reference, so that they
are wrong in just the way that they are meant to be.
"""

from collections.abc import Mapping

from shipbar.building.family import Draw, Family
from shipbar.building.render import formatted, render_package
from shipbar.building.rules import Rules
from shipbar.grading.nulls import hollow

Files = Mapping[str, bytes]

REMEMBERED, HEADLINE, OVER, HOLLOW = (
    "remembered",
    "headline-reader",
    "over-inverter",
    "hollow",
)
FLIP_BACK = "flip-back-"


def known_bads(family: Family, draw: Draw, reference: Files) -> dict[str, Files]:
    """Return every known-bad by name; the package written from memory comes first."""
    space = family.space
    inverted = space.inverted(draw.rules)
    packages: dict[str, Files] = {
        REMEMBERED: render_package(family, draw, space.memory)
    }
    for axis in inverted:
        packages[FLIP_BACK + axis] = render_package(
            family, draw, space.flipped(draw.rules, axis)
        )
    headline = render_package(family, draw, deep=space.flipped(draw.rules, *inverted))
    if headline != dict(reference):
        packages[HEADLINE] = headline
    over = over_inverted(family, draw.rules)
    if over != dict(draw.rules):
        packages[OVER] = render_package(family, draw, over)
    packages[HOLLOW] = {
        path: formatted(data.decode()).encode()
        for path, data in hollow(reference).items()
    }
    return packages


def ladder(family: Family, draw: Draw) -> dict[str, Files]:
    """Return partial implementations by name: one rule right and the rest as remembered, then two, and so on."""
    inverted = family.space.inverted(draw.rules)
    return {
        f"{right:02}-of-{len(inverted):02}": render_package(
            family, draw, family.space.flipped(draw.rules, *inverted[right:])
        )
        for right in range(1, len(inverted))
    }


def over_inverted(family: Family, rules: Rules) -> dict[str, str]:
    """``rules`` with the axes left ordinary turned away too, as far as that is coherent."""
    over = dict(rules)
    for axis in family.axes:
        if over[axis.id] == axis.remembered:
            for value in axis.others:
                turned = {**over, axis.id: value}
                if family.space.broken(turned) is None:
                    over = turned
                    break
    return over


def ordinary_turned(family: Family, rules: Rules) -> dict[str, dict[str, str]]:
    """For each axis left ordinary, ``rules`` with that one turned away, where that is coherent."""
    turned = {}
    for axis in family.axes:
        if rules[axis.id] == axis.remembered:
            for value in axis.others:
                changed = {**rules, axis.id: value}
                if family.space.broken(changed) is None:
                    turned[axis.id] = changed
                    break
    return turned
