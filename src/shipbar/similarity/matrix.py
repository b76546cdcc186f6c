"""Who copied from whom in a batch: an inverted index, not all pairs.

Submissions whose sets of grams are equal are one to begin with: that is what renaming
and reformatting leave. Of the rest, a gram leads to the submissions that have it, and
only pairs that share enough of them are compared. What more than half of a batch has
is what the task makes everybody write, and counts for nobody.

A submission of which nearly everything is such common code is named: a solution that
most of a batch copied would look just so.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

import attrs

from shipbar.similarity.base import FLOOR
from shipbar.similarity.compare import DEFAULT, Thresholds
from shipbar.similarity.fingerprints import Fingerprint, Grams

LEAST_BATCH = 10
"""Submissions from which on what most of them have is left out."""
_SAMPLED = 200
_ONE_IN = 4
_MOSTLY_COMMON = 0.8
_LEAST_GRAMS = 20


@attrs.frozen(kw_only=True)
class Pair:
    """Two submissions that are alike."""

    one: str
    """The first by name."""
    other: str
    """The second."""
    score: float
    """The larger of the shares of the one in the other, in [0, 1]."""
    shared: int
    """Grams that both have."""


@attrs.frozen(kw_only=True)
class Matrix:
    """How alike the submissions of a batch are."""

    names: tuple[str, ...]
    """Of all that were compared, sorted."""
    pairs: tuple[Pair, ...]
    """Those from the note threshold on, the most alike first."""
    clusters: tuple[tuple[str, ...], ...]
    """Submissions that pairs from the copy threshold on join, the largest first."""
    common: int
    """Grams that more than half of the batch has, and that were left out."""
    mostly_common: tuple[str, ...]
    """Submissions that consist nearly wholly of these."""
    too_small: tuple[str, ...]
    """Submissions with too little code to compare."""
    compared: int
    """Pairs that were compared one by one."""


def matrix(
    batch: Sequence[Fingerprint],
    base: Grams = frozenset(),
    thresholds: Thresholds = DEFAULT,
) -> Matrix:
    """Compare the submissions of ``batch``, each with its own name, with each other."""
    own = {it.name: _counting(it) - base for it in batch}
    common = _common(own)
    full = {name: grams - common for name, grams in own.items()}
    small = {name for name, it in own.items() if len(it) < _LEAST_GRAMS}
    mostly = {
        name
        for name, it in own.items()
        if name not in small and len(full[name]) < (1 - _MOSTLY_COMMON) * len(it)
    }
    groups: dict[Grams, list[str]] = defaultdict(list)
    for name in sorted(full):
        if len(full[name]) >= _LEAST_GRAMS:
            groups[full[name]].append(name)
    pairs = [
        Pair(one=one, other=other, score=1.0, shared=len(grams))
        for grams, names in groups.items()
        for one, other in combinations(names, 2)
    ]
    distinct = list(groups.items())
    candidates = _candidates([grams for grams, _ in distinct], thresholds.note)
    for left, right in candidates:
        (grams, names), (theirs, others) = distinct[left], distinct[right]
        shared = len(grams & theirs)
        score = shared / max(min(len(grams), len(theirs)), FLOOR)
        if score >= thresholds.note and shared >= thresholds.least_shared:
            pairs += [
                Pair(
                    one=min(a, b), other=max(a, b), score=round(score, 4), shared=shared
                )
                for a in names
                for b in others
            ]
    pairs.sort(key=lambda it: (-it.score, -it.shared, it.one, it.other))
    return Matrix(
        names=tuple(sorted(own)),
        pairs=tuple(pairs),
        clusters=_clusters(pairs, thresholds.copy),
        common=len(common),
        mostly_common=tuple(sorted(mostly)),
        too_small=tuple(sorted(small)),
        compared=len(candidates),
    )


def _counting(it: Fingerprint) -> Grams:
    """Return what of a submission is compared: functions, or all there is."""
    grams = it.inner if len(it.inner) >= FLOOR else it.grams
    return grams or it.tokens


def _common(own: Mapping[str, Grams]) -> Grams:
    if len(own) < LEAST_BATCH:
        return frozenset()
    # Copies of one another are one voice.
    distinct = set(own.values())
    if len(distinct) < LEAST_BATCH:
        return frozenset()
    counts: Counter[bytes] = Counter()
    for grams in distinct:
        counts.update(grams)
    return frozenset(gram for gram, n in counts.items() if 2 * n > len(distinct))


def _candidates(sets: Sequence[Grams], note: float) -> list[tuple[int, int]]:
    """Return the pairs that may reach ``note``; generous, since a large batch is sampled."""
    step = _ONE_IN if len(sets) > _SAMPLED else 1
    posted: dict[bytes, list[int]] = defaultdict(list)
    for number, grams in enumerate(sets):
        for gram in grams:
            if gram[0] % step == 0:
                posted[gram].append(number)
    # Copies share many grams between the same few: one entry for each such few.
    lists = Counter(tuple(it) for it in posted.values() if len(it) > 1)
    counts: Counter[tuple[int, int]] = Counter()
    for numbers, times in lists.items():
        if times == 1:
            counts.update(combinations(numbers, 2))
        else:
            for pair in combinations(numbers, 2):
                counts[pair] += times
    least = max(1, _LEAST_GRAMS // (2 * step))
    return sorted(
        pair
        for pair, n in counts.items()
        if n >= least and n * step >= note / 2 * _smaller(pair, sets)
    )


def _smaller(pair: tuple[int, int], sets: Sequence[Grams]) -> int:
    return max(min(len(sets[pair[0]]), len(sets[pair[1]])), FLOOR)


def _clusters(pairs: Sequence[Pair], least: float) -> tuple[tuple[str, ...], ...]:
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for pair in pairs:
        if pair.score >= least:
            one, other = sorted((root(pair.one), root(pair.other)))
            parent[other] = one
    members: dict[str, list[str]] = defaultdict(list)
    for name in sorted(parent):
        members[root(name)].append(name)
    return tuple(
        sorted((tuple(it) for it in members.values()), key=lambda it: (-len(it), it))
    )
