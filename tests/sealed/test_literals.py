"""Literals: what may stand on the expected side, and that writing is reading backwards."""

import ast
import builtins
import datetime
import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shipbar.sealed.codec import Member, Opaque
from shipbar.sealed.literals import LiteralError, Reader, Writer

ORIGINS = {
    "Decimal": "decimal.Decimal",
    "Fraction": "fractions.Fraction",
    "datetime": "datetime",
    "dt": "datetime",
    "date": "datetime.date",
    "Colour": "wares.Colour",
    "Private": "wares.deep.Private",
    "wares": "wares",
    "os": "os",
}


def origin_of(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        own = ORIGINS.get(node.id)
        return own or (f"builtins.{node.id}" if hasattr(builtins, node.id) else None)
    if isinstance(node, ast.Attribute):
        owner = origin_of(node.value)
        return owner and f"{owner}.{node.attr}"
    return None


def read(text: str):
    reader = Reader(origin_of, "wares", frozenset({"Colour"}))
    return reader.read(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("None", None),
        ("0x_ff", 255),
        ("-1.5e3", -1500.0),
        ("+2", 2),
        ("'a' \"b\"", "ab"),
        ("b'\\xff'", b"\xff"),
        ("[1, (2,), {3}, {4: []}]", [1, (2,), {3}, {4: []}]),
        ("()", ()),
        ("set()", set()),
        ("frozenset([1, 1])", frozenset({1})),
        ("1 - 2j", 1 - 2j),
        ("-1.5 + 0j", -1.5 + 0j),
        ("float('-inf')", -math.inf),
        ("complex('inf')", complex("inf")),
        ("complex(1, float('inf'))", complex(1, math.inf)),
        ("range(3, 9)", range(3, 9)),
        ("Decimal('-1.10')", Decimal("-1.1")),
        ("-Decimal('Infinity')", Decimal("-Infinity")),
        ("Fraction(-1, 3)", Fraction(-1, 3)),
        ("bytes([1, 2])", b"\x01\x02"),
        ("datetime.date(2024, 2, 29)", datetime.date(2024, 2, 29)),
        ("dt.timedelta(days=-1)", datetime.timedelta(-1)),
        (
            "datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC)",
            datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC),
        ),
        (
            "datetime.time(1, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))",
            datetime.time.fromisoformat("01:00+02:00"),
        ),
        ("Colour.RED", Member("Colour", "RED")),
        ("wares.Colour.RED", Member("Colour", "RED")),
        ("{Colour.RED: 1}", {Member("Colour", "RED"): 1}),
    ],
)
def test_a_literal_is_read_without_running_anything(text, value):
    found = read(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x", "name, not a literal"),
        ("os.environ", "name, not a literal"),
        ("__import__('os')", "may not be called"),
        ("os.getcwd()", "may not be called"),
        ("open('x')", "may not be called"),
        ("Colour('red')", "may not be called"),
        ("Colour['RED']", "no literal"),
        ("Private.RED", "public_symbols"),
        ("wares.deep.Colour.RED", "public_symbols"),
        ("2 + 3", "computed"),
        ("'a' + 'b'", "computed"),
        ("2 ** 100", "no literal"),
        ("[1] * 3", "no literal"),
        ("-True", "no literal"),
        ("-'a'", "no literal"),
        ("not 1", "no literal"),
        ("f'{1}'", "no literal"),
        ("...", "no literal"),
        ("[*[1]]", "no literal"),
        ("{**{}}", "no literal"),
        ("[n for n in [1]]", "no literal"),
        ("lambda: 1", "no literal"),
        ("1 if 1 else 2", "no literal"),
        ("'abc'[0]", "no literal"),
        ("(x := 1)", "no literal"),
        ("{[]}", "unhashable"),
        ("{{}: 1}", "unhashable"),
        ("{1: 2, True: 3}", "a key twice"),
        ("float('nan')", "NaN equals nothing"),
        ("[(1, {2: float('nan')})]", "NaN equals nothing"),
        ("complex('nan')", "NaN equals nothing"),
        ("Decimal('sNaN')", "NaN equals nothing"),
        ("datetime.UTC", "a zone by itself"),
        ("[datetime.timezone.utc]", "a zone by itself"),
        ("Decimal('x')", "Decimal"),
        ("Fraction(1, 0)", "Fraction"),
        ("date(2024, 2, 30)", "date"),
        ("float(**{})", "no literal"),
        ("-Decimal('9e999999999999999999')", "9e"),
        ("1" + "0" * 400 + " + 1j", "too large"),
        ("bytes(10**30)", "no literal"),
        ("bytes(999999999999999999)", "bytes"),
        ("range(1, 2, 0)", "range"),
    ],
)
def test_what_is_no_literal_is_told_why(text, why):
    with pytest.raises(LiteralError) as caught:
        read(text)
    assert why in str(caught.value)


# -- writing -------------------------------------------------------------------------

leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.complex_numbers(allow_nan=False),
    st.text(),
    st.binary(),
    st.decimals(allow_nan=False),
    st.fractions(),
    st.dates(),
    st.times(),
    st.datetimes(),
    st.datetimes(timezones=st.just(datetime.UTC)),
    st.timedeltas(),
    st.builds(
        range, st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 3)
    ),
    st.builds(Member, st.just("Colour"), st.sampled_from(["RED", "GREEN"])),
)  # fmt: skip
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(leaves, inner, max_size=4),
        st.sets(leaves, max_size=4),
        st.frozensets(leaves, max_size=4),
    ),
    max_leaves=12,
)


@given(values)
def test_what_is_written_reads_as_the_same_value(value):
    text = Writer().write(value)
    found = read(text)
    assert found == value
    assert type(found) is type(value)
    assert Writer().write(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ('say "a"', "'say \"a\"'"),
        ("it's", '"it\'s"'),
        ("plain", '"plain"'),
        ((1,), "(1,)"),
        (frozenset(), "frozenset()"),
        ({3, 1, 2}, "{1, 2, 3}"),
        (math.inf, 'float("inf")'),
        (complex(0, -math.inf), 'complex(0.0, float("-inf"))'),
        (Fraction(1, -3), "Fraction(-1, 3)"),
        (Decimal("1.0"), 'Decimal("1.0")'),
    ],
)
def test_there_is_one_way_to_write_a_value(value, text):
    assert Writer().write(value) == text


def test_a_number_longer_than_python_writes_is_written_and_read():
    text = Writer().write([1 << 20_000])
    assert text == f"[{1 << 20_000:#x}]"
    assert read(text) == [1 << 20_000]


def test_a_set_is_written_in_an_order_of_its_own():
    words = {f"word{n}" for n in range(50)}
    assert Writer().write(words) == Writer().write(words | set())
    assert Writer().write(words).startswith('{"word0", "word1", "word10"')


def test_what_a_literal_needs_imported_is_told():
    writer = Writer()
    writer.write([Decimal(1), {Fraction(1): datetime.date(2024, 1, 1)}])
    assert {module for module, _ in writer.imports} == {
        "decimal",
        "fractions",
        "datetime",
    }


@pytest.mark.parametrize(
    "value",
    [Opaque("Lot"), [1, Opaque("Lot")], {"a": (Opaque("Lot"),)}, math.nan, [math.nan]],
)
def test_what_equals_nothing_is_not_written(value):
    with pytest.raises(LiteralError):
        Writer().write(value)
