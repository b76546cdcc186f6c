"""Questions about the edges of forms: first bytes, lengths, widths, keys and cuts.

Lengths that are read are zero or one byte, and numbers the same from both ends, so
that hardly any axis touches the answers: forms, kinds and limits show by themselves.
"""

from collections.abc import Mapping

from shipbar.families.mutated.compact_binary.inputs import WORDS, Inputs, Stream

FIRSTS = bytes.fromhex("00808f909fa0bfc0c2c3c4c6c7c9cacbccd3d4d8d9dbdcdddedfe0ff")
"""First and last bytes of each kind; what C1 is, an axis says."""
TEXTS = (31, 32, 255, 256, 65_535, 65_536)
STRINGS = (0, 1, 255, 256, 65_535, 65_536)
COUNTS = (0, 15, 16, 17, 255, 65_535, 65_536, 65_537, 2**32 - 1)
ENTRIES = (0, 7, 8, 15, 16, 17, 32_767, 32_768, 65_535, 65_536, 2**31 - 1)
INTEGERS = tuple(
    limit + step
    for limit in (-(2**31), -(2**15), -(2**7), -32, 128, 160, 2**8, 2**16, 2**32)
    for step in (-1, 0, 1)
)
LONGEST = 66
"""Hexadecimal digits of a row of items."""
FEW_BYTES = 128
"""Codes that are the same with a sign and without."""


class Edges(Inputs):
    """Asks about limits."""

    @property
    def streams(self) -> Mapping[str, Stream]:
        """The questions by what they are about."""
        return {
            "kinds": Stream([], [self._kinds]),
            "forms": Stream([], [self._row, self._row, self._cut]),
            "lengths": Stream([], [self._lengths, self._openings]),
            "widths": Stream([], [self._sizes, self._back]),
            "keys": Stream([], [self._keys, self._codes, self._marked]),
        }

    def _kinds(self) -> str:
        rng = self._rng
        start = rng.randrange(0xC2, 0xE0)
        return self.choose(
            [
                "[{kind}(bytes([n])) for n in {firsts}]",
                "[{kind}(bytes([n, {more}])) for n in {firsts}]",
                "[{kind}(bytes([n])) for n in range({start}, {stop})]",
            ],
            firsts=tuple(rng.sample(FIRSTS, rng.randint(6, 8))),
            more=rng.randrange(256),
            start=start,
            stop=start + rng.randint(6, 14),
        )

    # -- reading

    def _same_from_both_ends(self, size: int) -> str:
        """Digits of a number that has the same bytes in either order."""
        # Neither first byte makes a float infinite, or none.
        first = bytes(
            self._rng.choice([self._rng.randrange(1, 0x7F), 0x80, 0x90, 0xF0])
            for _ in range((size + 1) // 2)
        )
        return (first + first[::-1])[-size:].hex()

    def _item(self) -> str:
        """An item in any form, whose length is zero or takes one byte."""
        rng = self._rng
        tag = rng.choice(
            [
                *range(0xC2, 0xE0),
                0x80,
                0x80,
                0x90,
                rng.randrange(0x91, 0x94),
                0xA0,
                0x7F,
            ]
        )
        size = 1 << tag % 4
        code = f"{rng.randrange(FEW_BYTES):02x}"
        short = rng.randrange(4)
        text = bytes(rng.choice(b"abcdefgh") for _ in range(short)).hex()
        match tag:
            case 0xC4 | 0xD9:
                body = f"{short:02x}{text}"
            case 0xC5 | 0xC6:
                body = "00" * (1 << tag - 0xC4)
            case 0xC7:
                body = f"{short:02x}{code}{text}"
            case 0xC8 | 0xC9:
                body = "00" * (1 << tag - 0xC7) + code
            case 0xCA | 0xCB:
                body = self._same_from_both_ends(4 << tag - 0xCA)
            case _ if 0xCC <= tag <= 0xD3:  # noqa: PLR2004  # integers
                body = self._same_from_both_ends(size)
            case _ if 0xD4 <= tag <= 0xD8:  # noqa: PLR2004  # sized capsules
                body = code + rng.randbytes(1 << tag - 0xD4).hex()
            case 0xDA | 0xDB:
                body = "00" * (1 << tag - 0xD9)
            case _ if 0xDC <= tag <= 0xDF:  # noqa: PLR2004  # arrays and maps
                body = "00" * (2 << tag % 2)
            case _:
                body = "".join(self.plain_item() for _ in range(tag - 0x90))
        return f"{tag:02x}{body}"

    def _items(self) -> str:
        row = self._item()
        while len(more := self._item()) + len(row) <= LONGEST:
            row += more
        return row

    def _row(self) -> str:
        row = self._items()
        return self.choose(
            [
                '{split}(raw("{row}"))',
                '{decode_each}(raw("{plain}"))',
                '[len(part) for part in {split}(raw("{row}"))]',
            ],
            row=row,
            plain="".join(self._plain_row()),
        )

    def _plain_row(self) -> list[str]:
        """Items of which none is a capsule."""
        items: list[str] = []
        while sum(map(len, items)) < LONGEST // 2:
            item = self._item()
            if not 0xC7 <= (tag := int(item[:2], 16)) <= 0xC9 and not (  # noqa: PLR2004  # capsules
                0xD4 <= tag <= 0xD8  # noqa: PLR2004  # sized capsules
            ):
                items.append(item)
        return items

    def _cut(self) -> str:
        rng = self._rng
        cut = self._item()
        while len(cut) < 4:  # noqa: PLR2004  # what may be cut
            cut = self._item()
        return self.choose(
            [
                '[told({split}, raw("{row}")[:n]) for n in {stops}]',
                '[told({split}, raw("{item}{cut}")), {split}(raw("{item}"))]',
            ],
            row=cut,
            stops=tuple(sorted({0, 1, len(cut) // 2 - 1, len(cut) // 2})),
            item=self.plain_item(),
            cut=cut[: 2 * rng.randrange(1, len(cut) // 2)],
        )

    # -- writing

    def _long(self) -> str:
        """A value whose length is at a limit of its form, or beside one."""
        rng = self._rng
        code = rng.randrange(FEW_BYTES)
        text = f"{rng.choice('abcdefgh')!r} * {rng.choice(TEXTS)}"
        return rng.choice(
            [
                text,
                text,
                f"bytes({rng.choice(STRINGS)})",
                f"bytes({rng.choice(STRINGS)})",
                f"[{code}] * {rng.choice([15, 16, 17])}",
                f"{self._names['capsule']}({code}, bytes({rng.randrange(65_536, 66_000)}))",
                f"{self._names['capsule']}({code}, bytes({rng.choice([0, 17, 255, 256, 65_536, 65_537])}))",
            ]
        )

    def _lengths(self) -> str:
        values = f"{self._long()}, {self._long()}"
        return self.choose(
            [
                "[(len(b), b[0]) for b in map({encode}, ({values}))]",
                "[({size}(x), {encode}(x)[0]) for x in ({values})]",
                "[len({decode}({encode}({word} * n))) for n in {sizes}]",
            ],
            values=values,
            word=self._rng.choice(
                ["'a'", "'k'", "'z'", "b'b'", "b'c'", "'oak'", "b'xy'"]
            ),
            sizes=tuple(
                self._rng.sample([31, 32, 33, 255, 256, 257, 65_536, 65_600], 3)
            ),
        )

    def _openings(self) -> str:
        rng = self._rng
        return self.choose(
            [
                "[(len(b), b[0]) for b in map({open_array}, {counts})]",
                "[(len(b), b[0]) for b in map({open_map}, {entries})]",
                "[told({open_array}, n)[:1] for n in (2**32, {count})]",
                "[told({open_map}, n)[:1] for n in (2**32, {count})]",
                "[told({open_array}, {count} + 2**32), {size}({plain!r})]",
                "[len({decode}({open_array}(n) + bytes(n))) for n in {few}]",
                "{decode_each}({open_array}(0) + {open_map}(0) + bytes({some}))",
            ],
            counts=tuple(rng.sample(COUNTS, 4)),
            entries=tuple(rng.sample(ENTRIES, 4)),
            count=rng.randrange(16),
            plain=self.plain(),
            few=tuple(rng.sample([0, 1, 14, 15, 16, 17, 65_536], 3)),
            some=rng.randrange(4),
        )

    def _sizes(self) -> str:
        numbers = tuple(self._rng.sample(INTEGERS, 4))
        return self.choose(
            [
                "[{size}(n) for n in {numbers}]",
                "[{encode}(n)[0] for n in {numbers}]",
                "[(len(b), b[0]) for b in map({encode}, {numbers})]",
            ],
            numbers=numbers,
        )

    def _back(self) -> str:
        rng = self._rng
        numbers = [*rng.sample(INTEGERS, 3), rng.choice([2**64 - 1, -(2**63), 0, -1])]
        rng.shuffle(numbers)
        return self.choose(
            [
                "{decode}({encode}({numbers}))",
                "[{decode}({encode}(n)) for n in {numbers}]",
                "[{decode}({encode}(x)) for x in {reals}]",
                "[{kind}({encode}(x)) for x in {others}]",
            ],
            numbers=numbers,
            reals=tuple(rng.randrange(-999, 999) / 1000 + 0.0001 for _ in range(3)),
            others=[self.plain(), self._rng.randbytes(2), [], {}, numbers[0]],
        )

    # -- keys and capsules

    def _keys(self) -> str:
        rng = self._rng
        small, word = rng.randrange(128), rng.choice(WORDS)
        text = f"{0xA0 + len(word):02x}{word.encode().hex()}"
        key = rng.choice(
            [
                f"91{text}",
                f"92{small:02x}90",
                f"9191{small:02x}",
                "80",
                "9180",
                f"92{text}80",
                f"d4{small:02x}00",
                f"91c700{small:02x}",
            ]
        )
        return self.choose(
            [
                'told({decode}, {open_map}(1) + raw("{key}{worded}"))',
                "{decode}({pairs}([({word!r}, {small}), ({small}, {word!r})][:{some}]))",
                '[told({decode}, {open_map}(1) + raw("{key}{other:02x}")), {size}({word!r})]',
                '[told({decode}, {open_map}(1) + raw("{worded}{more}")), told({decode}, raw("{more}"))]',
            ],
            key=key,
            worded=text,
            small=small,
            other=rng.randrange(FEW_BYTES),
            some=rng.choice([1, 2]),
            word=word,
            more=self.plain_item(),
        )

    def _codes(self) -> str:
        rng = self._rng
        small = rng.randrange(FEW_BYTES)
        form, size = rng.choice([("d4", 1), ("d5", 2), ("d6", 4), ("c703", 3)])
        return self.choose(
            [
                "[told(lambda: {capsule}(n, b'').{code}) for n in ({low}, {high}, {small})]",
                "[told(lambda: {capsule}(n, b'').{code}) for n in {edges}]",
                '{decode}(raw("{form}{small:02x}{data}")).{data_}',
                '[x.{code} for x in {decode_each}(raw("c700{small:02x}d4{other:02x}05"))]',
                "{decode}({encode}({capsule}({small}, bytes({long})))).{code}",
            ],
            low=rng.choice([-129, -129, -130, -200]),
            high=rng.choice([256, 256, 257, 300]),
            edges=tuple(rng.sample([-129, -128, -1, 0, 127, 128, 255, 256], 4)),
            small=small,
            other=rng.randrange(FEW_BYTES),
            form=form,
            data=rng.randbytes(size).hex(),
            data_=self._names["data"],
            long=rng.choice([0, 1, 2, 3, 4, 8, 16, 17, 255, 256, 65_536]),
        )

    def _marked(self) -> str:
        """C1, alone and before items, and codes at the end of what has no sign."""
        rng = self._rng
        return self.choose(
            [
                "[told({kind}, bytes([n])) for n in ({one}, 0xC1, {other})]",
                '[told({decode_each}, raw("{item}c1")), {kind}(raw("{item}"))]',
                '[x.{code} for x in {decode_each}(raw("c7007f{form}"))]',
            ],
            one=rng.choice(FIRSTS),
            other=rng.choice(FIRSTS),
            item=self.plain_item(),
            form=f"c700{rng.choice([0x80, 0x81, 0xFE]):02x}d4{rng.randrange(128):02x}{rng.randrange(256):02x}",
        )
