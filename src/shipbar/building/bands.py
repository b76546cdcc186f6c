"""The score bands that every task must show, measured on its final suite."""

from collections.abc import Mapping

import attrs

from shipbar.building.family import Draw, Family
from shipbar.building.mutants import FLIP_BACK, HEADLINE, OVER, REMEMBERED, Files
from shipbar.building.observe import Observer, Pool
from shipbar.building.render import render_package

NULL_MOST = 0.10
MEMORY = (0.05, 0.40)
FLIP_LEAST = 0.80
FLIP_COST = 3
OVER_BAND = (0.60, 0.85)
LARGEST_RULE = 0.25


@attrs.frozen(kw_only=True)
class Bands:
    """Scores of wrong packages, and which bands they break."""

    scores: Mapping[str, float]
    """By package, rounded to four places."""
    broken: tuple[str, ...]
    """What is not as it must be; empty for a task that may go out."""


def measure(
    family: Family,
    draw: Draw,
    observer: Observer,
    final: Pool,
    bad: Mapping[str, Files],
    null: Mapping[str, Files],
) -> Bands:
    """Grade every wrong package on the final suite and hold the scores against the bands."""
    total = len(final.probes)
    killed = {
        name: observer.killed(package, final.suite)
        for name, package in {**bad, **null}.items()
    }
    scores = {name: round(1 - len(hit) / total, 4) for name, hit in killed.items()}
    broken = [
        f"{name} scores {scores[name]}, at most {NULL_MOST}"
        for name in null
        if scores[name] > NULL_MOST
    ]
    if not MEMORY[0] <= scores[REMEMBERED] <= MEMORY[1]:
        broken.append(
            f"{REMEMBERED} scores {scores[REMEMBERED]}, expected {MEMORY[0]} to {MEMORY[1]}"
        )
    if OVER in scores and not OVER_BAND[0] <= scores[OVER] <= OVER_BAND[1]:
        broken.append(
            f"{OVER} scores {scores[OVER]}, expected {OVER_BAND[0]} to {OVER_BAND[1]}"
        )
    if scores.get(HEADLINE) == 1:
        broken.append(f"{HEADLINE} scores 1.0, less than that")
    flips = {
        name.removeprefix(FLIP_BACK): hit
        for name, hit in killed.items()
        if name.startswith(FLIP_BACK)
    }
    broken += _flips(flips, total)
    broken += _pairs(family, draw, observer, final, flips)
    broken += _descent(family, draw, observer, final)
    return Bands(scores=scores, broken=tuple(broken))


def _flips(flips: Mapping[str, frozenset[int]], total: int) -> list[str]:
    broken = []
    for axis, hit in flips.items():
        alone = hit - frozenset().union(
            *(other for name, other in flips.items() if name != axis)
        )
        if len(alone) < FLIP_COST:
            broken.append(
                f"{axis} has {len(alone)} assertions of its own, at least {FLIP_COST}"
            )
        if 1 - len(hit) / total < FLIP_LEAST:
            broken.append(
                f"{axis} flipped back scores {1 - len(hit) / total:.2f}, at least {FLIP_LEAST}"
            )
        if len(hit) / total > LARGEST_RULE:
            broken.append(
                f"{axis} is worth {len(hit) / total:.2f}, at most {LARGEST_RULE}"
            )
    if len(set(flips.values())) < len(flips):
        broken.append("two rules fail the same assertions")
    return broken


def _pairs(
    family: Family,
    draw: Draw,
    observer: Observer,
    final: Pool,
    flips: Mapping[str, frozenset[int]],
) -> list[str]:
    """Two flip-backs together still lose at least three of each: they do not cancel."""
    broken = []
    axes = list(flips)
    for place, one in enumerate(axes):
        for other in axes[place + 1 :]:
            rules = family.space.flipped(draw.rules, one, other)
            hit = observer.killed(
                render_package(family, draw, rules, tidy=False), final.suite
            )
            if min(len(hit & flips[one]), len(hit & flips[other])) < FLIP_COST:
                broken.append(f"{one} and {other} flipped back together cancel")
    return broken


def _descent(family: Family, draw: Draw, observer: Observer, final: Pool) -> list[str]:
    """Flipping rules back one after another never raises the score."""
    before = 0
    back: list[str] = []
    for axis in family.space.inverted(draw.rules):
        back.append(axis)
        rules = family.space.flipped(draw.rules, *back)
        failed = len(
            observer.killed(
                render_package(family, draw, rules, tidy=False), final.suite
            )
        )
        if failed < before:
            return [f"flipping {axis} back as well raises the score"]
        before = failed
    return []
