"""What the package is asked about texts: how they are taken apart and read.

What is read is seen as tuples, or as what a condition says of a few records.
"""

import random
from collections.abc import Callable, Iterator
from itertools import count

from shipbar.building.family import Draw, Probe
from shipbar.families.invented.record_queries.inputs import SIZES, Inputs, Rows
from shipbar.families.invented.record_queries.language import (
    Condition,
    field,
    language_of,
    listed,
)
from shipbar.families.invented.record_queries.malformed import malformed_conditions

Kind = Callable[[], Iterator[Probe]]
"""Yields the questions of one kind, without end."""


class Reading:
    """The questions of one variant about reading."""

    def __init__(self, draw: Draw, rng: random.Random) -> None:
        self._n, self._rng = draw.names, rng
        self._l = language_of(draw.parameters)
        self._in = Inputs(self._l, rng)

    def _of_reading(self) -> list[Kind]:
        """The leaves of the axes about reading."""
        return [
            self._precedence,
            self._precedence,
            self._precedence_held,
            self._precedence_whole,
            self._exceptions,
            self._exceptions,
            self._exceptions_held,
            self._negation,
            self._negation,
            self._negation_held,
            self._chains,
            self._chains,
            self._chains_held,
            self._escapes_read,
            self._escapes_written,
            self._escapes_written,
        ]

    def _query(self, condition: Condition | None, *steps: Condition) -> str:
        """The spine's way in: a query from plain tuples."""
        shown = repr(condition or (self._l.every,))
        return f"{self._n['query']}({shown}{f', {steps!r}' if steps else ''})"

    def _read(self, text: str) -> str:
        return f"{self._n['condition']}({text!r})"

    def _tried(self, text: str) -> str:
        """A text that some rule refuses, beside one that none does and one that all do."""
        one, other = self._in.fields(2)
        texts = [text, f"{one} {self._l.both} {other}"]
        if self._rng.random() < 0.5:  # noqa: PLR2004  # as often as not
            texts.append(self._bad())
        self._rng.shuffle(texts)
        return f"[outcome({self._n['condition']}, text) for text in {texts!r}]"

    def _bad(self) -> str:
        """Return a text that no rule takes for a condition."""
        one, other = self._in.fields(2)
        return self._rng.choice(malformed_conditions(self._l, one, other))

    def _beside_bad(self, text: str) -> str:
        """A text that every rule reads, beside one that none does."""
        texts = [text, self._bad()]
        self._rng.shuffle(texts)
        return f"[outcome({self._n['condition']}, text) for text in {texts!r}]"

    def _whole(self, axis: str, text: str) -> Probe:
        """A condition with a step or two after it, and all that its query tells of itself."""
        n, language = self._n, self._l
        name, other = self._in.fields(2)
        steps = [
            f"{language.sort} {name}",
            f"{language.sort} {other} {self._rng.choice((language.rising, language.falling))}",
            f"{language.take} {self._rng.randint(1, 40)}",
            f"{language.once} {other}",
            f"{language.show} {other} {name}",
        ]
        first, second = self._rng.sample(steps, 2)
        chosen = [first] if first.split()[0] == second.split()[0] else [first, second]
        query = f" {language.then} ".join([text, *chosen])
        told = [n[way] for way in self._rng.sample(("parts", "used", "text"), 2)]
        return Probe(
            axis,
            f"[query.{n['parts']}(), query.{told[0]}(), query.{told[1]}()]"
            if n["parts"] not in told
            else f"[query.{told[0]}(), query.{told[1]}()]",
            f"query = {n['read']}({query!r})",
        )

    def _held(self, axis: str, text: str, rows: Rows) -> Probe:
        return Probe(axis, f"answers({self._read(text)}, {listed(rows)})")

    def _having(self, names: list[str], size: int = 4) -> Rows:
        """Records that differ in which of some fields they have."""
        rows: Rows = []
        while len(rows) < size:
            row: dict[str, int | str] = {
                name: self._rng.randint(1, 9)
                for name in names
                if self._rng.random() < 0.5  # noqa: PLR2004  # as often as not
            }
            if row.keys() not in [other.keys() for other in rows]:
                rows.append(row)
        return rows

    def _precedence(self) -> Iterator[Probe]:
        for number in count():
            text = self._in.both_marks(3 + number % 3)
            if number % 5 == 4:  # noqa: PLR2004  # some with comparisons in it
                text += f" {self._l.both} {self._in.comparison()}"
            if number % 3:
                yield Probe("precedence", self._read(text))
            else:
                yield Probe("precedence", self._beside_bad(text))

    def _precedence_whole(self) -> Iterator[Probe]:
        while True:
            yield self._whole("precedence", self._in.both_marks(3))

    def _precedence_held(self) -> Iterator[Probe]:
        while True:
            text = self._in.both_marks(3)
            names = [word for word in text.split() if word in self._all_fields()]
            yield self._held("precedence", text, self._having(names))

    def _all_fields(self) -> tuple[str, ...]:
        return (*self._l.numbers, *self._l.words)

    def _exceptions(self) -> Iterator[Probe]:
        without = self._l.without
        for number in count():
            *parts, other = self._in.fields(4 + number % 2)
            if number % 3 == 1:
                join = self._rng.choice((self._l.both, self._l.either))
                place = self._rng.randrange(3)
                parts[place] += f" {join} {other}"
            text = self._in.joined(parts, [without])
            yield Probe("exceptions", self._tried(text))

    def _exceptions_held(self) -> Iterator[Probe]:
        while True:
            names = self._in.fields(3)
            text = f" {self._l.without} ".join(names)
            rows = listed(self._having(names, 5))
            condition = self._n["condition"]
            yield Probe(
                "exceptions",
                f"outcome(lambda: answers({condition}({text!r}), {rows}))",
            )

    def _negation(self) -> Iterator[Probe]:
        for number in count():
            *names, last, after = self._in.fields(4 + number % 3)
            place = self._rng.randrange(len(names) - 1)
            if number % 4 == 3:  # noqa: PLR2004  # a whole comparison
                names[place] = self._in.comparison()
            names[place] = self._in.negated(names[place])
            # One mark throughout, or two of which the order cannot matter.
            mark = self._rng.choice((self._l.both, self._l.either))
            text = f" {mark} ".join(names)
            if number % 5 == 2:  # noqa: PLR2004  # the loosest mark at the end
                text += f" {self._l.without} {last}"
            if number % 6 == 5:  # noqa: PLR2004  # ends with a bracket
                text = f"({text}) {mark} {after}"
            if number % 3 == 1:
                yield self._whole("negation", text)
            elif number % 3:
                yield Probe("negation", self._beside_bad(text))
            else:
                yield Probe("negation", self._read(text))

    def _negation_held(self) -> Iterator[Probe]:
        while True:
            names = self._in.fields(2)
            mark = self._rng.choice((self._l.both, self._l.either, self._l.without))
            text = f"{self._in.negated(names[0])} {mark} {names[1]}"
            yield self._held("negation", text, self._having(names))

    def _chains(self) -> Iterator[Probe]:
        for number in count():
            text = self._in.chain(2 + (number % 3 == 2))  # noqa: PLR2004  # some of three
            yield Probe("chains", self._tried(text))

    def _chains_held(self) -> Iterator[Probe]:
        for number in count():
            names = self._rng.sample(self._l.numbers, 2)
            low, high = sorted(self._rng.sample(SIZES, 2))
            one, other = self._rng.choice((("<", "<"), ("<=", "<"), (">", ">=")))
            text = f"{low} {one} {names[0]} {other} {high}"
            if number % 2:
                text = f"{names[0]} {one} {low} {other} {names[1]}"
            rows = listed(self._in.rows(4, names))
            condition = self._n["condition"]
            yield Probe(
                "chains", f"outcome(lambda: answers({condition}({text!r}), {rows}))"
            )

    # -- tokens

    def _escapes_read(self) -> Iterator[Probe]:
        """A quotation mark inside, and a backslash, in both notations."""
        quote, tokens = self._l.quote, self._n["tokens"]
        for number in count():
            one, other = self._rng.sample(self._l.texts, 2)
            name = self._rng.choice(self._l.words)
            inside = [
                f"{one[:3]}\\{quote}{other[:2]}",
                f"{one[:4]}{quote * 2}{other[0]}",
                f"{one[:2]}\\\\{other[:3]}",
                f"{one[0]}\\{other[1:4]}",
            ][number % 4]
            text = f"{name} {self._l.equal} {quote}{inside}{quote}"
            call = self._n["condition"] if self._rng.random() < 0.5 else tokens  # noqa: PLR2004  # as often as not
            texts = [text, f"{name} {self._l.contains} {quote}{one}{quote}"]
            self._rng.shuffle(texts)
            yield Probe("escapes", f"[outcome({call}, text) for text in {texts!r}]")

    def _escapes_written(self) -> Iterator[Probe]:
        quote = self._l.quote
        for number in count():
            one, other = self._rng.sample(self._l.texts, 2)
            content = [
                f"{one[:3]}{quote}{other[:2]}",
                f"{quote}{one}{quote}",
                f"{one[0]}\\{other[:3]}",
                f"{one}{quote}",
            ][number % 4]
            condition: Condition = (
                self._rng.choice((self._l.equal, self._l.unequal, self._l.contains)),
                field(self._rng.choice(self._l.words)),
                content,
            )
            if number % 3 == 2:  # noqa: PLR2004  # with a step after it
                step = (self._l.once, self._rng.choice(self._l.words))
                query = f"{self._n['query']}({condition!r}, {(step,)!r})"
                yield Probe("escapes", f"{query}.{self._n['text']}()")
            else:
                yield Probe("escapes", f"{self._n['write']}({condition!r})")

    def _tokens(self) -> Iterator[Probe]:
        language = self._l
        for number in count():
            name, other = self._in.fields(2)
            size = self._rng.choice(SIZES) + 1
            word = self._rng.choice(language.texts)
            text = [
                f"{name}{language.equal}-{size}",
                f"{size}{name} {language.unequal} 0{size}",
                f"{name} {language.within} -{size}..{size}",
                f"({name}<={size}){language.then}{language.take} {size}",
                f"{name}_{size} {language.contains} {language.quote}{word} {other}{language.quote}",
                f"{language.every}{language.then}{language.show} {name} {other}",
                f"{name}>={size}..{other}",
            ][number % 7]
            yield Probe("spine", f"{self._n['tokens']}({text!r})")
