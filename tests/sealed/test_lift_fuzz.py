"""The lifter, on suites that were changed at random and on files made at random.

Whatever a test file holds is lifted or is a problem, and no expectation is ever sent:
those here are secrets, drawn anew at every run. The changes have fixed seeds.
"""

import ast
import random
import secrets
import warnings

import pytest

from shipbar.sealed.lift import lift

SECRET = secrets.token_hex(16)
NUMBER = secrets.randbits(120)

SUITE = f'''"""Held out."""
from __future__ import annotations
import datetime
import operator
from decimal import Decimal
from fractions import Fraction

import pytest
from pytest import approx
from wares import Broken, Colour, Lot, WareError, parse

ERRORS = {{"Broken": ("WareError", "{SECRET}")}}
LIMIT = 3
TEXTS: list[str] = ["a", "b"]


def filled(*items: str) -> Lot:
    """Help."""
    lot = Lot()
    for item in items:
        lot.add(item)
    return lot


def test_order_001() -> None:
    """It keeps order."""
    lot = filled(*TEXTS)
    lot.add("c")
    assert lot.items() == ["b", "a", "{SECRET}", {NUMBER}]


def test_order_002() -> None:
    with pytest.raises(Broken):
        parse("1..2")


def test_number_001() -> None:
    assert parse("1") == approx({NUMBER}.5, rel=0.{NUMBER})


def test_number_002() -> None:
    assert {{k: v for k, v in parse("2").items() if k}} == {{
        "{SECRET}": (Decimal("{NUMBER}"), Fraction({NUMBER}, 7)),
        Colour.RED: {{datetime.date(2024, 2, 29)}},
    }}


def test_truth_001() -> None:
    n = [parse(str(n)) for n in range(LIMIT)]
    assert (n[0] < n[1]) is True, "{SECRET}"


def test_library_001() -> None:
    with pytest.raises(KeyError):
        operator.delitem({{}}, "k")
'''
SYMBOLS = ("Broken", "Colour", "Lot", "WareError", "parse")
SNIPPETS = (
    *("assert", "==", "is", "True", "None", "with", "pytest", ".raises", "approx", "("),
    *(")", ":", "\n", "    ", "lambda", "yield", "return", "global LIMIT", "ERRORS", "["),
    *("]", "{", "}", ",", "=", "def test_x():", "class A:", "import", "from", "as", "*"),
    *("async ", "await ", "@", "if 1:", "else", "1", "'a'", "f'{1}'", "b''", "...", "-"),
    *("float('nan')", "0x", "1e999", "10**9", "\\", "#", "\t", "\x00", "\ud800", "é"),
    *("not ", "in", "!=", "**", ":=", "del LIMIT", "try:", "except:", "match x:", ";"),
    *("Decimal", "datetime.UTC", "Colour.RED", "range(3)", "set()", "1j", "x: int = 2"),
)  # fmt: skip


def check_lifted(text: str) -> int:
    """Lift one text; check what holds for all of them; return the number of cases."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of odd escapes, and of `is` with a literal
        found = lift({"grader/tests/test_it.py": text}, "wares", SYMBOLS)
        for case in found.suite.cases:
            assert case.source.startswith("def case():")
            compile(case.source, "case", "exec", dont_inherit=True)
        for head in found.suite.heads:
            tree = ast.parse(head)
            names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
            names |= {
                a.name for n in ast.walk(tree) if isinstance(n, ast.alias) for a in [n]
            }
            assert "pytest" not in {name.partition(".")[0] for name in names}
            assert "ERRORS" not in names
            assert not any(isinstance(node, ast.Assert) for node in ast.walk(tree))
    for problem in found.problems:
        assert problem.line >= 1
        assert problem.why
    return len(found.suite.cases)


def sent(text: str) -> str:
    suite = lift({"test_it.py": text}, "wares", SYMBOLS).suite
    return "\n".join([*suite.heads, *(case.source for case in suite.cases)])


def test_no_expectation_is_ever_sent():
    found = lift({"test_it.py": SUITE}, "wares", SYMBOLS)
    assert found.problems == ()
    assert len(found.suite.cases) == 6
    everything = sent(SUITE)
    for kept in (
        SECRET,
        str(NUMBER),
        "pytest",
        "ERRORS",
        "assert",
        "RED",
        "29",
        "test_",
        "It keeps",
    ):
        assert kept not in everything  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_any_change_to_a_suite_is_lifted_or_is_a_problem(seed):
    rng = random.Random(f"suites {seed}")
    lines = SUITE.split("\n")
    cases = 0
    for _ in range(250):
        changed = list(lines)
        for _ in range(rng.randrange(1, 5)):
            at = rng.randrange(len(changed))
            match rng.randrange(6):
                case 0:
                    del changed[at]
                case 1:
                    changed.insert(at, changed[rng.randrange(len(changed))])
                case 2:
                    changed[at] = rng.choice(["", " ", "    "]) + changed[at].lstrip()
                case 3:
                    line = changed[at]
                    cut = rng.randrange(len(line) + 1)
                    changed[at] = line[:cut] + rng.choice(SNIPPETS) + line[cut:]
                case 4:
                    line = changed[at]
                    cut = rng.randrange(len(line) + 1)
                    changed[at] = line[:cut] + line[cut + rng.randrange(1, 9) :]
                case _:
                    other = rng.randrange(len(changed))
                    changed[at], changed[other] = changed[other], changed[at]
            if not changed:
                break
        cases += check_lifted("\n".join(changed))
    assert cases > 200  # most changes leave most tests whole


ATOMS = (
    *("1", "x", "'a'", "None", "parse", "pytest", "ERRORS", "Colour.RED", "1.5", "..."),
    *("True", "f'{x!r:>{y}}'", "b'a'", "10**9", "1e999", "raises", "approx", "()", "[]"),
)  # fmt: skip
FORMS = (
    *("{} == {}", "({} is {})", "f({}, {})", "[{}, {}]", "{{{}: {}}}", "-{}", "not {}"),
    *("(lambda: {})", "({}).y", "approx({})", "raises({})", "Decimal({})", "float({})"),
    *("bytes({})", "(y := {})", "[z for z in {}]", "f'{{{}}}'", "(yield {})", "{} + {}"),
    *("approx({}, rel={})", "range({}, {})", "*{}", "(await {})", "{}[{}]", "set({})"),
    *("datetime.date({}, 1, 1)", "{} if {} else {}", "complex({}, {})", "({},)"),
)  # fmt: skip
STATEMENTS = (
    *("{}", "x = {}", "x: {} = {}", "assert {}", "assert {} == {}", "assert {}, {}"),
    *("assert {} is True", "with {}: {}", "with raises({}): {}", "return {}", "del x"),
    *("import pytest", "import wares", "from os import *", "global x", "async def f(): {}"),
    *("def g(a={}): return {}", "class C: x = {}", "if {}: assert {}", "ERRORS = {}"),
    *("for x in {}: pass", "raise {}", "x = ERRORS = {}", "import os.path as ERRORS"),
    *("while {}: break", "test_a = {}", "lambda: {}", "assert {} == approx({})"),
)  # fmt: skip


def expression(rng: random.Random, depth: int = 0) -> str:
    if depth > 3 or rng.random() < 0.4:
        return rng.choice(ATOMS)
    return filled_in(rng.choice(FORMS), rng, depth + 1)


def filled_in(form: str, rng: random.Random, depth: int = 0) -> str:
    return form.format(*(expression(rng, depth) for _ in range(3)))


def any_file(rng: random.Random) -> str:
    lines = ["import datetime", "import pytest", "from decimal import Decimal"]
    lines.append("from pytest import approx, raises")
    lines += [filled_in(rng.choice(STATEMENTS), rng) for _ in range(rng.randrange(3))]
    for number in range(rng.randrange(4)):
        lines.append(f"def test_{number}():")
        lines += [
            "    " + filled_in(rng.choice(STATEMENTS), rng)
            for _ in range(rng.randrange(1, 4))
        ]
        if rng.random() < 0.5:
            lines.append("    assert " + expression(rng) + f" == ['{SECRET}', 1]")
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(4))
def test_any_file_is_lifted_or_is_a_problem(seed):
    rng = random.Random(f"files {seed}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = 0
        for _ in range(500):
            text = any_file(rng)
            cases += check_lifted(text)
            assert SECRET not in sent(text)
    assert cases > 3


def test_what_is_lifted_from_a_tree_of_any_depth_is_lifted_or_is_a_problem():
    for depth in (10, 50, 90, 300, 2_000):
        for text in ("[{}]", "-{}", "f({})", "({},)", "{{1: {}}}", "1 + {}", "{}.x"):
            value = "1"
            for _ in range(depth):
                value = text.format(value) if depth < 400 or len(text) > 5 else value
            check_lifted(f"def test_a():\n    assert {value} == {value}\n")
            check_lifted(f"x = {value}\n")
