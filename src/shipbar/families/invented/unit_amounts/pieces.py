"""Pieces of questions: numbers, units and texts that are drawn, and the expressions made of them."""

import random
from collections.abc import Sequence
from fractions import Fraction

from shipbar.building.family import Draw

Number = int | Fraction


def literal(number: Number) -> str:
    """Return a number as an expression."""
    exact = Fraction(number)
    if exact.denominator == 1:
        return str(exact.numerator)
    return f"Fraction({exact.numerator}, {exact.denominator})"


class Pieces:
    """Draws from one variant's system of units and writes under its names."""

    def __init__(self, draw: Draw, rng: random.Random) -> None:
        """Keep names, units and where pieces are drawn from."""
        self._n, self._rng = draw.names, rng
        self._units: tuple[str, ...] = tuple(map(str, _items(draw, "units")))
        self._sizes = [Fraction(str(size)) for size in _items(draw, "sizes")]
        self._ratios = [int(str(ratio)) for ratio in _items(draw, "ratios")]
        self._grain = Fraction(str(draw.parameters["grain"]))

    # -- draws

    def _unit(self, low: int = 0, high: int = 4) -> int:
        """The place of a unit."""
        return self._rng.randint(low, high)

    def _whole(self, low: int = 2, high: int = 19) -> int:
        return self._rng.randint(low, high)

    def _odd_part(self, low: int = 0, high: int = 9) -> Fraction:
        """A number that is neither whole nor half-way."""
        denominator = self._rng.choice((3, 5, 7, 8, 10))
        above = self._rng.choice(
            [k for k in range(1, denominator) if 2 * k != denominator]
        )
        return self._rng.randint(low, high) + Fraction(above, denominator)

    def _sign(self) -> int:
        return self._rng.choice((1, -1))

    def _falling(self, most: int = 3) -> list[int]:
        """The places of two or more units, the largest first."""
        count = self._rng.randint(2, most)
        return sorted(self._rng.sample(range(5), count), reverse=True)

    # -- expressions

    def _of(self, number: Number, unit: int) -> str:
        """The spine's way in."""
        return f'{self._n["amount"]}({literal(number)}, "{self._units[unit]}")'

    def _call(self, role: str, *arguments: str) -> str:
        return f"{self._n[role]}({', '.join(arguments)})"

    def _pair(self, role: str, *arguments: str) -> str:
        """A call whose amount is seen by the spine's way out."""
        return f"{self._call(role, *arguments)}.{self._n['pair']}()"

    def _outcome(self, role: str, *arguments: str) -> str:
        return f"outcome({', '.join([self._n[role], *arguments])})"

    def _read(self, text: str) -> str:
        return f'{self._n["read"]}("{text}")'

    def _two_read(self, text: str, other: str) -> str:
        """Two texts that may be malformed; one of them hardly is."""
        read = self._n["read"]
        return f'[outcome({read}, "{text}"), outcome({read}, "{other}")]'

    def _name(self, unit: int) -> str:
        return f'"{self._units[unit]}"'

    def _names(self, units: Sequence[int]) -> str:
        return "[" + ", ".join(map(self._name, units)) + "]"

    def _list(self, amounts: Sequence[str]) -> str:
        return f"[{', '.join(amounts)}]"

    def _term(self, unit: int, low: int = 1, *, plain: bool = False) -> str:
        """A term of a text; numbers in each of their forms, units with or without an s."""
        number = self._rng.choice(
            (
                f"{self._whole(low)}",
                f"{self._whole(low)}",
                f"{self._whole(1, 9)}.{self._rng.choice((2, 4, 5, 25, 75))}",
                f"{self._whole(1, 9)}/{self._rng.choice((2, 3, 4, 5))}",
            )
        )
        ending = "" if plain else self._rng.choice(("", "s"))
        return f"{number} {self._units[unit]}{ending}"

    def _text(self, units: Sequence[int], join: str = " ") -> str:
        return join.join(self._term(unit) for unit in units)


def _items(draw: Draw, name: str) -> tuple[object, ...]:
    """Return a drawn parameter that is a tuple."""
    found = draw.parameters[name]
    if not isinstance(found, tuple):
        raise TypeError(f"expected parameter {name} to be a tuple, got {found!r}")
    return found
