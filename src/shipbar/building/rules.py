"""Axes and selections of rules.

A *selection* takes one value of each axis. Constraints say which selections
make a coherent library; the others are never drawn. Distance is the number of
axes in which two selections differ. Nothing here draws at random by itself: a
`random.Random` comes from the caller, derived by hashing a path of names, so
that neighbouring seeds share nothing.
"""

import hashlib
import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs

from shipbar.errors import UnknownNameError, UserError

Rules = Mapping[str, str]
"""A selection: for each axis its value's id."""

LEAST_INVERTED = 5
"""Axes that a variant turns away from what is remembered. With one, a package
written from memory can pass a suite in full (measured on prototypes)."""
LEAST_DISTANCE = 3
"""Axes in which any two variants of a family differ."""
SPLIT_DISTANCE = 4
"""The same across the line between train and eval."""
CAPACITY_TRIES = 20_000
"""Selections that are tried when capacity is computed; more give hardly more."""
MOST_CAPACITY = 1_000
"""Where counting capacity stops: a rich family holds thousands, and finding them all takes minutes."""


@attrs.frozen
class Value:
    """One choice that an axis offers."""

    id: str
    """A slug: lower-case words joined by hyphens."""
    remembered: bool = False
    """What the pinned release does, found by running it; for an invented family, the tempting reading."""


@attrs.frozen
class Axis:
    """One semantic choice of a family."""

    id: str
    """A slug; the rule's name in test ids."""
    question: str
    """What it decides, in one line."""
    values: tuple[Value, ...]
    """Two to five, exactly one of them remembered."""
    feature: str = ""
    """The part of the library that it belongs to."""

    @property
    def remembered(self) -> str:
        """The id of its remembered value."""
        return next(value.id for value in self.values if value.remembered)

    @property
    def others(self) -> tuple[str, ...]:
        """The ids of its other values."""
        return tuple(value.id for value in self.values if not value.remembered)


@attrs.frozen
class Constraint:
    """Why some selections make no coherent library."""

    why: str
    """One sentence."""
    holds: Callable[[Rules], bool]
    """Whether a selection is coherent as far as this goes."""


def child_rng(seed: str | int, *path: str | int) -> random.Random:
    """Return a generator of its own for each path below ``seed``."""
    key = "\x1f".join([str(seed), *map(str, path)]).encode()
    return random.Random(int.from_bytes(hashlib.sha256(key).digest()))


class Space:
    """All selections of some axes under some constraints."""

    def __init__(
        self,
        axes: Sequence[Axis],
        constraints: Sequence[Constraint] = (),
        most: int | None = None,
    ) -> None:
        """Take the axes in their order, and how many of them a draw inverts at most."""
        self.axes = tuple(axes)
        self.constraints = tuple(constraints)
        self.most = len(self.axes) if most is None else most
        self._by_id = {axis.id: axis for axis in self.axes}

    @property
    def memory(self) -> dict[str, str]:
        """Every axis at its remembered value."""
        return {axis.id: axis.remembered for axis in self.axes}

    def inverted(self, rules: Rules) -> tuple[str, ...]:
        """The axes that ``rules`` turns away from what is remembered."""
        return tuple(axis.id for axis in self.axes if rules[axis.id] != axis.remembered)

    def broken(self, rules: Rules) -> Constraint | None:
        """The first constraint that ``rules`` breaks."""
        return next((item for item in self.constraints if not item.holds(rules)), None)

    def flipped(self, rules: Rules, *axes: str) -> dict[str, str]:
        """``rules`` with some axes back at what is remembered."""
        return {**rules, **{axis: self._by_id[axis].remembered for axis in axes}}

    def checked(self, wanted: Rules) -> None:
        """Raise unless each axis and value of a partial selection is known."""
        for axis, value in wanted.items():
            if axis not in self._by_id:
                raise UnknownNameError("axis", axis, sorted(self._by_id))
            known = [item.id for item in self._by_id[axis].values]
            if value not in known:
                raise UnknownNameError(f"value of axis {axis}", value, known)

    def draw(
        self, rng: random.Random, wanted: Rules, least: int = LEAST_INVERTED
    ) -> dict[str, str]:
        """Draw a coherent selection with at least ``least`` axes inverted, and at most `most`.

        Raises:
            UserError: ``wanted`` allows none; the message names the constraint.
        """
        self.checked(wanted)
        seen: dict[str, int] = {}
        for _ in range(2_000):
            rules = {axis.id: self._value(axis, rng, wanted) for axis in self.axes}
            broken = self.broken(rules)
            if broken is None and least <= len(self.inverted(rules)) <= self.most:
                return rules
            why = (
                broken.why
                if broken
                else f"{least} to {self.most} axes have to differ from what is remembered"
            )
            seen[why] = seen.get(why, 0) + 1
        why = max(seen, key=lambda text: seen[text])
        fixed = ", ".join(f"{axis}={value}" for axis, value in sorted(wanted.items()))
        raise UserError(
            f"no selection {f'with {fixed} ' if fixed else ''}is coherent; most of those tried break this: {why}"
        )

    def _value(self, axis: Axis, rng: random.Random, wanted: Rules) -> str:
        """Half of the axes are turned away, so that both sides of each come up."""
        if axis.id in wanted:
            return wanted[axis.id]
        return axis.remembered if rng.random() < 0.5 else rng.choice(axis.others)  # noqa: PLR2004

    def sequence(
        self, rng: random.Random, wanted: Rules, apart: int, used: Sequence[Rules] = ()
    ) -> Iterator[dict[str, str]]:
        """Yield selections that lie pairwise at least ``apart``, also from ``used``.

        Ends when many draws in a row are too near to one that is taken.
        """
        taken = list(used)
        misses = 0
        while misses < CAPACITY_TRIES // 10:
            rules = self.draw(rng, wanted)
            if all(distance(rules, other) >= apart for other in taken):
                taken.append(rules)
                misses = 0
                yield rules
            else:
                misses += 1

    def capacity(self, apart: int) -> int:
        """How many selections pairwise ``apart`` a greedy search finds, up to `MOST_CAPACITY`: a floor for what there is."""
        found = self.sequence(child_rng("capacity", apart), {}, apart)
        return sum(1 for _ in itertools.islice(found, MOST_CAPACITY))


def distance(one: Rules, other: Rules) -> int:
    """The number of axes in which two selections differ."""
    return sum(one[axis] != other[axis] for axis in one)
