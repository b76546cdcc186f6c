"""Numerals in the letters I, V, X, L, C, D and M: written, read, reckoned with, found.

Every remembered value was measured on the pinned release (`notes.md`). What that
release lacks (reckoning, series, ranking, finding) is remembered as what a few
lines over its two converters give. The spine is `write` and `read` of plain
numbers, those without a digit 4 or 9, up to 3,888: no axis touches them.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from shipbar.building.family import Draw, Family, Probe, Upstream
from shipbar.building.names import Role
from shipbar.building.rules import Axis, Value
from shipbar.building.upstream import read_pin
from shipbar.contract import TaskClass
from shipbar.families.mutated.numerals.edges import Edges


def _axis(name: str, question: str, feature: str, *values: str) -> Axis:
    """Return an axis; the first of ``values`` is the remembered one."""
    first, *others = values
    return Axis(
        name,
        question,
        (Value(first, remembered=True), *map(Value, others)),
        feature,
    )


def _function(name: str, about: str) -> Role:
    return Role(id=name, kind="function", about=about)


def _error(name: str, about: str) -> Role:
    return Role(id=name, kind="error", about=about)


class Numerals(Family):
    """A converter between whole numbers and numerals, and what is built on it."""

    name = "numerals"
    title = "numerals in seven letters"
    task_class: ClassVar[TaskClass] = "mutated"
    axes: ClassVar[tuple[Axis, ...]] = (
        _axis(
            "notation",
            "How are the digits 4 and 9 of a place written?",
            "writing",
            "subtractive",
            "additive",
            "nines",
        ),
        _axis(
            "zero",
            "What is the numeral of zero?",
            "writing",
            "letter",
            "blank",
            "word",
            "refused",
        ),
        _axis(
            "negative",
            "Where does a number below zero have its sign, if it can be written at all?",
            "writing",
            "refused",
            "sign-before",
            "sign-behind",
        ),
        _axis(
            "large",
            "Which is the largest number, and how are thousands beyond the letters written?",
            "writing",
            "four-thousands",
            "three-thousands",
            "brackets",
        ),
        _axis(
            "floats",
            "Which floats can be written?",
            "writing",
            "refused",
            "whole",
            "cut",
        ),
        _axis(
            "case",
            "Are small letters read?",
            "reading",
            "capitals",
            "any",
            "one-case",
        ),
        _axis(
            "edges",
            "Which white space is ignored in reading?",
            "reading",
            "last-newline",
            "none",
            "ends",
            "anywhere",
        ),
        _axis(
            "strictness",
            "How often may a letter stand in a numeral that is read?",
            "reading",
            "as-written",
            "ones-repeat",
            "all-repeat",
        ),
        _axis(
            "rounding",
            "To which whole number does a quotient go?",
            "reckoning",
            "down",
            "up",
            "half-up",
            "half-even",
        ),
        _axis(
            "series-end",
            "Does a series hold its last number?",
            "series",
            "excluded",
            "included",
        ),
        _axis(
            "series-falling",
            "What is a series whose first number is above its last?",
            "series",
            "empty",
            "falling",
            "exchanged",
        ),
        _axis(
            "ranking",
            "In which order are numerals ranked?",
            "ranking",
            "value",
            "falling",
            "length",
            "letters",
        ),
        _axis(
            "words",
            "What is a word, when numerals are looked for in a sentence?",
            "finding",
            "spaced",
            "punctuated",
            "letter-runs",
        ),
    )
    roles: ClassVar[tuple[Role, ...]] = (
        _function("write", "the writer: a whole number's numeral"),
        _function("read", "the reader: a numeral's number"),
        _function("check", "whether the reader accepts a text"),
        _function("total", "the numeral of a sum"),
        _function("difference", "the numeral of a difference"),
        _function("divide", "the numeral of a rounded quotient"),
        _function("series", "numerals at equal steps"),
        _function("rank", "numerals in order"),
        _function("find", "the numbers whose numerals stand in a sentence"),
        _function("weigh", "the sum of the values of the letters in any text"),
        _error("base_error", "the base of the three other errors"),
        _error("kind_error", "the error for what is not a whole number"),
        _error("range_error", "the error for a number that has no numeral"),
        _error("form_error", "the error for a text that is not a numeral"),
    )
    folder = Path(__file__).parent
    upstream: ClassVar[Upstream | None] = read_pin(
        Path(__file__).parent / "upstream.toml"
    )
    count = 58

    def head(self, draw: Draw) -> str:
        """Return the helper that turns an error into a word."""
        n = draw.names
        return f'''
def outcome(call, *arguments):
    """What a call returns, or which error it raises."""
    try:
        return call(*arguments)
    except {n.kind_error}:
        return "not whole"
    except {n.range_error}:
        return "no numeral for it"
    except {n.form_error}:
        return "not a numeral"
'''

    def probes(self, draw: Draw, rng: random.Random) -> Iterator[Probe]:
        """Yield corner cases, then rounds that ask about every axis in turn."""
        inputs = Edges(draw.names, rng)
        yield from inputs.corners()
        for turn in range(60):
            yield from inputs.turn(turn)
            yield from inputs.edges(turn)


FAMILY = Numerals()
