import ast
import datetime
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shipbar.grading.layout import WIDTH, Layout
from shipbar.sealed.codec import Member, Opaque
from shipbar.sealed.literals import LiteralError

UTC = datetime.UTC


def layout() -> Layout:
    def name(module: str, item: str) -> str:
        return f"{module}.{item}" if module in ("datetime", "strips") else item

    return Layout("strips", name)


SCOPE = {"datetime": datetime, "Decimal": Decimal, "Fraction": Fraction}
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.decimals(allow_nan=False)
    | st.fractions()
    | st.datetimes(timezones=st.just(UTC) | st.none())
    | st.timedeltas()
)
hashed = st.integers() | st.text() | st.binary() | st.tuples(st.integers(), st.text())
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(hashed, inner)
        | st.sets(hashed)
        | st.frozensets(hashed)
    ),
    max_leaves=25,
)


@given(values, st.integers(0, 80))
def test_what_is_written_means_the_value(value, used):
    text = layout().lay(value, 4, used)
    read = eval(text.replace("\n", "\n    "), SCOPE)
    assert read == value
    assert type(read) is type(value)


@given(st.lists(st.text() | st.integers(-9999, 9999), min_size=1))
def test_lines_keep_to_the_width(value):
    lines = layout().lay(value, 4, 20).splitlines()
    assert max(map(len, lines[1:]), default=0) <= WIDTH
    assert len(lines[0]) <= WIDTH - 20


def test_the_order_of_a_set_is_its_text():
    items = {f"item {number:02}" for number in range(40)}
    text = layout().lay(items, 0, 0)
    lines = text.splitlines()[1:-1]
    assert ast.literal_eval(text) == items
    assert lines == sorted(lines)


def test_text_is_cut_after_its_own_lines_and_words():
    text = "first line\nsecond line, " + "long words " * 12
    cut = layout().lay(text, 4, 60).splitlines()
    assert cut[1].strip() == '"first line\\n"'
    assert all(line.strip().endswith((' "', '\\n"')) for line in cut[1:-1])


def test_numbers_stand_side_by_side():
    lines = layout().lay(list(range(100)), 0, 0).splitlines()
    assert len(lines) < 8


def test_an_enum_member_is_named_by_its_package():
    assert layout().lay(Member("Colour", "RED"), 0, 0) == "strips.Colour.RED"


@pytest.mark.parametrize(
    "value",
    [
        Member("?.Hidden", "RED"),
        Member("Flags", "A|B"),
        [Opaque("object")],
        float("nan"),
    ],
)
def test_what_no_literal_means_is_refused(value):
    with pytest.raises(LiteralError):
        layout().lay(value, 0, 0)
