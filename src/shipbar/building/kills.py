"""Who fails what: every wrong package, and every small slip, on a pool of probes.

Packages are judged side by side in one subject, by the judgement that grades
(`shipbar.grading.lineup`). What a suite is chosen by is measured so; what it scores in
the end is measured by a grade of its own for each package.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from shipbar.building.family import Draw, Family
from shipbar.building.mutants import (
    FLIP_BACK,
    OVER,
    REMEMBERED,
    Files,
    ordinary_turned,
)
from shipbar.building.observe import Observer, Pool
from shipbar.building.render import render_package
from shipbar.building.select import Kills
from shipbar.grading.lineup import Line, Lineup
from shipbar.grading.mutation import Mutant, mutants_of
from shipbar.grading.nulls import nulls

MOST = 12
"""Failures after which a slip is left: enough to choose by."""
SLIPS = 720
"""Mutants of the reference that are asked; of more, so many are taken at even steps."""
NEAR = 240
"""Items that a slip is asked."""


def kills_of(
    family: Family,
    draw: Draw,
    observer: Observer,
    pool: Pool,
    packages: tuple[Files, Mapping[str, Files]],
) -> Kills:
    """Judge every wrong package on the pool.

    Args:
        family: whose variant it is.
        draw: the variant.
        observer: where its packages are asked.
        pool: what they are asked.
        packages: the reference, and the known-bads by name.

    Raises:
        GraderFault: packages do not stay apart.
    """
    reference, bad = packages
    total = len(pool.probes)
    with observer.lineup(reference, pool.suite) as lineup:

        def killed(package: Files) -> frozenset[int]:
            heard = lineup.judge(package)
            return frozenset(heard.failed) if heard.loads else frozenset(range(total))

        flips = {
            name.removeprefix(FLIP_BACK): killed(package)
            for name, package in bad.items()
            if name.startswith(FLIP_BACK)
        }
        told = {name for name in bad if name.startswith(FLIP_BACK)}
        others = bad.keys() - told - {REMEMBERED, OVER}
        return Kills(
            flips=flips,
            ordinary={
                **_as_tagged(family, draw, pool),
                **{
                    axis: killed(render_package(family, draw, turned, tidy=False))
                    for axis, turned in ordinary_turned(family, draw.rules).items()
                },
            },
            memory=killed(bad[REMEMBERED]),
            over=killed(bad[OVER]) if OVER in bad else frozenset(),
            nulls={name: killed(package) for name, package in nulls(reference).items()},
            mutants=[
                *(killed(bad[name]) for name in sorted(others)),
                *_slips(lineup, reference, pool, frozenset().union(*flips.values())),
            ],
        )


def _as_tagged(family: Family, draw: Draw, pool: Pool) -> dict[str, frozenset[int]]:
    """The items that the author tagged with each axis left ordinary.

    It stands only for an axis that cannot be turned alone without breaking a
    constraint: there is nothing to measure it by.
    """
    inverted = family.space.inverted(draw.rules)
    return {
        axis.id: frozenset(
            item for item, probe in enumerate(pool.probes) if probe.axis == axis.id
        )
        for axis in family.axes
        if axis.id not in inverted
    }


def _slips(
    lineup: Lineup, reference: Files, pool: Pool, turned: frozenset[int]
) -> Iterator[frozenset[int]]:
    """Judge every mutant of the reference on the items that run what it changes."""
    suite = [*pool.suite.heads, *(case.source for case in pool.suite.cases)]
    mutants = [it for it in mutants_of(reference, suite) if not it.aside]
    mutants = mutants[:: len(mutants) // SLIPS + 1]
    reached = lineup.reached()
    often: Counter[int] = Counter()
    for mutant in mutants:
        near = _near(mutant, reached)
        heard = lineup.judge(
            mutant.of(reference),
            _by_turns(near, turned, lambda item: (-often[item], item))[:NEAR],
            most=MOST,
            rest=False,
        )
        failed = heard.failed if heard.loads else range(len(pool.probes))
        often.update(heard.failed)
        if failed:
            yield frozenset(failed)


def _near(mutant: Mutant, reached: Sequence[frozenset[Line]]) -> list[int]:
    lines = {(mutant.file, line) for line in mutant.lines}
    return [
        item for item, seen in enumerate(reached) if mutant.imported or lines & seen
    ]


def _by_turns(
    items: Sequence[int],
    turned: frozenset[int],
    first: Callable[[int], tuple[int, int]],
) -> list[int]:
    """Items that a turned axis decides and those that none does, by turns."""
    one = sorted((item for item in items if item not in turned), key=first)
    other = sorted((item for item in items if item in turned), key=first)
    pairs = itertools.zip_longest(one, other)
    return [item for pair in pairs for item in pair if item is not None]
