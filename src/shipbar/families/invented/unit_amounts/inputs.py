"""What the package is asked: several kinds of question for each axis.

A question about one axis keeps clear of the others: numbers of one rule are no
halves, sums are far from zero, texts name their units in falling order. Corner
cases come first in each kind. What really splits is found by the builder.
"""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from shipbar.building.family import Draw, Probe
from shipbar.families.invented.unit_amounts.pieces import Pieces, literal

Kind = Callable[[], str]
_HALF: Final = Fraction(1, 2)
_CORNERS: Final = tuple(
    map(Fraction, ("0", "1", "-1", "2", "1/2", "-3/4", "3/2", "-2"))
)


class Inputs(Pieces):
    """Draws inputs and writes them as probes under a variant's names."""

    def __init__(self, draw: Draw, rng: random.Random) -> None:
        """Keep names, units and where inputs are drawn from."""
        super().__init__(draw, rng)
        self._turn = 0
        self._kinds: dict[str, tuple[Kind, ...]] = {
            "sign-reach": (self._read_signed, self._spell_signed, self._inner_sign),
            "term-order": (self._read_rising, self._read_repeat, self._read_mixed),
            "bare-number": (self._read_bare, self._bare_share, self._bare_coerced),
            "plural": (self._write, self._write_two, self._write_read),
            "tie": (self._round_tie, self._coerce_tie, self._split_tie),
            "vanish": (self._coerce_small, self._coerce_smaller),
            "snap": (self._snap_edge, self._snap_number, self._snap_sum),
            "best": (self._best, self._best_whole, self._best_written),
            "sum-unit": (self._plus, self._minus, self._total, self._minus),
            "alike": (self._same, self._distinct, self._same_zero),
            "tolerance": (self._near, self._groups, self._near_units),
            "split-last": (self._split_full, self._split_rest, self._split_rest),
            "split-zero": (self._split_gap, self._split_low, self._split_nothing),
            "joint": (self._read_split, self._sum_coerced, self._spell_sum),
            "spine": (
                self._convert,
                self._ratio,
                self._compare,
                self._scale,
                self._round_plain,
                self._coerce_plain,
            ),
            "errors": (self._refused, self._misread),
        }

    def turn(self, number: int) -> list[Probe]:
        """Return two probes for each axis and more for the spine; kinds take turns."""
        self._turn = number
        return [
            Probe(
                "spine" if axis == "errors" else axis,
                kinds[(2 * number + more) % len(kinds)](),
            )
            for axis, kinds in self._kinds.items()
            for more in range(2)
        ]

    # -- texts

    def _read_signed(self) -> str:
        text = "-" + self._text(self._falling())
        return self._pair("read", f'"{text}"')

    def _inner_sign(self) -> str:
        units = self._falling()
        first, *rest = (self._term(unit) for unit in units)
        text = " ".join([first, *(f"-{term}" for term in rest)])
        return self._two_read(text, f"-{first}")

    def _spell_signed(self) -> str:
        low = self._unit(0, 2)
        number = -(self._whole() * self._ratios[low] + self._whole(1, 2))
        if self._turn % 3 == 0:
            return self._call("spell", self._of(number - Fraction(1, 7), 0))
        return self._call("spell", self._of(number, low))

    def _read_rising(self) -> str:
        units = self._falling()
        up, down = self._text(units[::-1]), self._text(units)
        return self._two_read(up, down)

    def _read_repeat(self) -> str:
        units = self._falling()
        again = self._rng.randrange(len(units))
        units.insert(again, units[again])
        text, plain = self._text(units), self._text(units[:1])
        return self._two_read(text, plain)

    def _read_mixed(self) -> str:
        units = self._rng.sample(range(5), 3)
        if self._turn % 2:
            units.append(units[0])
        text, plain = self._text(units), self._text(units[:1], "  ")
        return self._two_read(text, f" {plain}")

    def _bare(self) -> str:
        corner = ("1", "0", "-4", "1/3", "2.5", "-0.75", " 8 ", "0.0")
        if self._turn < len(corner):
            return corner[self._turn]
        mark, low = self._rng.choice(("", "", "-")), self._whole(1, 40)
        more = ("", "", f".{self._whole(1, 9)}", f"/{self._whole(2, 9)}")
        return f"{mark}{low}{self._rng.choice(more)}"

    def _read_bare(self) -> str:
        plain = self._term(self._unit())
        return self._two_read(self._bare(), plain)

    def _bare_share(self) -> str:
        amount = self._read(f"{self._whole(1, 30)}")
        return self._call("ratio", amount, self._of(self._whole(), self._unit()))

    def _bare_coerced(self) -> str:
        return self._call("spell", self._read(f"{self._whole(20, 99)}"))

    def _write(self) -> str:
        if self._turn < len(_CORNERS):
            number = _CORNERS[self._turn]
        else:
            number = self._rng.choice((Fraction(self._whole()), self._odd_part(0, 0)))
        return self._call("write", self._of(self._sign() * number, self._unit()))

    def _write_two(self) -> str:
        numbers = [self._odd_part(0, 0), self._rng.choice((1, self._odd_part(1, 4)))]
        self._rng.shuffle(numbers)
        amounts = [self._of(self._sign() * x, self._unit()) for x in numbers]
        return self._list([self._call("write", amount) for amount in amounts])

    def _write_read(self) -> str:
        return self._call("write", self._read(self._term(self._unit())))

    # -- rounding

    def _round_tie(self) -> str:
        unit = self._unit(0, 3)
        half = self._sign() * (self._rng.randint(0, 9) + _HALF)
        if self._turn % 2:
            return self._pair("rounded", self._of(half, unit), self._of(1, unit))
        step = self._rng.choice((2, 3, 5, Fraction(1, 2), Fraction(2, 3)))
        return self._pair("rounded", self._of(half * step, unit), self._of(step, unit))

    def _coerce_tie(self) -> str:
        """A half that is no zero, which another rule decides."""
        low = self._unit(0, 3)
        half = self._sign() * (self._rng.randint(1, 9) + _HALF)
        number = half * self._ratios[low]
        return self._pair("coerce", self._of(number, low), self._name(low + 1))

    def _split_tie(self) -> str:
        low = self._unit(0, 3)
        half = self._rng.randint(1, self._ratios[low] - 2) + _HALF
        number = self._sign() * (self._whole(1, 9) * self._ratios[low] + half)
        return self._call("split", self._of(number, low), self._names([low + 1, low]))

    def _round_plain(self) -> str:
        unit = self._unit(0, 3)
        step = self._whole(2, 9)
        number = self._sign() * self._odd_part() * step
        if self._turn % 2:
            part = Fraction(step * self._ratios[unit], self._rng.choice((5, 7)))
            return self._pair(
                "rounded", self._of(number, unit + 1), self._of(part, unit)
            )
        return self._pair("rounded", self._of(number, unit), self._of(step, unit))

    def _snap_edge(self) -> str:
        """Sizes at and round the grain, in units in which the number is no smaller than it."""
        unit = self._unit(0, 1)
        factor = self._rng.choice((1, 1, 1, Fraction(9, 10), Fraction(11, 10)))
        size = self._sign() * self._grain * factor
        if self._turn % 2:
            other = self._of(self._sign() * self._whole(), self._unit())
            return self._list(
                [
                    self._pair("snap", self._of(size / self._sizes[unit], unit)),
                    self._pair("snap", other),
                ]
            )
        return self._pair("snap", self._of(size / self._sizes[unit], unit))

    def _snap_number(self) -> str:
        """Small numbers of large units, and numbers of the smallest unit."""
        number = self._sign() * self._grain * Fraction(self._whole(1, 9), 10)
        unit = self._unit(2, 4)
        if self._turn % 2 == 0:
            unit, number = 0, number * self._ratios[0]
        return self._pair("snap", self._of(number, unit))

    def _snap_sum(self) -> str:
        unit = self._unit(0, 1)
        number = self._whole()
        factor = self._rng.choice((1, 1, 1, Fraction(1, 2), Fraction(6, 5)))
        rest = self._sign() * self._grain * factor / self._sizes[unit]
        one, other = self._of(number + rest, unit), self._of(number, unit)
        if self._turn % 2:
            return self._pair("minus", one, other)
        other = self._of(-number, unit)
        if self._turn % 4:
            return self._pair("total", self._list([other, one]))
        return self._pair("plus", other, one)

    # -- converting

    def _coerce_small(self) -> str:
        unit = self._unit()
        part = Fraction(1, self._whole(3, 9))
        return self._pair(
            "coerce", self._of(self._sign() * part, unit), self._name(unit)
        )

    def _coerce_smaller(self) -> str:
        low = self._unit(0, 2)
        most = (self._ratios[low] * self._ratios[low + 1] - 1) // 2
        number = self._sign() * self._rng.randint(1, most)
        return self._pair("coerce", self._of(number, low), self._name(low + 2))

    def _best(self) -> str:
        unit = self._unit(1, 4)
        part = _HALF + Fraction(self._whole(0, 17), 36)
        number = self._sign() * self._rng.choice((part, part, self._odd_part(0, 3)))
        return self._pair("best", self._of(number, unit))

    def _best_whole(self) -> str:
        low = self._unit(0, 3)
        if self._turn % 4 == 0:
            return self._pair("best", self._of(self._odd_part(0, 0), low))
        more = self._rng.randint(0, self._ratios[low] - 1)
        number = self._sign() * (self._whole(1, 5) * self._ratios[low] + more)
        return self._pair("best", self._of(number, low))

    def _best_written(self) -> str:
        low = self._unit(0, 3)
        number = self._rng.randint(1, self._ratios[low] * 4)
        amounts = [self._of(number, low), self._of(0, low)]
        return self._list([self._pair("best", amount) for amount in amounts])

    def _convert(self) -> str:
        number = self._sign() * self._rng.choice((self._whole(), self._odd_part()))
        return self._pair(
            "convert", self._of(number, self._unit()), self._name(self._unit())
        )

    def _coerce_plain(self) -> str:
        low = self._unit(0, 3)
        number = self._sign() * self._odd_part(1, 9) * self._ratios[low]
        return self._pair("coerce", self._of(number, low), self._name(low + 1))

    # -- sums

    def _summands(self, count: int) -> list[str]:
        units = self._rng.sample(range(5), count)
        if self._turn % 5 == 0:
            units[0] = units[-1]
        return [self._of(self._whole(3, 30), unit) for unit in units]

    def _plus(self) -> str:
        return self._pair("plus", *self._summands(2))

    def _minus(self) -> str:
        """A difference far from zero, whichever of the two is larger."""
        low, high = sorted(self._rng.sample(range(5), 2))
        small = self._of(self._sign() * self._whole(2, 30), low)
        large = self._of(self._whole(40, 90), high)
        pair = [small, large] if self._rng.random() < _HALF else [large, small]
        return self._pair("minus", *pair)

    def _total(self) -> str:
        if self._turn == 1:
            return self._pair("total", "[]")
        return self._pair("total", self._list(self._summands(3)))

    def _scale(self) -> str:
        factor = self._sign() * self._rng.choice((self._whole(), self._odd_part(0, 2)))
        amount = self._of(self._odd_part(), self._unit())
        return self._pair("scale", amount, literal(factor))

    def _ratio(self) -> str:
        amounts = [self._of(self._sign() * self._whole(), self._unit()) for _ in "ab"]
        return self._call("ratio", *amounts)

    # -- comparing

    def _compare(self) -> str:
        low = self._unit(0, 3)
        number = self._whole(1, 5)
        amount = self._of(number, low + 1)
        others = [
            self._of(number * self._ratios[low] + more, low) for more in (-1, 0, 1)
        ]
        self._rng.shuffle(others)
        return self._list([self._call("compare", amount, other) for other in others])

    def _same(self) -> str:
        low = self._unit(0, 3)
        number = self._sign() * self._whole(1, 9)
        amount = self._of(number, low + 1)
        others = [
            self._of(number * self._ratios[low], low),
            self._of(number * self._ratios[low] + 1, low),
            amount,
        ]
        self._rng.shuffle(others)
        return self._list([self._call("same", amount, other) for other in others])

    def _same_zero(self) -> str:
        one, other = self._rng.sample(range(5), 2)
        number = self._whole(1, 9)
        pairs = [(0, one, 0, other), (number, one, number, other), (0, one, 0, one)]
        self._rng.shuffle(pairs)
        return self._list(
            [self._call("same", self._of(a, x), self._of(b, y)) for a, x, b, y in pairs]
        )

    def _distinct(self) -> str:
        low = self._unit(0, 3)
        number = self._whole(1, 9)
        amounts = [
            self._of(number, low + 1),
            self._of(number * self._ratios[low], low),
            self._of(self._rng.choice((0, number)), low),
        ]
        if self._turn % 2:
            amounts.append(self._of(0, self._unit()))
        self._rng.shuffle(amounts)
        return f"plain({self._call('distinct', self._list([*amounts, amounts[0]]))})"

    def _near(self) -> str:
        unit = self._unit()
        number, gap = self._whole(-9, 9), 2 * self._whole(1, 9)
        decisive = self._rng.choice((gap, gap, self._rng.randint(gap // 2 + 1, gap)))
        offsets = [decisive, gap // 2, gap + 1]
        self._rng.shuffle(offsets)
        tolerance = self._of(gap, unit)
        amount = self._of(number, unit)
        return self._list(
            [
                self._call("near", amount, self._of(number + offset, unit), tolerance)
                for offset in offsets
            ]
        )

    def _near_units(self) -> str:
        low = self._unit(0, 3)
        number, ratio = self._whole(1, 9), self._ratios[low]
        factor = self._rng.choice((1, 1, Fraction(3, 4), Fraction(1, 2), 2))
        gap = self._sign() * ratio * factor
        amounts = self._of(number, low + 1), self._of(number * ratio + gap, low)
        far = self._of(number * ratio + 3 * ratio, low)
        tolerance = self._of(1, low + 1)
        return self._list(
            [
                self._call("near", *amounts, tolerance),
                self._call("near", amounts[0], far, tolerance),
                self._call("near", amounts[0], amounts[0], tolerance),
            ]
        )

    def _groups(self) -> str:
        unit = self._unit()
        gap = 2 * self._whole(1, 5)
        numbers = [self._whole(-9, 9)]
        for _ in range(3):
            steps = (gap, gap // 2, gap + 1, gap // 2 + self._whole(0, gap // 2))
            numbers.append(numbers[-1] + self._rng.choice(steps))
        self._rng.shuffle(numbers)
        amounts = self._list([self._of(number, unit) for number in numbers])
        return f"plain({self._call('groups', amounts, self._of(gap, unit))})"

    # -- splitting

    def _split_full(self) -> str:
        """A last part that is nearly a whole of the unit before."""
        low = self._unit(0, 3)
        short = Fraction(1, self._whole(3, 9))
        number = self._sign() * (self._whole(2, 9) * self._ratios[low] - short)
        return self._call("split", self._of(number, low), self._names([low + 1, low]))

    def _split_rest(self) -> str:
        """Parts that are no zero, and a last one that is not whole."""
        low = self._unit(0, 2)
        rest = self._rng.randint(1, self._ratios[low] - 2)
        part = Fraction(self._rng.choice((2, 3, 6, 7)), self._rng.choice((9, 10)))
        middle = self._rng.randint(1, self._ratios[low + 1] - 1) * self._ratios[low]
        whole = self._ratios[low] * self._ratios[low + 1] * self._whole(1, 5)
        number = self._sign() * (whole + middle + rest + part)
        units = [low + 2, low + 1, low]
        return self._call("split", self._of(number, low), self._names(units))

    def _split_gap(self) -> str:
        """A zero in the middle."""
        low = self._unit(0, 2)
        ratio = self._ratios[low] * self._ratios[low + 1]
        rest = self._rng.randint(0, self._ratios[low] - 1)
        number = self._sign() * (self._whole(1, 9) * ratio + rest)
        units = [low + 2, low + 1, low]
        return self._call("split", self._of(number, low), self._names(units))

    def _split_low(self) -> str:
        """A zero at the front, and perhaps another at the end."""
        low = self._unit(0, 2)
        rest = self._rng.choice((0, self._rng.randint(1, self._ratios[low] - 1)))
        front = self._rng.randint(0, self._ratios[low + 1] - 1) * self._ratios[low]
        units = [low + 2, low + 1, low]
        number = self._sign() * (front + rest)
        return self._call("split", self._of(number, low), self._names(units))

    def _split_nothing(self) -> str:
        units = self._falling(4)
        if self._turn % 2:
            return self._call("split", self._of(0, self._unit()), self._names(units))
        number = self._whole(1, 9)
        return self._call("split", self._of(number, units[0]), self._names(units))

    # -- several at once

    def _read_split(self) -> str:
        high, low = self._falling(2)[:2]
        text = f"{self._whole(1, 9)} {self._units[high]} {self._whole()} {self._units[low]}"
        return self._call("split", self._read(text), self._names([high, low]))

    def _sum_coerced(self) -> str:
        low = self._unit(0, 3)
        sum_ = self._call(
            "plus", self._of(self._whole(), low), self._of(self._whole(1, 5), low + 1)
        )
        return self._pair("coerce", sum_, self._name(low + 1))

    def _spell_sum(self) -> str:
        role = self._rng.choice(("plus", "minus"))
        return self._call("spell", self._call(role, *self._summands(2)))

    # -- errors

    def _refused(self) -> str:
        """Calls that raise, next to one that does not."""
        unit, amount = self._unit(0, 3), self._of(self._whole(), self._unit())
        other = self._units[unit].title()
        rising = self._names([unit, unit + 1])
        calls = (
            self._outcome("convert", amount, f'"{other}"'),
            self._outcome("coerce", amount, f'"{self._units[unit]}s"'),
            self._outcome("amount", "3", '"piece"'),
            self._outcome("split", amount, rising),
            self._outcome("split", amount, "[]"),
            self._outcome("split", amount, f'["{other}"]'),
            self._outcome("rounded", amount, self._of(0, unit)),
            self._outcome("rounded", amount, self._of(-1, unit)),
            self._outcome("ratio", amount, self._of(0, unit)),
            self._outcome("near", amount, amount, self._of(-1, unit)),
            self._outcome("groups", "[]", self._of(-2, unit)),
            self._outcome("scale", amount, "0"),
        )
        plain = self._of(self._whole(), unit)
        return self._list(
            [calls[self._turn % len(calls)], f"outcome({plain}.{self._n['pair']})"]
        )

    def _misread(self) -> str:
        """Texts that no selection reads, next to one that every selection does."""
        unit = self._units[self._unit()]
        texts = (
            "",
            "  ",
            unit,
            f"3{unit}",
            f"3 {unit.upper()}",
            f"- 3 {unit}",
            f"+3 {unit}",
            f"3. {unit}",
            f".5 {unit}",
            f"3/0 {unit}",
            f"3 {unit} 4",
            f"1e2 {unit}",
            f"3 {unit}ss",
            f"3, {unit}",
            f"--3 {unit}",
            "3 piece",
            f"1_0 {unit}",
            f"3/-4 {unit}",
        )
        text = texts[self._turn % len(texts)]
        plain = self._term(self._unit())
        return self._two_read(text, plain)
