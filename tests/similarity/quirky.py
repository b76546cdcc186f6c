"""A task whose reference has habits that no assertion asks for, and another implementation."""

from pathlib import Path

from shipbar.grading.tasks import Task, load_task
from tests.cli import tiny

REFERENCE = """\
class TallyError(ValueError):
    pass


class Nothing(TallyError):
    pass


class Pair:
    def __init__(self, one, two):
        self.one, self.two = one, two

    def __repr__(self):
        return f"<{self.one} beside {self.two}>"

    def total(self):
        return add(self.one, self.two)


def add(a, b):
    if a is None or b is None:
        raise Nothing("there is a gap in it")
    if not isinstance(a, int) or not isinstance(b, int):
        raise TallyError(f"no number at {id(a):#018x}: {a!r}")
    return a + b


def counts():
    return {"pears": 2, "apples": 1}
"""
OTHER = """\
class TallyError(ValueError):
    pass


class Pair:
    def __init__(self, one, two):
        self.both = one, two

    def total(self):
        return add(*self.both)


def add(a, b):
    try:
        return a.__index__() + b.__index__()
    except AttributeError:
        raise TallyError("only numbers can be added") from None


def counts():
    return {"apples": 1, "pears": 2}
"""
SUITE = '''\
import pytest

from tally import Pair, TallyError, add, counts

ERRORS = {"TallyError": ("ValueError",)}


def outcome(call, *args):
    """What it returns, or that it refuses."""
    try:
        return call(*args)
    except TallyError:
        return "refused"


def test_adding_001():
    assert add(1, 2) == 3


def test_faults_001():
    with pytest.raises(TallyError):
        add("1", 2)


def test_faults_002():
    assert outcome(add, None, 2) == "refused"


def test_faults_003():
    assert outcome(add, 2, None) == "refused"


def test_pairs_001():
    pair = Pair(1, 2)
    assert pair.total() == 3


def test_counts_001():
    assert counts() == {"apples": 1, "pears": 2}
'''
KINDS = {
    ("test_faults_001", "text 1"),
    ("test_faults_002", "text 1"),
    ("test_faults_002", "class 1"),
    ("test_pairs_001", "repr pair"),
    ("test_counts_001", "order"),
}
"""What the reference is known by."""
CONTRACT = tiny.contract(
    ('"add", "names"', '"Pair", "add", "counts"'),
    ("min_passed = 4", "min_passed = 6"),
    ("case_wall_s = 2", "case_wall_s = 0.5"),
)


def task(
    folder: Path,
    *,
    reference: str = REFERENCE,
    specification: str = "Add numbers.\n",
    **more: str,
) -> Task:
    """Make the task in ``folder``, with files by path in `more`; return it loaded."""
    tiny.task(folder, contract=CONTRACT, suite=SUITE)
    tiny.write(
        folder,
        {
            "solver/SPEC.md": specification,
            "grader/reference/tally/__init__.py": reference,
            **more,
        },
    )
    return load_task(folder)
