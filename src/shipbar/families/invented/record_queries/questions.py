"""What the package is asked: one endless generator a kind of question.

Conditions and queries are made from plain tuples wherever a question is not
about reading, so that no rule of the texts gets into the way of a rule of what
they mean.
"""

from collections.abc import Iterator
from itertools import count

from shipbar.building.family import Probe
from shipbar.families.invented.record_queries.edges import Edges
from shipbar.families.invented.record_queries.inputs import SIZES, Rows, around
from shipbar.families.invented.record_queries.language import Condition, field, listed
from shipbar.families.invented.record_queries.malformed import (
    malformed_conditions,
    malformed_steps,
)
from shipbar.families.invented.record_queries.reading import Kind


class Questions(Edges):
    """All questions of one variant."""

    def kinds(self) -> list[Kind]:
        """The leaves by axis, several for one with several ways in, then spine and joints."""
        return [
            *self._of_reading(),
            *self._of_values(),
            *self._of_lists(),
            *self._of_spine(),
            *self._of_edges(),
            *self._of_joints(),
        ]

    def _of_values(self) -> list[Kind]:
        return [
            self._missing,
            self._missing,
            self._missing_held,
            self._mixed,
            self._mixed,
            self._mixed_held,
            self._letters,
            self._letters_inside,
            self._letters_inside,
            self._letters_listed,
            self._range_ends,
            self._range_ends,
            self._range_run,
        ]

    def _of_lists(self) -> list[Kind]:
        return [
            self._unsorted,
            self._unsorted,
            self._unsorted_run,
            self._duplicates,
            self._duplicates,
            self._duplicates_run,
            self._absent,
            self._absent,
            self._absent_column,
            self._steps,
            self._steps,
            self._steps,
            self._steps_counted,
        ]

    def _of_spine(self) -> list[Kind]:
        return [
            self._tokens,
            self._written,
            self._parts,
            self._errors,
            self._malformed,
            self._tests,
            self._sorting,
            self._used,
        ]

    # -- comparing values

    def _missing(self) -> Iterator[Probe]:
        test, language = self._n["test"], self._l
        while True:
            others = ("<", ">", language.contains)
            same = (language.equal, "<=", ">=")
            marks = [
                language.unequal,
                self._rng.choice(same),
                self._rng.choice(others),
            ]
            self._rng.shuffle(marks)
            value = self._rng.choice((*SIZES, *language.texts))
            # One that no rule decides, so that not all the answers are alike.
            pairs = [
                self._rng.choice([(None, value), (value, None), (None, None)]),
                (value, value),
            ]
            self._rng.shuffle(pairs)
            yield Probe(
                "missing",
                f"[{test}(mark, one, other) for mark in {marks!r} for one, other in {pairs!r}]",
            )

    def _missing_held(self) -> Iterator[Probe]:
        language = self._l
        for number in count():
            one, other = self._rng.sample(language.numbers, 2)
            low, high = sorted(self._rng.sample(SIZES, 2))
            mark = language.unequal if number % 2 else self._rng.choice(("<", "<="))
            condition: Condition = (mark, field(one), high)
            if number % 3 == 1:
                condition = (mark, field(one), field(other))
            if number % 8 == 6:  # noqa: PLR2004  # an end that is lacking
                condition = (language.within, low + 1, field(one), high + 1)
            rows: Rows = [{one: low}, {other: high}, {}, {one: high, other: low}]
            self._rng.shuffle(rows)
            asked = f"answers({condition!r}, {listed(rows)})"
            if number % 4 == 3:  # noqa: PLR2004  # through a query
                call = self._rng.choice(("run", "count"))
                asked = f"{self._query(condition)}.{self._n[call]}({listed(rows)})"
            yield Probe("missing", asked)

    def _mixed(self) -> Iterator[Probe]:
        test = self._n["test"]
        while True:
            size = self._rng.choice(SIZES) + self._rng.randint(0, 3)
            texts = (
                str(size),
                f"0{size}",
                str(self._rng.choice(SIZES)),
                self._rng.choice(self._l.texts),
                f"{size} ",
                f"{size}0",
                f"-{size}",
                "",
            )
            one, other = self._rng.sample(texts, 2)
            marks = self._rng.sample(self._l.comparisons, 2)
            if self._rng.random() < 0.15:  # noqa: PLR2004  # texts inside numbers, too
                marks[1] = self._l.contains
            pairs = [(size, one), (other, size)]
            yield Probe(
                "mixed",
                f"[{test}(mark, one, other) for mark in {marks!r} for one, other in {pairs!r}]",
            )

    def _mixed_held(self) -> Iterator[Probe]:
        while True:
            name = self._rng.choice(self._l.numbers)
            sizes = self._rng.sample(SIZES, 3)
            mark = self._rng.choice(self._l.comparisons)
            operand = self._rng.choice((sizes[0], str(sizes[0])))
            values: list[int | str] = [
                *sizes,
                *map(str, sizes),
                f"0{sizes[0]}",
                self._rng.choice(self._l.texts),
            ]
            rows: Rows = [{name: value} for value in self._rng.sample(values, 4)]
            condition: Condition = (mark, field(name), operand)
            if self._rng.random() < 0.5:  # noqa: PLR2004  # as often in a range
                low, high = sorted(self._rng.sample(SIZES[1:], 2))
                condition = (self._l.within, field(name), low, str(high))
                row = self._rng.choice(rows)
                row[name] = self._rng.choice((str((low + high) // 2), high, low))
            yield Probe("mixed", f"answers({condition!r}, {listed(rows)})")

    def _letters(self) -> Iterator[Probe]:
        test = self._n["test"]
        while True:
            one, other = self._rng.sample(self._l.texts, 2)
            pairs = [(self._in.capitals(one), self._rng.choice((one, one, other)))]
            pairs.append((other, self._in.capitals(self._rng.choice((one, other)))))
            marks = self._rng.sample(self._l.comparisons, 2)
            yield Probe(
                "letters",
                f"[{test}(mark, one, other) for mark in {marks!r} for one, other in {pairs!r}]",
            )

    def _letters_inside(self) -> Iterator[Probe]:
        while True:
            name = self._rng.choice(self._l.words)
            one, other = self._rng.sample(self._l.texts, 2)
            condition = (self._l.contains, field(name), one[:3])
            if self._rng.random() < 0.5:  # noqa: PLR2004  # capitals on either side
                condition = (self._l.contains, field(name), one[1:4].upper())
            texts = [one, self._in.capitals(one), other, f"{other} {one.title()}"]
            rows: Rows = [{name: text} for text in self._rng.sample(texts, 3)]
            yield Probe("letters", f"answers({condition!r}, {listed(rows)})")

    def _letters_listed(self) -> Iterator[Probe]:
        n = self._n
        for number in count():
            name = self._rng.choice(self._l.words)
            size = self._rng.choice(self._l.numbers)
            texts = self._rng.sample(self._l.texts, 3)
            texts = [texts[0], self._in.capitals(texts[1]), texts[2]]
            if number % 2:
                texts[2] = self._in.capitals(texts[0])
            rows: Rows = [
                {name: text, size: place} for place, text in enumerate(texts, start=1)
            ]
            self._rng.shuffle(rows)
            call = n["once"] if number % 2 else n["ordered"]
            yield Probe(
                "letters", f"{n['column']}({call}({listed(rows)}, {name!r}), {size!r})"
            )

    def _range_ends(self) -> Iterator[Probe]:
        for number in count():
            name = self._rng.choice(self._l.numbers)
            low = self._rng.randint(0, 40)
            high = low + self._rng.randint(2, 30)
            condition: Condition = (self._l.within, field(name), low, high)
            values = self._rng.sample(around(low, high), 4)
            rows: Rows = [{name: value} for value in values]
            if number % 4 == 3:  # noqa: PLR2004  # texts, too
                word = self._rng.choice(self._l.words)
                texts = sorted(self._rng.sample(self._l.texts, 4))
                condition = (self._l.within, field(word), texts[0], texts[2])
                rows = [{word: text} for text in self._rng.sample(texts, 4)]
            yield Probe("range-ends", f"answers({condition!r}, {listed(rows)})")

    def _range_run(self) -> Iterator[Probe]:
        n = self._n
        while True:
            name = self._rng.choice(self._l.numbers)
            low = self._rng.randint(0, 40)
            high = low + self._rng.choice((0, 1, 6, 15))
            text = f"{name} {self._l.within} {low}..{high}"
            rows: Rows = [{name: value} for value in around(low, high)]
            self._rng.shuffle(rows)
            call = self._rng.choice(("run", "run", "count"))
            yield Probe(
                "range-ends", f"{n['read']}({text!r}).{n[call]}({listed(rows)})"
            )

    # -- lists of records

    def _unsorted(self) -> Iterator[Probe]:
        n = self._n
        for number in count():
            name, other = self._rng.sample(self._l.numbers, 2)
            rows = self._in.rows(4, [name, other])
            if number % 4 == 1:
                rows = self._in.repeated(rows, name)
            if number % 4 == 2:  # noqa: PLR2004  # some texts among the numbers
                rows[self._rng.randrange(4)][name] = self._rng.choice(self._l.texts)
            rows = self._in.lacking(rows, name, 1 + number % 2)
            falling = ", True" if self._rng.random() < 0.5 else ""  # noqa: PLR2004  # as often as not
            asked = f"{n['ordered']}({listed(rows)}, {name!r}{falling})"
            if number % 3:
                asked = f"{n['column']}({asked}, {other!r})"
            yield Probe("unsorted", asked)

    def _unsorted_run(self) -> Iterator[Probe]:
        while True:
            name = self._rng.choice(self._l.words)
            size = self._rng.choice(self._l.numbers)
            rows = self._in.lacking(self._in.rows(4, [size], [name]), name, 1)
            direction = self._rng.choice((self._l.rising, self._l.falling))
            query = self._query(None, (self._l.sort, name, direction))
            yield Probe("unsorted", f"{query}.{self._n['run']}({listed(rows)})")

    def _duplicates(self) -> Iterator[Probe]:
        n = self._n
        for number in count():
            name, other = self._rng.sample(self._l.numbers, 2)
            rows = self._in.repeated(self._in.rows(4, [name, other]), name)
            if number % 5 == 4:  # noqa: PLR2004  # some lack the field
                rows.append({other: self._rng.choice(SIZES)})
                rows.append({other: self._rng.choice(SIZES)})
            asked = f"{n['once']}({listed(rows)}, {name!r})"
            if number % 3:
                asked = f"{n['column']}({asked}, {other!r})"
            yield Probe("duplicates", asked)

    def _duplicates_run(self) -> Iterator[Probe]:
        while True:
            name = self._rng.choice(self._l.words)
            size = self._rng.choice(self._l.numbers)
            rows = self._in.repeated(self._in.rows(4, [size], [name]), name)
            query = self._query(None, (self._l.once, name))
            yield Probe("duplicates", f"{query}.{self._n['run']}({listed(rows)})")

    def _absent(self) -> Iterator[Probe]:
        n = self._n
        for number in count():
            names = self._in.fields(3)
            rows = self._having(names, 3)
            shown = self._rng.sample(names, self._rng.choice((1, 2, 2)))
            if number % 3 == 2:  # noqa: PLR2004  # through a query
                query = self._query(None, (self._l.show, tuple(shown)))
                yield Probe("absent", f"{query}.{n['run']}({listed(rows)})")
            else:
                yield Probe("absent", f"{n['shown']}({listed(rows)}, {shown!r})")

    def _absent_column(self) -> Iterator[Probe]:
        for _ in count():
            names = self._in.fields(2)
            rows = self._in.lacking(self._in.rows(4, names), names[0], 2)
            yield Probe("absent", f"{self._n['column']}({listed(rows)}, {names[0]!r})")

    # -- queries

    def _steps(self) -> Iterator[Probe]:
        """Sorting and taking, in both orders, with something beside them."""
        language, n = self._l, self._n
        for number in count():
            name, other = self._rng.sample(language.numbers, 2)
            word = self._rng.choice(language.words)
            rows = self._in.rows(5, [name, other], [word] if number % 3 else [])
            key = word if number % 3 == 1 else name
            direction = self._rng.choice((language.rising, language.falling))
            steps: list[Condition] = [
                (language.sort, key, direction),
                (language.take, self._rng.choice((1, 2, 2, 3))),
            ]
            if number % 2:
                steps.reverse()
            asked = f"{self._query(None, *steps)}.{n['run']}({listed(rows)})"
            if number % 5 == 3:  # noqa: PLR2004  # from a text
                words = [
                    f" {language.then} {' '.join(map(str, step))}" for step in steps
                ]
                text = f"{other} > {self._rng.choice((0, 2, 3))}{''.join(words)}"
                asked = f"{n['read']}({text!r}).{n['run']}({listed(rows)})"
            if number % 5 == 4:  # noqa: PLR2004  # a field that is sorted by and not shown
                steps.insert(self._rng.randrange(3), (language.show, (other,)))
                asked = f"{self._query(None, *steps)}.{n['run']}({listed(rows)})"
            if number % 5 == 2:  # noqa: PLR2004  # beside a query that is refused
                bad = (*steps, steps[self._rng.randrange(2)])
                asked = (
                    f"[outcome({n['query']}, {(language.every,)!r}, {bad!r}), {asked}]"
                )
            yield Probe("steps", asked)

    def _steps_counted(self) -> Iterator[Probe]:
        language = self._l
        for number in count():
            name = self._rng.choice(language.numbers)
            values = self._rng.sample(SIZES, 3)
            listed_values = [values[0], values[0], values[1], values[2], values[2]]
            if number % 4 > 1:
                self._rng.shuffle(listed_values)
            rows: Rows = [{name: value} for value in listed_values]
            steps: list[Condition] = [
                (language.once, name),
                (language.take, self._rng.choice((2, 3, 4))),
            ]
            if number % 2:
                steps.reverse()
            yield Probe(
                "steps",
                f"{self._query(None, *steps)}.{self._n['count']}({listed(rows)})",
            )

    # -- what no rule decides

    def _written(self) -> Iterator[Probe]:
        for number in count():
            condition = self._in.tested(1 + number % 2)
            yield Probe("spine", f"{self._n['write']}({condition!r})")

    def _some_steps(self) -> list[Condition]:
        language = self._l
        name, other, third = self._in.fields(3)
        direction = self._rng.choice((language.rising, language.falling))
        steps: list[Condition] = [
            (language.sort, name, direction),
            (language.take, self._rng.choice((1, 2, 3, 10))),
            (language.once, other),
            (language.show, (name, third)),
        ]
        return self._rng.sample(steps, self._rng.choice((1, 2, 3)))

    def _parts(self) -> Iterator[Probe]:
        n = self._n
        for number in count():
            steps = self._some_steps()
            query = self._query(self._in.tested(number % 2), *steps)
            if number % 2:
                yield Probe("spine", f"{query}.{n['text']}()")
            else:
                text = f"{self._in.comparison()}"
                for step in steps:
                    words = step[1] if isinstance(step[1], tuple) else step[1:]
                    text += f" {self._l.then} {' '.join(map(str, (step[0], *words)))}"
                yield Probe("spine", f"{n['read']}({text!r}).{n['parts']}()")

    def _used(self) -> Iterator[Probe]:
        n = self._n
        while True:
            query = self._query(self._in.tested(1), *self._some_steps())
            yield Probe("spine", f"{query}.{n['used']}()")

    def _tests(self) -> Iterator[Probe]:
        """Numbers with numbers and small letters with small letters."""
        test = self._n["test"]
        for number in count():
            mark = self._rng.choice(self._l.comparisons)
            pairs: list[tuple[int | str, int | str]] = [
                (self._rng.choice((2, 9, 10)), self._rng.choice((2, 9, 10, 100)))
                for _ in range(3)
            ]
            if number % 2:
                texts = [*self._l.texts[:3], "10", "9"]
                mark = self._rng.choice((mark, self._l.contains))
                pairs = [
                    (self._rng.choice(texts), self._rng.choice(texts)[:3])
                    for _ in range(3)
                ]
            yield Probe(
                "spine", f"[{test}({mark!r}, one, other) for one, other in {pairs!r}]"
            )

    def _sorting(self) -> Iterator[Probe]:
        """Numbers before texts, and records of one value as they were, rising and falling."""
        n = self._n
        for number in count():
            name, other = self._rng.sample(self._l.numbers, 2)
            rows = self._in.repeated(self._in.rows(4, [name, other]), name)
            if number % 2:
                rows[self._rng.randrange(4)][name] = self._rng.choice(self._l.texts)
            falling = ", True" if number % 3 else ""
            yield Probe(
                "spine",
                f"{n['column']}({n['ordered']}({listed(rows)}, {name!r}{falling}), {other!r})",
            )

    def _errors(self) -> Iterator[Probe]:
        """Steps that make no query."""
        for _ in count():
            steps = self._some_steps()
            bad: list[list[Condition]] = [
                [*steps, steps[0]],
                [(self._l.take, -self._rng.randint(1, 9))],
                steps,
            ]
            query, every = self._n["query"], (self._l.every,)
            asked = self._rng.choice(bad)
            yield Probe(
                "spine",
                f"[outcome({query}, {every!r}, steps) for steps in {[tuple(asked), ()]!r}]",
            )

    def _malformed(self) -> Iterator[Probe]:
        """Texts that are nothing under any rule, beside one that is."""
        n = self._n
        while True:
            name, other = self._in.fields(2)
            for bad in malformed_conditions(self._l, name, other):
                yield Probe("spine", self._tried(bad))
                step = self._rng.choice(malformed_steps(self._l, name))
                text = f"{name} {self._l.then} {step}"
                good = f"{name} {self._l.then} {self._l.take} {self._rng.randint(1, 9)}"
                yield Probe(
                    "spine",
                    f"[outcome({n['read']}, text) for text in {[text, good]!r}]",
                )
