"""Short questions at the edges of what no rule decides.

Each asks one small thing in few characters, so that several may share an assertion.
"""

from collections.abc import Iterator
from itertools import count

from shipbar.building.family import Probe
from shipbar.families.invented.record_queries.inputs import SIZES, Rows
from shipbar.families.invented.record_queries.joints import Joints
from shipbar.families.invented.record_queries.language import Condition, field, listed
from shipbar.families.invented.record_queries.reading import Kind


class Edges(Joints):
    """The short questions of one variant."""

    def _of_edges(self) -> list[Kind]:
        return [
            self._short_written,
            self._short_read,
            self._short_held,
            self._short_steps,
            self._short_texts,
            self._short_lists,
            self._short_tests,
        ]

    def _short(self, number: int) -> Condition:
        """A condition that needs few characters: of the one for all, of a range, of fields."""
        language, rng = self._l, self._rng
        every = (language.every,)
        one, other = map(field, self._in.fields(2))
        low, high = rng.sample(SIZES, 2)
        join = rng.choice((language.both, language.either, language.without))
        return (
            (join, *rng.sample((every, one), 2)),
            (language.within, one, low, rng.choice((high, other))),
            (language.negation, rng.choice((every, one))),
            (language.within, rng.choice((one, low)), other, high),
            (rng.choice(language.comparisons), -low - 1, one),
            (language.within, one, *rng.sample(language.texts, 2)),
            (language.contains, one, rng.choice((other, ""))),
        )[number % 7]

    def _short_written(self) -> Iterator[Probe]:
        """Conditions as texts, by themselves and in a query with or without a step."""
        n, language = self._n, self._l
        for number in count():
            condition = self._short(number)
            asked = f"{n['write']}({condition!r})"
            if number % 4 == 3:  # noqa: PLR2004  # as a query
                call = self._rng.choice((n["text"], n["used"], n["parts"]))
                steps = self._rng.choice(
                    ((), ((language.take, self._rng.choice(SIZES)),))
                )
                asked = f"{self._query(condition, *steps)}.{call}()"
            yield Probe("spine", asked)

    def _short_read(self) -> Iterator[Probe]:
        """Texts as conditions: the one for all, ranges between fields, blanks and brackets."""
        language = self._l
        for number in count():
            one, other = self._in.fields(2)
            low, high = self._rng.sample(SIZES, 2)
            join = self._rng.choice((language.both, language.either, language.without))
            gap = " " * self._rng.randint(1, 3)
            text = (
                f"{language.every}{gap}{join} {one}",
                f"{one} {language.within} {low}..{other}",
                f"({one} {join} {language.every})",
                f"{gap}{low} {language.within} {one}..{high}",
                f"{one}{gap}{join} (({other}))",
                self._in.negated(language.every) + gap,
            )[number % 6]
            yield Probe("spine", self._read(text))

    def _short_held(self) -> Iterator[Probe]:
        """Ranges whose ends are fields, and values that are nought or empty."""
        language, rng, n = self._l, self._rng, self._n
        for number in count():
            one, other = rng.sample(language.numbers, 2)
            low, value, high = sorted(rng.sample(SIZES, 3))
            if number % 4 == 1:
                low, value = value, low
            condition, record = (
                ((language.within, field(one), low, field(other)), (value, high)),
                ((language.within, field(one), field(other), high), (value, low)),
                (rng.choice((field(one), (language.every,))), (0, "")),
                ((rng.choice(("<", ">=")), field(one), field(other)), (low, high)),
            )[number % 4]
            row = dict(zip((one, other), record, strict=True))
            yield Probe("spine", f"{n['holds']}({condition!r}, {row!r})")

    def _short_steps(self) -> Iterator[Probe]:
        """Steps that take none, or fewer than none, and queries without steps."""
        language, rng, n = self._l, self._rng, self._n
        for number in count():
            name = rng.choice(language.numbers)
            rows: Rows = [{name: size} for size in rng.sample(SIZES, 2)]
            least = rng.choice((0, 0, 1, 3))
            take = ((language.take, least),)
            call = rng.choice((n["run"], n["count"]))
            bad = -rng.randint(1, 99)
            every = (language.every,)
            yield Probe(
                "spine",
                (
                    f"[outcome({n['query']}, {field(name)!r}, (({language.take!r}, size),)) for size in ({least}, {bad})]",
                    f"{self._query(None, *take)}.{call}({listed(rows)})",
                    f"{self._query(rng.choice((every, field(name))))}.{call}({listed(rows)})",
                    f"{n['read']}({f'{name} {language.then} {language.take} {least}'!r}).{n['parts']}()",
                )[number % 4],
            )

    def _short_texts(self) -> Iterator[Probe]:
        """Texts with a line feed or a tab in them, which a backslash may stand before."""
        language, rng = self._l, self._rng
        quote = language.quote
        for number in count():
            content = rng.choice(language.texts)
            place = rng.randint(0, len(content))
            inside = rng.choice(("\n", "\n", "\t", " ", "  "))
            before = "\\" if number % 2 else ""
            content = f"{content[:place]}{before}{inside}{content[place:]}"
            mark = rng.choice((language.equal, language.unequal, language.contains))
            name = rng.choice((*language.words, *language.numbers))
            yield Probe(
                "escapes" if before else "spine",
                f"{self._n['tokens']}({f'{name} {mark} {quote}{content}{quote}'!r})",
            )

    def _short_lists(self) -> Iterator[Probe]:
        """Nought, empty texts, and numbers beside texts of the same digits, in lists."""
        n, rng = self._n, self._rng
        for number in count():
            name = rng.choice((*self._l.numbers, *self._l.words))
            size = rng.choice(SIZES)
            values: list[int | str] = [
                0,
                "",
                size,
                str(size),
                rng.choice(self._l.texts),
            ]
            rows: Rows = [{name: value} for value in rng.sample(values, 3)]
            falling = rng.choice(("", ", True"))
            yield Probe(
                "spine",
                (
                    f"{n['ordered']}({listed(rows)}, {name!r}{falling})",
                    f"{n['once']}({listed(rows)}, {name!r})",
                    f"{n['column']}({listed(rows)}, {name!r})",
                    f"{n['shown']}({listed(rows[:2])}, {[name]!r})",
                )[number % 4],
            )

    def _short_tests(self) -> Iterator[Probe]:
        """One number, or one text, with itself and with one that follows directly."""
        test, language, rng = self._n["test"], self._l, self._rng
        for number in count():
            marks = rng.sample(language.comparisons, 3)
            size = rng.choice(SIZES) + rng.randint(0, 3)
            text = rng.choice(language.texts)
            pairs: tuple[tuple[int | str, int | str], ...] = (
                (size, size),
                (size, size + 1),
                (text, text),
                (text, text + rng.choice("as")),
                (size + 1, size),
            )
            one, other = pairs[number % 5]
            yield Probe(
                "spine", f"[{test}(mark, {one!r}, {other!r}) for mark in {marks!r}]"
            )
