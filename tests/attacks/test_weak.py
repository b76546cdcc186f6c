"""What runs under a weak grader is bounded, and what it says is read as weakly as is said."""

import math
import time
from pathlib import Path

import pytest

from shipbar.attacks import Ground, weak

FORKS = """
import os, time
os.fork()
print("started", flush=True)
time.sleep(60)
"""


def test_a_run_that_takes_too_long_is_ended_with_its_children(tmp_path: Path):
    start = time.monotonic()
    ran = weak.run(weak.python("-S", "-c", FORKS), tmp_path, wall_s=0.5)
    assert time.monotonic() - start < 10
    assert ran.code == -9
    assert ran.log.count("started") == 2
    deadline = time.monotonic() + 5
    while any(_in(link, tmp_path) for link in Path("/proc").glob("[0-9]*/cwd")):
        assert time.monotonic() < deadline, "left running"


def _in(link: Path, place: Path) -> bool:
    try:
        return link.readlink() == place
    except OSError:
        return False


def test_a_run_sees_nothing_of_our_environment(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_HOST", "1")
    ran = weak.run(weak.python("-S", "-c", "import os; print(*os.environ)"), tmp_path)
    assert "HOME" in ran.log.split()
    assert "SECRET_OF_THE_HOST" not in ran.log


@pytest.mark.parametrize(
    ("result", "score"),
    [
        ({"passed": 3}, 0.3),
        ({"passed": 1000}, 1.0),
        ({"passed": -1}, 0.0),
        ({"passed": math.nan}, 0.0),
        ({"passed": "3"}, 0.0),
        ({}, 0.0),
        (None, 0.0),
        ([3], 0.0),
    ],
    ids=str,
)
def test_a_result_is_capped_and_what_is_none_is_worth_nothing(result, score):
    assert weak.believed(result, 10) == score


def test_the_last_word_of_a_log_counts():
    log = (
        "PASSED t.py::test_a\nFAILED t.py::test_b - no\nPASSED t.py::test_b\nPASSED x\n"
    )
    assert (
        weak.passed_in_log(log, ["t.py::test_a", "t.py::test_b", "t.py::test_c"]) == 2
    )


def test_a_script_asks_what_the_suite_asks(ground: Ground):
    assert weak.suite_as_json(ground).count('"source"') == len(weak.test_names(ground))
