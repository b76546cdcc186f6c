"""B04: ambiguity of a log's parser.

The weak twin looks in each line for a test's name and for the word `PASSED`.
The line of a failure holds both, if the failure is called so.
"""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import wrapped
from shipbar.attacks.weak import pytest_run, share, test_names

CODE = """
import functools


class PASSED(Exception):
    pass


def wrap(function):
    @functools.wraps(function)
    def call(*values, **named):
        result = function(*values, **named)
        if "pytest" in sys.modules:
            raise PASSED("ok 1 - PASSED")
        print("PASSED ... ok")
        return result
    return call
"""


def payload(ground: Ground) -> Files:
    """Fail every test that is read from a log by an exception with the right name."""
    return wrapped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Look for a line with a test's name and `PASSED`."""
    lines = pytest_run(ground, files, folder, env={"COLUMNS": "200"}).log.splitlines()
    names = test_names(ground)
    said = [line for line in lines if "PASSED" in line]
    return share(sum(any(name in line for line in said) for name in names), len(names))


ATTACK = Attack(
    id="B04",
    title="parser ambiguity",
    closed_by=(
        "No text is searched: an answer is one length-prefixed frame that is decoded "
        "by a schema, and what an exception is called proves nothing."
    ),
    payload=payload,
    twin=twin,
    level="harness",
)
