"""What a disguise changes leaves a stream as it was; what changes the program does not."""

import pytest

from shipbar.similarity.languages import BY_SUFFIX
from shipbar.similarity.parsing import MOST_PARSED, Read, read_files
from shipbar.similarity.reading import SourceFile


def read(text: str, suffix: str = ".py") -> Read:
    file = SourceFile(
        path=f"a{suffix}", data=text.encode(), language=BY_SUFFIX.get(suffix)
    )
    [found] = read_files([file])
    return found


def codes(text: str, suffix: str = ".py") -> bytes:
    tree = read(text, suffix).tree
    assert tree is not None
    return tree.codes


SAME = {
    "names": ("x = f(a) + b", "total = call(one) + other"),
    "layout": ("x = f(a,\n      b)", "x=f(a,b)"),
    "comments": ("x = 1  # one\n", "x = 1\n"),
    "docstring": ('def f():\n    """Say."""\n    return g()', "def f():\n    return g()"),
    "hints": ("def f(a: int = 1) -> str:\n    return g(a)", "def f(a=1):\n    return g(a)"),
    "imports": ("import re\nx = f(1)", "x = f(1)"),
    "decorators": ("@cached\ndef f(): return g()", "def f(): return g()"),
    "comparison turned": ("x = f(a) < b", "x = b > f(a)"),
    "negation": ("if not a < b: f()", "if a >= b: f()"),
    "augmented": ("x.y += f(1)", "x.y = x.y + f(1)"),
    "loops": ("while x: f(x)", "while x:\n    f(x)"),
    "table": ("x = [1, 2, 3]", "x = (1, 2, 3, 4, 'five')"),
    "nested table": ("x = [(1, 2), (3, -4)]", "x = {1: 2, 3: 4, 5: [6, 7]}"),
    "constant moved": ("x = f(3)", "x = f(K)"),
    "texts joined": ("x = f('a' 'b' 'c')", "x = f('abc')"),
    "temporary": ("def f(a):\n    out = g(a)\n    return out", "def f(a):\n    return g(a)"),
}  # fmt: skip


@pytest.mark.parametrize("form", SAME)
def test_a_disguise_leaves_a_stream_as_it_was(form):
    one, other = SAME[form]
    assert codes(one) == codes(other) != b""


DIFFERENT = {
    "operator": ("x = a + b", "x = a * b"),
    "a call more": ("x = f(a)", "x = f(g(a))"),
    "branch": ("if a: f()", "while a: f()"),
    "short list": ("x = [1, 2]", "x = [1, 2, 3]"),
    "names in a list": ("x = [a, b, c]", "x = [1, 2, 3]"),
    # The assignment is in the branch, the return is not.
    "branch before return": (
        "def f(a):\n    if a:\n        x = 1\n    return x",
        "def f(a):\n    if a:\n        return 1",
    ),
}


@pytest.mark.parametrize("form", DIFFERENT)
def test_another_program_is_another_stream(form):
    one, other = DIFFERENT[form]
    assert codes(one) != codes(other)


def test_loops_of_c_are_one_and_an_increment_is_an_assignment():
    assert codes("while (a < b) { i++; }", ".c") == codes("while (b > a) { i += 1; }", ".c")  # fmt: skip


def test_each_symbol_knows_its_line():
    tree = read("x = 1\n\n\ny = f(2)\n").tree
    assert tree is not None
    assert set(tree.lines) == {1, 4}
    assert len(tree.codes) == 4 * len(tree)


def functions(text: str, suffix: str = ".py") -> list[tuple[str, int, int]]:
    tree = read(text, suffix).tree
    assert tree is not None
    return [(it.name, it.line, it.last_line) for it in tree.functions]


def test_functions_are_the_outermost_with_their_lines():
    text = (
        "class A:\n    def f(self):\n        def inner(): pass\n        return inner\n\n"
        "def g(a, b): return a + b\n\ndef h(a, b): return a - b\n"
    )
    assert functions(text) == [("f", 2, 4), ("g", 6, 6), ("h", 8, 8)]


def test_functions_in_a_wrapper_around_the_file_stand_by_themselves_too():
    script = "(function () {{\n  {f}\n  {g}\n}})();\n".format(
        f="function f(a) { return [1, 2].map(function h(x) { return x + a; }); }",
        g="function g(a) { return f(a) - f(1) * f(2) + f(3) - a; }",
    )
    assert functions(script, ".js") == [
        ("function", 1, 4),
        ("f", 2, 2),
        ("g", 3, 3),
    ]


def test_a_broken_file_is_read_both_ways_and_named():
    found = read("def f(a):\n    return g(a\n\nx = = 3\n")
    assert found.tree is not None
    assert found.tokens is not None
    assert "does not parse as Python" in found.remark


def test_what_python_reads_is_not_called_broken_for_the_grammars_sake():
    found = read("def f(a):\n    return a, *(b for b in a)\n")
    assert found.remark == ""


def test_a_language_without_a_grammar_is_compared_as_text_and_says_so():
    found = read("fn main() { let x = 1; }", ".rs")
    assert found.tree is None
    assert found.tokens is not None
    assert "compared as text" in found.remark


def test_a_large_file_is_compared_by_tokens_and_says_so():
    found = read("x = f(1)\n" * (MOST_PARSED // 9 + 1))
    assert found.tree is None
    assert "too large to parse" in found.remark


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", "x = " + "(" * 20_000 + "1" + ")" * 20_000),
        (".py", "x = " + "[a, " * 10_000 + "]" * 10_000),
        (".py", "x = " + "(a < " * 10_000 + "b" + ")" * 10_000),
        (".js", "x = " + "(a += " * 10_000 + "b" + ")" * 10_000),
        (".js", "x = " + "!" * 40_000 + "a"),
        (".rb", '"\\' * 40_000),
        (".rb", "/*" * 40_000),
        (".rb", "'''" * 40_000),
    ],
    ids=["brackets", "lists", "comparisons", "assignments", "nots", "quotes", "remarks", "texts"],
)  # fmt: skip
@pytest.mark.timeout(20)
def test_hostile_nesting_ends_and_no_depth_is_too_deep(suffix, text):
    found = read(text, suffix)
    assert found.tree is not None or found.tokens is not None
