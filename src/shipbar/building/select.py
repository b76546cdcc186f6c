"""Chooses a suite's assertions from a pool several times larger.

Items are described by what kills them. About four fifths split an inverted axis,
shared evenly, with at least `LEAST_OWN` each that only that axis touches, and some
that several do; the rest is calibration, and of that, items which split an axis
left ordinary come first, since they catch packages that invert too much. No rule is worth more than
`MOST_OF_ONE`. Within those bounds the item is taken that kills most of the
mutants which nothing taken so far kills.

A selection that cannot be filled honestly is refused with what was found; it is
never padded.
"""

from collections.abc import Container, Mapping, Sequence

import attrs

from shipbar.errors import UserError

LEAST_OWN = 3
"""Assertions that only one inverted axis touches."""
MOST_OF_ONE = 0.18
"""Share of the assertions that one flipped axis may cost: a flip-back stays at 0.80 or more."""
CALIBRATION = 0.18
"""Share of the assertions that no inverted axis touches."""
JOINTS = 0.15
"""Share that more than one inverted axis touches, where there are such."""
NULL_SHARE = 0.08
"""Share that any package without behaviour may pass."""
OVER_SHARE = 0.36
"""Share that a package which inverts too much may fail."""
OVER_LEAST = 0.15
"""Share that it must fail."""
MEMORY_SHARE = 0.34
"""Share that a package written from memory may pass."""


@attrs.frozen(kw_only=True)
class Kills:
    """Which packages fail which items of the pool; items are indices."""

    flips: Mapping[str, frozenset[int]]
    """For each inverted axis, what fails with it back at what is remembered."""
    ordinary: Mapping[str, frozenset[int]]
    """For each axis left ordinary, what fails with it turned away."""
    memory: frozenset[int]
    """What the package written from memory fails."""
    over: frozenset[int]
    """What the package that also inverts the ordinary axes fails."""
    nulls: Mapping[str, frozenset[int]]
    """What packages without behaviour fail."""
    mutants: Sequence[frozenset[int]]
    """What each further mutant of the reference fails."""


class ShortError(UserError):
    """A pool does not hold what a suite of the wanted size needs."""


class Selector:
    """Fills one suite."""

    def __init__(self, size: int, total: int, kills: Kills) -> None:
        """Choose ``size`` of ``total`` items."""
        self._size, self._total, self._kills = size, total, kills
        self._taken: list[int] = []
        self._costs = dict.fromkeys(kills.flips, 0)
        self._null_passes = dict.fromkeys(kills.nulls, 0)
        self._memory_passes = 0
        self._over_failures = 0
        self._alive = set(range(len(kills.mutants)))
        self._touching: list[frozenset[str]] = [
            frozenset(axis for axis, hit in kills.flips.items() if item in hit)
            for item in range(total)
        ]
        self._mutants_of: list[set[int]] = [set() for _ in range(total)]
        for number, hit in enumerate(kills.mutants):
            for item in hit:
                self._mutants_of[item].add(number)

    def choose(self) -> list[int]:
        """Return the chosen items, in pool order.

        Raises:
            ShortError: there are not enough honest items; says for which rules.
        """
        calibration = round(self._size * CALIBRATION)
        everything = range(self._total)
        turned = [item for item in everything if self._touching[item]]
        untouched = [item for item in everything if not self._touching[item]]
        self._own()
        self._ordinary(calibration)
        self._over()
        self._take_best(
            [item for item in turned if len(self._touching[item]) > 1],
            round(self._size * JOINTS),
        )
        self._fill(turned, self._size - max(0, calibration - self._calibration()))
        self._fill(untouched, self._size)
        self._fill(list(everything), self._size)
        if len(self._taken) < self._size:
            raise ShortError(self._short())
        return sorted(self._taken)

    def companions(self, joinable: Container[int], width: int) -> dict[int, list[int]]:
        """Return, for chosen items that no turned axis touches, others to ask with them.

        An item is joined by one that a rule decides which no other does, or that kills
        most of the mutants which nothing kills so far, as long as there is one, and the
        bounds hold.

        Args:
            joinable: items that may be asked with others.
            width: most that one assertion asks.
        """
        spare = [
            item
            for item in range(self._total)
            if not self._touching[item] and item in joinable and item not in self._taken
        ]
        joined: dict[int, list[int]] = {
            item: []
            for item in sorted(self._taken)
            if not self._touching[item] and item in joinable
        }
        bare = {
            axis
            for axis, hit in self._kills.ordinary.items()
            if not any(item in hit and not self._touching[item] for item in self._taken)
        }
        # Round by round, so that few assertions become long.
        for _ in range(width - 1):
            for item, others in joined.items():
                best = self._companion([item, *others], spare, bare)
                if best is None:
                    continue
                self._over_failures += best in self._kills.over and not any(
                    it in self._kills.over for it in [item, *others]
                )
                others.append(best)
                spare.remove(best)
                self._alive -= self._mutants_of[best]
                bare -= self._ordinary_of(best)
        return {item: others for item, others in joined.items() if others}

    def _companion(
        self, items: Sequence[int], spare: Sequence[int], bare: set[str]
    ) -> int | None:
        """Return the item to ask with ``items``: of those that bring something, the one that brings most."""
        worth = {
            other: (
                len(self._ordinary_of(other) & bare),
                len(self._mutants_of[other] & self._alive),
                -other,
            )
            for other in spare
            if self._bears(items, other)
        }
        useful = [
            other for other, (rules, mutants, _) in worth.items() if rules or mutants
        ]
        return max(useful, key=lambda other: worth[other], default=None)

    def _ordinary_of(self, item: int) -> set[str]:
        return {axis for axis, hit in self._kills.ordinary.items() if item in hit}

    def _bears(self, items: Sequence[int], other: int) -> bool:
        """Whether asking ``other`` as well keeps the bound on inverting too much."""
        over = self._kills.over
        if other not in over or any(item in over for item in items):
            return True
        return self._over_failures + 1 <= OVER_SHARE * self._size

    def _own(self) -> None:
        """At least three each that only that axis touches."""
        missing = []
        for axis in self._kills.flips:
            alone = [
                item for item in range(self._total) if self._touching[item] == {axis}
            ]
            if self._take_best(alone, LEAST_OWN) < LEAST_OWN:
                missing.append(f"{axis} ({len(alone)} found)")
        if missing:
            raise ShortError(
                f"fewer than {LEAST_OWN} probes that only one rule decides: {', '.join(missing)}"
            )

    def _ordinary(self, calibration: int) -> None:
        """Calibration that splits the axes left ordinary, shared evenly."""
        axes = list(self._kills.ordinary)
        if not axes:
            return
        share = max(1, calibration // len(axes))
        for axis in axes:
            hit = self._kills.ordinary[axis]
            self._take_best(
                [i for i in hit if not self._touching[i]], share, limit=calibration
            )

    def _over(self) -> None:
        """More calibration that a package which inverts too much fails, if it fails too little."""
        items = [i for i in sorted(self._kills.over) if not self._touching[i]]
        while (
            self._over_failures < OVER_LEAST * self._size
            and len(self._taken) < self._size
            and self._take_best(items, 1)
        ):
            pass

    def _fill(self, items: list[int], until: int) -> None:
        """Take items until ``until`` are taken, the least served axis first."""
        room = until - len(self._taken)
        while room > 0 and self._take_best(items, 1):
            room -= 1

    def _take_best(
        self, items: Sequence[int], count: int, limit: int | None = None
    ) -> int:
        done = 0
        taken = set(self._taken)
        while done < count:
            open_ = [item for item in items if item not in taken and self._fits(item)]
            if not open_ or (limit is not None and self._calibration() >= limit):
                break
            best = max(open_, key=self._worth)
            self._take(best)
            taken.add(best)
            done += 1
        return done

    def _calibration(self) -> int:
        return sum(not self._touching[item] for item in self._taken)

    def _worth(self, item: int) -> tuple[float, int, int]:
        """Axes that have least first, then new mutants, then the earlier item."""
        touching = self._touching[item]
        served = (
            sum(self._costs[axis] for axis in touching) / len(touching)
            if touching
            else 0.0
        )
        return (-served, len(self._mutants_of[item] & self._alive), -item)

    def _fits(self, item: int) -> bool:
        """Whether taking it keeps every bound."""
        most = MOST_OF_ONE * self._size
        if any(self._costs[axis] + 1 > most for axis in self._touching[item]):
            return False
        if (
            item not in self._kills.memory
            and self._memory_passes + 1 > MEMORY_SHARE * self._size
        ):
            return False
        if (
            item in self._kills.over
            and self._over_failures + 1 > OVER_SHARE * self._size
        ):
            return False
        return all(
            item in hit or self._null_passes[name] + 1 <= NULL_SHARE * self._size
            for name, hit in self._kills.nulls.items()
        )

    def _take(self, item: int) -> None:
        self._taken.append(item)
        for axis in self._touching[item]:
            self._costs[axis] += 1
        self._memory_passes += item not in self._kills.memory
        self._over_failures += item in self._kills.over
        for name, hit in self._kills.nulls.items():
            self._null_passes[name] += item not in hit
        self._alive -= self._mutants_of[item]

    def _short(self) -> str:
        found = ", ".join(
            f"{axis} {sum(axis in touching for touching in self._touching)}"
            for axis in self._kills.flips
        )
        return (
            f"{len(self._taken)} of {self._size} assertions can be filled honestly from {self._total} probes; "
            f"probes by rule: {found}; untouched {sum(not touching for touching in self._touching)}"
        )
