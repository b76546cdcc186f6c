"""What the package is asked: one endless generator a kind of question.

Rules about texts are asked in capital letters and digits without separators, rules
about weights in lists of values, and rules about codes by sealing what is opened, so
that each is reached without the others; what splits a rule is found by the builder.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from shipbar.building.family import Draw, Probe
from shipbar.families.invented.check_characters.inputs import (
    FOREIGN,
    LETTERS,
    SYMBOLS,
    mixed_text,
    separated_text,
    small_text,
    text_of,
    values_of,
)


class Questions:
    """The questions of one variant; in each kind corner cases come first."""

    def __init__(self, draw: Draw, rng: random.Random) -> None:
        """Keep names, lengths and marks, and where inputs are drawn from."""
        self._n, self._rng = draw.names, rng
        self._mark = str(draw.parameters["separator"])
        self._blot = str(draw.parameters["blot"])
        self._size, self._least, self._long = (
            int(str(draw.parameters[name])) for name in ("size", "least", "long")
        )

    def kinds(self) -> list[Callable[[], Iterator[Probe]]]:
        """Two or three for each axis, then what no axis touches, then joints."""
        return [
            self._values,
            self._symbols,
            self._ranked,
            self._small_letters,
            self._small_letters,
            self._separators,
            self._separators,
            self._separators,
            self._padding,
            self._padding,
            self._groups,
            self._groups,
            self._number,
            self._digits,
            self._digits,
            self._weight,
            self._weight,
            self._total,
            self._total,
            self._closing,
            self._closing,
            self._guard_length,
            self._guard_length,
            self._join,
            self._join,
            self._parts,
            self._mismatch,
            self._mismatch,
            self._sift,
            self._sift,
            self._single,
            self._holds,
            self._restored,
            self._refused,
            self._foreign,
            self._bounds,
            self._bounds,
            self._nought,
            self._nought,
            self._ranked_alike,
            self._restored_apart,
            self._weights,
            self._guard,
            self._code,
            self._story,
        ]

    # -- pieces

    def _body(self, length: int | None = None) -> str:
        """A body that needs no padding; short enough for one symbol of guard unless told."""
        length = length or self._rng.randint(self._least, self._long - 1)
        return text_of(self._rng, SYMBOLS, length)

    def _wrong(self) -> str:
        """Symbols that are a code by their number, though hardly by their guard."""
        return self._body(self._rng.randint(self._least + 2, self._long))

    def _any_body(self) -> str:
        """A body that needs no padding; one in three is long."""
        long = self._rng.random() < 0.35  # noqa: PLR2004  # a third
        return (
            self._body(self._long + self._rng.randint(1, 3)) if long else self._body()
        )

    def _sealed(self, body: str) -> str:
        return f'{self._n["sealed"]}("{body}")'

    def _two(self, axis: str, role: str, one: object, other: object) -> Probe:
        """Ask one call for two arguments, of which the second hardly raises."""
        call = self._n[role]
        return Probe(axis, f"[outcome({call}, {_shown(one)}), {call}({_shown(other)})]")

    # -- symbols

    def _values(self) -> Iterator[Probe]:
        while True:
            text = mixed_text(self._rng, self._rng.randint(2, 5))
            yield Probe("alphabet", f'{self._n["values"]}("{text}")')

    def _symbols(self) -> Iterator[Probe]:
        while True:
            values = values_of(self._rng, self._rng.randint(2, 5))
            yield Probe("alphabet", f"{self._n['symbols']}({values})")

    def _ranked(self) -> Iterator[Probe]:
        while True:
            first = self._rng.choice(SYMBOLS)
            texts = [text_of(self._rng, SYMBOLS, 2) for _ in range(2)]
            texts += [first + text_of(self._rng, LETTERS, 1) for _ in range(2)]
            self._rng.shuffle(texts)
            yield Probe("alphabet", f"{self._n['ranked']}({_listed(texts)})")

    def _small_letters(self) -> Iterator[Probe]:
        while True:
            plain = text_of(self._rng, SYMBOLS, self._rng.randint(2, 3))
            yield self._two("small-letters", "plain", small_text(self._rng), plain)

    def _separators(self) -> Iterator[Probe]:
        while True:
            plain = text_of(self._rng, SYMBOLS, self._rng.randint(2, 3))
            if self._rng.random() < 0.5:  # noqa: PLR2004  # half have one that every rule allows
                plain = f"{plain[0]}{self._mark}{plain[1:]}"
            text = separated_text(self._rng, self._mark)
            yield self._two("separators", "plain", text, plain)

    # -- bodies

    def _padding(self) -> Iterator[Probe]:
        n = self._n
        while True:
            length = self._rng.randint(1, self._least - 1)
            short = text_of(self._rng, SYMBOLS, length)
            call = f'{n["padded"]}("{short}")'
            opened = f"{n['opened']}({self._sealed(short)})"
            yield Probe("padding", self._rng.choice((call, call, opened)))

    def _groups(self) -> Iterator[Probe]:
        size = self._size
        for number in count():
            # Up to two less than a full group over, all ways to group differ.
            over = size - 1 if number % 5 == 0 else self._rng.randint(1, size - 2)
            length = self._rng.randint(1, 4) * size + over
            text = text_of(self._rng, SYMBOLS, length)
            yield Probe("groups", f'{self._n["grouped"]}("{text}")')

    # -- numbers

    def _number(self) -> Iterator[Probe]:
        for corner in ([0, 0], [0, 7], [7, 0], [35, 0, 0], [0, 0, 1]):
            yield Probe("numbering", f"{self._n['number']}({corner})")
        while True:
            values = values_of(self._rng, self._rng.randint(2, 4))
            yield Probe("numbering", f"{self._n['number']}({values})")

    def _digits(self) -> Iterator[Probe]:
        for corner in (36, 37, 1295, 1296, 1332):
            yield Probe("numbering", f"{self._n['digits']}({corner})")
        while True:
            number = self._rng.randint(37, self._rng.choice((1300, 50_000, 3_000_000)))
            yield Probe("numbering", f"{self._n['digits']}({number})")

    # -- weights and guards

    def _weight(self) -> Iterator[Probe]:
        """Single weights, and sums of weights, which are the same from either side."""
        weight, weights = self._n["weight"], self._n["weights"]
        for number in count():
            places = sorted(self._rng.sample(range(5, 26), 3))
            yield Probe(
                "weight-cycle",
                f"[sum({weights}(count)) for count in {places[1:]}]"
                if number % 2
                else f"[{weight}(place) for place in {places}]",
            )

    def _total(self) -> Iterator[Probe]:
        """Lists that are shorter than the weights; now and then a longer one."""
        while True:
            values = values_of(self._rng, self._rng.choice((2, 2, 3, 3, 4, 5, 8)))
            yield Probe("weight-side", f"{self._n['total']}({values})")

    def _closing(self) -> Iterator[Probe]:
        closing = self._n["closing"]
        for corners in ((0, 1), (36, 19), (35, 37)):
            yield Probe("closing", f"[{closing}(total) for total in {corners}]")
        while True:
            totals = tuple(self._rng.randint(1, 900) for _ in range(2))
            yield Probe("closing", f"[{closing}(total) for total in {totals}]")

    def _guard_length(self) -> Iterator[Probe]:
        """How long codes are, about the least length of a long one; and long codes taken apart."""
        n = self._n
        for number in count():
            lengths = [
                self._rng.randint(self._least, self._long),
                self._rng.randint(self._long + 1, self._long + 4),
            ]
            if number % 6 == 0:
                lengths = [self._long, self._long + 1]
            self._rng.shuffle(lengths)
            bodies = _listed([self._body(length) for length in lengths])
            code = self._body(self._long + self._rng.randint(3, 6))
            yield Probe(
                "guard-length",
                f'{n["parts"]}("{code}")'
                if number % 3 == 1
                else f"[len({n['sealed']}(body)) for body in {bodies}]",
            )

    def _weights(self) -> Iterator[Probe]:
        for number in count(2):
            yield Probe("weight-side", f"{self._n['weights']}({2 + number % 13})")

    def _guard(self) -> Iterator[Probe]:
        n = self._n
        for number in count():
            length = self._rng.choice((1, 3, 4, self._long, self._long + 1))
            values = values_of(self._rng, length)
            yield Probe(
                "joint",
                f"{n['guard']}({values})"
                if number % 3 == 0
                else f"{n['closing']}({n['total']}({values}))",
            )

    # -- codes

    def _join(self) -> Iterator[Probe]:
        while True:
            body = text_of(self._rng, SYMBOLS, self._rng.randint(2, 6))
            guard = text_of(self._rng, SYMBOLS, self._rng.randint(1, 2))
            yield Probe("guard-place", f'{self._n["join"]}("{body}", "{guard}")')

    def _parts(self) -> Iterator[Probe]:
        while True:
            yield Probe("guard-place", f'{self._n["parts"]}("{self._wrong()}")')

    def _mismatch(self) -> Iterator[Probe]:
        opened = self._n["opened"]
        for number in count():
            wrong = f'outcome({opened}, "{self._wrong()}")'
            right = f"outcome({opened}, {self._sealed(self._any_body())})"
            pair = (wrong, right) if number % 2 else (right, wrong)
            yield Probe("mismatch", f"[{', '.join(pair)}]")

    def _sift(self) -> Iterator[Probe]:
        for number in count():
            codes = [self._sealed(self._any_body()) for _ in range(2)]
            wrong = self._wrong() if number % 4 else text_of(self._rng, SYMBOLS, 2)
            codes.insert(self._rng.choice((0, 1, 1)), f'"{wrong}"')
            if number % 5 == 2:  # noqa: PLR2004  # some have two wrong ones
                codes.append(f'"{self._wrong()}"')
            yield Probe("wrong-in-list", f"{self._n['sift']}([{', '.join(codes)}])")

    # -- what no axis touches

    def _single(self) -> Iterator[Probe]:
        """Totals of one value each."""
        total = self._n["total"]
        while True:
            one, other = values_of(self._rng, 2)
            yield Probe("spine", f"[{total}([{one}]), {total}([{other}])]")

    def _holds(self) -> Iterator[Probe]:
        holds = self._n["holds"]
        for number in count():
            asked = [
                f"{holds}({self._sealed(self._any_body())})",
                f'{holds}("{self._wrong()}")',
                f'{holds}("{self._body(self._rng.randint(1, 3))}")',
            ]
            self._rng.shuffle(asked)
            yield Probe("spine", f"[{', '.join(asked[: 2 + number % 2])}]")

    def _restored(self) -> Iterator[Probe]:
        n = self._n
        while True:
            body = self._any_body()
            hidden = self._rng.choice(body)
            code = f'{self._sealed(body)}.replace("{hidden}", "{self._blot}", 1)'
            yield Probe("spine", f"{n['opened']}({n['restored']}({code}))")

    def _refused(self) -> Iterator[Probe]:
        """Values and numbers out of bounds, each beside one that is not."""
        n = self._n
        for number in count():
            value = self._rng.randint(36, 99)
            wrong = [
                f"{n['symbols']}, [3, {value}]",
                f"{n['total']}, [{value}]",
                f"{n['total']}, [-{value}, 3]",
                f"{n['guard']}, [{value}, 1]",
                f"{n['number']}, [1, {value}, 2]",
                f"{n['digits']}, -{value}",
                f"{n['closing']}, -{value}",
                f"{n['weight']}, -{value - 36}",
                f"{n['number']}, []",
                f"{n['guard']}, []",
            ][number % 10]
            right = f"{n['total']}([{self._rng.randint(0, 35)}])"
            yield Probe("spine", f"[outcome({wrong}), {right}]")

    def _foreign(self) -> Iterator[Probe]:
        """Texts that are none under any rule, each beside one that is."""
        n = self._n
        for number in count():
            text = text_of(self._rng, SYMBOLS, self._rng.randint(2, 6))
            foreign = text[0] + self._rng.choice(FOREIGN) + text[1:]
            code = self._body(self._least + 3)
            wrong = [
                f'{n["plain"]}, "{foreign}"',
                f'{n["padded"]}, ""',
                f'{n["values"]}, "{foreign}"',
                f'{n["opened"]}, "{text[:2]}"',
                f'{n["parts"]}, "{text[:3]}"',
                f'{n["restored"]}, "{code}"',
                f'{n["restored"]}, "{self._blot}{code}{self._blot}"',
                f'{n["join"]}, "{text}", ""',
            ][number % 8]
            right = f"{n['opened']}({self._sealed(self._body())})"
            yield Probe("spine", f"[outcome({wrong}), {right}]")

    # -- edges that few questions meet, in few characters

    def _bounds(self) -> Iterator[Probe]:
        """The least value that is too large, by itself and among others, beside a good one."""
        n = self._n
        for number in count():
            values = values_of(self._rng, number % 3)
            values.insert(
                self._rng.randint(0, len(values)), 36 - 37 * (number % 4 == 1)
            )
            call = self._rng.choice((n["total"], n["total"], n["number"], n["guard"]))
            yield Probe(
                "spine",
                f"[outcome({call}, values) for values in ({values}, [{self._rng.randint(0, 35)}])]"
                if call == n["total"]
                else f"[outcome({call}, {values}), {n['total']}([{self._rng.randint(0, 35)}])]",
            )

    def _nought(self) -> Iterator[Probe]:
        """The number 0 and the total 0, beside others; lists of one value."""
        n = self._n
        for number in count():
            one, other = values_of(self._rng, 2)
            numbers = [0, one] if number % 2 else [one, 0, other]
            total = 36 * self._rng.randint(0, 9) + self._rng.randint(0, 1)
            yield Probe(
                ("spine", "closing", "spine")[number % 3],
                (
                    f"[{n['digits']}(number) for number in {numbers}]",
                    f"[{n['closing']}({total}), {n['closing']}(0), {n['digits']}(0)]",
                    f"[{n['number']}([0]), {n['number']}([{one}])]",
                )[number % 3],
            )

    def _ranked_alike(self) -> Iterator[Probe]:
        """Texts that separators would put into another order, if they counted."""
        while True:
            first = self._rng.choice(LETTERS)
            digits = sorted(self._rng.sample(range(10), 4))
            texts = [
                f"{first}{self._mark * (place % 2)}{digit}"
                for place, digit in enumerate(digits)
            ]
            self._rng.shuffle(texts)
            yield Probe("spine", f"{self._n['ranked']}({_listed(texts)})")

    def _restored_apart(self) -> Iterator[Probe]:
        """A blot behind a separator."""
        n = self._n
        while True:
            body = self._body()
            hidden = self._rng.choice(body[1:])
            spoilt = f'{self._sealed(body)}.replace("{hidden}", "{self._mark}{self._blot}", 1)'
            yield Probe("spine", f"{n['opened']}({n['restored']}({spoilt}))")

    # -- joints

    def _code(self) -> Iterator[Probe]:
        """Two or three features at once; now and then all that a code is made by."""
        n = self._n
        for number in count():
            body = self._body(self._rng.randint(2, self._long + 3))
            large = self._rng.randint(10**6, 10**9)
            values = f'{n["values"]}("{body}")'
            yield Probe(
                "joint",
                [
                    f"{n['number']}({values})",
                    f'{n["grouped"]}({n["join"]}("{body}", "{self._body(1)}"))',
                    f"{n['total']}({values})",
                    f"{n['symbols']}({n['digits']}({large}))",
                    self._sealed(body),
                ][number % 5],
            )

    def _story(self) -> Iterator[Probe]:
        """Texts as people write them, in calls that read them first."""
        n = self._n
        for number in count():
            body = self._body(self._least - 1)
            text = f"{body[:1].lower()}{self._mark}{body[1:]}"
            blotted = self._blot + self._wrong()[1:]
            yield [
                self._two("joint", "padded", text, body),
                self._two("joint", "values", text.lower(), body),
                Probe("joint", f"{n['parts']}({self._sealed(body)})"),
                Probe("joint", f'outcome({n["restored"]}, "{blotted}")'),
            ][number % 4]


def _shown(argument: object) -> str:
    return f'"{argument}"' if isinstance(argument, str) else repr(argument)


def _listed(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_shown, texts))}]"
