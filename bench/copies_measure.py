"""Scores labelled pairs by the project's own guard, side by side on two cores.

A target's specification is taken to be its stub. What two or more unrelated libraries
have in common, the target's own group left out, can be left out as background; the guard
does not, since on this corpus that loses more copies than it clears honest work: see
what is printed of both. Time is processor time.
"""

import multiprocessing
import resource
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median

import attrs

from bench import copies_pairs
from bench.copies_pairs import Labelled
from bench.copies_scores import Scored
from bench.corpus import Library
from bench.tasks import ROOT
from shipbar.grading.intake import take_in
from shipbar.grading.tasks import load_task
from shipbar.ports import Written
from shipbar.similarity import (
    DEFAULT,
    Base,
    Comparison,
    Fingerprint,
    Level,
    compare,
    fingerprint,
    of_specification,
    package_of,
)
from shipbar.similarity.base import AGREEING
from shipbar.similarity.guard import guard_of
from shipbar.similarity.languages import LANGUAGES

EXAMPLE = ROOT / "examples" / "check-character-36"

JOBS = 2
LEAST_LINES = 300
"""Of a library among whose code a copy is put."""
TIMED_LINES, MOST_TIMED_LINES = 1000, 3000
"""Of a package whose reading is timed, and of the largest library in one."""
ROUNDS = 5
Pairs = Callable[[Library, Sequence[Library]], Iterable[Labelled]]


def printed(files: Mapping[str, str], name: str = "") -> Fingerprint:
    """Return the fingerprint of a package."""
    return fingerprint(
        package_of({it: text.encode() for it, text in files.items()}), name
    )


class Background:
    """Grams that unrelated libraries share, by the groups that have them."""

    def __init__(self, libraries: Iterable[tuple[str, Fingerprint]]) -> None:
        """Take in libraries, each with its group."""
        groups: dict[bytes, set[str]] = defaultdict(set)
        for group, one in libraries:
            for gram in one.grams:
                groups[gram].add(group)
        self._groups = {it: who for it, who in groups.items() if len(who) >= AGREEING}

    def without(self, group: str) -> frozenset[bytes]:
        """Return what enough groups beside ``group`` have."""
        return frozenset(
            gram
            for gram, who in self._groups.items()
            if len(who) - (group in who) >= AGREEING
        )


def on_one_scale(found: Comparison) -> float:
    """Return one score for both rules of the guard: the share, and functions that are mostly there.

    A share on a weaker basis counts for as much less as its thresholds are raised;
    too little shared is nothing. Functions ask for a review and never for more, so
    as much of them as it takes for one is worth the share of one.
    """
    if found.shared < found.thresholds.least_shared:
        return 0.0
    share = found.score * DEFAULT.copy / found.thresholds.copy
    mass = DEFAULT.review * found.mass / found.thresholds.least_mass
    return min(1.0, max(share, min(mass, DEFAULT.copy)))


@attrs.frozen(kw_only=True)
class _Work:
    """What a process needs; it has it by being forked."""

    libraries: tuple[Library, ...]
    prints: Mapping[str, Fingerprint]
    background: Background | None
    pairs: Pairs
    specified: bool


_WORK: list[_Work] = []


def scored(
    libraries: Sequence[Library],
    pairs: Pairs,
    *,
    background: bool = False,
    specified: bool = True,
) -> list[Scored]:
    """Score all pairs of all targets among ``libraries``.

    Args:
        libraries: everything, targets among them.
        pairs: the labelled pairs of one target.
        background: leave out what unrelated libraries share.
        specified: leave out what the target's stub dictates; for Python.
    """
    prints = {it.name: printed(it.files, it.name) for it in libraries}
    common = None
    if background:
        common = Background((it.group, prints[it.name]) for it in libraries)
    _WORK[:] = [
        _Work(
            libraries=tuple(libraries),
            prints=prints,
            background=common,
            pairs=pairs,
            specified=specified,
        )
    ]
    targets = [it for it in libraries if it.target]
    # The largest first, so that no process is left alone with one at the end.
    targets.sort(key=lambda it: (-it.lines, it.name))
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(JOBS, mp_context=context) as pool:
        found = list(pool.map(_of_target, [it.name for it in targets]))
    return [one for part in found for one in part]


def base_of(target: Library, *, specified: bool, common: Background | None) -> Base:
    """Return what counts nowhere between ``target`` and others."""
    base = Base()
    if specified:
        text = copies_pairs.specification(target.files)
        base = of_specification(text, LANGUAGES[0])
    if common is not None:
        base = attrs.evolve(base, grams=base.grams | common.without(target.group))
    return base


def _of_target(name: str) -> list[Scored]:
    (work,) = _WORK
    target = next(it for it in work.libraries if it.name == name)
    source = fingerprint(
        package_of({it: text.encode() for it, text in target.files.items()}),
        name,
        as_source=True,
    )
    base = base_of(target, specified=work.specified, common=work.background)
    out = []
    for pair in work.pairs(target, work.libraries):
        own = work.prints.get(pair.name) or printed(pair.files, pair.name)
        found = compare(own, source, base)
        out.append(
            Scored(
                label=pair.label,
                kind=pair.kind,
                target=name,
                name=pair.name,
                group=target.group,
                score=on_one_scale(found),
                level=found.level.value,
                judged=found.level is not Level.TOO_SMALL,
            )
        )
    return out


def python_pairs(target: Library, everything: Sequence[Library]) -> Iterator[Labelled]:
    """Yield all labelled pairs of a target in Python."""
    if target.lines <= copies_pairs.MOST_LINES:
        others = _sized(target, everything)
        yield from copies_pairs.copies(target, others)
    yield from copies_pairs.honest(target, everything)


def _sized(target: Library, everything: Sequence[Library]) -> list[Library]:
    """Return libraries that do another job and are large enough to put a part of ``target`` among."""
    return [
        it for it in everything if it.group != target.group and it.lines >= LEAST_LINES
    ]


def honest_and_partial(
    target: Library, everything: Sequence[Library]
) -> Iterator[Labelled]:
    """Yield honest work and partial copies alone: what base material is for, and what it costs."""
    if target.lines <= copies_pairs.MOST_LINES:
        yield from copies_pairs.partial_copies(target, _sized(target, everything))
    yield from copies_pairs.honest(target, everything)


def brace_pairs(target: Library, everything: Sequence[Library]) -> Iterator[Labelled]:
    """Yield all labelled pairs of a target in a language with braces."""
    if target.lines <= copies_pairs.MOST_LINES:
        others = [it for it in everything if it.group != target.group]
        yield from copies_pairs.brace_copies(target, others)
    yield from copies_pairs.honest(target, everything, shaped=False)


# -- time


@attrs.frozen(kw_only=True)
class Times:
    """Medians of processor time, in milliseconds."""

    read_ms: float
    """To read a thousand lines."""
    compare_ms: float
    """To compare two packages that have nothing to do with each other."""
    alike_ms: float
    """To compare a package with its copy, which has the most to count."""


def times(libraries: Sequence[Library]) -> Times:
    """Return what it costs to read and to compare, in a process with nothing else in it."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(_times, list(_thousands(libraries))).result()


def check_ms(libraries: Sequence[Library]) -> float:
    """Return the median milliseconds of a grade's whole check of a thousand lines in Python.

    Every submission has the example's reference among its code, so that there is
    something to compare and to lay out.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(_check_ms, list(_thousands(libraries))).result()


def _check_ms(packages: Sequence[tuple[int, Mapping[str, str]]]) -> float:
    task = load_task(EXAMPLE)
    leaked = take_in(EXAMPLE / "grader" / "reference").files
    more = sum(data.count(b"\n") for data in leaked.values())
    spent = []
    with tempfile.TemporaryDirectory() as cache:
        guard = guard_of(task, Path(cache))
        for lines, files in packages:
            own = {path: text.encode() for path, text in files.items()}
            written = Written(files={**own, **leaked}, digest="")
            spent.append(_spent(partial(guard.check, written)) / (lines + more))
    return median(spent) * 1e6


def _thousands(libraries: Iterable[Library]) -> Iterator[tuple[int, dict[str, str]]]:
    """Put libraries together to packages of a thousand lines or more; yield lines and files."""
    lines, files, any_yet = 0, {}, False
    for it in libraries:
        if it.lines > MOST_TIMED_LINES:
            continue
        lines += it.lines
        files |= {f"{it.name}/{path}": text for path, text in it.files.items()}
        if lines >= TIMED_LINES:
            yield lines, files
            lines, files, any_yet = 0, {}, True
    if files and not any_yet:
        yield lines, files


def _times(packages: Sequence[tuple[int, Mapping[str, str]]]) -> Times:
    reading, prints = [], []
    for lines, files in packages:
        package = package_of({path: text.encode() for path, text in files.items()})
        reading.append(_spent(partial(fingerprint, package)) / lines)
        prints.append(fingerprint(package))
    apart = [_spent(partial(compare, *pair)) for pair in pairwise(prints)]
    alike = [_spent(partial(compare, it, it)) for it in prints]
    return Times(
        read_ms=median(reading) * 1e6,
        compare_ms=median(apart or alike) * 1e3,
        alike_ms=median(alike) * 1e3,
    )


def _processor_s() -> float:
    """Return the processor seconds of this process and of those it waited for."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(it.ru_utime + it.ru_stime for it in both)


def _spent(what: Callable[[], object]) -> float:
    """Return the least processor seconds of several rounds."""
    spent = []
    for _ in range(ROUNDS):
        start = _processor_s()
        what()
        spent.append(_processor_s() - start)
    return min(spent)
