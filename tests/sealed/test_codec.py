"""The decoder: what it reads, and that it refuses the rest in bounded time and memory."""

import datetime
import json
from decimal import Decimal
from fractions import Fraction

import pytest

from shipbar.sealed import codec
from shipbar.sealed.codec import DecodeError, Member, Opaque, decode, decode_names
from shipbar.sealed.compare import Approx, approximately, equal
from tests.sealed.clock import quickly

PRIME = 2**61 - 1
"""Python's modulus for hashing numbers: its multiples all hash to zero."""


def said(value) -> bytes:
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        ("true", True),
        ("-7", -7),
        ('["int","0x20000000000000"]', 2**53),
        ('["int","-0xff"]', -255),
        ('"a\\ud800"', "a\ud800"),
        ('["float","0x1.8p+1"]', 3.0),
        ('["float","-inf"]', float("-inf")),
        ('["complex","0x1p+0","-0x1p+1"]', 1 - 2j),
        ('["bytes","00ff"]', b"\x00\xff"),
        ('["list",1,["list"]]', [1, []]),
        ('["tuple",["tuple"]]', ((),)),
        ('["set",1,"1"]', {1, "1"}),
        ('["frozenset"]', frozenset()),
        ('["dict",["a",1],[["tuple",1],null]]', {"a": 1, (1,): None}),
        ('["range",0,5,2]', range(0, 5, 2)),
        ('["range",0,["int","0x20000000000000"],1]', range(2**53)),
        ('["decimal","-1.50"]', Decimal("-1.5")),
        ('["fraction","-0x1","0x3"]', Fraction(-1, 3)),
        ('["date","2024-02-29"]', datetime.date(2024, 2, 29)),
        ('["time","01:02:03.000004+01:00"]', datetime.time.fromisoformat("01:02:03.000004+01:00")),
        ('["datetime","2024-02-29T00:00:00"]', datetime.datetime(2024, 2, 29)),  # noqa: DTZ001  # as sent
        ('["timedelta",-1,5,6]', datetime.timedelta(-1, 5, 6)),
        ('["enum","Colour","RED",null]', Member("Colour", "RED")),
    ],
)  # fmt: skip
def test_plain_data_is_read(text, value):
    found = decode(text.encode())
    assert found == value
    assert type(found) is type(value)


def test_what_could_not_be_read_in_the_subject_is_opaque():
    found = decode(said(["list", ["opaque", "Hollow"], ["decimal", "sNaN"]]))
    assert all(isinstance(item, Opaque) for item in found)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"nul",
        b"\xff\xfe",
        b"1 2",
        b"[]",
        b"[1]",
        b"[null]",
        b"{}",
        b'{"list": 1}',
        b'["list",{"a": 1}]',
        b"1.5",
        b"1e5",
        b"NaN",
        b"-Infinity",
        b"9" * 5_000,
        b'["object"]',
        b'["__class__","x"]',
        b'["int"]',
        b'["int","7"]',
        b'["int",7]',
        b'["int","0x"]',
        b'["int","--0x1"]',
        b'["int","0x1","0x2"]',
        b'["float",1]',
        b'["float","x"]',
        b'["float","0x1p+99999"]',
        b'["complex","0x1p+0"]',
        b'["bytes","0"]',
        b'["bytes",["list"]]',
        b'["range",1,2]',
        b'["range",1,2,0]',
        b'["range",1,2,true]',
        b'["range",1,2,"3"]',
        b'["decimal","one"]',
        b'["decimal","1e99999999999999999999"]',
        b'["decimal",1]',
        b'["fraction","0x1","0x0"]',
        b'["fraction","1","2"]',
        b'["date","2024-02-30"]',
        b'["date",20240229]',
        b'["time","25:00"]',
        b'["datetime","now"]',
        b'["timedelta",9999999999,0,0]',
        b'["timedelta",true,0,0]',
        b'["timedelta",1]',
        b'["enum","Colour"]',
        b'["enum",1,"RED",null]',
        b'["enum","Colour",["list"],null]',
        b'["opaque",1]',
        b'["opaque"]',
        b'["dict",["a"]]',
        b'["dict","ab"]',
        b'["dict",["a",1,2]]',
        b'["dict",[["list"],1]]',
        b'["set",["dict"]]',
        b'["frozenset",["list"]]',
    ],
)
def test_what_is_no_encoded_value_is_refused(payload):
    with pytest.raises(DecodeError):
        decode(payload)


@pytest.mark.parametrize(
    "payload",
    [
        b'["set",1,1]',
        b'["set",1,true]',
        b'["set",0,["float","-0x0.0p+0"]]',
        b'["frozenset","a","a"]',
        b'["dict",["a",1],["a",2]]',
        b'["dict",[1,1],[true,2]]',
        b'["set",["enum","E","A",null],["enum","E","A",1]]',
    ],
)
def test_nothing_counts_twice_in_a_set_or_dict(payload):
    with pytest.raises(DecodeError, match="differ"):
        decode(payload)


@pytest.mark.parametrize(
    "payload",
    [b'"ValueError"', b'["tuple","a"]', b'["list",1]', b'["list","a",null]', b"null"],
)
def test_the_names_of_an_exception_are_a_list_of_texts(payload):
    with pytest.raises(DecodeError):
        decode_names(payload)


def test_names_are_read_in_order():
    assert decode_names(b'["list","B","A"]') == ("B", "A")


# -- bounds --------------------------------------------------------------------------


def test_depth_is_bounded():
    def nest(depth):
        return b'["list",' * (depth - 1) + b'["list"]' + b"]" * (depth - 1)

    deepest = decode(nest(codec.MAX_DEPTH + 1))
    assert isinstance(deepest, list)
    for depth in (codec.MAX_DEPTH + 2, 900, 100_000):
        with quickly(), pytest.raises(DecodeError):
            decode(nest(depth))
    with quickly(), pytest.raises(DecodeError):
        decode(b"[" * 1_000_000)


@pytest.mark.parametrize("item", [0, None, "", ["list"], ["float", "0x1p+0"]])
def test_items_are_bounded(item):
    assert len(decode(said(["list", *[item] * 20_000]))) == 20_000
    with quickly(), pytest.raises(DecodeError):
        decode(said(["list", *[item] * codec.MAX_NODES]))


@pytest.mark.parametrize(
    "make",
    [
        lambda n: ["fraction", hex(PRIME * n), "0x1"],
        lambda n: ["int", hex(PRIME * n)],
        lambda n: ["decimal", str(PRIME * n)],
        lambda n: ["frozenset", *[["int", hex(PRIME * (n * 9 + i))] for i in range(9)]],
        lambda n: ["tuple", ["int", hex(PRIME * n)], ""],
    ],
    ids=["fraction", "int", "decimal", "frozenset", "tuple"],
)
@pytest.mark.parametrize("kind", ["set", "frozenset", "dict"])
def test_hashes_chosen_to_collide_cost_nothing(make, kind):
    items = [make(n) for n in range(1, 2_400)]
    payload = [kind, *([[item, 0] for item in items] if kind == "dict" else items)]
    with quickly(), pytest.raises(DecodeError, match="hash"):
        decode(said(payload))


def test_honest_sets_are_as_large_as_any_value():
    numbers = range(-6_000, 6_000)
    assert decode(said(["set", *numbers])) == set(numbers)
    assert decode(said(["dict", *[[n, str(n)] for n in numbers]])) == {
        n: str(n) for n in numbers
    }


@pytest.mark.parametrize(
    "item",
    [
        ["int", "0x" + "f" * (codec.MAX_BITS // 4)],
        ["decimal", "9" * codec.MAX_DIGITS],
        ["decimal", "9." + "9" * 400 + f"e{codec.MAX_EXPONENT}"],
        ["decimal", f"-1e-{codec.MAX_EXPONENT}"],
        ["fraction", "0x" + "f" * 4_000, "0x" + "e" * 3_999 + "7"],
        ["float", "0x1.fffffffffffffp+1023"],
    ],
)
@pytest.mark.parametrize(
    "expected",
    [0, 1.5, 1j, Decimal("1.5"), Decimal("1e9000"), Fraction(1, 3), "1", 10**4_000],
)
def test_the_longest_numbers_are_cheap_to_compare(item, expected):
    value = decode(said(["list", *[item] * 40]))
    with quickly():
        assert not equal([expected] * 40, value)
        assert not equal(dict.fromkeys(range(40), expected), value)
        approximately(
            Approx(value=[expected] * 40), value
        )  # near, for all that matters


@pytest.mark.parametrize(
    "item",
    [
        ["int", "0x1" + "0" * (codec.MAX_BITS // 4 + 4)],
        ["range", 0, ["int", "0x" + "f" * 500_000], 1],
        ["bytes", "00" * codec.MAX_TEXT],
    ],
)
def test_longer_ones_are_refused(item):
    with quickly(), pytest.raises(DecodeError):
        decode(said(item))


@pytest.mark.parametrize(
    "item",
    [
        ["decimal", "9" * (codec.MAX_DIGITS + 1)],
        ["decimal", f"1e{codec.MAX_EXPONENT + 1}"],
        ["decimal", f"0e-{codec.MAX_EXPONENT + 1}"],
        ["fraction", "0x" + "f" * codec.MAX_DIGITS, "0x1"],
    ],
)
def test_numbers_that_arithmetic_could_not_bear_equal_nothing(item):
    assert isinstance(decode(said(item)), Opaque)
