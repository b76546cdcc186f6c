"""Questions about arrays, maps, capsules and rows of items."""

from collections.abc import Mapping

from shipbar.families.mutated.compact_binary.inputs import WORDS, Inputs, Stream

SIZED = (1, 2, 4, 8, 16)
"""Sizes of data that have a first byte of their own in one of the forms."""
FEW = 8
"""Entries from which on a map may need a count of its own."""


class Structures(Inputs):
    """Asks about what holds other values."""

    @property
    def streams(self) -> Mapping[str, Stream]:
        """The questions by axis."""
        return {
            "tuples": Stream(_TUPLES, [self._tuple, self._tuple_bytes]),
            "map-count": Stream(_COUNTS, [self._count, self._count_bytes]),
            "map-order": Stream(_ORDERS, [self._sort, self._sort_many]),
            "repeated-keys": Stream(_REPEATS, [self._twice, self._twice_pairs]),
            "trailing": Stream(_TRAILERS, [self._after]),
            "capsule-forms": Stream(_FORMS, [self._form, self._form_sizes]),
            "capsule-codes": Stream(_CODES, [self._code, self._code_bytes]),
            "spine": Stream(_SPINE, [self._spine]),
            "joint": Stream([], [self._joint, self._pieces]),
        }

    def _some(self, least: int, most: int) -> list[object]:
        return [self.plain() for _ in range(self._rng.randint(least, most))]

    def _keys(self, count: int) -> list[object]:
        """Different keys, of kinds that sort differently by bytes and by size."""
        rng = self._rng
        found: dict[object, None] = {}
        while len(found) < count:
            letters = rng.sample("abcdefghkmprstuvw", rng.randint(1, 4))
            # None and True take one byte, but come after texts by their bytes.
            key = rng.choice(["".join(letters), rng.choice(WORDS), None, 100])
            found[rng.randrange(2, 128) if key == 100 else key] = None  # noqa: PLR2004  # a mark
        return list(found)

    # -- arrays

    def _tuple(self) -> str:
        inner = tuple(self._some(1, 3))
        return self.choose(
            [
                "[told({encode}, {inner!r}), {encode}({listed!r}).hex()]",
                "[told({size}, {inner!r}), {size}({listed!r})]",
                "[told({encode}, {held!r}), {size}({listed!r})]",
                "[told(lambda: {decode}({encode}({inner!r}))), {decode}({encode}({listed!r}))]",
                "[told(lambda: {kind}({encode}({inner!r}))), {kind}({encode}({listed!r}))]",
                "[told(lambda: {decode}({open_map}(1) + {encode}({inner!r}) + {encode}(5))), {size}({listed!r})]",
            ],
            inner=inner,
            listed=self._some(0, 3),
            held=[self.plain(), inner],
        )

    def _tuple_bytes(self) -> str:
        rng = self._rng
        count = rng.randint(1, 3)
        items = f"{0x90 + count:02x}" + "".join(self.plain_item() for _ in range(count))
        return self.choose(
            [
                '[told({decode}, raw("c1{items}")), {decode}(raw("{items}"))]',
                '[told({decode}, raw("91c1{items}")), {decode}(raw("91{items}"))]',
                '[told({split}, raw("{more}c1{items}")), {split}(raw("{items}"))]',
                '[told({kind}, raw("c1{items}")), {kind}(raw("{more}"))]',
                '[told({decode}, raw("c1{more}")), {decode}(raw("{items}"))]',
                '[told({decode_each}, raw("{more}c1{items}")), {decode}(raw("{more}"))]',
            ],
            items=items,
            more=self.plain_item(),
        )

    # -- maps

    def _count(self) -> str:
        rng = self._rng
        count = rng.choice([rng.randrange(1, FEW), rng.randrange(FEW, 30)])
        small = rng.randrange(1, 5)
        table = {
            f"{rng.choice(WORDS)}{number}": self.plain() for number in range(small)
        }
        return self.choose(
            [
                "[{open_map}(n).hex() for n in ({count}, {small})]",
                "{encode}({table!r})[:1].hex()",
                "{encode}({single!r}).hex()",
                "{encode}([{single!r}, {small}]).hex()",
                "[{size}(dict.fromkeys(range(n))) for n in (7, {more}, {most})]",
            ],
            count=count,
            small=small,
            table=table,
            single={self.key(): self.plain()},
            more=rng.randrange(8, 16),
            most=rng.randrange(16, 120),
        )

    def _count_bytes(self) -> str:
        rng = self._rng
        count = rng.randint(1, 4)
        numbers = rng.sample(range(128), 2 * count + 1)
        body = bytes(numbers[: 2 * count]).hex()
        return self.choose(
            [
                'told({decode_each}, raw("{opening:02x}{body}"))',
                'told({decode_each}, raw("{double:02x}{body}"))',
                '[told({split}, raw("{opening:02x}{body}")), {split}(raw("{body}"))]',
                '[told({split}, raw("{double:02x}{body}")), {split}(raw("{body}"))]',
            ],
            opening=0x80 + count,
            double=0x80 + 2 * count,
            body=body,
        )

    def _sort(self) -> str:
        rng = self._rng
        keys = self._keys(rng.randint(2, 4))
        table = {key: rng.randrange(10) for key in keys}
        return self.choose(
            [
                "list({decode}({encode}({table!r})))",
                "{encode}({table!r})[1:].hex()",
                "list({decode}({pairs}({pairs_!r})))",
                "list({decode}({encode}([{table!r}]))[0])",
            ],
            table=table,
            pairs_=list(table.items()),
        )

    def _sort_many(self) -> str:
        tables = [dict.fromkeys(self._keys(self._rng.randint(2, 3))) for _ in "ab"]
        return self.choose(
            [
                "[list(table) for table in {decode}({encode}({tables!r}))]",
                "[list(table) for table in {decode}({encode}({held!r})).values()]",
                "list({decode}({encode}({held!r}))[3])",
            ],
            tables=tables,
            held={3: tables[0]},
        )

    def _twice(self) -> str:
        rng = self._rng
        key, other = rng.sample([*WORDS, 4, 9, 70, 126], 2)
        values = rng.sample(range(128), 3)
        items: list[object] = [key, values[0], other, values[1], key, values[2]]
        if rng.random() < 0.5:  # noqa: PLR2004  # a coin
            items = [key, values[0], key, values[1]]
        return self.choose(
            [
                "told({decode}, {open_map}({count}) + b''.join(map({encode}, {items!r})))",
                "told({decode_each}, {open_map}({count}) + b''.join(map({encode}, {items!r})))",
                "[told({decode}, {open_map}({count}) + b''.join(map({encode}, {items!r}))), {size}({key!r})]",
            ],
            count=len(items) // 2,
            items=items,
            key=key,
        )

    def _twice_pairs(self) -> str:
        rng = self._rng
        key, other = rng.sample([*WORDS, 4, 9, 70, 126], 2)
        entries: list[tuple[object, object]] = [
            (key, rng.randrange(64)),
            (key, rng.randrange(64, 128)),
        ]
        entries.insert(rng.randrange(3), (other, self.plain()))
        return self.choose(
            [
                "told(lambda: {decode}({pairs}({entries!r})))",
                "[told(lambda: {decode}({pairs}({entries!r}))), {size}({other!r})]",
                "told(lambda: len({pairs}({entries!r})))",
            ],
            entries=entries,
            other=other,
        )

    # -- rows

    def _after(self) -> str:
        one, other = self.plain_item(), self.plain_item()
        return self.choose(
            [
                '[told({decode}, raw("{one}{other}")), {decode}(raw("{one}"))]',
                '[told({decode}, {encode}({value!r}) + raw("{other}")), {decode}(raw("{other}"))]',
                '[told({decode}, raw("91{one}{other}")), {decode}(raw("92{one}{other}"))]',
                '[told({decode}, raw("{one}{other}")), {decode_each}(raw("{one}{other}"))]',
                '[told({decode}, raw("{one}c1")), {decode}(raw("{one}"))]',
                '[told({decode}, raw("{one}cd")), {decode}(raw("{one}"))]',
            ],
            one=one,
            other=other,
            value=self._some(0, 2),
        )

    # -- capsules

    def _form(self) -> str:
        rng = self._rng
        return self.choose(
            [
                "{encode}({capsule}({code}, {data!r})).hex()",
                "{size}({capsule}({code}, {data!r}))",
                "{size}([{capsule}({code}, {data!r}), {value!r}])",
                "{encode}([{value!r}, {capsule}({code}, {data!r})]).hex()",
            ],
            code=rng.randrange(128),
            data=rng.randbytes(rng.choice([*SIZED[:4], 3])),
            value=self.plain(),
        )

    def _form_sizes(self) -> str:
        rng = self._rng
        return self.choose(
            [
                "[{size}({capsule}({code}, bytes(n))) for n in {sizes}]",
                "[{encode}({capsule}({code}, bytes(n)))[:1].hex() for n in {sizes}]",
            ],
            code=rng.randrange(128),
            sizes=(*rng.sample(SIZED, 3), rng.randrange(20)),
        )

    def _code(self) -> str:
        rng = self._rng
        codes = [rng.randrange(-128, -1), rng.randrange(128), rng.randrange(128, 255)]
        rng.shuffle(codes)
        return self.choose(
            [
                "[told(lambda: {capsule}(n, b'').{code}) for n in {codes}]",
                "[told(lambda: {encode}({capsule}({one}, {data!r}))), {capsule}({good}, b'').{code}]",
                "[told(lambda: {size}({capsule}(n, {data!r}))) for n in {codes}]",
            ],
            codes=tuple(codes),
            one=rng.choice([codes[0], codes[1]]),
            good=rng.randrange(128),
            data=rng.randbytes(3),
        )

    def _code_bytes(self) -> str:
        rng = self._rng
        data = rng.randbytes(rng.choice([1, 2, 3, 4]))
        form = (
            f"d{(0, 4, 5, 0, 6)[len(data)]}"
            if len(data) in SIZED
            else f"c7{len(data):02x}"
        )
        return self.choose(
            [
                '{decode}(raw("{form}{byte:02x}{data}")).{code}',
                '[item.{code} for item in {decode_each}(raw("{form}{byte:02x}{data}{form}{small:02x}{data}"))]',
                '{decode}(raw("92{small:02x}{form}{byte:02x}{data}"))[1].{code}',
            ],
            form=form,
            byte=rng.randrange(0x80, 0xFF),
            small=rng.randrange(0x80),
            data=data.hex(),
        )

    # -- what every selection answers alike, and what needs several rules

    def _spine(self) -> str:
        rng = self._rng
        items = [self.plain_item() for _ in range(rng.randint(1, 4))]
        code, data = rng.randrange(128), rng.randbytes(rng.randrange(1, 6))
        return self.choose(
            [
                "{decode}({encode}({values!r}))",
                '{split}(raw("{row}"))',
                '{decode_each}(raw("{row}"))',
                "{decode}({encode}({table!r}))",
                '[{kind}(raw("{item}")), {kind}({encode}({data!r})), {size}({data!r})]',
                "{encode}({values!r}).hex()",
                "{decode}({encode}({capsule}({code_}, {data!r}))).{data_}",
                '[told({decode_each}, raw("{row}{cut}")), {decode}(raw("{item}"))]',
                "[told({encode}, {odd}), {encode}({values!r}).hex()]",
            ],
            values=self._some(2, 5),
            row="".join(items),
            item=items[0],
            table={self.key(): self._some(1, 2)},
            code_=code,
            data=data,
            data_=self._names["data"],
            cut=rng.choice(["93", "d903", "c402", "cd", "cf0000", "a3"]),
            odd=rng.choice(
                ["{1}", "1j", "object()", "bytearray(b'a')", "{1: {2}}", "[1j]"]
            ),
        )

    def _joint(self) -> str:
        rng = self._rng
        document = {
            rng.choice(WORDS): [rng.randrange(-300, 300), rng.randrange(-8, 8) / 2],
            rng.randrange(128): (self.plain(), rng.choice(["é", "naïve", "日本"])),
        }
        return self.choose(
            [
                "told({encode}, {document!r})",
                "told(lambda: {decode}({encode}({document!r})))",
                "told({size}, {document!r})",
                "told(lambda: [len(part) for part in {split}({encode}({document!r}) + {encode}({small}))])",
            ],
            document=document,
            small=rng.randrange(128),
        )

    def _pieces(self) -> str:
        rng = self._rng
        return self.choose(
            [
                "len({decode}({open_array}({count}) + {encode}({number}) * {count}))",
                "{size}({numbers!r})",
                "[{kind}({encode}(x)) for x in {numbers!r}]",
                "{encode}({number}).hex()",
                "{encode}({real!r}).hex()",
                "[len(part) for part in {split}({encode}({number}) + {encode}({real!r}))]",
            ],
            count=rng.randrange(1, 40),
            number=rng.randrange(-70_000, 70_000),
            real=rng.randrange(-64, 64) / 4,
            numbers=[rng.randrange(-200, 300), rng.randrange(-64, 64) / 4],
        )


_TUPLES = [
    "[told({encode}, ()), {encode}([]).hex()]",
    "[told({encode}, (1,)), {encode}([1]).hex()]",
    '[told({decode}, raw("c190")), {decode}(raw("90"))]',
    '[told({decode}, raw("c191c190")), {decode}(raw("9190"))]',
    '[told({decode}, raw("c105")), {decode}(raw("9105"))]',
    '[told({kind}, raw("c190")), {kind}(raw("90"))]',
    '[told({kind}, raw("c1")), told({kind}, b"")]',
    "[told(lambda: {decode}({encode}({{(1, 2): 3}}))), {size}([1, 2])]",
    "[told({size}, [(), ()]), {size}([[], []])]",
]
_COUNTS = [
    "[{open_map}(n).hex() for n in (0, 1, 7)]",
    "[{open_map}(n).hex() for n in (8, 15)]",
    "[{open_map}(n)[:1].hex() for n in (16, 40000)]",
    "[len({open_map}(n)) for n in (7, 8, 15, 16)]",
    "[len({open_map}(n)) for n in (32767, 32768, 65535, 65536)]",
    "{encode}({{1: 2}}).hex()",
    '[told({decode_each}, raw("8107")), {decode}(raw("80"))]',
    'told({decode_each}, raw("8201020304"))',
    "[{size}(dict.fromkeys(range(n))) for n in (7, 8, 15, 16)]",
]
_ORDERS = [
    'list({decode}({encode}({{"b": 1, "a": 2}})))',
    'list({decode}({encode}({{"bb": 1, "a": 2, "": 3}})))',
    'list({decode}({encode}({{None: 1, "z": 2, 7: 3}})))',
    'list({decode}({encode}({{True: 1, "zz": 2, False: 3}})))',
    'list({decode}({pairs}([("b", 1), ("a", 2)])))',
    '{encode}({{"b": {{"d": 1, "c": 2}}, "a": 0}})[1:].hex()',
]
_REPEATS = [
    'told({decode}, {open_map}(2) + raw("05010502"))',
    'told({decode}, {open_map}(3) + raw("050106030502"))',
    'told({decode}, {open_map}(2) + raw("01a161c3a162"))',
    '[told({decode}, {open_map}(2) + raw("050105")), {decode}(raw("05"))]',
    'told(lambda: {decode}({pairs}([("k", 1), ("k", 2)])))',
    'told(lambda: {decode}({pairs}([(1, "p"), (True, "q"), (2, "r")])))',
    "told(lambda: {decode}({pairs}([(None, 1), (0, 2), (None, 3), (0, 4)])))",
]
_TRAILERS = [
    '[told({decode}, raw("0102")), {decode}(raw("01"))]',
    '[told({decode}, raw("c0c0")), {decode_each}(raw("c0c0"))]',
    '[told({decode}, raw("9005")), {decode}(raw("9105"))]',
    '[told({decode}, raw("a001")), {decode}(raw("a0"))]',
    '[told({decode}, raw("05cd")), told({decode}, raw("cd"))]',
    '[told({decode}, b""), {decode_each}(b"")]',
]
_FORMS = [
    "[{size}({capsule}(1, bytes(n))) for n in (0, 1, 2, 3, 4)]",
    "[{size}({capsule}(1, bytes(n))) for n in (7, 8, 15, 16, 17)]",
    "[{size}({capsule}(1, bytes(n))) for n in (16, 255, 256)]",
    '{encode}({capsule}(5, b"a")).hex()',
    '{encode}({capsule}(5, b"abc")).hex()',
    '{decode}(raw("d505aabb")).{data}',
    '{decode}(raw("c70205aabb")).{data}',
]
_CODES = [
    "[told(lambda: {capsule}(n, b'').{code}) for n in (-129, -128, 0, 127)]",
    "[told(lambda: {capsule}(n, b'').{code}) for n in (127, 128, 255, 256)]",
    '{decode}(raw("d48005")).{code}',
    '{decode}(raw("c700fe")).{code}',
    "[told(lambda: {encode}({capsule}(n, b'abc'))) for n in (-2, 2, 254)]",
]
_SPINE = [
    "[{encode}(x).hex() for x in (None, True, False)]",
    '[{encode}(x).hex() for x in ("", b"", [], "abc")]',
    '[{encode}("x" * n)[:2].hex() for n in (31, 32, 255)]',
    "[{encode}(bytes(n))[:2].hex() for n in (1, 31, 255)]",
    "[{open_array}(n).hex() for n in (0, 9, 15)]",
    '[{kind}(raw(x)) for x in ("c0", "c2", "cd", "d1", "e5", "05")]',
    '[{kind}(raw(x)) for x in ("a0", "d9", "c4", "dc", "de", "80")]',
    '[{kind}(raw(x)) for x in ("ca", "cb", "c7", "d4", "d8", "9f")]',
    '[told({split}, raw("050693")), {split}(raw("0506"))]',
    '[told({decode}, b""), told({kind}, b""), {split}(b"")]',
    '{decode_each}(raw("cc05d005d9016b90"))',
    '[told({decode}, {open_map}(1) + {open_map}(0) + raw("05")), {decode}({open_map}(0))]',
]
