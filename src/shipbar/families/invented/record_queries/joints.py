"""What the package is asked end to end, where several rules meet."""

from collections.abc import Iterator
from itertools import count

from shipbar.building.family import Probe
from shipbar.families.invented.record_queries.inputs import SIZES, Rows
from shipbar.families.invented.record_queries.language import Condition, field, listed
from shipbar.families.invented.record_queries.reading import Kind, Reading


class Joints(Reading):
    """The questions of one variant in which several rules meet."""

    def _of_joints(self) -> list[Kind]:
        """Where several rules meet."""
        return [
            self._reading_together,
            self._reading_together,
            self._testing_together,
            self._testing_together,
            self._listing_together,
            self._listing_together,
            self._stories,
            self._stories,
            self._stories,
        ]

    def _chain(self) -> str:
        """Return the text of two comparisons in a row."""
        low, high = sorted(self._rng.sample(SIZES, 2))
        name, other = self._rng.sample(self._l.numbers, 2)
        return self._rng.choice(
            (
                f"{low} < {name} <= {high}",
                f"{name} > {low} < {high}",
                f"{name} {self._l.unequal} {low} < {other}",
            )
        )

    def _tangle(self, number: int, names: list[str]) -> str:
        """Return a condition of four fields with joins, negations, exceptions or a chain."""
        a, b, c, d = names
        marks = [self._l.both, self._l.either]
        self._rng.shuffle(marks)
        one, other = marks
        without, no, chain = self._l.without, self._in.negated, self._chain()
        # Most have two features: of items that three rules decide, a suite bears few.
        texts = [
            f"{a} {one} {no(b)} {other} {c} {without} {d} {without} {chain}",
            f"{a} {one} {b} {other} {chain}",
            f"{no(a)} {without} {b} {without} {c}",
            f"{no(a)} {one} {b} {other} {c}",
            f"({no(chain)} {one} {c}) {one} {d}",
            f"{a} {one} {b} {other} {c} {without} {d} {without} {b}",
            f"{a} {without} {chain} {without} {d}",
            f"{no(a)} {without} {b} {one} {c} {one} {d}",
        ]
        return texts[number % len(texts)]

    def _reading_together(self) -> Iterator[Probe]:
        """Joins, negations, exceptions and chains in one condition."""
        condition = self._n["condition"]
        for number in count():
            names = self._in.fields(4)
            text = self._tangle(number, names)
            if number % 4 == 3:  # noqa: PLR2004  # held against records
                rows = listed(self._having(names))
                call = f"lambda: answers({condition}({text!r}), {rows})"
                yield Probe("joint", f"outcome({call})")
            else:
                yield Probe("joint", self._tried(text))

    def _testing_together(self) -> Iterator[Probe]:
        """Ranges and comparisons with values that are lacking, of the other kind, or capital."""
        language, rng = self._l, self._rng
        for number in count():
            name, other = rng.choice(language.numbers), rng.choice(language.words)
            low, high = sorted(rng.sample(SIZES[1:], 2))
            one, another = sorted(rng.sample(language.texts, 2))
            sizes: list[int | str] = [
                low,
                high,
                str(high),
                f"{low}0",
                (low + high) // 2,
                str(low),
            ]
            texts: list[int | str] = [
                one,
                one.upper(),
                another,
                another.title(),
                rng.choice(SIZES),
            ]
            rows: Rows = [
                {name: size, other: text}
                for size, text in zip(
                    rng.sample(sizes, 4), rng.sample(texts, 4), strict=True
                )
            ]
            rows = self._in.lacking(rows, rng.choice((name, other)), 1)
            mark = rng.choice((language.unequal, language.unequal, "<", "<="))
            about_size: list[Condition] = [
                (language.within, field(name), low, high),
                (language.within, field(name), str(low), high),
                (mark, field(name), rng.choice((high, str(high)))),
            ]
            about_text: list[Condition] = [
                (language.within, field(other), one, another),
                (mark, field(other), another),
                (language.contains, field(other), another[:3].upper()),
            ]
            both = [rng.choice(about_size), rng.choice(about_text)]
            join = rng.choice((language.both, language.either, language.without))
            condition: Condition = (join, *both)
            if number % 3 == 2:  # noqa: PLR2004  # both of one value
                condition = (join, about_size[0], about_size[2])
            yield Probe("joint", f"answers({condition!r}, {listed(rows)})")

    def _mixed_rows(self, name: str, other: str, word: str) -> Rows:
        """Six records, of which some lack a field and some are duplicates."""
        rows = self._in.rows(6, [name, other], [word])
        rows = self._in.repeated(rows, word)
        if self._rng.random() < 0.5:  # noqa: PLR2004  # as often as not
            rows = self._in.repeated(rows, name)
        place = self._rng.randrange(6)
        rows[place][word] = self._in.capitals(str(rows[place][word]))
        rows = self._in.lacking(rows, name, 1)
        return self._in.lacking(rows, word, self._rng.choice((0, 1)))

    def _listing_together(self) -> Iterator[Probe]:
        """Steps over records of which some lack a field and some are duplicates."""
        language, n, rng = self._l, self._n, self._rng
        for number in count():
            name, other = rng.sample(language.numbers, 2)
            word = rng.choice(language.words)
            direction = rng.choice((language.rising, language.falling))
            steps: list[Condition] = [
                (language.sort, rng.choice((name, name, word)), direction),
                (language.take, rng.choice((3, 4))),
                (language.once, rng.choice((word, word, name))),
                (language.show, (name, other) if number % 3 else (word, other)),
            ]
            chosen = rng.sample(steps, rng.choice((2, 3, 3, 4)))
            rows = listed(self._mixed_rows(name, other, word))
            call = "count" if number % 5 == 4 else "run"  # noqa: PLR2004  # some are only counted
            yield Probe("joint", f"{self._query(None, *chosen)}.{n[call]}({rows})")

    def _stories(self) -> Iterator[Probe]:
        """From a text to how it is read and what is answered."""
        language, rng = self._l, self._rng
        for number in count():
            name, other = rng.sample(language.numbers, 2)
            word, last = rng.sample(language.words, 2)
            low = rng.choice(SIZES[2:6])
            text = f"{language.quote}{rng.choice(language.texts)[1:3]}{language.quote}"
            no, either = self._in.negated, language.either
            conditions = [
                f"{no(last)} {either} {other} {language.within} 4..30 {language.both} {name}",
                f"{name} {language.unequal} {low}",
                f"{other} {either} {word} {language.both} {no(last)} {either} {name}",
                f"4 < {other} <= 45",
                f"{no(word)} {language.contains} {text} {either} {name} {language.unequal} {low}",
                f"{other} {language.without} {name} {language.without} {word}",
                f"{other} > {low} {language.both} {name} {either} {word}",
                f"{other} {language.within} {low}..45",
            ]
            steps = [
                f"{language.sort} {rng.choice((name, name, word))}",
                f"{language.take} {rng.choice((3, 4))}",
                f"{language.once} {rng.choice((name, word))}",
                f"{language.show} {name} {other}",
            ]
            chosen = rng.sample(steps, 2 + number % 2)
            query = f" {language.then} ".join([rng.choice(conditions), *chosen])
            rows = self._mixed_rows(name, other, word)
            rows[rng.randrange(6)][other] = str(rng.choice(SIZES))
            yield Probe(
                "joint",
                f"outcome(story, {query!r}, records)",
                f"records = {listed(rows)}",
            )
