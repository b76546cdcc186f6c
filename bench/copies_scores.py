"""What scores of labelled pairs come to: areas, rates, and thresholds by halves.

Targets are parted in two halves by the digest of their group's name, so that libraries
which do the same job lie on one side. A threshold is chosen on one half and held
against the other, both ways round; a rate is then over both.
"""

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence

import attrs

from bench.copies_pairs import COPY, HARD, HONEST


@attrs.frozen(kw_only=True)
class Scored:
    """A labelled pair with its score."""

    label: str
    """See `Labelled`."""
    kind: str
    """See `Labelled`."""
    target: str
    """What the candidate was held against."""
    name: str
    """Of the candidate."""
    group: str
    """The target's, by which pairs are parted in halves."""
    score: float
    """In [0, 1]: more is more alike."""
    level: str = ""
    """What the guard says of it by default; empty for other tools."""
    judged: bool = True
    """Whether there is enough to judge by."""


@attrs.frozen(kw_only=True)
class Rates:
    """How well scores tell copies from honest work."""

    auc: float
    """Chance that a copy scores higher than honest work."""
    auc_hard: float
    """The same against honest work that does the same job or has the same specification."""
    highest: float
    """The highest honest score."""
    at_zero: float
    """Share of copies above every honest pair of all targets."""
    at_one: float
    """Share of copies above all but one in a hundred honest pairs."""
    by_halves: float
    """Share of copies found by thresholds that were chosen on the other half."""
    false_alarms: float
    """Share of honest pairs above those."""
    thresholds: tuple[float, float]
    """Chosen on the first half and on the second."""
    copies: int
    """How many there are."""
    honest: int
    """How many honest pairs there are."""


def auc(copies: Iterable[float], honest: Sequence[float]) -> float:
    """Return the chance that a copy scores higher than honest work; a draw is half."""
    ordered = sorted(honest)
    wins, count = 0.0, 0
    for score in copies:
        below, upto = bisect_left(ordered, score), bisect_right(ordered, score)
        wins += below + (upto - below) / 2
        count += 1
    return wins / (count * len(ordered)) if count and ordered else float("nan")


def half_of(groups: Iterable[str]) -> Callable[[str], int]:
    """Return which half each group belongs to: every other one in the order of their digests."""
    ordered = sorted(
        set(groups), key=lambda it: hashlib.sha256(it.encode()).hexdigest()
    )
    halves = {group: place % 2 for place, group in enumerate(ordered)}
    return halves.__getitem__


def chosen(copies: Sequence[float], honest: Sequence[float]) -> float:
    """Return the threshold in the gap between honest work and copies, or the highest honest score.

    The gap ends at the copy of which one in a hundred is less alike; its middle is the
    geometric one, since scores are shares.
    """
    highest = max(honest, default=0.0)
    low = sorted(copies)[len(copies) // 100] if copies else 1.0
    return (max(highest, 0.01) * low) ** 0.5 if low > highest else highest


def rates(scored: Sequence[Scored], *, hard: bool = True) -> Rates:
    """Return what ``scored`` comes to; pairs with too little to judge by are left out."""
    judged = [it for it in scored if it.judged]
    copies = [it for it in judged if it.label == COPY]
    honest = [it for it in judged if it.label == HONEST]
    half = half_of(it.group for it in judged)
    own = [
        chosen(
            [it.score for it in copies if half(it.group) == side],
            [it.score for it in honest if half(it.group) == side],
        )
        for side in (0, 1)
    ]
    ordered = sorted(it.score for it in honest)
    top = ordered[-1] if ordered else 0.0
    almost = ordered[max(0, len(ordered) - 1 - len(ordered) // 100)] if ordered else 0.0
    against = [it.score for it in honest if it.kind in HARD] if hard else ordered
    return Rates(
        auc=auc([it.score for it in copies], ordered),
        auc_hard=auc([it.score for it in copies], against),
        highest=top,
        at_zero=share(copies, lambda it: it.score > top),
        at_one=share(copies, lambda it: it.score > almost),
        by_halves=share(copies, lambda it: it.score > own[1 - half(it.group)]),
        false_alarms=share(honest, lambda it: it.score > own[1 - half(it.group)]),
        thresholds=(own[0], own[1]),
        copies=len(copies),
        honest=len(honest),
    )


def share(items: Sequence[Scored], holds: Callable[[Scored], bool]) -> float:
    """Return the share of ``items`` of which something holds; not a number for none."""
    return sum(map(holds, items)) / len(items) if items else float("nan")


@attrs.frozen(kw_only=True)
class KindRates:
    """How one disguise fares."""

    kind: str
    """The disguise."""
    copies: int
    """How many of it there are."""
    lowest: float
    """The lowest score of them."""
    middle: float
    """The median score."""
    at_zero: float
    """See `Rates`."""
    at_one: float
    """See `Rates`."""
    by_halves: float
    """See `Rates`."""
    reviewed: float
    """Share that comes at least to a review by default; not a number for other tools."""
    flagged: float
    """Share that is flagged by default."""


def by_kind(scored: Sequence[Scored], of_all: Rates) -> list[KindRates]:
    """Return how each disguise fares under the thresholds of all, in the order of their first pair."""
    judged = [it for it in scored if it.judged]
    half = half_of(it.group for it in judged)
    ordered = sorted(it.score for it in judged if it.label == HONEST)
    almost = ordered[max(0, len(ordered) - 1 - len(ordered) // 100)] if ordered else 0.0
    kinds = dict.fromkeys(it.kind for it in judged if it.label == COPY)
    out = []
    for kind in kinds:
        own = [it for it in judged if it.label == COPY and it.kind == kind]
        scores = sorted(it.score for it in own)
        out.append(
            KindRates(
                kind=kind,
                copies=len(own),
                lowest=scores[0],
                middle=scores[len(scores) // 2],
                at_zero=share(own, lambda it: it.score > of_all.highest),
                at_one=share(own, lambda it: it.score > almost),
                by_halves=share(
                    own, lambda it: it.score > of_all.thresholds[1 - half(it.group)]
                ),
                reviewed=share(own, lambda it: it.level in ("review", "copy")),
                flagged=share(own, lambda it: it.level == "copy"),
            )
        )
    return out
