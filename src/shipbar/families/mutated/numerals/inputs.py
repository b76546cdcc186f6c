"""Inputs for numerals, and the probes that ask about them.

An input for one axis keeps clear of all others: its numbers are *plain*, none of
their digits being 4 or 9, and lie between 1 and 3,888, so that every selection
writes and reads them alike. Numbers that the specification's examples show are
not drawn.
"""

import random
from collections.abc import Callable, Iterator

from shipbar.building.family import Probe
from shipbar.building.names import Names

SHOWN = frozenset(
    {2, 3, 5, 6, 7, 8, 12, 15, 16, 20, 27, 30, 50, 60, 152, 500, 600, 1166, 1520, 2000}
)
"""Plain numbers in the specification's examples."""
AWKWARD_SHOWN = frozenset({4, 9, 14, 19, 40, 49, 90, 94, 400, 494, 900, 949, 1994})
"""Numbers with a digit 4 or 9 in the specification's examples."""
STYLES = ("subtractive", "additive", "nines")
WORDS = ("the", "page", "fault", "see", "after", "over", "book", "they", "agree", "Of")
"""Words that hold a letter which stands in no numeral, not even as a capital."""

TOP = 3888
"""The largest plain number."""
LETTERS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_PLACES = ((100, "C", "D", "M"), (10, "X", "L", "C"), (1, "I", "V", "X"))
Kind = Callable[[], str]


def spelt(number: int, style: str = "subtractive") -> str:
    """Return a numeral as one way of writing 4 and 9 has it."""
    text = "M" * (number // 1000)
    for unit, one, five, ten in _PLACES:
        digit = number // unit % 10
        pairs = {} if style == "additive" else {9: one + ten}
        if style == "subtractive":
            pairs[4] = one + five
        text += pairs.get(digit, five * (digit // 5) + one * (digit % 5))
    return text


def is_plain(number: int) -> bool:
    """Whether no place of ``number`` is a 4 or a 9."""
    return not set("49") & set(str(number))


class Inputs:
    """Draws inputs and writes them as probes under a variant's names."""

    def __init__(self, names: Names, rng: random.Random) -> None:
        """Keep the names to ask for and where inputs are drawn from."""
        self._n, self._rng = names, rng
        self._kinds: dict[str, tuple[Kind, ...]] = {
            "notation": (
                self._write_awkward,
                self._read_awkward,
                self._sum_awkward,
                self._check_awkward,
                self._difference_awkward,
            ),
            "zero": (
                self._no_difference,
                self._read_zero,
                self._sum_with_zero,
                self._check_zero,
            ),
            "negative": (
                self._write_negative,
                self._read_negative,
                self._below_zero,
                self._sum_negative,
            ),
            "large": (
                self._write_large,
                self._read_large,
                self._sum_large,
                self._check_large,
            ),
            "floats": (self._write_floats, self._write_float),
            "case": (self._read_case, self._sum_case, self._check_case),
            "edges": (self._read_edges, self._check_edges, self._divide_edges),
            "strictness": (
                self._read_repeats,
                self._check_repeats,
                self._sum_repeats,
                self._find_repeats,
            ),
            "rounding": (self._divide,),
            "series-end": (self._series_up,),
            "series-falling": (self._series_down, self._series_down_start),
            "ranking": (self._rank,),
            "words": (self._find, self._find_joined),
            "joint": (self._joint, self._rank_found),
            "spine": (self._write_plain, self._weigh),
        }

    def turn(self, number: int) -> Iterator[Probe]:
        """Yield two probes for each axis, a joint and a spine; kinds take turns."""
        for axis, kinds in self._kinds.items():
            for more in range(2):
                yield Probe(axis, kinds[(2 * number + more) % len(kinds)]())

    def corners(self) -> Iterator[Probe]:
        """Yield the edges of every rule."""
        n = self._n
        some = [self._text() for _ in range(20)]
        tested = ["N", "", "NN", "NULLA", "XN", "NI", some[2]]
        yield Probe("zero", f"[{n.check}(text) for text in {tested!r}]")
        yield Probe("zero", f"outcome({n.find}, 'from N to {some[3]} or NULLA')")
        for number in (4000, 4888, 5000, 5001, 60000, 4999999, 5000000):
            yield Probe(
                "large", f"[outcome({n.write}, {number}), {n.write}({number % 7 + 1})]"
            )
        for text in ("MMMM", "MMMMM", "(V)", "(V)M", "(III)C", "(C", "()X", "X(V)"):
            yield Probe(
                "large", f"[outcome({n.read}, {text!r}), {n.read}({some[4]!r})]"
            )
        for sign in ("-", "--I", "I--", "-I-", "- II", "+I"):
            yield Probe(
                "negative", f"[outcome({n.read}, {sign!r}), {n.read}({some[5]!r})]"
            )
        for value in ("None", "'12'", "float('inf')", "float('nan')", "0.5", "[1]"):
            yield Probe(
                "floats", f"[outcome({n.write}, {value}), {n.write}({self._plain()})]"
            )
        yield Probe("spine", f"[{n.write}(True), {n.write}(10)]")
        for value in ("17", "b'XI'", "['X']", "2.5"):
            yield Probe("spine", f"{n.read}({value})")
        yield Probe("spine", f"{n.divide}({some[6]!r}, 3)")
        yield Probe("series-end", f"{n.series}({some[0]!r}, {some[0]!r}, 7)")
        yield Probe("spine", f"{n.series}({some[1]!r}, 'MMMD', 0)")
        for text in ("IIX", "VX", "LC", "DM", "XVX", "IM", "A", "X.", "ⅩⅤ", "XVİ"):  # noqa: RUF001  # meant
            yield Probe(
                "spine", f"[outcome({n.read}, {text!r}), {n.read}({some[7]!r})]"
            )

    # -- draws

    def _plain(self, low: int = 1, high: int = TOP) -> int:
        """A plain number of one to four digits, small ones as often as large ones."""
        bounds = [top for top in (88, 888, TOP) if low < top <= high] or [high]
        while True:
            number = self._rng.randint(low, self._rng.choice(bounds))
            if is_plain(number) and number not in SHOWN:
                return number

    def _text(self, low: int = 1, high: int = TOP) -> str:
        return spelt(self._plain(low, high))

    def _awkward(self) -> int:
        """A number with a digit 4 or 9 below its thousands."""
        while True:
            number = self._rng.randint(1, self._rng.choice((99, 999, 3999)))
            if not is_plain(number % 1000) and number not in AWKWARD_SHOWN:
                return number

    def _parts(self, sum_: int) -> tuple[int, int]:
        """Two plain numbers with that sum; most sums have some."""
        tries = [self._rng.randint(1, sum_ - 1) for _ in range(200)]
        found = (one for one in tries if is_plain(one) and is_plain(sum_ - one))
        one = next(found, 1)
        return one, sum_ - one

    def _with(self, call: str, *texts: str) -> str:
        """A call that may raise, next to a plain reading."""
        arguments = ", ".join(map(repr, texts))
        return f"[outcome({call}, {arguments}), {self._n.read}({self._text()!r})]"

    def _summed(self, text: str) -> str:
        """A sum of a thousand and a smaller text, whose places stay as they are."""
        return f"outcome({self._n.total}, {['M', text]!r})"

    def _checked(self, texts: list[str]) -> str:
        texts = [*texts, self._text(), self._text() + "Q"]
        self._rng.shuffle(texts)
        return f"[{self._n.check}(text) for text in {texts!r}]"

    # -- notation

    def _write_awkward(self) -> str:
        return f"{self._n.write}({self._awkward()})"

    def _read_awkward(self) -> str:
        text = spelt(self._awkward(), self._rng.choice(STYLES))
        return self._with(self._n.read, text)

    def _check_awkward(self) -> str:
        return self._checked([spelt(self._awkward(), style) for style in STYLES])

    def _sum_awkward(self) -> str:
        while True:
            one, other = self._parts(self._awkward())
            if is_plain(one) and is_plain(other):
                return f"{self._n.total}({[spelt(one), spelt(other)]!r})"

    def _difference_awkward(self) -> str:
        while True:
            number, less = self._awkward(), self._plain(1, 888)
            if is_plain(number + less) and number + less <= TOP:
                return (
                    f"{self._n.difference}({spelt(number + less)!r}, {spelt(less)!r})"
                )

    # -- zero, negative, large

    def _no_difference(self) -> str:
        text, other = self._text(1, 888), self._text(1000)
        n = self._n
        return f"[outcome({n.difference}, {text!r}, {text!r}), {n.difference}({other!r}, 'M')]"

    def _read_zero(self) -> str:
        zero = self._rng.choice(("N", "", "NULLA"))
        return self._with(self._n.difference, self._text(), zero)

    def _sum_with_zero(self) -> str:
        zero = self._rng.choice(("N", "", "NULLA"))
        return f"outcome({self._n.total}, {[self._text(), zero]!r})"

    def _check_zero(self) -> str:
        zeros = self._rng.sample(["N", "", "NULLA", "NN", "O", "NULL", "XN"], 4)
        return self._checked(zeros)

    def _write_negative(self) -> str:
        n = self._n
        return f"[outcome({n.write}, {-self._plain()}), {n.write}({self._plain()})]"

    def _signed(self) -> str:
        text = self._text()
        return self._rng.choice((f"-{text}", f"{text}-"))

    def _read_negative(self) -> str:
        return self._with(self._n.read, self._signed())

    def _below_zero(self) -> str:
        while True:
            small, large = self._plain(1, 888), self._plain(88)
            if small < large and is_plain(large - small):
                return self._with(self._n.difference, spelt(small), spelt(large))

    def _sum_negative(self) -> str:
        while True:
            number, less = self._plain(1, 888), self._plain(1, 888)
            if is_plain(number + less):
                sign = self._rng.choice(("-{}", "{}-"))
                texts = [spelt(number + less), sign.format(spelt(less))]
                return f"outcome({self._n.total}, {texts!r})"

    def _write_large(self) -> str:
        n = self._n
        return f"[outcome({n.write}, {self._large()}), {n.write}({self._plain()})]"

    def _large(self) -> int:
        """A number beyond three thousands: half of them with four, half with more."""
        rest = self._plain(1, 888)
        thousands = self._rng.choice((4, self._plain(5, 888)))
        return 1000 * thousands + rest

    def _large_text(self) -> str:
        thousands, rest = divmod(self._large(), 1000)
        front = "MMMM" if thousands == 4 else f"({spelt(thousands)})"  # noqa: PLR2004  # as drawn
        return front + spelt(rest)

    def _read_large(self) -> str:
        return self._with(self._n.read, self._large_text())

    def _check_large(self) -> str:
        return self._checked([self._large_text() for _ in range(3)])

    def _sum_large(self) -> str:
        rest, more = self._plain(1, 333), self._rng.choice((1000, 3000, 3000))
        texts = [spelt(3000 + rest), spelt(more)]
        return f"[outcome({self._n.total}, {texts!r}), {self._n.total}(['X', {self._text(100, 888)!r}])]"

    # -- floats

    def _write_float(self) -> str:
        number = self._plain() + self._rng.choice((0.0, 0.0, 0.25, 0.5, 0.75))
        return f"[outcome({self._n.write}, {number}), {self._n.write}({self._plain()})]"

    def _write_floats(self) -> str:
        numbers = [self._plain() + self._rng.choice((0.0, 0.5, 0.9)), self._plain()]
        numbers.append(float(self._plain()))
        self._rng.shuffle(numbers)
        return f"[outcome({self._n.write}, number) for number in {numbers!r}]"

    # -- case, edges, strictness

    def _cased(self) -> str:
        text = self._text(12, 1888)
        mixed = text[:-1] + text[-1].lower() if len(text) > 1 else text.lower()
        return self._rng.choice((text.lower(), mixed))

    def _read_case(self) -> str:
        return self._with(self._n.read, self._cased())

    def _sum_case(self) -> str:
        return self._summed(self._cased())

    def _check_case(self) -> str:
        return self._checked([self._cased(), self._cased(), self._text().lower()])

    def _spaced(self) -> str:
        text = self._text(12, 1888)
        middle = self._rng.randint(1, max(1, len(text) - 1))
        return self._rng.choice(
            (
                f" {text}",
                f"{text} ",
                f"{text}\n",
                f"{text}\n",
                f"\t{text}\n",
                f"{text}\n\n",
                f"{text[:middle]} {text[middle:]}",
            )
        )

    def _read_edges(self) -> str:
        return self._with(self._n.read, self._spaced())

    def _check_edges(self) -> str:
        return self._checked([self._spaced(), self._spaced(), self._text() + "\n"])

    def _divide_edges(self) -> str:
        return self._with(self._n.divide, self._spaced(), "I")

    def _repeated(self) -> str:
        """A numeral with a letter too often for any way of writing."""
        one, five, front = self._rng.choice(
            (("I", "V", 10), ("X", "L", 100), ("C", "D", 1000), ("I", "V", 100))
        )
        head = spelt(front * self._rng.choice((1, 2)))
        tail = self._rng.choice(
            (
                one * self._rng.randint(5, 8),
                five + one * self._rng.randint(5, 7),
                five * self._rng.randint(2, 3),
                five * 2 + one * self._rng.randint(1, 3),
            )
        )
        return self._rng.choice((tail, head + tail, head + tail))

    def _read_repeats(self) -> str:
        return self._with(self._n.read, self._repeated())

    def _check_repeats(self) -> str:
        return self._checked([self._repeated(), self._repeated()])

    def _sum_repeats(self) -> str:
        while True:
            text = self._repeated()
            if is_plain(sum(map(LETTERS.__getitem__, text))):
                return self._summed(text)

    def _find_repeats(self) -> str:
        words = [self._repeated(), self._rng.choice(WORDS), self._text(), self._text()]
        return f"{self._n.find}({' '.join(words)!r})"

    # -- rounding, series, ranking

    def _divide(self) -> str:
        while True:
            one, other = self._plain(20, TOP), self._plain(1, 88)
            down = one // other
            if other > 1 and down and is_plain(down) and is_plain(down + 1):
                return f"{self._n.divide}({spelt(one)!r}, {spelt(other)!r})"

    def _series_up(self) -> str:
        """A rising series that reaches its last number."""
        while True:
            step = self._rng.choice((1, 2, 5, 10, 50, 100))
            first, count = self._plain(1, 888), self._rng.randint(1, 5)
            numbers = [first + step * place for place in range(count + 1)]
            if all(map(is_plain, numbers)):
                return f"{self._n.series}({spelt(first)!r}, {spelt(numbers[-1])!r}, {step})"

    def _falling(self) -> tuple[str, str, int]:
        """A falling series whose steps miss its last number both ways, in plain numbers."""
        while True:
            step, count = (
                self._rng.choice((2, 3, 5, 10, 20, 50)),
                self._rng.randint(1, 4),
            )
            first, short = self._plain(20, 888), self._rng.randint(1, step - 1)
            last = first - step * count - short
            down = [first - step * place for place in range(count + 1)]
            up = [last + step * place for place in range(count + 1)]
            if last > 0 and all(map(is_plain, [*down, *up])):
                return spelt(first), spelt(last), step

    def _series_down(self) -> str:
        first, last, step = self._falling()
        return f"{self._n.series}({first!r}, {last!r}, {step})"

    def _series_down_start(self) -> str:
        first, last, step = self._falling()
        n = self._n
        return f"[{n.series}({first!r}, {last!r}, {step})[:1], {n.series}({last!r}, {first!r}, {step})[:1]]"

    def _several(self) -> list[str]:
        texts = [self._text() for _ in range(self._rng.randint(3, 5))]
        self._rng.shuffle(texts)
        return texts

    def _rank(self) -> str:
        return f"{self._n.rank}({self._several()!r})"

    # -- finding

    def _find(self) -> str:
        """A sentence with punctuation at some numerals."""
        words = [self._rng.choice(WORDS) for _ in range(3)]
        words.insert(self._rng.randint(0, 3), self._text() + self._rng.choice(".,;:!?"))
        words.insert(self._rng.randint(0, 4), self._text())
        return f"{self._n.find}({' '.join(words)!r})"

    def _find_joined(self) -> str:
        """A sentence with numerals joined to other characters."""
        joined = self._rng.choice(("{}/{}", "'{}' {}", "{},{}", "{}; {}", "{}2 {}"))
        text = joined.format(self._text(), self._text())
        return f"{self._n.find}({f'{self._rng.choice(WORDS)} {text} {self._text()}'!r})"

    # -- joints and spine

    def _joint(self) -> str:
        n = self._n
        call = self._rng.choice(
            (
                f"{n.read}({n.total}({[self._text(1, 88), self._text(100, 888)]!r}))",
                f"outcome({n.total}, {n.series}({self._text(1, 8)!r}, 'XII', 3))",
                f"{n.weigh}({n.write}({self._awkward()}))",
                f"{n.weigh}({n.total}({[self._text(1, 888), self._text(1, 888)]!r}))",
            )
        )
        return f"[{call}, {n.write}({self._plain()})]"

    def _rank_found(self) -> str:
        texts = [self._text(), *self._several()]
        return f"[{self._n.read}(text) for text in {self._n.rank}({texts!r})]"

    def _write_plain(self) -> str:
        text, number = self._text(), self._plain()
        return f"[{self._n.write}({number}), {self._n.read}({text!r})]"

    def _weigh(self) -> str:
        words = [self._rng.choice(WORDS), self._text().lower(), self._text() + "Q"]
        words.append(spelt(self._plain())[::-1])
        self._rng.shuffle(words)
        return f"{self._n.weigh}({' '.join(words)!r})"
