"""Tags with a Luhn mod 36 check character, behind the names that were asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class TagError(ValueError):
    """Base class of all errors."""


class LayoutFault(TagError):
    """An invalid character."""

    def __init__(self, position: int) -> None:
        super().__init__(f"invalid character at {position}")
        self.position = position


class LengthFault(TagError):
    """Too short or too long."""

    def __init__(self, count: int) -> None:
        super().__init__(f"invalid length {count}")
        self.count = count


class MarkFault(TagError):
    """The check character does not match."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.expected = expected
        self.found = found


class AmbiguousMend(MarkFault):
    """Several corrections are possible."""

    def __init__(self, expected: str, found: str, options: list[str]) -> None:
        super().__init__(expected, found)
        self.options = options


@dataclass(frozen=True, order=True)
class Tag:
    """A payload with its check character."""

    payload: str
    mark: str

    @property
    def text(self) -> str:
        """The code in groups of four."""
        code = self.payload + self.mark
        return "-".join(code[i : i + 4] for i in range(0, len(code), 4))

    def __str__(self) -> str:
        return self.text

    def __len__(self) -> int:
        return len(self.payload) + len(self.mark)


def _clean(text: str) -> str:
    if not isinstance(text, str):
        raise TypeError("text must be a string")
    for position, character in enumerate(text):
        if character not in "- " and character.upper() not in ALPHABET:
            raise LayoutFault(position)
    return text.replace("-", "").replace(" ", "").upper()


def _check_character(payload: str) -> str:
    factor = 2
    total = 0
    n = len(ALPHABET)
    for character in reversed(payload):
        addend = factor * ALPHABET.index(character)
        factor = 1 if factor == 2 else 2
        total += addend // n + addend % n
    return ALPHABET[(n - total % n) % n]


def _split(text: str) -> tuple[str, str]:
    code = _clean(text)
    if not 4 <= len(code) <= 21:
        raise LengthFault(len(code))
    return code[:-1], code[-1]


def issue(payload: str) -> Tag:
    """Append the check character."""
    cleaned = _clean(payload)
    if not 3 <= len(cleaned) <= 20:
        raise LengthFault(len(cleaned))
    return Tag(cleaned, _check_character(cleaned))


def read(text: str) -> Tag:
    """Validate a code."""
    payload, found = _split(text)
    expected = _check_character(payload)
    if expected != found:
        raise MarkFault(expected, found)
    return Tag(payload, found)


def explain(text: str) -> dict[str, Any]:
    """Show the computation."""
    payload, found = _split(text)
    values = [ALPHABET.index(character) for character in payload]
    states = [0]
    for index, value in enumerate(reversed(values)):
        addend = value * (2 if index % 2 == 0 else 1)
        states.append((states[-1] + addend // 36 + addend % 36) % 36)
    expected = _check_character(payload)
    return {
        "payload": payload,
        "values": values,
        "states": states,
        "expected": expected,
        "found": found,
        "good": expected == found,
    }


def mend(text: str) -> Tag:
    """Correct a single adjacent transposition."""
    try:
        return read(text)
    except MarkFault as error:
        code = _clean(text)
        options = set()
        for i in range(len(code) - 1):
            swapped = code[:i] + code[i + 1] + code[i] + code[i + 2 :]
            try:
                options.add(read(swapped))
            except MarkFault:
                pass
        if not options:
            raise
        if len(options) > 1:
            texts = sorted(tag.text for tag in options)
            raise AmbiguousMend(error.expected, error.found, texts) from None
        return options.pop()


def audit(texts: Iterable[str]) -> dict[str, Any]:
    """Validate many codes."""
    good: list[str] = []
    repeated: list[int] = []
    faults: dict[str, list[int]] = {}
    mendable: list[int] = []
    for position, text in enumerate(texts, 1):
        try:
            tag = read(text)
        except TagError as error:
            faults.setdefault(type(error).__name__, []).append(position)
            if isinstance(error, MarkFault):
                try:
                    mend(text)
                    mendable.append(position)
                except MarkFault:
                    pass
            continue
        if tag.text in good:
            repeated.append(position)
        else:
            good.append(tag.text)
    return {
        "good": good,
        "repeated": repeated,
        "faults": faults,
        "mendable": mendable,
    }
