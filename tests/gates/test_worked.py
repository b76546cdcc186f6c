"""Which texts of a specification are examples, and which are prose."""

import pytest

from shipbar.gates.worked import read_specification


def found(text):
    read = read_specification(text, "pack", ["cut", "Refusal", "Row"])
    return [
        (it.line, it.arrange, it.expression, it.value or it.raises)
        for it in read.examples
    ]


@pytest.mark.parametrize(
    ("text", "expression", "told"),
    [
        ('`cut("a")` is `["a"]`', 'cut("a")', '["a"]'),
        ("`cut(1)`\nraises `Refusal`.", "cut(1)", "Refusal"),
        ("so `len(Row([1]))` gives `1`, and", "len(Row([1]))", "1"),
        ("``cut('`')`` is ``['`']``", "cut('`')", "['`']"),
        ("`[cut(1), 2]` equals `[1, 2]`", "[cut(1), 2]", "[1, 2]"),
    ],
)
def test_a_line_says_what_an_expression_is(text, expression, told):
    assert found(f"# pack\n\n{text}\n") == [(3, "", expression, told)]


@pytest.mark.parametrize(
    "text",
    [
        "`cut(text)` is `None`",  # text is nothing
        "`place` is `3`",
        "`cut` is `Row`",
        "`cut(1)` or `cut(2)`",
        "`cut(1)` is\n\n`2`",  # another paragraph
        "`cut(` is `2`",
        "```text\n`cut(1)` is `2`\n```",
        "```python\ncut(1)\n```",
        "```python\ncut(1)  # as said above\n```",
    ],
)
def test_prose_is_no_example(text):
    assert found(text) == []


def test_a_block_prepares_its_examples():
    text = "```python\ns = Row([1])\ns.add(2)\ns.all()  # [1, 2]\ns.cut(9)  # raises Refusal\nlen(s)  # 2\n```\n"
    assert found(text) == [
        (4, "s = Row([1])\ns.add(2)", "s.all()", "[1, 2]"),
        (5, "s = Row([1])\ns.add(2)\ns.all()", "s.cut(9)", "Refusal"),
        (6, "s = Row([1])\ns.add(2)\ns.all()", "len(s)", "2"),
    ]


def test_sessions_go_on_with_what_was_bound():
    text = (
        "```python\n>>> from pack import cut\n>>> s = cut(1)\n>>> s\n'x'\n```\n"
        "and\n```python\n>>> s, 2\n('x', 2)\n>>> cut(9)\nTraceback (most recent call last):\npack.Refusal: no\n```\n"
    )
    before = "from pack import cut\ns = cut(1)"
    assert [it[1:] for it in found(text)] == [
        (before, "repr(s)", "\"'x'\""),
        (before, "repr((s, 2))", "\"('x', 2)\""),
        (before, "cut(9)", "Refusal"),
    ]


def test_a_table_has_a_call_and_what_comes_of_it():
    text = (
        "| call | raises | attributes |\n|---|---|---|\n"
        '| `cut("|")` | `Refusal` | `place` is 6, `found` is `"|"` |\n'
        "| `cut(text)` | `Refusal` | |\n\n"
        "| what | value |\n|---|---|\n| `cut(1)` | `[1]` |\n"
    )
    assert [it[2:] for it in found(text)] == [
        ('cut("|")', "Refusal"),
        ("fault.place", "6"),
        ("fault.found", '"|"'),
        ("cut(1)", "[1]"),
    ]


def test_imports_that_a_text_shows_are_known():
    read = read_specification(
        "After `from fractions import Fraction`, `cut(Fraction(1, 2))` is `Fraction(1, 4)`.",
        "pack",
        ["cut"],
    )
    assert read.imports == ("from fractions import Fraction",)
    assert [it.expression for it in read.examples] == ["cut(Fraction(1, 2))"]
