"""Questions about numbers and text."""

from collections.abc import Mapping

from shipbar.families.mutated.compact_binary.inputs import WORDS, Inputs, Stream

ACCENTED = ["é", "øre", "naïve", "Ωmega", "日本", "çà"]
BROKEN = ["ff", "c3", "e282", "80", "c0af", "eda080", "f8", "c328", "f09f98", "fe61"]
NEAR = (-33, -32, -31, -1, 0, 127, 128, 159, 160)
"""Integers at the ends of what may take one byte, and beside them."""
COUNTS = [(16, 256), (256, 1000), (1000, 5000)]


class Scalars(Inputs):
    """Asks about single numbers and texts."""

    @property
    def streams(self) -> Mapping[str, Stream]:
        """The questions by axis."""
        return {
            "byte-order": Stream(self._order_corners(), [self._wide, self._real_bytes]),
            "one-byte": Stream(
                self._one_byte_corners(), [self._near_bytes, self._near]
            ),
            "integer-width": Stream(self._width_corners(), [self._widths, self._first]),
            "big-integers": Stream(self._big_corners(), [self._big]),
            "floats": Stream(
                self._float_corners(), [self._float_sizes, self._float_back]
            ),
            "bad-text": Stream(self._bad_corners(), [self._bad, self._bad_inside]),
        }

    # -- numbers

    def _order_corners(self) -> list[str]:
        return [
            '{decode}(raw("cd0001"))',
            '{decode}(raw("d18001"))',
            '{decode}(raw("ce00010203"))',
            '{decode}(raw("cf0000000000000080"))',
            "{encode}(0.1).hex()",
            "{encode}(-1e300).hex()",
            "{open_array}(16).hex()",
            "{open_array}(4660).hex()",
            '{encode}("ab" * 150)[:3].hex()',
            "{encode}(bytes(258))[:3].hex()",
            "{encode}({capsule}(7, bytes(300)))[:4].hex()",
            '[told({decode}, raw("dc00020304")), told({decode}, raw("dc02000304"))]',
            '[told({decode}, raw("da00016b")), told({decode}, raw("da01006b"))]',
            '[told({decode}, raw("c500020304")), told({decode}, raw("c502000304"))]',
            '[told({split}, raw("dd0000000105")), told({split}, raw("dd0100000005"))]',
        ]

    def _wide(self) -> str:
        rng = self._rng
        tag = rng.choice([0xCD, 0xCE, 0xCF, 0xD1, 0xD2, 0xD3])
        digits = rng.randbytes(1 << tag % 4)
        count = rng.randrange(*rng.choice(COUNTS))
        return self.choose(
            [
                '{decode}(raw("{digits}"))',
                '{decode_each}(raw("{small:02x}{digits}"))',
                "{open_array}({count}).hex()",
                '{encode}("{word}" * {times})[:3].hex()',
                "{encode}(bytes({times}))[:3].hex()",
                "{encode}({capsule}({small}, bytes({times})))[:4].hex()",
            ],
            digits=f"{tag:02x}{digits.hex()}",
            small=rng.randrange(1, 128),
            count=count,
            word=rng.choice(["abc", "oak", "ivy"]),
            times=rng.randrange(257, 600),
        )

    def _real_bytes(self) -> str:
        rng = self._rng
        # Thousandths that end in an odd digit other than 5: neither whole, nor exact in four bytes.
        thousandths = 10 * rng.randrange(-(10**6), 10**6) + rng.choice([1, 3, 7, 9])
        return self.choose(
            ["{encode}({value!r}).hex()", "{encode}([{value!r}, {small}]).hex()"],
            value=thousandths / 1000,
            small=rng.randrange(128),
        )

    def _one_byte_corners(self) -> list[str]:
        return [
            '{decode}(raw("e0"))',
            '{decode}(raw("ff"))',
            '{decode}(raw("937fe0ff"))',
            "[{size}(n) for n in (-33, -32, -31, 0)]",
            "[{size}(n) for n in (-1, 0, 127)]",
            "[{size}(n) for n in (127, 128, 159)]",
            "[{size}(n) for n in (158, 159, 160)]",
            "[{encode}(n)[:1].hex() for n in (-32, -1, 0, 127, 128, 159)]",
            '{decode_each}(raw("e0f0ff00"))',
        ]

    def _near_bytes(self) -> str:
        """Arrays and rows of first bytes that are integers."""
        rng = self._rng
        tags = [
            rng.choice([rng.randrange(0xE0, 0x100), rng.randrange(0x80)])
            for _ in range(rng.randint(1, 4))
        ]
        tags.append(rng.choice([rng.randrange(0xE0, 0x100), 0xE0, 0xFF]))
        body = bytes(tags).hex()
        return self.choose(
            [
                '{decode}(raw("{opening:02x}{body}"))',
                '{decode_each}(raw("{body}"))',
                '{decode_each}(raw("{body}{more}"))',
            ],
            opening=0x90 + len(tags),
            body=body,
            more=self.plain_item(),
        )

    def _near(self) -> str:
        rng = self._rng
        numbers = [rng.randrange(-40, 170), *rng.sample(NEAR, 2)]
        return self.choose(
            [
                "[{encode}(n)[:1].hex() for n in {numbers}]",
                "[{size}(n) for n in {numbers}]",
            ],
            numbers=tuple(numbers),
        )

    def _wide_integer(self) -> int:
        rng = self._rng
        bits = rng.randrange(8, 62)
        value = rng.randrange(max(160, 1 << bits - 1), 1 << bits + 1)
        return -value if rng.random() < 0.4 else value  # noqa: PLR2004  # a coin

    def _width_corners(self) -> list[str]:
        return [
            "[{size}(n) for n in (160, 255, 256, 65535, 65536)]",
            "[{size}(n) for n in (2**32 - 1, 2**32, 2**64 - 1)]",
            "[{size}(n) for n in (-128, -129, -32768, -32769)]",
            "[{size}(n) for n in (-(2**31), -(2**31) - 1, -(2**63))]",
            "[{encode}(n)[:1].hex() for n in (200, 40000, 70000, 2**40)]",
            "[{encode}(n)[:1].hex() for n in (-100, -1000, -40000, -(2**40))]",
            "{encode}(250).hex()",
            "{encode}(-120).hex()",
        ]

    def _widths(self) -> str:
        numbers = tuple(self._wide_integer() for _ in range(self._rng.randint(2, 3)))
        return self.choose(
            [
                "[{size}(n) for n in {numbers}]",
                "{size}({listed})",
                "[{encode}(n)[:1].hex() for n in {numbers}]",
            ],
            numbers=numbers,
            listed=list(numbers),
        )

    def _first(self) -> str:
        rng = self._rng
        return self.choose(
            [
                "{encode}({number}).hex()",
                "[{size}({number}), {size}({word!r})]",
                "{size}({entry})",
                "[len(part) for part in {split}({encode}({number}) + {encode}({small}))]",
            ],
            number=self._wide_integer(),
            small=rng.randrange(128),
            word=rng.choice(WORDS),
            entry={self.key(): self._wide_integer()},
        )

    def _big_integer(self) -> int:
        rng = self._rng
        beyond = rng.choice(
            [0, rng.randrange(1000), rng.randrange(1 << rng.randrange(100))]
        )
        return rng.choice([2**64 + beyond, -(2**63) - 1 - beyond])

    def _big_corners(self) -> list[str]:
        return [
            "[told({encode}, 2**64), told({encode}, 2**64 - 1)]",
            "[told({size}, -(2**63) - 1), told({size}, -(2**63))]",
            "[told({size}, 10**30), told({size}, 10**31), told({size}, 3)]",
            "[told({encode}, -(10**40)), told({encode}, 9)]",
        ]

    def _big(self) -> str:
        return self.choose(
            [
                "[told({encode}, {number}), told({encode}, {plain!r})]",
                "[told({encode}, [{number}]), told({encode}, [{plain!r}])]",
                "[told({size}, {number}), told({size}, {plain!r})]",
                "[told(lambda: {decode}({encode}({number}))), {size}({plain!r})]",
                "[told(lambda: {decode}({encode}([{number}, {plain!r}]))), {size}({plain!r})]",
                "[told(lambda: {decode}({encode}({{{plain!r}: {number}}}))), {size}(5)]",
            ],
            number=self._big_integer(),
            plain=self.plain(),
        )

    def _real(self) -> float:
        rng = self._rng
        whole = float(rng.randrange(-120, 120))
        return rng.choice(
            [
                whole,
                whole,
                rng.randrange(-4000, 4000) / rng.choice([2, 4, 8, 64]),
                round(rng.uniform(-50, 50), 2),
                rng.choice([1e300, -1e300, float(2**40), float(2**70), 0.1, 1e-50]),
                rng.choice([-0.0, 0.0, 1e39, 2.0**53, -(2.0**53), 2.0**53 + 2, 1.0]),
            ]
        )

    def _float_corners(self) -> list[str]:
        return [
            "[{size}(x) for x in (0.0, -0.0, 0.5, 0.1)]",
            "[{size}(x) for x in (1.0, 127.0, 16777217.0)]",
            "[{size}(x) for x in (2.0**53, 2.0**53 + 2, 2.0**60)]",
            '[{size}(float(x)) for x in ("inf", "-inf", "nan")]',
            "[{size}(x) for x in (1e38, 1e39, 1e-45, 1e-46)]",
            "[{encode}(x)[:1].hex() for x in (3.0, 3.5, 3.1)]",
            "[repr({decode}({encode}(x))) for x in (7.0, -7.0, 7.25)]",
            "{encode}([4.0, 5]).hex()",
            '[repr({decode}(raw("ca00000000"))), {encode}(0.0)[:1].hex()]',
        ]

    def _float_sizes(self) -> str:
        numbers = tuple(self._real() for _ in range(3))
        return self.choose(
            [
                "[{size}(x) for x in {numbers}]",
                "[{encode}(x)[:1].hex() for x in {numbers}]",
                "{size}({listed})",
            ],
            numbers=numbers,
            listed=list(numbers),
        )

    def _float_back(self) -> str:
        rng = self._rng
        return self.choose(
            [
                "[repr({decode}({encode}({one!r}))), {size}({one!r})]",
                "[{kind}({encode}({one!r})), {size}({other!r})]",
                "{encode}({small!r}).hex()",
                "repr({decode}({encode}([{one!r}, {small!r}])))",
            ],
            one=self._real(),
            other=self._real(),
            small=float(rng.randrange(128)),
        )

    # -- text

    def _bad_corners(self) -> list[str]:
        return [
            '[told({decode}, raw("a1ff")), {decode}(raw("a17f"))]',
            '[told({decode}, raw("a2c3a9")), told({decode}, raw("a2a9c3"))]',
            '[told({decode}, raw("a3eda080")), {decode}(raw("a3ed9fbf"))]',
            '[told({decode}, raw("d902c080")), {decode}(raw("d9024142"))]',
            '[told({decode_each}, raw("a18061")), {decode_each}(raw("a16161"))]',
            '[told({split}, raw("a1fe05")), {split}(raw("a17e05"))]',
            '[told({decode}, raw("a1")), told({decode}, raw("a2ff"))]',
        ]

    def _bad_text(self) -> tuple[bytes, bytes]:
        """A text that is not UTF-8, and one that is."""
        rng = self._rng
        lead, tail = rng.choice(WORDS[:10]), rng.choice(WORDS[9:])
        bad = lead.encode() + bytes.fromhex(rng.choice(BROKEN)) + tail.encode()
        good = (lead + rng.choice([*ACCENTED, "ok"])).encode()
        return bad, good

    def _bad(self) -> str:
        bad, good = (
            bytes([0xA0 + len(raw)]).hex() + raw.hex() for raw in self._bad_text()
        )
        return self.choose(
            [
                '[told({decode}, raw("{bad}")), {decode}(raw("{good}"))]',
                '[told({decode_each}, raw("{good}{bad}")), {decode}(raw("{good}"))]',
                '[told({decode}, raw("92{good}{bad}")), {decode}(raw("91{good}"))]',
            ],
            bad=bad,
            good=good,
        )

    def _bad_inside(self) -> str:
        bad, good = (
            bytes([0xA0 + len(raw)]).hex() + raw.hex() for raw in self._bad_text()
        )
        item = self.plain_item()
        return self.choose(
            [
                '[told({decode}, {open_map}(1) + raw("{item}{bad}")), {decode}(raw("{good}"))]',
                '[told({decode}, {open_map}(1) + raw("{bad}05")), {decode}(raw("{good}"))]',
                '[told({split}, raw("{item}{bad}")), {split}(raw("{item}{good}"))]',
                '[told({decode_each}, raw("{item}{bad}{item}")), {decode}(raw("{good}"))]',
            ],
            bad=bad,
            good=good,
            item=item if item[0] != "9" else "07",
        )
