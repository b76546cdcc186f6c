"""Processes that grade at once: order, loss, and an end in every case."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from shipbar.grading import workers

pytestmark = pytest.mark.slow  # a process that is spawned takes a second


@contextmanager
def opened() -> Iterator[Callable[[str], str]]:
    yield act


def act(path: str) -> str:
    """Do what the path says."""
    word, _, rest = path.partition(" ")
    if word == "sleep":
        time.sleep(float(rest))
    elif word == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    elif word == "exit":
        os._exit(int(rest))
    elif word == "tell":
        workers.tell("half")
        workers.tell("more")
    elif word == "pid":
        return str(os.getpid())
    return f"done {path}"


@contextmanager
def never_opened() -> Iterator[Callable[[str], str]]:
    act("exit 7")
    yield act


def lost(path: str, how: str) -> str:
    return f"lost {path}: {how}"


def run(paths: list[str], jobs: int = 2) -> list[str]:
    return list(workers.each(paths, jobs=jobs, opener=opened, lost=lost))


def test_results_come_in_the_order_of_the_paths():
    assert run(["sleep 0.5", "b", "c", "d"]) == [
        "done sleep 0.5",
        "done b",
        "done c",
        "done d",
    ]


def test_no_more_processes_than_asked_for_and_no_more_than_paths():
    assert len(set(run(["pid"] * 9, jobs=2))) <= 2
    assert len(set(run(["pid"], jobs=8))) == 1


def test_a_death_costs_one_path_and_tells_how():
    assert run(["die now", "b", "exit 5", "d"], jobs=1) == [
        "lost die now: signal 9",
        "done b",
        "lost exit 5: exit code 5",
        "done d",
    ]


def test_a_process_that_cannot_open_ends_in_losses_and_not_in_a_loop():
    results = workers.each(["a", "b", "c"], jobs=2, opener=never_opened, lost=lost)
    assert list(results) == [f"lost {path}: exit code 7" for path in "abc"]


def test_who_stops_asking_ends_them_all():
    results = workers.each(["pid", "sleep 50"], jobs=2, opener=opened, lost=lost)
    pid = next(results)
    begun = time.monotonic()
    results.close()
    assert time.monotonic() - begun < workers.LEAVE_S
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)


def test_a_word_on_the_way_is_heard_and_is_no_result():
    heard = []
    results = workers.each(
        ["tell", "b"],
        jobs=1,
        opener=opened,
        lost=lost,
        heard=lambda path, word: heard.append((path, word)),
    )
    assert list(results) == ["done tell", "done b"]
    assert heard == [("tell", "half"), ("tell", "more")]
