"""Probes at the edges of the rules: zero, one, a half, what is empty and what is refused.

They are short, so that several of them fit into one assertion, and each is asked with
many numbers and units, so that any part of the probes holds some of each kind.
"""

from fractions import Fraction

from shipbar.building.family import Probe
from shipbar.families.invented.unit_amounts.inputs import Inputs, Kind
from shipbar.families.invented.unit_amounts.pieces import literal

EACH_TURN = 8
"""Edges that are asked in one turn."""


class Edges(Inputs):
    """Writes edges as probes under a variant's names."""

    def edges(self, number: int) -> list[Probe]:
        """Return the edges of one turn; kinds take turns."""
        kinds: tuple[tuple[str, Kind], ...] = (
            ("snap", self._beside_grain),
            ("snap", self._beside_grain),
            ("spine", self._whole_type),
            ("spine", self._spaces),
            ("spine", self._total_of_none),
            ("spine", self._spelt),
            ("vanish", self._coerced),
            ("best", self._just_fits),
            ("tolerance", self._no_tolerance),
            ("tolerance", self._group_of_one),
            ("spine", self._split_alike),
            ("split-zero", self._split_small),
            ("spine", self._no_step),
            ("spine", self._compared),
            ("plural", self._written),
            ("tie", self._rounded_nothing),
            ("spine", self._number_forms),
            ("best", self._tiny),
        )
        found = []
        for more in range(EACH_TURN):
            axis, kind = kinds[(EACH_TURN * number + more) % len(kinds)]
            found.append(Probe(axis, kind()))
        return found

    def _part(self) -> Fraction:
        """A number between 0 and a half."""
        return Fraction(1, self._whole(3, 19))

    def _beside_grain(self) -> str:
        """Sizes closely beside the grain, and on it."""
        unit = self._unit(0, 1)
        near = self._rng.choice((0, 1, 1, -1, -1, -1)) * Fraction(
            1, self._whole(21, 40)
        )
        number = self._sign() * self._grain * (1 + near) / self._sizes[unit]
        return self._pair("snap", self._of(number, unit))

    def _whole_type(self) -> str:
        """Of which type a number is that is given back."""
        number = self._rng.choice((Fraction(self._whole(-9, 9)), self._odd_part(0, 9)))
        unit = self._unit()
        if self._turn % 2:
            call = self._call("ratio", self._of(number, unit), self._of(1, unit))
            return f"type({call}).__name__"
        pair = f"{self._of(number, unit)}.{self._n['pair']}()"
        return f"type({pair}[0]).__name__"

    def _spaces(self) -> str:
        """White space that is no space, and spaces alone."""
        if self._turn % 4 == 0:
            nothing = " " * self._rng.randint(0, 3)
            return self._two_read(nothing, self._term(self._unit()))
        blank = self._rng.choice(("\\t", "\\n", "\\r", "\\f"))
        number, unit = self._whole(1, 99), self._units[self._unit()]
        text = self._rng.choice(
            (
                f"{number}{blank}{unit}",
                f"{number} {unit}{blank}",
                f"{blank}{number} {unit}",
            )
        )
        return self._outcome("read", f'"{text}"')

    def _total_of_none(self) -> str:
        """A sum of no amounts, seen by its unit, and as a summand."""
        none = self._call("total", self._rng.choice(("[]", "()", "iter([])")))
        amount = self._of(self._whole(), self._unit())
        return self._rng.choice(
            (
                f"[{none}.{self._n['pair']}(), {self._whole(1, 99)}]",
                f"[{none}.{self._n['pair']}(), {self._call('compare', amount, none)}]",
            )
        )

    def _spelt(self) -> str:
        """Zero, what is less than one, and what is nothing but a rest."""
        unit = self._unit()
        number = self._rng.choice((Fraction(0), self._part(), -self._part()))
        if number:
            return self._call("spell", self._of(number, unit))
        return self._call(
            "spell", self._call("scale", self._of(self._whole(), unit), "0")
        )

    def _coerced(self) -> str:
        """Zero, one and less than a half, in a unit and in larger ones."""
        low = self._unit(0, 3)
        high = self._unit(low + 1, 4)
        number = self._rng.choice(
            (0, 0, self._sign(), self._sign() * self._part(), self._part())
        )
        amount = self._of(number, low)
        if number == 0:
            amount = self._call("scale", self._of(self._whole(), low), "0")
        return self._pair("coerce", amount, self._name(high))

    def _just_fits(self) -> str:
        """Exactly one, or half, of a unit."""
        unit = self._unit(1, 4)
        number = self._sign() * self._rng.choice((Fraction(1), Fraction(1, 2)))
        if self._turn % 2:
            return self._pair("best", self._of(number, unit))
        low = self._unit(0, unit - 1)
        number *= self._sizes[unit] / self._sizes[low]
        return self._pair("best", self._of(number, low))

    def _tiny(self) -> str:
        """Less than any rule asks of the smallest unit, and no whole number of it."""
        return self._pair("best", self._of(self._sign() * self._part(), 0))

    def _no_tolerance(self) -> str:
        """Tolerances of zero and of less than one."""
        one, other = self._unit(), self._unit()
        number = self._whole(1, 9)
        gap = self._rng.choice((0, self._part(), self._part() + 1))
        amounts = self._of(number, one), self._of(number + self._whole(2, 9), one)
        narrow = self._of(gap, min(one, other))
        return self._call("near", *amounts, narrow)

    def _group_of_one(self) -> str:
        amounts = self._list([self._of(self._whole(-9, 9), self._unit())])
        gap = self._rng.choice((0, 0, self._part()))
        return f"plain({self._call('groups', amounts, self._of(gap, self._unit()))})"

    def _split_alike(self) -> str:
        """A unit that stands twice among those of a split."""
        units = self._falling(2)
        again = self._rng.randrange(2)
        units.insert(again, units[again])
        amount = self._of(self._sign() * self._whole(), self._unit())
        if self._turn % 2:
            units = units[again : again + 2]
        return self._outcome("split", amount, self._names(units))

    def _split_small(self) -> str:
        """Zero, and less than one of the last unit."""
        high, low = self._falling(2)[:2]
        number = self._rng.choice((Fraction(0), self._part(), 1 - self._part()))
        amount = self._of(number, low)
        if not number:
            amount = self._call("scale", self._of(self._whole(), high), "0")
        return self._call("split", amount, self._names([high, low]))

    def _no_step(self) -> str:
        """Steps of zero, below it and closely above it."""
        unit = self._unit(0, 3)
        amount = self._of(self._whole(-9, 9), unit)
        step = self._rng.choice((0, 0, -1, Fraction(1, self._whole(3, 9))))
        return self._outcome("rounded", amount, self._of(step, unit))

    def _compared(self) -> str:
        """Two amounts of equal sizes, or of sizes that differ by little."""
        low = self._unit(0, 3)
        number = self._sign() * self._whole(1, 9)
        more = self._rng.choice((0, 1, -1, self._part(), -self._part()))
        amounts = [
            self._of(number, low + 1),
            self._of(number * self._ratios[low] + more, low),
        ]
        self._rng.shuffle(amounts)
        return self._call("compare", *amounts)

    def _written(self) -> str:
        """One and what is beside it."""
        number = self._rng.choice((1, -1, 0, 1 + self._part(), 1 - self._part(), 2))
        amount = self._of(number, self._unit())
        return self._list([self._call("write", amount), literal(self._whole(1, 99))])

    def _rounded_nothing(self) -> str:
        """What is rounded to zero, and zero."""
        unit = self._unit()
        step = self._whole(1, 9)
        number = self._sign() * step * self._rng.choice((Fraction(0), self._part()))
        return self._pair("rounded", self._of(number, unit), self._of(step, unit))

    def _number_forms(self) -> str:
        """Numbers with zeros at their ends, and slashes and points with nothing at one side."""
        unit, low = self._units[self._unit()], self._whole(1, 99)
        number = self._rng.choice(
            (
                f"0{low}",
                f"00{low}.50",
                f"{low}.0",
                f"0{low}/0{self._whole(2, 30)}",
                f"{low}/10",
                f"{low}/00",
                f"{low}/0",
                f"0/{low}",
                f"{low}.",
                f".{low}",
                f"/{low}",
                f"{low}/",
                f"{low}.5/2",
                f"{low}e1",
                f"+{low}",
            )
        )
        return self._outcome("read", f'"{number} {unit}"')
