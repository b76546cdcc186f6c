"""Inputs of the domain: conditions as tuples and as texts, values, and records."""

import random
from collections.abc import Mapping, Sequence
from itertools import pairwise

from shipbar.families.invented.record_queries.language import (
    Condition,
    Language,
    field,
)

Rows = list[dict[str, int | str]]
SIZES = (0, 2, 3, 4, 7, 8, 9, 12, 20, 30, 45, 100)
"""Numbers that come up as values."""


class Inputs:
    """Draws inputs in one variant's language."""

    def __init__(self, language: Language, rng: random.Random) -> None:
        self.language, self._rng = language, rng

    # -- texts of conditions

    def fields(self, count: int) -> list[str]:
        """Return some fields, all different."""
        every = [*self.language.numbers, *self.language.words]
        return self._rng.sample(every, count)

    def joined(self, parts: Sequence[str], marks: Sequence[str]) -> str:
        """Return parts with one of some marks between any two, sometimes with two in brackets."""
        text = parts[0]
        brackets = self._rng.random() < 0.15 and len(parts) > 3  # noqa: PLR2004  # a few
        for number, part in enumerate(parts[1:]):
            text = f"({text})" if brackets and number == 1 else text
            text += f" {self._rng.choice(marks)} {part}"
        return text

    def negated(self, part: str) -> str:
        """Return a part with the mark of negation before it."""
        mark = self.language.negation
        return f"{mark} {part}" if mark.isalpha() else mark + part

    def both_marks(self, count: int) -> str:
        """Return fields joined by both symmetrical marks, so that precedence matters."""
        marks = [self.language.both, self.language.either]
        names = self.fields(count)
        chosen = [self._rng.choice(marks) for _ in range(count - 1)]
        if len(set(chosen)) == 1:
            chosen[0] = marks[chosen[0] == marks[0]]
        text = names[0]
        for mark, name in zip(chosen, names[1:], strict=True):
            text += f" {mark} {name}"
        return text

    def quoted(self, content: str, escape: str) -> str:
        """Return a text in quotation marks, with a character before each mark inside."""
        quote = self.language.quote
        return quote + content.replace(quote, escape + quote) + quote

    def comparison(self) -> str:
        """Return the text of one comparison."""
        mark = self._rng.choice(self.language.comparisons)
        name = self._rng.choice(self.language.numbers)
        return f"{name} {mark} {self._rng.choice(SIZES)}"

    def chain(self, length: int) -> str:
        """Return the text of several comparisons in a row."""
        names = self._rng.sample(self.language.numbers, 3)
        text = str(self._rng.choice((names[0], names[0], self._rng.choice(SIZES))))
        for number in range(length):
            mark = self._rng.choice(self.language.comparisons)
            operand = self._rng.choice((names[1 + number % 2], self._rng.choice(SIZES)))
            text += f" {mark} {operand}"
        return text

    # -- conditions as tuples

    def tested(self, depth: int = 1) -> Condition:
        """Return a condition as a tuple, of joins, negations and comparisons."""
        language, rng = self.language, self._rng
        if depth:
            one, other = self.tested(depth - 1), self.tested(depth - 1)
            joins = (language.both, language.either, language.without)
            if rng.random() < 0.25:  # noqa: PLR2004  # some are negated
                return (language.negation, one)
            return (rng.choice(joins), one, other)
        number, word = rng.choice(language.numbers), rng.choice(language.words)
        return rng.choice(
            (
                field(number),
                (rng.choice(language.comparisons), field(number), rng.choice(SIZES)),
                (language.contains, field(word), rng.choice(language.texts)[1:4]),
            )
        )

    # -- records

    def capitals(self, text: str) -> str:
        """Return a text with other capital letters."""
        return self._rng.choice((text.capitalize(), text.upper(), text.swapcase()))

    def rows(
        self, count: int, numbers: Sequence[str] = (), words: Sequence[str] = ()
    ) -> Rows:
        """Return records that have all of some fields; no two numbers or texts of one are alike."""
        made: Rows = [{} for _ in range(count)]
        for name in numbers:
            values = self._rng.sample(SIZES, count)
            for row, value in zip(made, values, strict=True):
                row[name] = value
        for name in words:
            texts = self._rng.sample(self.language.texts, count)
            for row, text in zip(made, texts, strict=True):
                row[name] = text
        return made

    def lacking(self, rows: Rows, name: str, count: int) -> Rows:
        """Return the records, some of them without a field."""
        out = self._rng.sample(range(len(rows)), count)
        return [
            {
                key: value
                for key, value in row.items()
                if key != name or place not in out
            }
            for place, row in enumerate(rows)
        ]

    def repeated(self, rows: Rows, name: str) -> Rows:
        """Return the records, two or three of which have the same value in a field."""
        places = self._rng.sample(range(len(rows)), min(len(rows) - 1, 3))
        if self._rng.random() < 0.5:  # noqa: PLR2004  # as often two as three
            places = places[:2]
        value = rows[places[0]][name]
        return [
            {**row, name: value} if place in places else row
            for place, row in enumerate(rows)
        ]


def around(low: int, high: int) -> list[int]:
    """Return numbers at, beside and between two ends of a range."""
    return sorted({low - 1, low, (low + high) // 2, high, high + 1})


def unordered(rows: Sequence[Mapping[str, int | str]], name: str) -> bool:
    """Whether the records are not in the order of a field already."""
    values = [row[name] for row in rows if name in row]
    return any(one > other for one, other in pairwise(map(str, values)))
