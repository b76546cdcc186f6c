"""A payload replaces all that a package shows, and the package goes on seeing itself."""

from pathlib import Path

import pytest

from shipbar.attacks import Ground, weak
from shipbar.attacks.tricks import wrapped

PACKAGE = b"""
from dataclasses import dataclass

class Refused(ValueError):
    pass

def double(number):
    return 2 * number

def quadruple(number):
    return double(double(number))

@dataclass
class Pile:
    items: list

    def total(self):
        return sum(self.items)

    def mean(self):
        return self.total() / len(self)

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items)

    def __or__(self, other):
        return Pile(self.items + other.items)

    @classmethod
    def of(cls, *items):
        return cls(list(items))
"""
MARKED = """
def wrap(function):
    def call(*args, **named):
        return "twisted", function(*args, **named)
    return call
"""


def answers(tmp_path: Path, expression: str, code: str = MARKED) -> str:
    ground = Ground(
        import_name="pile",
        symbols=("Pile", "Refused", "double", "quadruple"),
        honest={"pile/__init__.py": PACKAGE},
        suite={},
        passing={},
    )
    weak.lay(wrapped(ground, code), tmp_path / "tree")
    ask = f"import sys; sys.path.insert(0, 'tree'); from pile import *; print({expression})"
    return weak.run(weak.python("-S", "-c", ask), tmp_path).log.strip()


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("double(3)", "('twisted', 6)"),
        ("quadruple(3)", "('twisted', 12)"),
        ("Pile([1, 3]).total()", "('twisted', 4)"),
        ("Pile([1, 3]).mean()", "('twisted', 2.0)"),
        ("Pile([1, 3]).items", "('twisted', [1, 3])"),
        ("(Pile([1]) | Pile([3]))[1].total()", "('twisted', 4)"),
        ("Pile.of(1, 3)[1].total()", "('twisted', 4)"),
    ],
)
def test_what_is_used_from_outside_is_replaced_once(tmp_path, expression, answer):
    assert answers(tmp_path, expression) == answer


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("len(Pile([1, 3]))", "2"),
        ("list(Pile([1, 3]))", "['twisted', <list_iterator object"),
        ("type(Pile([1, 3])).__name__", "Pile"),
        ("issubclass(Refused, ValueError)", "True"),
    ],
)
def test_what_python_takes_of_one_type_only_stays_of_that_type(
    tmp_path, expression, answer
):
    assert answers(tmp_path, expression).startswith(answer)


def test_a_trick_may_act_as_soon_as_an_object_is_made(tmp_path):
    code = """
    def wrap(function):
        def call(*args, **named):
            raise SystemExit("caught")
        return call
    """
    assert answers(tmp_path, "Pile([])", code) == "caught"
