"""Lifting: what is sent, what is kept, and what is a problem of the task."""

import ast
import textwrap

import pytest

from shipbar.sealed.codec import Member
from shipbar.sealed.compare import Approx, Equals, Is, Raises
from shipbar.sealed.lift import lift
from tests.grading.trial import PACKAGE, PATH, outcomes

SYMBOLS = ("Broken", "Colour", "Lot", "WareError", "parse")
HEAD = """\
import decimal
from fractions import Fraction

import pytest
from wares import Broken, Colour, Lot, WareError, parse

ERRORS = {"Broken": ("WareError", "ValueError"), "WareError": ()}
LIMIT = 3


def filled(*items):
    lot = Lot()
    for item in items:
        lot.add(item)
    return lot


"""


def lift_one(body: str, head: str = HEAD):
    """Lift a test with this body; return its case."""
    text = (
        head + "def test_it_001():\n" + textwrap.indent(textwrap.dedent(body), "    ")
    )
    found = lift({PATH: text}, PACKAGE, SYMBOLS)
    assert found.problems == ()
    [case] = found.suite.cases
    return case


def problems(text: str) -> list[str]:
    found = lift({"t.py": text}, PACKAGE, SYMBOLS)
    assert all(str(p).startswith(f"t.py:{p.line}: ") for p in found.problems)
    return [p.why for p in found.problems]


def the_problem(body: str, head: str = HEAD) -> str:
    text = (
        head + "def test_it_001():\n" + textwrap.indent(textwrap.dedent(body), "    ")
    )
    [why] = problems(text)
    return why


# -- what has the shape --------------------------------------------------------------


@pytest.mark.parametrize(
    ("assertion", "expression", "expectation"),
    [
        ("assert parse('a') == [1, 'b']", "parse('a')", Equals(value=[1, "b"])),
        ("assert parse('a') == None", "parse('a')", Equals(value=None)),
        ("assert (1 < 2) is True", "1 < 2", Is(value=True)),
        ("assert Lot() is None", "Lot()", Is(value=None)),
        ("assert not_there is False", "not_there", Is(value=False)),
        ("assert parse(1) == Colour.RED", "parse(1)", Equals(value=Member("Colour", "RED"))),
        ("assert 1 == pytest.approx(0.5)", "1", Approx(value=0.5)),
        ("assert 1 == pytest.approx([1, 2], 0.1, abs=2)", "1", Approx(value=[1, 2], rel=0.1, abs=2)),
        ("assert 1 == pytest.approx(expected=1)", "1", Approx(value=1)),
        ("assert parse('x') == 1, 'told to nobody'", "parse('x')", Equals(value=1)),
    ],
)  # fmt: skip
def test_an_assertion_is_cut_in_what_is_sent_and_what_is_kept(
    assertion, expression, expectation
):
    case = lift_one(f"'''About it.'''\nlot = Lot()\n{assertion}\n")
    assert case.source == (
        f"def case():\n    lot = Lot()\n    return lambda: {expression}"
    )
    assert case.expectation == expectation
    assert case.id == f"{PATH}::test_it_001"
    assert case.rule == "it"


def test_a_raise_is_sent_in_the_same_shape():
    case = lift_one("with pytest.raises(Broken):\n    parse('1..2')\n")
    assert case.source == "def case():\n    return lambda: parse('1..2')"
    assert isinstance(case.expectation, Raises)
    assert case.expectation.error == "Broken"
    assert case.expectation.known == {"Broken"}


def test_raises_and_approx_go_by_where_they_come_from():
    head = (
        "from pytest import approx as near, raises as fails\nimport decimal as d\n"
        "from wares import parse\n\n"
    )
    case = lift_one("assert parse(1) == near(2)\n", head)
    assert case.expectation == Approx(value=2)
    case = lift_one("with fails(d.InvalidOperation):\n    parse(1)\n", head)
    assert case.expectation.error == "decimal.InvalidOperation"


def test_the_head_is_sent_without_what_the_judge_keeps():
    text = '"""About the suite."""\n' + HEAD + "def test_a():\n    assert 1 == 1\n"
    [head] = lift({PATH: text}, PACKAGE, SYMBOLS).suite.heads
    for kept in ("pytest", "ERRORS", "ValueError", "About", "test_a"):
        assert kept not in head
    names = {getattr(node, "name", None) for node in ast.parse(head).body}
    assert "filled" in names
    assert "LIMIT = 3" in head


def test_cases_come_in_the_order_of_files_and_lines():
    files = {
        name: "".join(f"def test_{n}():\n    assert {n} == 0\n" for n in tests)
        for name, tests in {"b/test_1.py": (9, 2), "a/test_2.py": (5,)}.items()
    }
    found = lift(files, PACKAGE).suite
    assert [case.id for case in found.cases] == [
        "a/test_2.py::test_5",
        "b/test_1.py::test_9",
        "b/test_1.py::test_2",
    ]
    assert [case.file for case in found.cases] == [0, 1, 1]


@pytest.mark.parametrize(
    ("name", "rule"),
    [("test_mark_003", "mark"), ("test_two_words_1", "two_words"), ("test_7", "7"), ("test_lone", "lone")],
)  # fmt: skip
def test_a_test_s_name_tells_its_rule(name, rule):
    [case] = lift({PATH: f"def {name}():\n    assert 1 == 1\n"}, PACKAGE).suite.cases
    assert case.rule == rule


# -- what has not --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("'''Only words.'''", "asserts nothing"),
        ("pass", "end it with one assertion"),
        ("parse(1)", "end it with one assertion"),
        ("assert parse(1)", "compares with nothing"),
        ("assert not parse(1)", "compares with nothing"),
        ("assert parse(1) != 2", "no equality with a literal"),
        ("assert parse(1) in [2]", "no equality with a literal"),
        ("assert parse(1) is not None", "no equality with a literal"),
        ("assert parse(1) is 2", "True, False or None only"),
        ("assert 1 == parse(1) == 1", "chained"),
        ("assert 1 == parse(1)", "may not be called"),
        ("assert parse(1) == LIMIT", "a name, not a literal"),
        ("assert parse(1) == filled()", "may not be called"),
        ("assert parse(1) == ERRORS", "a name, not a literal"),
        ("assert parse(1) == f'{1}'", "no literal"),
        ("assert parse(1) == pytest.approx(LIMIT)", "a name, not a literal"),
        ("assert parse(1) == pytest.approx(1, nan_ok=True)", "approx takes"),
        ("assert parse(1) == pytest.approx(value=1)", "approx takes"),
        ("assert parse(1) == pytest.approx(1, expected=1)", "approx takes"),
        ("assert parse(1) == pytest.approx()", "approx takes"),
        ("assert parse(1) == pytest.approx([[1]])", "not nested"),
        ("assert parse(1) == pytest.approx('a')", "takes a number"),
        ("assert parse(1) == pytest.approx({1})", "takes a number"),
        ("assert parse(1) == pytest.approx(1, rel=-1)", "not below zero"),
        ("assert parse(1) == pytest.approx(1, abs='x')", "is a number"),
        ("assert parse(1) == [pytest.approx(1)]", "may not be called"),
        ("assert parse(1) == 1\nassert parse(2) == 2", "more than once"),
        ("for n in range(3):\n    assert parse(n) == n\nassert 1 == 1", "more than once"),
        ("if parse(1):\n    return\nassert parse(1) == 1", "would end the test"),
        ("yield\nassert parse(1) == 1", "would end the test"),
        ("global LIMIT\nassert parse(1) == 1", "ties tests together"),
        ("with pytest.raises(Broken):\n    parse(1)\nassert parse(1) == 1", "pytest may only"),
        ("near = pytest.approx\nassert parse(1) == 1", "pytest may only"),
        ("assert pytest.approx(1) == 1", "pytest may only"),
        ("import pytest as p\nassert parse(1) == 1", "import pytest at the head"),
        ("from . import x\nassert parse(1) == 1", "relative and star"),
        ("import numpy\nassert parse(1) == 1", "imports numpy"),
        ("assert ERRORS['Broken'] == 1", "the judge's"),
        ("names = ERRORS\nassert parse(1) == 1", "the judge's"),
        ("assert (n := parse(1)) == 1", "binds a name"),
        ("assert [(n := 2), parse(n)] == [2, 1]", "binds a name"),
        ("assert (yield 1) == 1", "yields or awaits"),
        ("with pytest.raises(Broken) as caught:\n    parse(1)", "one class and nothing else"),
        ("with pytest.raises(Broken, match='x'):\n    parse(1)", "one class and nothing else"),
        ("with pytest.raises((Broken, WareError)):\n    parse(1)", "no imported exception"),
        ("with pytest.raises(Unknown):\n    parse(1)", "no imported exception"),
        ("with pytest.raises(Lot.Full):\n    parse(1)", "public_symbols"),
        ("with pytest.raises(int):\n    parse(1)", "no exception class"),
        ("with pytest.raises(decimal.Decimal):\n    parse(1)", "no exception class"),
        ("with pytest.raises(Broken):\n    parse(1)\n    parse(2)", "one expression"),
        ("with pytest.raises(Broken):\n    x = parse(1)", "one expression"),
        ("with pytest.raises(Broken), open('x'):\n    parse(1)", "with raises"),
        ("with open('x'):\n    parse(1)", "with raises"),
        ("with pytest.warns(UserWarning):\n    parse(1)", "with raises"),
    ],
)  # fmt: skip
def test_a_test_of_another_shape_is_a_problem_that_says_why(body, why):
    assert why in the_problem(body)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def test_a(tmp_path):\n    assert 1 == 1\n", "takes a fixture"),
        ("def test_a(*, n=1):\n    assert 1 == 1\n", "takes a fixture"),
        ("@skip\ndef test_a():\n    assert 1 == 1\n", "a decorator"),
        ("async def test_a():\n    assert 1 == 1\n", "async"),
        ("class TestIt:\n    pass\n", "cannot be lifted"),
        ("@cache\ndef helper():\n    pass\n", "decorators"),
        ("def helper():\n    assert 1\n", "may neither assert"),
        ("import pytest\nmark = pytest.mark.skip\n", "nor use pytest"),
        ("import pytest, decimal\n", "a statement of its own"),
        ("def helper():\n    import pytest\n", "import pytest at the head"),
        ("import numpy\n", "imports numpy"),
        ("from wares.deep import *\n", "star"),
        ("from . import wares\n", "relative"),
        ("if 1:\n    x = 1\n", "only imports, bindings and helpers"),
        ("print(1)\n", "only imports, bindings and helpers"),
        ("x: int = 1\ndel x\n", "only imports, bindings and helpers"),
        ("from wares import test_vectors\n", "gives that name a meaning"),
        ("import wares as test_it\n", "gives that name a meaning"),
        ("test_a = test_b = 1\n", "gives that name a meaning"),
        ("__test__ = False\n", "gives that name a meaning"),
        ("pytest_plugins = ['x']\n", "gives that name a meaning"),
        ("collect_ignore = ['x']\n", "gives that name a meaning"),
        ("def setup_module():\n    pass\n", "run by pytest around"),
        ("def teardown_function(f):\n    pass\n", "run by pytest around"),
        ("ERRORS = X = {}\n", "the judge's"),
        ("import wares as ERRORS\n", "bound once"),
        ("def ERRORS():\n    pass\n", "bound once"),
        ("def helper():\n    return ERRORS\n", "the judge's"),
        ("ERRORS = {'A': ['B']}\n", "a tuple of its ancestors"),
        ("ERRORS: dict\n", "a tuple of its ancestors"),
        ("ERRORS = names()\n", "may not be called"),
        ("def test_a(:\n", "not Python"),
        ("\x00", "not Python"),
        ("\ufeffimport wares\n", "not Python"),
        ("def test_a():\n    assert " + "(" * 400 + ")" * 400 + " == 1\n", "not Python"),
        ("x = " + "-" * 5_000 + "1\n", ""),
        ("def test_a():\n    assert " + "1+" * 3_000 + "1 == 1\n", ""),
        ("def test_a():\n    assert f() == " + "[" * 150 + "]" * 150 + "\n", None),
    ],
)  # fmt: skip
def test_a_file_of_another_shape_is_a_problem_that_says_why(text, why):
    found = problems(text)
    if why is None:
        assert found == []
    else:
        assert len(found) == 1
        assert why in found[0]


def test_an_error_without_a_lineage_is_a_problem_at_its_test():
    text = "import pytest\nfrom wares import Broken\n\ndef test_a():\n    with pytest.raises(Broken):\n        f()\n"
    found = lift({"t.py": text}, PACKAGE, SYMBOLS)
    assert [(p.line, "no entry for Broken" in p.why) for p in found.problems] == [(4, True)]  # fmt: skip


def test_two_files_agree_on_a_lineage():
    files = {
        "a.py": "ERRORS = {'Broken': ('ValueError',)}\n",
        "b.py": "ERRORS = {'Broken': ()}\n",
    }
    [problem] = lift(files, PACKAGE, SYMBOLS).problems
    assert problem.path == "b.py"


def test_a_name_counts_once():
    text = "def test_a():\n    assert 1 == 1\n\ndef test_a():\n    assert 2 == 2\n"
    found = lift({"t.py": text}, PACKAGE)
    assert [p.line for p in found.problems] == [4]
    assert [case.line for case in found.suite.cases] == [1]


def test_all_problems_of_all_files_are_told_at_once_and_the_rest_is_lifted():
    files = {
        "b.py": "def test_a(x):\n    pass\n\nclass A: ...\n",
        "a.py": "def test_a():\n    pass\n\ndef test_b():\n    assert 1 == 1\n",
    }
    found = lift(files, PACKAGE)
    assert [(p.path, p.line) for p in found.problems] == [
        ("a.py", 1),
        ("b.py", 1),
        ("b.py", 4),
    ]
    assert [case.id for case in found.suite.cases] == ["a.py::test_b"]


def test_nothing_that_is_only_loaded_here_can_be_expected():
    head = "import pytest\n"
    why = the_problem(
        "with pytest.raises(pytest.UsageError):\n    parse(1)\n", head=head
    )
    assert "no exception class" in why


# -- what is sent means what it meant ------------------------------------------------


MEANINGS = '''
"""A suite with names of its own choosing."""
from __future__ import annotations

import pytest
from wares import twice

K: Undefined = 3


def case(n: Unknown) -> Never:
    """A helper of the name that the judge's own functions have."""
    return twice(n)


def counted():
    n = 0

    def up():
        return n + 1

    return up()


def test_helper_001():
    assert case(K) == 6


def test_helper_002():
    assert case(case(1)) == 4


def test_nested_001():
    def inner(x: Missing = 2):
        """Inner."""
        if x:
            return case(x)
        return None

    assert [inner(), inner(0)] == [4, None]


def test_class_001():
    class Thing:
        case: Missing = 1

        def __len__(self):
            return 7

    assert len(Thing()) == 7


def test_loop_001():
    seen = []
    for n in range(3):
        try:
            seen.append(1 // n)
        except ZeroDivisionError:
            seen.append(None)
        else:
            continue
    with open("/dev/null") as file:
        seen.append(file.read())
    assert seen == [None, 1, 0, ""]


def test_text_001():
    name = "x"
    assert f"{name!r:>5}|{twice(1)}" + "\\n\\"'" == "  'x'|2\\n\\"'"


def test_closure_001():
    total = 0
    for n in range(3):
        total += n
    del n
    assert (lambda: total + counted())() == 4


def test_match_001():
    match [1, 2]:
        case [a, b]:
            both = a + b
    assert both == 3


def test_wrong_001():
    assert twice(2) == 5


def test_early_001():
    twice()
    with pytest.raises(TypeError):
        twice(1)


def test_right_001():
    with pytest.raises(TypeError):
        twice()
'''


def test_what_is_sent_means_what_it_meant(tmp_path):
    found = outcomes(tmp_path, "def twice(n):\n    return 2 * n\n", MEANINGS)
    wrong = {name: outcome for name, outcome in found.items() if outcome != "passed"}
    assert wrong == {"test_wrong_001": "wrong", "test_early_001": "raised"}
