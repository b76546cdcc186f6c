"""Probes at the edges of the rules: limits, table entries, what is empty and what is malformed.

Each edge is asked in many spellings, next to plain numbers that every selection
writes and reads alike, so that any part of the probes holds some of each kind.
"""

from collections.abc import Iterator

from shipbar.building.family import Probe
from shipbar.families.mutated.numerals.inputs import WORDS, Inputs, Kind, spelt

EACH_TURN = 8
"""Edges that are asked in one turn."""
_LIMITS = (3999, 4000, 4999, 5000, 4999999, 5000000)
"""The largest numbers, and those above them."""
_NINES = (
    ("CM", "XC", "IX"),
    ("DCCCC", "LXXXX", "VIIII"),
    ("C" * 9, "X" * 9, "I" * 9),
)
"""Ways to write 999, by place."""
_PAIRS = ("IIX", "VX", "LC", "DM", "XVX", "IM", "IC", "XM", "VL", "LD", "IL", "XD")
"""Letters in an order that no way of writing has."""


class Edges(Inputs):
    """Writes edges as probes under a variant's names."""

    def edges(self, number: int) -> Iterator[Probe]:
        """Yield the edges of one turn; kinds take turns."""
        kinds: tuple[tuple[str, Kind], ...] = (
            ("large", self._limit),
            ("large", self._thousands),
            ("notation", self._places),
            ("large", self._round_trip),
            ("large", self._bracketed),
            ("strictness", self._worth_most),
            ("spine", self._strange),
            ("zero", self._nothing),
            ("large", self._unbracketed),
            ("negative", self._signs),
            ("spine", self._disordered),
            ("words", self._run_on),
            ("series-end", self._short_series),
            ("large", self._above),
        )
        for more in range(EACH_TURN):
            axis, kind = kinds[(EACH_TURN * number + more) % len(kinds)]
            yield Probe(axis, kind())

    def _beside(self, call: str) -> str:
        """A call, next to plain writing."""
        return f"[{call}, {self._n.write}({self._plain()})]"

    def _all(self, role: str, values: list[object], call: str = "{}") -> str:
        """What each of several values gives, in any order."""
        self._rng.shuffle(values)
        name = "text" if isinstance(values[0], str) else "number"
        asked = f"outcome({role}, {call.format(name)})"
        return f"[{asked} for {name} in {values!r}]"

    # -- numbers

    def _limit(self) -> str:
        """Whether a number near a limit is written at all, however it is."""
        number = self._rng.choice(_LIMITS)
        return self._beside(
            f"outcome({self._n.write}, {number}) == 'no numeral for it'"
        )

    def _above(self) -> str:
        number = self._rng.choice((5000000, 5000000, 5000001, 6000000, 7123000))
        return self._beside(f"outcome({self._n.write}, {number})")

    def _thousands(self) -> str:
        """Thousands without a rest, the smallest that have brackets among them."""
        more = 1000 * self._plain(5, 888)
        return self._all(
            self._n.write, [self._rng.choice((5000, 5000, 5001)), more, self._plain()]
        )

    def _round_trip(self) -> str:
        """Numbers that are read back, however they are written."""
        edge = self._rng.choice((3999, 4999, 5000, 5999, 4999999))
        numbers: list[object] = [
            edge,
            1000 * self._plain(5, 888) + self._rng.choice((0, 999)),
            self._plain(),
        ]
        return self._all(self._n.read, numbers, f"outcome({self._n.write}, {{}})")

    def _places(self) -> str:
        """Digits 4 and 9 in every place; between two numbers, each of them."""
        digits = [self._rng.choice("49") for _ in "123"]
        others = ["9" if digit == "4" else "4" for digit in digits]
        numbers = [
            int("".join([self._rng.choice(("", "1", "2", "3")), *places]))
            for places in (digits, others)
        ]
        write = self._n.write
        return f"[{', '.join(f'{write}({number})' for number in numbers)}]"

    def _strange(self) -> str:
        """What is no number, or has no whole part to write."""
        plain = self._plain()
        value = self._rng.choice(
            (f"'{plain}'", "None", "float('inf')", "float('nan')", f"[{plain}]")
        )
        return self._beside(f"outcome({self._n.write}, {value})")

    def _nothing(self) -> str:
        n = self._n
        return self._beside(
            self._rng.choice(
                (
                    f"outcome({n.write}, 0)",
                    f"outcome({n.write}, False)",
                    f"outcome({n.total}, [])",
                    f"{n.rank}([])",
                    f"{n.find}({self._rng.choice(WORDS)!r})",
                )
            )
        )

    # -- texts

    def _bracketed(self) -> str:
        """Brackets round the fewest thousands, with and without a rest."""
        front = self._rng.choice(("(V)", "(V)", f"({self._text(5, 888)})"))
        less = self._rng.choice(("(III)", "(II)", "(I)"))
        texts: list[object] = [front, less + self._text(1, 888), self._text()]
        return self._all(self._n.read, texts)

    def _unbracketed(self) -> str:
        """Brackets with something amiss."""
        front, rest = self._text(5, 888), self._text(1, 888)
        amiss = self._rng.choice(
            (
                f"({front}",
                f"(){rest}",
                f"{front}({rest})",
                f"({front})M{rest}",
                f"({front})M",
                f"({front})({rest})",
                f"(({front}))",
                f"({front})){rest}",
                f"({front}Q){rest}",
                f"({front})Q",
                f"(IIX){rest}",
                f"{front})",
            )
        )
        return self._with(self._n.read, amiss)

    def _worth_most(self) -> str:
        """Texts that are worth as much as a plain numeral can be, and more."""
        thousands = "M" * self._rng.choice((3, 4, 4))
        style = self._rng.choice(_NINES)
        most = "".join(
            self._rng.choice((style[place], _NINES[1][place])) for place in range(3)
        )
        above = self._rng.choice(("MMMMM", "MMMMM" + self._text(1, 888)))
        texts: list[object] = [thousands + most, above, self._text()]
        if self._rng.random() < 1 / 2:
            return self._with(self._n.read, above)
        return self._all(self._n.read, texts)

    def _signs(self) -> str:
        """Hyphens and plus signs where none may stand."""
        text = self._text()
        middle = self._rng.randint(0, len(text))
        shapes = (
            "-",
            f"--{text}",
            f"{text}--",
            f"-{text}-",
            f"- {text}",
            f"+{text}",
            f"{text[:middle]}+{text[middle:]}",
        )
        return self._with(self._n.read, self._rng.choice(shapes))

    def _disordered(self) -> str:
        front = self._rng.choice(("", "M", "MM", "C"))
        pair = self._rng.choice((*_PAIRS, "A", "IXQ"))
        return self._with(self._n.read, front + pair)

    def _run_on(self) -> str:
        """Numerals with a small letter of another word directly at them."""
        one, other = self._text(), self._text()
        joined = self._rng.choice((f"{one}e", f"the{one}", f"{one}after"))
        words = [self._rng.choice(WORDS), joined, other]
        self._rng.shuffle(words)
        return f"{self._n.find}({' '.join(words)!r})"

    def _short_series(self) -> str:
        """Series of one number or two."""
        number, step = self._plain(1, 888), self._rng.choice((1, 1, 2, 5, 10))
        last = number + self._rng.choice((0, 1))
        texts = f"{spelt(number)!r}, {spelt(last)!r}"
        return f"[{self._n.series}({texts}, {step}), {self._n.read}({self._text()!r})]"
