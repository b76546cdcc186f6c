"""What is equal: tables of values that must pass and of near misses that must not.

Every value is built in a real runner's process, encoded, decoded and compared. On
honest values the answer must be Python's own: what stock pytest would say.
"""

import importlib.util
import sys
import warnings

import attrs
import pytest

from shipbar.sealed.codec import Member, Opaque
from shipbar.sealed.compare import Approx, Equals, Is, Raises, equal, value_as_expected
from tests.grading.trial import contract, judged, lifted
from tests.sealed.wares import WARES

PUBLIC = ("Colour", "Level", "Kind", "Colours", "Bits", "Price")
HEAD = """
import array
import collections
import datetime
import types
from decimal import Decimal
from fractions import Fraction

import pytest
from wares import *

"""


@attrs.frozen
class Table:
    """Rows for one literal."""

    literal: str
    equal: tuple[str, ...]
    near: tuple[str, ...]


NOTHING = ("None", "False", "0", "''", "()", "[]", "Hollow()", "NotImplemented", "...")


def but(*texts: str) -> tuple[str, ...]:
    """What is not there, in every form but these."""
    return tuple(text for text in NOTHING if text not in texts)


TABLES = {
    "None": Table("None", ("None",), (*but("None"), "'None'", "float('nan')")),
    "True": Table(
        "True",
        ("True", "1", "1.0", "Level.LOW", "Count(1)", "Decimal(1)", "1 + 0j"),
        (*NOTHING, "'True'", "2", "[True]", "liar(int)(2)"),
    ),
    "False": Table("False", ("False", "0", "-0.0"), (*but("False", "0"), "True")),
    "int": Table(
        "8_191",
        ("8191", "0x1FFF", "8191.0", "Count(8191)", "Fraction(8191)", "Decimal(8191)"),
        (
            *NOTHING,
            *("8190", "8192", "-8191", "'8191'", "b'8191'", "[8191]", "8191.0000001"),
            *("liar(int)(5)", "float('nan')", "True", "Count(8190)", "1 << 8191"),
        ),
    ),
    "long int": Table(
        "1606938044258990275541962092341162602522202993782792835301376",
        ("2**200", "float(2**200)", "Decimal(2**200)", "Count(2**200)"),
        ("2**200 - 1", "2**200 + 1", "-(2**200)", "2**201", "float('inf')"),
    ),
    "float": Table(
        "0.1",
        ("0.1", "Weight(0.1)", "1 / 10", "float.fromhex('0x1.999999999999ap-4')"),
        (
            *NOTHING,
            *("0.1 + 2e-17", "0.30000000000000004 - 0.2", "-0.1", "'0.1'"),
            *("Decimal('0.1')", "Fraction(1, 10)", "float('nan')", "liar(float)(9)"),
        ),
    ),
    "infinity": Table(
        "float('inf')",
        ("float('inf')", "1e999", "Decimal('Infinity')"),
        (*NOTHING, "float('-inf')", "float('nan')", "1.7976931348623157e308", "'inf'"),
    ),
    "zero": Table("0.0", ("0.0", "-0.0", "0", "False", "0j"), but("0", "False")),
    "complex": Table(
        "3 - 4j",
        ("3 - 4j", "complex(3, -4)"),
        (*NOTHING, "3 + 4j", "3", "-4j", "'(3-4j)'", "complex(3, float('nan'))"),
    ),
    "real complex": Table("2 + 0j", ("2", "2.0", "complex(2, -0.0)"), ("2 + 1j",)),
    "str": Table(
        "'Zoë'",
        ("'Zoë'", "Name('Zoë')", "'Zo\\u00eb'"),
        (
            *NOTHING,
            *("'Zoe'", "'zoë'", "'Zoë '", "' Zoë'", "'Zoe\\u0308'", "'Zoë\\n'"),
            *("'Zo\\u0435\\u0308'", "'Zoë'.encode()", "['Zoë']", "list('Zoë')"),
            *("liar(str)('no')", "Name('Zoe')", "'Zoë\\x00'", "'Zo\\udceb'"),
        ),
    ),
    "empty str": Table("''", ("''", "Name()"), (*but("''"), "b''", "'\\x00'", "' '")),
    "surrogate": Table("'\\udc80'", ("'\\udc80'",), ("'\\udc81'", "'?'", "'\\\\udc80'")),
    "bytes": Table(
        "b'\\x00ab'",
        ("b'\\x00ab'", "bytearray(b'\\x00ab')"),
        (*NOTHING, "b'ab'", "b'\\x00ab\\x00'", "'\\x00ab'", "[0, 97, 98]", "b'\\x00AB'"),
    ),
    "list": Table(
        "[1, [2, 3], 'x']",
        ("[1, [2, 3], 'x']", "Row([1, Row([2, 3]), 'x'])", "[1.0, [2, 3], Name('x')]"),
        (
            *NOTHING,
            *("[1, (2, 3), 'x']", "(1, [2, 3], 'x')", "[1, [2, 3]]", "[1, [3, 2], 'x']"),
            *("[1, [2, 3], 'x', None]", "[1, [2, 3], Hollow()]", "[Hollow()] * 3"),
            *("liar(list)([])", "{1, 'x'}", "iter([1, [2, 3], 'x'])", "[[1, [2, 3], 'x']]"),
        ),
    ),
    "empty list": Table("[]", ("[]", "Row()"), (*but("[]"), "[[]]", "{}", "set()")),
    "tuple": Table(
        "(1, ('a',))",
        ("(1, ('a',))", "Pair(1, ('a',))"),
        (*NOTHING, "[1, ('a',)]", "(1, 'a')", "(('a',), 1)", "(1, ['a'])", "liar(tuple)()"),
    ),
    "empty tuple": Table("()", ("()",), (*but("()"), "((),)", "frozenset()")),
    "dict": Table(
        "{'a': 1, 2: ['b']}",
        (
            *("{2: ['b'], 'a': 1}", "collections.OrderedDict([(2, ['b']), ('a', 1)])"),
            *("Box({'a': 1, 2.0: ['b']})", "collections.defaultdict(int, {'a': True, 2: ['b']})"),
        ),
        (
            *NOTHING,
            *("{}", "{'a': 1}", "{'a': 1, 2: ['b'], None: 0}", "{'a': 1, '2': ['b']}"),
            *("{'a': 1, 2: 'b'}", "{'a': 1, 2: ('b',)}", "[('a', 1), (2, ['b'])]"),
            *("{'a': Hollow(), 2: ['b']}", "liar(dict)()", "{'a': 1, Hollow(): ['b']}"),
        ),
    ),
    "counts": Table(
        "{'error': 2, 1: 'low'}",
        ("{Kind.ERROR: 2, Level.LOW: 'low'}", "collections.Counter(error=2) | {1: 'low'}"),
        ("{Kind.ERROR: 2, Level.HIGH: 'low'}", "{Colour.RED: 2, 1: 'low'}"),
    ),
    "set": Table(
        "{1, 'a', (2,)}",
        ("{(2,), 1, 'a'}", "frozenset([1, 'a', (2,)])", "{1.0, Name('a'), (2,)}"),
        (
            *NOTHING,
            *("{1, 'a'}", "{1, 'a', (2,), None}", "[1, 'a', (2,)]", "{1, 'a', 2}"),
            *("{Hollow()}", "{1, 'a', Hollow()}", "liar(set)()", "{1: 0, 'a': 0, (2,): 0}"),
        ),
    ),
    "frozenset": Table(
        "frozenset({'error', 2})",
        ("frozenset({2, 'error'})", "{'error', 2}", "{Kind.ERROR, Level.HIGH}"),
        (*NOTHING, "frozenset({'error'})", "('error', 2)", "frozenset({'Error', 2})"),
    ),
    "empty set": Table("set()", ("set()", "frozenset()"), (*NOTHING, "{}", "{None}")),
    "range": Table(
        "range(0, 10, 3)",
        ("range(0, 10, 3)", "range(0, 12, 3)"),
        (*NOTHING, "range(0, 13, 3)", "[0, 3, 6, 9]", "range(10)", "range(9, -1, -3)"),
    ),
    "Decimal": Table(
        "Decimal('1.10')",
        ("Decimal('1.1')", "Decimal('1.100')", "Money('1.1')", "Fraction(11, 10)"),
        (
            *NOTHING,
            *("1.1", "Decimal(1.1)", "'1.10'", "Decimal('1.11')", "Decimal('-1.1')"),
            *("Decimal('NaN')", "Decimal('sNaN')", "Decimal('1E+99999')", "liar(Decimal)(9)"),
        ),
    ),
    "Fraction": Table(
        "Fraction(1, 4)",
        ("Fraction(1, 4)", "Fraction(2, 8)", "0.25", "Decimal('0.25')"),
        (*NOTHING, "Fraction(-1, 4)", "Fraction(4)", "'1/4'", "(1, 4)", "liar(Fraction)(7)"),
    ),
    "date": Table(
        "datetime.date(2024, 2, 29)",
        ("datetime.date(2024, 2, 29)", "Day(2024, 2, 29)"),
        (
            *NOTHING,
            *("datetime.datetime(2024, 2, 29)", "datetime.date(2024, 3, 1)"),
            *("'2024-02-29'", "(2024, 2, 29)", "liar(datetime.date)(1999, 1, 1)"),
        ),
    ),
    "time": Table(
        "datetime.time(12, 30, 0, 5)",
        ("datetime.time(12, 30, 0, 5)", "datetime.time(12, 30, microsecond=5, fold=1)"),
        (
            *NOTHING,
            *("datetime.time(12, 30)", "'12:30:00.000005'", "datetime.time(0, 30, 0, 5)"),
            "datetime.time(12, 30, 0, 5, tzinfo=datetime.UTC)",
        ),
    ),
    "datetime": Table(
        "datetime.datetime(2024, 1, 2, 3, 4, tzinfo=datetime.timezone.utc)",
        (
            "datetime.datetime(2024, 1, 2, 3, 4, tzinfo=datetime.UTC)",
            "datetime.datetime(2024, 1, 2, 5, 4, tzinfo=Zone)",
        ),
        (
            *NOTHING,
            *("datetime.datetime(2024, 1, 2, 3, 4)", "datetime.date(2024, 1, 2)"),
            *("datetime.datetime(2024, 1, 2, 3, 4, tzinfo=Zone)", "'2024-01-02T03:04'"),
            "datetime.datetime(2024, 1, 2, 3, 4, 0, 1, tzinfo=datetime.UTC)",
        ),
    ),
    "timedelta": Table(
        "datetime.timedelta(days=1, seconds=-1)",
        ("datetime.timedelta(seconds=86399)", "datetime.timedelta(1) - datetime.timedelta(0, 1)"),
        (*NOTHING, "86399", "datetime.timedelta(days=1)", "datetime.timedelta(0, 86399, 1)"),
    ),
    "Enum": Table(
        "Colour.RED",
        ("Colour.RED", "Colour('red')", "Colour['RED']"),
        (*NOTHING, "Colour.GREEN", "'red'", "'RED'", "Colours.RED", "Colour", "'Colour.RED'"),
    ),
    "IntEnum": Table("Level.LOW", ("Level.LOW",), (*NOTHING, "Level.HIGH", "2", "'LOW'")),
    "Enum keys": Table(
        "{Colour.RED: [Level.LOW], Kind.ERROR: 0}",
        ("{Colour.RED: [Level.LOW], Kind.ERROR: 0}",),
        ("{Colours.RED: [Level.LOW], Kind.ERROR: 0}", "{Colour.RED: [2], Kind.ERROR: 0}"),
    ),
    "value of an IntEnum": Table("2", ("Level.HIGH", "Bits.B.value"), ("Bits.B", "Level.LOW")),
    "value of a StrEnum": Table("'error'", ("Kind.ERROR",), ("Colour.RED", "Kind")),
    "value of a Decimal Enum": Table("Decimal('1.5')", ("Price.UNIT",), ("Price",)),
    "is None": Table("is None", ("None",), but("None")),
    "is True": Table("is True", ("True",), (*NOTHING, "1", "1.0", "Level.LOW", "Count(1)")),
    "is False": Table("is False", ("False",), (*but("False"), "-0.0")),
    "approx": Table(
        "pytest.approx(0.3)",
        ("0.1 + 0.2", "0.3", "0.3000002", "Fraction(3, 10)", "complex(0.3)", "Weight(0.3)"),
        (
            *NOTHING,
            *("0.300001", "0.2999", "-0.3", "'0.3'", "[0.3]", "float('nan')"),
            *("float('inf')", "liar(float)(7)", "Decimal('0.3')", "10**400", "'x'"),
        ),
    ),
    "approx of one": Table("pytest.approx(1)", ("True", "Level.LOW", "1.0000001"), ("0", "1.1")),
    "approx of zero": Table("pytest.approx(0.0)", ("1e-13", "0", "-1e-13"), ("1e-11", "None")),
    "approx within": Table(
        "pytest.approx(100, rel=0.01, abs=0.5)", ("101", "99.0"), ("101.1", "98.9")
    ),
    "approx absolute": Table(
        "pytest.approx(1e9, abs=1)", ("1e9 + 1", "999999999"), ("1e9 + 1.5", "1000000100")
    ),
    "approx exactly": Table("pytest.approx(2.5, abs=0)", ("2.5",), ("2.5000000001",)),
    "approx infinity": Table(
        "pytest.approx(float('inf'))", ("float('inf')",), ("float('-inf')", "1e308")
    ),
    "approx Decimal": Table(
        "pytest.approx(Decimal('1e400'), rel=0.5)",
        ("Decimal('1e400')", "Decimal('1.4e400')"),
        ("Decimal('2e400')", "Decimal('NaN')", "float('inf')", "1.0"),
    ),
    "approx list": Table(
        "pytest.approx([0.3, 1])",
        ("[0.1 + 0.2, 1]", "(0.3, 1.0)", "Row([0.3, True])"),
        ("[0.3]", "[0.3, 1, 0]", "[1, 0.3]", "0.3", "[0.3, None]", "[0.3, '1']", "Hollow()"),
    ),
    "approx dict": Table(
        "pytest.approx({'a': 0.3})",
        ("{'a': 0.1 + 0.2}", "Box(a=0.3)"),
        ("{'a': 0.4}", "{}", "{'b': 0.3}", "{'a': 0.3, 'b': 0}", "[('a', 0.3)]", "{'a': None}"),
    ),
}  # fmt: skip

# What stock pytest lets pass and the judge does not, with the reason. What is equal
# only by the word of the value's own class has to be asked for in another way.
DELIBERATE = {
    "a class that says yes": ("7", ("Hollow()", "liar(int)(6)", "liar(float)(0)")),
    "a text that says yes": ("'a'", ("Hollow()", "liar(str)('b')")),
    "a list that says yes": ("[1]", ("[Hollow()]", "liar(list)()", "Hollow()")),
    "a view is no set": ("{'a'}", ("{'a': 1}.keys()",)),
    "a proxy is no dict": ("{'a': 1}", ("types.MappingProxyType({'a': 1})",)),
    "a view of bytes": ("b'ab'", ("memoryview(b'ab')",)),
    "a wrapper of list": ("[1]", ("collections.UserList([1])",)),
    "a wrapper of str": ("'a'", ("collections.UserString('a')",)),
    "a plain value is no member": ("Level.LOW", ("1", "True")),
    "members by name, not by value": ("Kind.ERROR", ("'error'",)),
    "too deep to be read": ("[" * 56 + "]" * 56, ("nested(55)",)),
    "approx of any sequence": ("pytest.approx([1.0])", ("collections.deque([1.0])",)),
    "approx of an array": ("pytest.approx([1.0])", ("array.array('d', [1.0])",)),
    "approx of a dict's keys": ("pytest.approx([1.0])", ("{1.0: 0}",)),
}


def assertion(literal: str, expression: str) -> str:
    if literal.startswith("is "):
        return f"({expression}) {literal}"
    return f"({expression}) == {literal}"


def rows() -> list[tuple[str, str]]:
    """Every literal with every expression that is tried on it."""
    tables = [(table.literal, (*table.equal, *table.near)) for table in TABLES.values()]
    return [
        (literal, expression)
        for literal, expressions in [*tables, *DELIBERATE.values()]
        for expression in expressions
    ]


NAMES = ("Hollow", "liar", "Name", "Count", "Weight", "Row", "Box", "Day", "Money", "Pair", "nested", "Zone")  # fmt: skip
PYTEST_HEAD = HEAD.replace("*", ", ".join((*PUBLIC, *NAMES)))


@pytest.fixture(scope="module")
def passed(tmp_path_factory) -> dict[tuple[str, str], bool]:
    """Say of each row whether the judge lets it pass; one runner answers them all."""
    tests = [
        f"def test_row_{number:04}():\n    assert {assertion(*row)}\n"
        for number, row in enumerate(rows())
    ]
    suite = lifted(PYTEST_HEAD + "\n".join(tests), PUBLIC)
    work = tmp_path_factory.mktemp("judge")
    found = judged(work, suite, contract(PUBLIC), package=WARES)
    assert found.structure.ok, found
    assert {str(outcome) for outcome in found.outcomes} <= {"passed", "wrong"}
    return {
        row: outcome == "passed"
        for row, outcome in zip(rows(), found.outcomes, strict=True)
    }


@pytest.fixture(scope="module")
def stock(tmp_path_factory) -> dict[tuple[str, str], bool]:
    """Say of each row whether its assertion holds, as Python and pytest have it."""
    path = tmp_path_factory.mktemp("stock") / "wares.py"
    path.write_text(WARES)
    spec = importlib.util.spec_from_file_location("wares", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    scope: dict[str, object] = {}
    before = sys.modules.get("wares")
    sys.modules["wares"] = module
    try:
        spec.loader.exec_module(module)
        exec(PYTEST_HEAD, scope)
        return {row: _holds(assertion(*row), scope) for row in rows()}
    finally:
        del sys.modules["wares"]
        if before is not None:
            sys.modules["wares"] = before


def _holds(text: str, scope: dict[str, object]) -> bool:
    try:
        with warnings.catch_warnings():  # `0 is None` is what we mean
            warnings.simplefilter("ignore", SyntaxWarning)
            return bool(eval(text, scope))
    except (TypeError, ArithmeticError):  # the test would fail with it
        return False


@pytest.mark.parametrize("kind", TABLES)
def test_honest_equals_pass_and_near_misses_do_not(kind, passed):
    table = TABLES[kind]
    assert [e for e in table.equal if not passed[table.literal, e]] == []
    assert [e for e in table.near if passed[table.literal, e]] == []


@pytest.mark.parametrize("kind", TABLES)
def test_on_honest_values_the_judge_says_what_python_says(kind, passed, stock):
    table = TABLES[kind]
    honest = [e for e in (*table.equal, *table.near) if _is_honest(e)]
    different = [
        e for e in honest if passed[table.literal, e] != stock[table.literal, e]
    ]
    assert different == []


def _is_honest(expression: str) -> bool:
    return "Hollow" not in expression and "liar" not in expression


@pytest.mark.parametrize("why", DELIBERATE)
def test_what_only_its_own_class_calls_equal_does_not_pass(why, passed, stock):
    literal, expressions = DELIBERATE[why]
    for expression in expressions:
        assert stock[literal, expression]  # the payload is alive
        assert not passed[literal, expression]


def test_every_value_of_a_table_that_lies_fools_stock_pytest_somewhere(stock):
    fooled = {e for (_, e), holds in stock.items() if holds and not _is_honest(e)}
    assert {"Hollow()", "liar(int)(6)", "liar(str)('b')", "liar(list)()"} <= fooled


# -- the rule itself, on decoded data ------------------------------------------------


def test_an_opaque_value_equals_nothing_not_even_itself():
    value = Opaque("Hollow")
    assert not equal(value, value)
    assert not equal("Hollow", value)


@pytest.mark.parametrize("expectation", [Equals(value=None), Is(value=None)])
def test_what_is_missing_is_only_none(expectation):
    assert value_as_expected(expectation, None)
    assert not value_as_expected(expectation, Opaque("None"))
    assert not value_as_expected(expectation, Member("None", "None"))


def test_a_member_counts_once_where_a_set_is_expected():
    assert equal({1, 2}, {Member("Level", "LOW", 1), Member("Level", "HIGH", 2)})
    assert not equal({1, 2}, {Member("Level", "LOW", 1), Member("Low", "LOW", 1)})


def test_a_comparison_that_cannot_be_made_is_no_match():
    deep: list[object] = []
    for _ in range(5_000):
        deep = [deep]
    assert not equal([[[1]]], deep)
    assert not value_as_expected(Approx(value=[1.0]), [10**5_000])


def test_a_raise_is_never_judged_as_a_value():
    with pytest.raises(AttributeError):
        value_as_expected(  # the caller tells them apart; there is no default
            Raises(error="E", lineages=frozenset(), known=frozenset()),  # type: ignore[arg-type]  # on purpose
            None,
        )
