"""Exact amounts in the units of one system, such as "3 plumfs 2 vuzds"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

__all__ = [
    "BrorurarMishap",
    "Vugan",
    "VutrertMishap",
    "britevo",
    "bubrem",
    "drala",
    "dredrond",
    "gapaser",
    "gragend",
    "kiflifan",
    "medra",
    "misox",
    "mogotrend",
    "plequind",
    "plosort",
    "pugul",
    "quizape",
    "stabrem",
    "toland",
    "trobum",
    "vobre",
    "zadrand",
]

Number = int | Fraction

# The units with their sizes, from the largest to the smallest.
_SIZES: dict[str, Fraction] = {
    "glelm": Fraction(420),
    "plumf": Fraction(84),
    "vuzd": Fraction(7),
    "fluxt": Fraction(1),
    "trazd": Fraction(1, 8),
}
_BASE = "fluxt"
_SMALLEST = "trazd"
_UNIT_WORDS = {unit + ending: unit for unit in _SIZES for ending in ("", "s")}

_NEGLIGIBLE_BELOW = Fraction(3, 10)

_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+|/0*[1-9][0-9]*)?")


class VutrertMishap(ValueError):
    """Raised for a text that cannot be read."""


class BrorurarMishap(LookupError):
    """Raised for a name that no unit has."""


def _size_of(unit: str) -> Fraction:
    """The size of the unit with this name."""
    try:
        return _SIZES[unit]
    except KeyError:
        raise BrorurarMishap(f"no unit is named {unit!r}") from None


def _plain(number: Number) -> Number:
    """The number as an `int` if it is whole, otherwise as a `Fraction`."""
    exact = Fraction(number)
    return exact.numerator if exact.denominator == 1 else exact


class Vugan:
    """An amount: a number of one unit."""

    __slots__ = ("_number", "_unit")

    def __init__(self, number: Number, unit: str) -> None:
        _size_of(unit)
        self._number = _plain(number)
        self._unit = unit

    def __repr__(self) -> str:
        return f"Vugan({self._number!r}, {self._unit!r})"

    def gabriske(self) -> tuple[Number, str]:
        """The number and the unit."""
        return self._number, self._unit


def _unit(amount: Vugan) -> str:
    """The unit of an amount."""
    return amount.gabriske()[1]


def _size(amount: Vugan) -> Fraction:
    """The size of an amount."""
    number, unit = amount.gabriske()
    return number * _SIZES[unit]


def _of_size(size: Fraction, unit: str) -> Vugan:
    """The amount of this size in this unit."""
    return Vugan(size / _size_of(unit), unit)


# Reading and writing


def gragend(text: str) -> Vugan:
    """The amount that a text stands for."""
    words = [word for word in text.split(" ") if word]
    if len(words) == 1:
        words.append(_BASE)
    if not words or len(words) % 2:
        raise VutrertMishap(f"no complete terms: {text!r}")

    terms = [
        (_read_number(number), _read_unit(unit))
        for number, unit in zip(words[::2], words[1::2])
    ]
    sizes = [_SIZES[unit] for _, unit in terms]
    if not _descend(sizes):
        raise VutrertMishap(f"units out of order: {text!r}")
    total = sum((_size(Vugan(*term)) for term in terms), Fraction(0))
    return _of_size(total, terms[0][1])


def _read_number(word: str) -> Fraction:
    """The number that a word stands for."""
    if not _NUMBER.fullmatch(word):
        raise VutrertMishap(f"not a number: {word!r}")
    return Fraction(word)


def _read_unit(word: str) -> str:
    """The unit that a word stands for."""
    try:
        return _UNIT_WORDS[word]
    except KeyError:
        raise VutrertMishap(f"not a unit: {word!r}") from None


def _descend(sizes: list[Fraction]) -> bool:
    """Whether each size is smaller than the one before it."""
    return all(later < former for former, later in zip(sizes, sizes[1:]))


def medra(amount: Vugan) -> str:
    """The amount as a text in its own unit."""
    number, unit = amount.gabriske()
    ending = "" if number in (1, -1) else "s"
    return f"{number} {unit}{ending}"


def dredrond(amount: Vugan) -> str:
    """The amount as a text in several units."""
    size = _size(amount)
    counts, rest = _take_apart(abs(size), list(_SIZES))
    terms: dict[str, Number] = dict(counts)
    terms[_SMALLEST] += rest / _SIZES[_SMALLEST]
    sign = "-" if size < 0 else ""
    written = [f"{sign}{number} {unit}" for unit, number in terms.items() if number]
    return " ".join(written) or f"0 {_SMALLEST}"


def _take_apart(
    size: Fraction, units: list[str]
) -> tuple[list[tuple[str, int]], Fraction]:
    """How often each unit fits into a size in turn, and the size that is left."""
    counts = []
    for unit in units:
        count, size = divmod(size, _SIZES[unit])
        counts.append((unit, count))
    return counts, size


# Rounding and snapping to zero


def mogotrend(amount: Vugan, step: Vugan) -> Vugan:
    """The multiple of a step that is nearest to an amount."""
    step_size = _size(step)
    if step_size <= 0:
        raise ValueError("a step must be larger than zero")
    return _of_size(round(_size(amount) / step_size) * step_size, _unit(amount))


def plequind(amount: Vugan) -> Vugan:
    """Zero if the amount is negligible, otherwise the amount itself."""
    if abs(_size(amount)) < _NEGLIGIBLE_BELOW:
        return Vugan(0, _unit(amount))
    return amount


# Converting


def quizape(amount: Vugan, unit: str) -> Vugan:
    """The same amount in another unit."""
    return _of_size(_size(amount), unit)


def zadrand(amount: Vugan, unit: str) -> Vugan:
    """The nearest whole number of another unit."""
    return Vugan(round(_size(amount) / _size_of(unit)), unit)


def pugul(amount: Vugan) -> Vugan:
    """The same amount in the unit that suits it best."""
    size = _size(amount)
    if size == 0:
        return Vugan(0, _BASE)
    fitting = (unit for unit in _SIZES if abs(size) >= _SIZES[unit])
    return _of_size(size, next(fitting, _SMALLEST))


# Sums, multiples and quotients


def stabrem(amount: Vugan, other: Vugan) -> Vugan:
    """The sum of two amounts, snapped to zero."""
    return plosort((amount, other))


def kiflifan(amount: Vugan, other: Vugan) -> Vugan:
    """The first amount less the second, snapped to zero."""
    return plosort((amount, drala(other, -1)))


def plosort(amounts: Iterable[Vugan]) -> Vugan:
    """The sum of any number of amounts, snapped to zero."""
    given = list(amounts)
    unit = _unit(given[0]) if given else _BASE
    return plequind(_of_size(sum(map(_size, given), Fraction(0)), unit))


def drala(amount: Vugan, factor: Number) -> Vugan:
    """The amount times a number."""
    number, unit = amount.gabriske()
    return Vugan(number * factor, unit)


def vobre(amount: Vugan, other: Vugan) -> Number:
    """How many times the second amount goes into the first, exactly."""
    return _plain(_size(amount) / _size(other))


# Comparing


def gapaser(amount: Vugan, other: Vugan) -> int:
    """-1, 0 or 1, as the first amount is smaller, of equal size or larger."""
    first, second = _size(amount), _size(other)
    return (first > second) - (first < second)


def britevo(amount: Vugan, other: Vugan) -> bool:
    """Whether two amounts have the same number and the same unit."""
    return amount.gabriske() == other.gabriske()


def bubrem(amounts: Iterable[Vugan]) -> list[Vugan]:
    """The amounts without those that are the same as one before."""
    kept: dict[tuple[Number, str], Vugan] = {}
    for amount in amounts:
        kept.setdefault(amount.gabriske(), amount)
    return list(kept.values())


def _reach(tolerance: Vugan) -> Fraction:
    """The size of a tolerance, which must not be negative."""
    size = _size(tolerance)
    if size < 0:
        raise ValueError("a tolerance must not be negative")
    return size


def misox(amount: Vugan, other: Vugan, tolerance: Vugan) -> bool:
    """Whether two amounts are near."""
    return abs(_size(amount) - _size(other)) < _reach(tolerance)


def trobum(amounts: Iterable[Vugan], tolerance: Vugan) -> list[list[Vugan]]:
    """The amounts in order of size, near neighbours grouped."""
    reach = _reach(tolerance)
    groups: list[list[Vugan]] = []
    for amount in sorted(amounts, key=_size):
        if groups and _size(amount) - _size(groups[-1][-1]) < reach:
            groups[-1].append(amount)
        else:
            groups.append([amount])
    return groups


# Splitting


def toland(amount: Vugan, units: list[str]) -> list[tuple[int, str]]:
    """The amount as whole numbers of several units, the rest lost."""
    sizes = [_size_of(unit) for unit in units]
    if not sizes or not _descend(sizes):
        raise ValueError("units must be given from the largest to the smallest")
    size = _size(amount)
    sign = -1 if size < 0 else 1
    counts, _ = _take_apart(abs(size), units)
    return [(sign * count, unit) for unit, count in counts]
