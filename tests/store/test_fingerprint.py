"""The same library under another name is the same task, and nothing else is."""

import pytest

from shipbar.store.fingerprint import fingerprint

SOURCE = '''\
"""Tally things."""

from fractions import Fraction as Part
import re

__all__ = ["TallyFault", "tally"]


class TallyFault(ValueError):
    """What tally refuses."""

    def __init__(self, given):
        super().__init__(f"tally: cannot count {given!r}")
        self.given = given


def tally(items, *, least=3):
    """Count."""
    total = 0  # so far
    for place, item in enumerate(items):
        if not isinstance(item, int):
            raise TallyFault(item)
        total += item if place % 2 else -item
    try:
        return Part(max(total, least)).limit_denominator(7)
    except ZeroDivisionError as why:
        raise TallyFault(why) from why
'''


def of(source=SOURCE, package="tally", names=("tally", "TallyFault"), **more):
    files = {f"{package}/__init__.py": source.encode(), **more}
    return fingerprint(files, names)


def renamed(*pairs: tuple[str, str]) -> str:
    text = SOURCE
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    "pairs",
    [
        [("total", "sum_so_far")],
        [("given", "wrong")],
        [("least", "floor")],
        [("Part", "Ratio")],
        [("why", "cause")],
        [('"""Tally things."""', '"""Nothing that matters."""')],
        [("  # so far", ""), ("\n\n\nclass", "\n\n\n# another\nclass")],
        [('["TallyFault", "tally"]', '["tally", "TallyFault"]')],
        [("    return Part(max(total, least))", "    return Part(max( total,least ))")],
    ],
    ids=str,
)
def test_what_does_not_make_another_task(pairs):
    assert of(renamed(*pairs)) == of()


def test_the_same_under_other_public_names_is_the_same():
    text = renamed(("TallyFault", "GorsinMishap"), ("tally", "velmo"))
    assert of(text, "velmo", ("velmo", "GorsinMishap")) == of()


@pytest.mark.parametrize(
    "pair",
    [
        ("least=3", "least=4"),
        ("max(", "min("),
        ("place % 2", "place % 3"),
        ("ValueError", "TypeError"),
        ("cannot count", "never counts"),
        ("limit_denominator(7)", "limit_denominator(8)"),
        ("isinstance(item, int)", "isinstance(place, int)"),
        ("-item", "item"),
        ("Fraction as Part", "gcd as Part"),
    ],
    ids=str,
)
def test_what_makes_another_task(pair):
    assert of(renamed(pair)) != of()


def test_two_names_are_not_taken_for_one():
    one = of("def tally(a, b):\n    return a - b\n")
    assert of("def tally(x, y):\n    return x - y\n") == one
    assert of("def tally(a, b):\n    return b - a\n") != one


def test_modules_may_be_renamed_and_data_counts():
    text = "from tally.inner import tally\n"
    split = of(text, **{"tally/inner.py": SOURCE.encode()})
    other = fingerprint(
        {
            "velmo/__init__.py": b"from velmo.deeper import velmo\n",
            "velmo/deeper.py": renamed(
                ("TallyFault", "GorsinMishap"), ("tally", "velmo")
            ).encode(),
        },
        ("velmo", "GorsinMishap"),
    )
    assert split == other
    data = {"tally/table.txt": b"1 2 3"}
    assert of(**data) != of()
    assert of(**data) != of(**{"tally/table.txt": b"1 2 4"})


def test_what_is_no_program_is_compared_as_text():
    assert of("not python at all (") != of("not python at all [")


def test_it_stays_what_it_was():
    """Ledgers hold these for years: another value here needs another METHOD."""
    assert of() == GOLDEN


GOLDEN = "sha256:4a7de328b855a0f39ffd423e96a28698b4531d010350fdf35f57554b20a17607"
