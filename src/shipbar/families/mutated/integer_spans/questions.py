"""What the package is asked: one endless generator a kind of question.

Every question builds its sets from lists and observes them as lists, so that each
rule is reached by itself; what splits a rule is found by the builder.
"""

import random
from collections.abc import Callable, Iterator
from itertools import count

from shipbar.building.family import Draw, Probe
from shipbar.families.mutated.integer_spans.inputs import (
    ascending_text,
    lengths_of,
    malformed_chunks,
    members,
    mixed,
    singles_text,
    some,
    stretches,
)


class Questions:
    """The questions of one variant; in each kind corner cases come first."""

    def __init__(self, draw: Draw, rng: random.Random) -> None:
        self._n, self._rng = draw.names, rng
        self._set = draw.names["span_set"]

    def kinds(self) -> list[Callable[[], Iterator[Probe]]]:
        """The leaves by axis, several for one with several ways in, then spine and joints."""
        return [
            self._ranges,
            self._ordered_ranges,
            self._long_runs,
            self._descending,
            self._descending_sequence,
            self._repeat,
            self._repeat_inside,
            self._sequence,
            self._pairs,
            self._pairs_mixed,
            self._order,
            self._first,
            self._len,
            self._runs,
            self._from_runs,
            self._add,
            self._removal,
            self._removal,
            self._pop,
            self._pop_twice,
            self._minus,
            self._caret,
            self._in_place,
            self._gaps,
            self._gaps_twice,
            self._plain,
            self._bounds,
            self._malformed,
            self._round_trip,
            self._story,
        ]

    def _of(self, numbers: list[int]) -> str:
        """The spine's way in: a set from a list."""
        return f"{self._set}({numbers!r})"

    def _seen(self, expression: str) -> str:
        """The spine's way out: a set's members as a list."""
        return f"{expression}.{self._n['members']}()"

    def _held(self, numbers: list[int]) -> str:
        """An arrange line that binds a set."""
        return f"s = {self._of(numbers)}"

    # -- texts

    def _ranges(self) -> Iterator[Probe]:
        read = self._n["read"]
        for text in ("0-3", "-2-2", "-6--4", "5-5", "4-5,8", " 7 - 9 , 2", "8 -10"):
            yield Probe("range-end", self._seen(f'{read}("{text}")'))
        while True:
            text, _ = ascending_text(self._rng)
            yield Probe("range-end", self._seen(f'{read}("{text}")'))

    def _ordered_ranges(self) -> Iterator[Probe]:
        sequence = self._n["sequence"]
        for text in ("12,3-6", "3-3,3", "-4--2,0", "20-22,10-12"):
            yield Probe("range-end", f'{sequence}("{text}")')
        while True:
            text, _ = ascending_text(self._rng)
            yield Probe("range-end", f'{sequence}("{text}")')

    def _long_runs(self) -> Iterator[Probe]:
        text = self._n["text"]
        for numbers in ([1, 2, 3], [0, -1, -2, -3], [9, 8, 7, 5]):
            yield Probe("range-end", f"{self._of(numbers)}.{text}()")
        while True:
            sizes = [self._rng.choice((1, 3, 3, 4)) for _ in range(3)]
            numbers = members(self._rng, sizes)
            yield Probe("range-end", f"{self._of(numbers)}.{text}()")

    def _descending(self) -> Iterator[Probe]:
        """Asks for numbers strictly inside, which no other rule of ranges decides."""
        for number in count():
            low = self._rng.randint(-9, 20)
            high = low + self._rng.randint(2, 7)
            inner = some(self._rng, range(low + 1, high))[:3]
            shown = ", ".join(map(str, inner))
            other = high + self._rng.randint(2, 9)
            down, up = f"{high}-{low}", f"{low}-{high}"
            text = (down, f"{down},{other}", f"{other},{down}")[number % 3]
            asked = f"{shown}, {other}"
            yield Probe(
                "descending",
                f'[told("{text}", {asked}), told("{up}", {asked})]',
            )

    def _descending_sequence(self) -> Iterator[Probe]:
        sequence = self._n["sequence"]
        while True:
            low = self._rng.randint(-5, 20)
            high = low + self._rng.randint(1, 4)
            other = self._rng.randint(30, 40)
            text = self._rng.choice(
                (f"{other},{high}-{low}", f"{high}-{low},{other}", f"{high}-{low}")
            )
            yield Probe(
                "descending",
                f'[outcome({sequence}, "{text}"), {sequence}("{other},{low}")]',
            )

    def _repeat(self) -> Iterator[Probe]:
        read = self._n["read"]
        for text in ("3,3", "3,3,3", "5,1,5", "-2,4,-2", "7,07", "0,-0"):
            yield Probe(
                "repeat", f'[outcome({read}, "{text}"), outcome({read}, "8,6")]'
            )
        while True:
            text = singles_text(self._rng, self._rng.randint(1, 3))
            plain = singles_text(self._rng, 0)
            yield Probe(
                "repeat", f'[outcome({read}, "{text}"), outcome({read}, "{plain}")]'
            )

    def _repeat_inside(self) -> Iterator[Probe]:
        """A number, or a range, within a range."""
        while True:
            low = self._rng.randint(-9, 20)
            high = low + self._rng.randint(4, 8)
            inner = self._rng.randint(low + 1, high - 1)
            again = self._rng.choice((f"{inner}", f"{inner},{inner}"))
            asked = sorted({inner, self._rng.randint(low + 1, high - 1), high + 3})
            shown = ", ".join(map(str, asked))
            text = self._rng.choice((f"{low}-{high},{again}", f"{again},{low}-{high}"))
            yield Probe(
                "repeat",
                f'[told("{text}", {shown}), told("{low}-{high}", {shown})]',
            )

    def _sequence(self) -> Iterator[Probe]:
        sequence = self._n["sequence"]
        for text in ("4,4", "2,9,2", "1,2,1,2", "5,5,3,5", "-1,0,-1"):
            yield Probe("sequence-repeat", f'{sequence}("{text}")')
        while True:
            text = singles_text(self._rng, self._rng.randint(1, 3))
            yield Probe("sequence-repeat", f'{sequence}("{text}")')

    def _pairs(self) -> Iterator[Probe]:
        text = self._n["text"]
        for numbers in ([0, 1], [-1, 0], [-5, -4], [10, 12, 11, 12, 14, 15]):
            yield Probe("pairs", f"{self._of(numbers)}.{text}()")
        while True:
            sizes = [2, *(self._rng.choice((1, 2)) for _ in range(2))]
            self._rng.shuffle(sizes)
            yield Probe("pairs", f"{self._of(members(self._rng, sizes))}.{text}()")

    def _pairs_mixed(self) -> Iterator[Probe]:
        text = self._n["text"]
        while True:
            sizes = [2, 1, self._rng.choice((1, 2, 3))]
            self._rng.shuffle(sizes)
            yield Probe("pairs", f"{self._of(members(self._rng, sizes))}.{text}()")

    # -- sets

    def _order(self) -> Iterator[Probe]:
        for numbers in ([1, 2], [-1, 1, 0], [2, -3], [-6, -4]):
            yield Probe("order", f"list({self._of(numbers)})")
        while True:
            numbers = members(self._rng, lengths_of(self._rng, 3, 3), -12)
            yield Probe("order", f"list({self._of(numbers)})")

    def _first(self) -> Iterator[Probe]:
        first = self._n["first"]
        for numbers, most in (([4, 5], 1), ([-3, 2], 1), ([8], 0), ([3, 1], 5)):
            yield Probe("order", f"{self._of(numbers)}.{first}({most})")
        while True:
            numbers = members(self._rng, lengths_of(self._rng, 3, 3), -12)
            most = self._rng.randint(1, 4)
            yield Probe("order", f"{self._of(numbers)}.{first}({most})")

    def _len(self) -> Iterator[Probe]:
        yield Probe("len", f"[len({self._of([])}), len({self._of([7])})]")
        yield Probe("len", f"[len({self._of([5, 5, 6])}), len({self._of([5, 7])})]")
        while True:
            one, other = (
                self._of(members(self._rng, lengths_of(self._rng, 3))) for _ in range(2)
            )
            yield Probe("len", f"[len({one}), len({other})]")

    def _runs(self) -> Iterator[Probe]:
        runs = self._n["runs"]
        for numbers in ([0], [-1, 0, 1], [4, 2], [7, 8]):
            yield Probe("runs-form", f"{self._of(numbers)}.{runs}()")
        while True:
            numbers = members(self._rng, lengths_of(self._rng))
            yield Probe("runs-form", f"{self._of(numbers)}.{runs}()")

    def _from_runs(self) -> Iterator[Probe]:
        made = self._n["from_runs"]
        for pairs in ([(0, 0)], [(3, 3)], [(2, 5), (4, 7)], [(-4, -1)], [(1, 2)]):
            yield Probe("runs-form", self._seen(f"{made}({pairs!r})"))
        while True:
            pairs = []
            for run in stretches(self._rng, lengths_of(self._rng, 2), -2):
                pairs.append((run[0], run[0] + self._rng.randint(-1, 5)))
            self._rng.shuffle(pairs)
            yield Probe("runs-form", self._seen(f"{made}({pairs!r})"))

    # -- changing

    def _add(self) -> Iterator[Probe]:
        while True:
            numbers = members(self._rng, lengths_of(self._rng, 2))
            more = mixed(self._rng, numbers)
            if self._rng.random() < 0.4:  # noqa: PLR2004  # repeats are common enough to matter
                more.append(self._rng.choice(more))
            yield Probe(
                "add-answer",
                f"[s.{self._n['add']}({more!r}), {self._seen('s')}]",
                self._held(numbers),
            )

    def _removal(self) -> Iterator[Probe]:
        while True:
            numbers = members(self._rng, [self._rng.randint(2, 4), 2])
            taken = mixed(self._rng, numbers)
            if self._rng.random() < 0.2:  # noqa: PLR2004  # one that misses nothing
                taken = some(self._rng, numbers)[:3]
            elif self._rng.random() < 0.3:  # noqa: PLR2004  # one that is missing the second time
                taken = some(self._rng, numbers, 2)[:3]
                taken.insert(self._rng.randint(1, len(taken)), taken[0])
            yield Probe(
                "removal",
                f"[outcome(s.{self._n['remove']}, {taken!r}), {self._seen('s')}]",
                self._held(numbers),
            )

    def _pop(self) -> Iterator[Probe]:
        pop = self._n["pop"]
        for numbers in ([6], [2, 3], [4, 9, 10], [3, 4, 7, 8], []):
            yield Probe(
                "pop", f"[outcome(s.{pop}), {self._seen('s')}]", self._held(numbers)
            )
        while True:
            numbers = members(self._rng, lengths_of(self._rng, 3, 3))
            yield Probe("pop", f"[s.{pop}(), {self._seen('s')}]", self._held(numbers))

    def _pop_twice(self) -> Iterator[Probe]:
        pop = self._n["pop"]
        while True:
            numbers = members(self._rng, [1, *lengths_of(self._rng, 3, 3)])
            times = ", ".join([f"s.{pop}()"] * 2)
            yield Probe("pop", f"[{times}]", self._held(numbers))

    # -- combining

    def _two(self) -> tuple[str, str]:
        """A set, and what to combine it with: a list or a set."""
        numbers = members(self._rng, lengths_of(self._rng, 2))
        other = mixed(self._rng, numbers)
        right = repr(other) if self._rng.random() < 0.5 else self._of(other)  # noqa: PLR2004  # either
        return self._of(numbers), right

    def _minus(self) -> Iterator[Probe]:
        while True:
            left, right = self._two()
            yield Probe("minus-caret", self._seen(f"({left} - {right})"))

    def _caret(self) -> Iterator[Probe]:
        while True:
            left, right = self._two()
            yield Probe("minus-caret", self._seen(f"({left} ^ {right})"))

    def _in_place(self) -> Iterator[Probe]:
        for number in count():
            left, right = self._two()
            sign = "-^-^|&"[number % 6]
            yield Probe(
                "minus-caret", self._seen("t"), f"s = {left}\nt = s\ns {sign}= {right}"
            )

    # -- gaps

    def _gaps(self) -> Iterator[Probe]:
        gaps = self._n["gaps"]
        yield Probe(
            "spine",
            f"[outcome({self._of([])}.{gaps}), {self._seen(self._of([2]))}]",
        )
        for numbers in ([0], [-1, 1], [4, 5], [9, 5]):
            yield Probe("gaps-reach", self._seen(f"{self._of(numbers)}.{gaps}()"))
        while True:
            numbers = members(self._rng, lengths_of(self._rng))
            yield Probe("gaps-reach", self._seen(f"{self._of(numbers)}.{gaps}()"))

    def _gaps_twice(self) -> Iterator[Probe]:
        gaps = self._n["gaps"]
        while True:
            numbers = members(self._rng, [1, *lengths_of(self._rng, 3, 3)], -3)
            both = f"({self._of(numbers)}.{gaps}() | {numbers[:2]!r})"
            yield Probe("gaps-reach", self._seen(both))

    # -- spine and joints

    def _plain(self) -> Iterator[Probe]:
        """What no axis touches."""
        n = self._n
        yield Probe(
            "spine",
            f"[issubclass({n['malformed']}, ValueError), {self._seen(self._of([1, 1]))}]",
        )
        for number in count():
            numbers = members(self._rng, lengths_of(self._rng))
            other = mixed(self._rng, numbers)
            held, one = self._held(numbers), self._of(numbers)
            yield [
                Probe("spine", self._seen(one)),
                Probe("spine", self._seen(f"({one} | {other!r})")),
                Probe("spine", self._seen(f"({one} & {other!r})")),
                Probe("spine", f"[number for number in {other!r} if number in {one}]"),
                Probe(
                    "spine",
                    f"[s.{n['discard']}({other!r}), {self._seen('s')}]",
                    held,
                ),
                Probe(
                    "spine",
                    f"[s.{n['covers']}({other[:2]!r}), s.{n['covers']}({numbers[:2]!r}), s.{n['covers']}([])]",
                    held,
                ),
            ][number % 6]

    def _bounds(self) -> Iterator[Probe]:
        n = self._n
        yield Probe(
            "spine",
            f"[outcome({self._of([])}.{n['missing']}, 2, 4), {self._seen(self._of([3]))}]",
        )
        yield Probe(
            "spine", f"[outcome({n['between']}, 4, 4), outcome({n['between']}, 5, 4)]"
        )
        for number in count():
            low = self._rng.randint(-9, 9)
            high = low + self._rng.randint(-3, 7)
            numbers = members(self._rng, lengths_of(self._rng), low - 9)
            yield [
                Probe("spine", self._seen(f"({n['between']}({low}, {high}) | [40])")),
                Probe(
                    "spine",
                    f"outcome({self._of(numbers)}.{n['missing']}, {low}, {high + 1})",
                ),
            ][number % 2]

    def _malformed(self) -> Iterator[Probe]:
        """Refused chunks, and chunks that look refused and are not; both in one probe."""
        read, sequence = self._n["read"], self._n["sequence"]
        bad = list(malformed_chunks())
        good = (" ", ",", "4,,6", "3, ", " 12", "007", "-0", "5 ,-5", "-8,", "")
        for number in count():
            chunk, fine = self._rng.choice(bad), self._rng.choice(good)
            other = self._rng.randint(-9, 20)
            text = self._rng.choice((chunk, f"{other},{chunk}", f"{chunk},{other}"))
            call = (read, sequence)[number % 2]
            yield Probe(
                "spine",
                f'[outcome({call}, "{text}"), outcome({call}, "{fine},40")]',
            )

    def _round_trip(self) -> Iterator[Probe]:
        """What is written reads as what it was written from, and reading tells the order."""
        n = self._n
        for number in count():
            numbers = members(self._rng, lengths_of(self._rng))
            other = mixed(self._rng, numbers)
            one = self._of(numbers)
            written = f"{one}.{n['text']}()"
            yield [
                Probe("joint", self._seen(f"{n['read']}({written})")),
                Probe("joint", f"{n['sequence']}({written})"),
                Probe("joint", self._seen(f"{n['from_runs']}({one}.{n['runs']}())")),
                Probe("joint", f"({one} | {other!r}).{n['text']}()"),
            ][number % 4]

    def _story(self) -> Iterator[Probe]:
        """Several features one after another."""
        n = self._n
        for number in count():
            text, inner = ascending_text(self._rng)
            numbers = members(self._rng, lengths_of(self._rng, 3))
            other = mixed(self._rng, numbers)
            one = self._of(numbers)
            yield [
                Probe("joint", f'list({n["read"]}("{text}"))'),
                Probe("joint", f"({one} - {other!r}).{n['runs']}()"),
                Probe(
                    "joint",
                    f"[s.{n['pop']}(), s.{n['text']}()]",
                    f"{self._held(numbers)}\ns.{n['add']}({other!r})",
                ),
                Probe(
                    "joint",
                    f"[len({one}), {one}.{n['gaps']}().{n['runs']}()]",
                ),
                Probe(
                    "joint",
                    f"[s.{n['pop']}(), list(s)]",
                    f's = {n["read"]}("{text}") | {[*inner[:1], 50]!r}',
                ),
            ][number % 5]
