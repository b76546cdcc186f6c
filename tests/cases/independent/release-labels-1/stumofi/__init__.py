"""Labels of software versions: reading, writing, ordering and requirements."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

__all__ = [
    "ZirabuTrouble",
    "Requo",
    "stakoman",
    "tredriba",
    "skatomux",
    "tratru",
    "riquustem",
    "platretom",
    "toskapun",
    "kedubam",
    "muflirom",
    "tobritra",
    "deger",
    "piredre",
    "seriquer",
    "suskox",
]

_MAX_PARTS = 4
_FIRST_TURN = 1

_CHANNEL = r"[a-z]+"
_NOTE = r"[a-z0-9]+"
_NUMBER = r"(?:0|[1-9][0-9]*)"
_LABEL = re.compile(
    rf"(?:(?P<era>{_NUMBER}):)?"
    rf"(?P<parts>{_NUMBER}(?:\.{_NUMBER}){{0,{_MAX_PARTS - 1}}})"
    rf"(?:_(?P<channel>{_CHANNEL})(?:\.(?P<turn>{_NUMBER}))?)?"
    rf"(?:%(?P<note>{_NOTE}))?"
)

# Python refuses to convert very long numbers at once, so those go in pieces.
_PIECE_DIGITS = 500
_PIECE_LIMIT = 10**_PIECE_DIGITS


class ZirabuTrouble(ValueError):
    """A text cannot be read."""


@dataclass(frozen=True, slots=True)
class Requo:
    """A label of a version; it never changes."""

    parts: tuple[int, ...]
    channel: str | None = None
    turn: int = 0
    era: int = 0
    note: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.parts))
        if not 1 <= len(self.parts) <= _MAX_PARTS:
            raise ValueError(f"a label has one to {_MAX_PARTS} parts")
        if min(self.parts) < 0 or self.turn < 0 or self.era < 0:
            raise ValueError("the numbers of a label are not negative")
        if self.channel is None:
            if self.turn != 0:
                raise ValueError("a release has no turn")
        elif not re.fullmatch(_CHANNEL, self.channel):
            raise ValueError(f"not a channel: {self.channel!r}")
        if self.note is not None and not re.fullmatch(_NOTE, self.note):
            raise ValueError(f"not a note: {self.note!r}")

    def fizabre(self) -> tuple[int, tuple[int, ...], str | None, int, str | None]:
        """Return era, parts, channel, turn and note."""
        return self.era, self.parts, self.channel, self.turn, self.note

    def vedequart(self) -> str:
        """Write the label as a text."""
        text = ".".join(map(_write_number, self.parts))
        if self.era:
            text = f"{_write_number(self.era)}:{text}"
        if self.channel is not None:
            text += f"_{self.channel}"
        if self.turn:
            text += f".{_write_number(self.turn)}"
        if self.note is not None:
            text += f"%{self.note}"
        return text


# Texts


def riquustem(text: str) -> Requo:
    """Read a label from its text."""
    found = _LABEL.fullmatch(text)
    if found is None:
        raise ZirabuTrouble(f"not a label: {text!r}")
    return Requo(
        parts=tuple(map(_read_number, found["parts"].split("."))),
        channel=found["channel"],
        turn=_read_number(found["turn"] or "0"),
        era=_read_number(found["era"] or "0"),
        note=found["note"],
    )


def _read_number(digits: str) -> int:
    """Return the number of some digits, however many there are."""
    if len(digits) <= _PIECE_DIGITS:
        return int(digits)
    half = len(digits) // 2
    high, low = _read_number(digits[:-half]), _read_number(digits[-half:])
    return high * 10**half + low


def _write_number(number: int) -> str:
    """Return the digits of a number, however many there are."""
    if number < _PIECE_LIMIT:
        return str(number)
    half = number.bit_length() * 3 // 20  # about half of its decimal digits
    high, low = divmod(number, 10**half)
    return _write_number(high) + _write_number(low).rjust(half, "0")


# Order


def _rank(label: Requo) -> tuple[object, ...]:
    """Return what orders labels: the newer a label, the greater its rank."""
    return (
        label.era,
        tuple((part % 2 == 0, part) for part in label.parts),
        label.channel is None,
        label.channel or "",
        label.turn,
        label.note is None,
        label.note or "",
    )


def tratru(one: Requo, other: Requo) -> int:
    """Return -1, 0 or 1: the first label is older, ranks alike, or is newer."""
    left, right = _rank(one), _rank(other)
    return (left > right) - (left < right)


def platretom(labels: list[Requo]) -> list[Requo]:
    """Return the labels, the oldest first."""
    return sorted(labels, key=_rank)


def deger(labels: list[Requo]) -> Requo:
    """Return the newest label, the first of those that rank alike."""
    if not labels:
        raise ValueError("there are no labels")
    return max(labels, key=_rank)


def stakoman(label: Requo, labels: list[Requo]) -> int:
    """Return how many of the labels are newer than the first argument."""
    return sum(tratru(each, label) > 0 for each in labels)


def muflirom(labels: list[Requo]) -> list[str]:
    """Return the texts of the labels, the newest first."""
    # A reversed sort, too, keeps the order of those that rank alike.
    return [label.vedequart() for label in sorted(labels, key=_rank, reverse=True)]


# The next label


def toskapun(label: Requo, place: int) -> Requo:
    """Return the label with the part at that place raised by one."""
    count = len(label.parts)
    if not 0 <= place < count:
        raise IndexError(f"the label has no part at place {place}")
    zeros = (0,) * (count - place - 1)
    parts = (*label.parts[:place], label.parts[place] + 1, *zeros)
    turn = 0 if label.channel is None else _FIRST_TURN
    return replace(label, parts=parts, turn=turn, note=None)


def suskox(label: Requo, channel: str) -> Requo:
    """Return the label with the next turn in that channel."""
    turn = label.turn + 1 if label.channel == channel else _FIRST_TURN
    return replace(label, channel=channel, turn=turn, note=None)


def tobritra(label: Requo) -> Requo:
    """Return the release with the same parts and era."""
    return Requo(label.parts, era=label.era)


def tredriba(label: Requo) -> Requo:
    """Return the release with the same parts in the next era."""
    return Requo(label.parts, era=label.era + 1)


# Ranges and compatible labels


def kedubam(label: Requo, low: Requo, high: Requo) -> bool:
    """Return whether the label lies in the range from low to below high."""
    return tratru(label, low) >= 0 and tratru(label, high) < 0


def skatomux(label: Requo, base: Requo) -> bool:
    """Return whether the label can stand in for the base."""
    return (
        label.era == base.era
        and label.parts[0] == base.parts[0]
        and tratru(label, base) >= 0
    )


# Requirements

_Condition = Callable[[Requo], bool]

# An operator that begins with another one stands before it.
_OPERATORS: dict[str, Callable[[Requo, Requo], bool]] = {
    "==": lambda label, base: tratru(label, base) == 0,
    "!=": lambda label, base: tratru(label, base) != 0,
    ">=": lambda label, base: tratru(label, base) >= 0,
    "<=": lambda label, base: tratru(label, base) <= 0,
    ">": lambda label, base: tratru(label, base) > 0,
    "<": lambda label, base: tratru(label, base) < 0,
    "^": skatomux,
}


def seriquer(label: Requo, requirement: str) -> bool:
    """Return whether the label meets the requirement."""
    return _meets(label, _read_requirement(requirement))


def piredre(labels: list[Requo], requirement: str) -> Requo | None:
    """Return the newest label that meets the requirement, or None."""
    conditions = _read_requirement(requirement)
    fitting = [label for label in labels if _meets(label, conditions)]
    return deger(fitting) if fitting else None


def _meets(label: Requo, conditions: list[_Condition]) -> bool:
    return all(condition(label) for condition in conditions)


def _read_requirement(text: str) -> list[_Condition]:
    """Read all the conditions of a requirement."""
    if not text.strip(" "):
        return []
    return [_read_condition(piece.strip(" ")) for piece in text.split(",")]


def _read_condition(text: str) -> _Condition:
    """Read one condition, around which there are no spaces any more."""
    for operator, holds in _OPERATORS.items():
        if text.startswith(operator):
            base = riquustem(text.removeprefix(operator).lstrip(" "))
            return lambda label: holds(label, base)
    first, dots, last = text.partition("..")
    if not dots:
        raise ZirabuTrouble(f"not a condition: {text!r}")
    low, high = riquustem(first), riquustem(last)
    return lambda label: kedubam(label, low, high)
