"""Variations of a package, judged one after another in one subject."""

import pytest

from shipbar.errors import GraderFault
from shipbar.grading import lineup as module
from shipbar.grading.install import Installed
from shipbar.grading.lineup import Lineup
from shipbar.grading.tasks import load_task
from shipbar.testing.fakes import Unconfined
from tests.cli import tiny

PATH = "tally/__init__.py"


def package(text):
    return {PATH: text.encode()}


@pytest.fixture
def task(tmp_path):
    return load_task(tiny.task(tmp_path / "task"))


@pytest.fixture
def sandbox():
    return Counting()


class Counting(Unconfined):
    """Counts the subjects that it starts."""

    def __init__(self):
        super().__init__()
        self.started = 0

    def _start(self, job):
        self.started += 1
        return super()._start(job)


@pytest.fixture
def lineup(task, sandbox, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    reference = Installed(way="tree", files=package(tiny.REFERENCE), root="")
    with Lineup(task, reference, sandbox, work) as opened:
        yield opened
    assert list(work.iterdir()) == []


def changed(old, new):
    assert tiny.REFERENCE.count(old) == 1
    return package(tiny.REFERENCE.replace(old, new))


def test_each_variation_is_judged_as_if_it_were_alone(lineup, sandbox):
    right = package(tiny.REFERENCE)
    wrong = changed("a + b", "a - b")
    for files, ships in [(right, True), (wrong, False), (right, True), (wrong, False)]:
        assert lineup.judge(files, most=1).ships is ships
    assert sandbox.started == 1


def test_every_failure_is_heard_unless_fewer_are_enough(lineup):
    every = lineup.judge(package(tiny.HOLLOW))
    assert every.loads
    assert len(every.failed) > 1
    assert len(lineup.judge(package(tiny.HOLLOW), most=1).failed) == 1


def test_likely_failures_are_asked_first(lineup):
    first, *_, last = lineup.judge(package(tiny.HOLLOW)).failed
    assert lineup.judge(package(tiny.HOLLOW), [last], most=1).failed == (last,)
    assert lineup.judge(package(tiny.HOLLOW), [first], most=1).failed == (first,)


@pytest.mark.parametrize(
    "text",
    [
        "1 / 0",
        "import nothing_of_that_name",
        "def add(a, b): ...",
        "def (",
        "while True: pass",
    ],
)
def test_what_does_not_load_does_not_ship(lineup, text):
    heard = lineup.judge(package(text))
    assert (heard.loads, heard.ships, heard.failed) == (False, False, ())
    assert lineup.judge(package(tiny.REFERENCE)).ships, "the next one is as before"


@pytest.mark.parametrize(
    "endless",
    [
        "while True: pass",
        "for _ in iter(int, 1): pass",
        "return [0 for _ in iter(int, 1)]",
        "return sum(0 for _ in iter(int, 1))",
        "return sum(map(lambda it: it, iter(int, 1)))",
        "return min(map(names_of, iter(int, 1)))\n\n\ndef names_of(it): return it",
    ],
)
def test_what_does_not_end_is_stopped_and_costs_no_subject(lineup, sandbox, endless):
    heard = lineup.judge(changed("return a + b", endless), most=1)
    assert len(heard.failed) == 1
    assert lineup.judge(package(tiny.REFERENCE)).ships
    assert sandbox.started == 1


def test_steps_decide_what_is_too_slow_and_no_clock(lineup):
    enough = module.STEPS // 2
    slow = "for _ in range(%s): pass\n    return a + b"
    assert lineup.judge(changed("return a + b", slow % enough)).ships
    heard = lineup.judge(changed("return a + b", slow % (3 * enough)))
    assert heard.stopped == set(heard.failed) != set()
    idle = "import time; time.sleep(0.7); return a + b"
    assert lineup.judge(changed("return a + b", idle)).ships


def test_a_case_may_take_more_steps_if_the_reference_does(task, sandbox, tmp_path):
    def looping(rounds):
        return changed(
            "return a + b", f"for _ in range({rounds}): pass\n    return a + b"
        )

    reference = Installed(way="tree", files=looping(module.STEPS), root="")
    with Lineup(task, reference, sandbox, tmp_path) as lineup:
        assert lineup.judge(looping(module.TIMES * module.STEPS)).ships
        assert not lineup.judge(looping((module.TIMES + 3) * module.STEPS)).ships


def test_counting_steps_changes_nothing_else(task, sandbox, tmp_path):
    """Lines, docstrings and names are those that the text has."""
    lines = [
        "import sys",
        "def here():",
        '    """Say it."""',
        "    return sys._getframe().f_lineno",
        "def silent():",
        "    # says nothing",
        "    return [sys._getframe().f_lineno for _ in [0]][0]",
        "assert [here(), here.__doc__, silent.__doc__] == [4, 'Say it.', None]",
        "assert silent() == 7",
        "assert here.__code__.co_filename == __file__",
    ]
    text = "\n".join([*lines, tiny.REFERENCE])
    reference = Installed(way="tree", files=package(text), root="")
    with Lineup(task, reference, sandbox, tmp_path) as lineup:
        assert lineup.judge(package(text)).ships
        assert lineup.judge(package(text)).ships, "what is compiled already"


def test_what_ends_the_subject_costs_the_case_that_was_due(lineup, sandbox):
    death = changed(
        "return a + b", "import os; os._exit(0) if a == 1 else None; return a + b"
    )
    alone = changed("return a + b", "return None if a == 1 else a + b")
    assert lineup.judge(death).failed == lineup.judge(alone).failed != ()
    assert lineup.judge(package(tiny.REFERENCE)).ships
    assert sandbox.started > 1


def test_a_subject_serves_so_many_and_another_goes_on(lineup, sandbox, monkeypatch):
    monkeypatch.setattr(module, "SERVES", 3)
    for _ in range(7):
        assert lineup.judge(package(tiny.REFERENCE)).ships
    assert sandbox.started == 3


def test_a_variation_that_changes_the_next_is_found_out(task, sandbox, tmp_path):
    text = tiny.REFERENCE.replace('["tally"]', '["tally"][: len(keyword.kwlist)]')
    reference = Installed(way="tree", files=package(f"import keyword\n{text}"), root="")
    leak = f"import keyword\nkeyword.kwlist.clear()\n{text}"
    with (
        pytest.raises(GraderFault, match="they do not stay apart"),
        Lineup(task, reference, sandbox, tmp_path) as lineup,
    ):
        lineup.judge(package(leak), most=1)
    assert [path.name for path in tmp_path.iterdir()] == ["task"]


def test_the_lines_that_each_case_runs_are_told(lineup, task):
    reached = lineup.reached()
    lines = tiny.REFERENCE.splitlines()
    adding, listing = (
        lines.index("    return a + b") + 1,
        lines.index('    return ["tally"]') + 1,
    )
    assert len(reached) == len(task.suite.cases)
    by_rule = dict(zip((case.rule for case in task.suite.cases), reached, strict=True))
    assert any((PATH, adding) in seen for seen in reached)
    assert any((PATH, listing) in seen for seen in reached)
    assert all(seen for seen in by_rule.values())
    assert not any(
        (PATH, adding) in seen and (PATH, listing) in seen for seen in reached
    )


def test_a_reference_that_cannot_be_loaded_is_our_own_fault(task, sandbox, tmp_path):
    broken = Installed(way="tree", files=package("1 / 0"), root="")
    with (
        pytest.raises(GraderFault, match="cannot be loaded"),
        Lineup(task, broken, sandbox, tmp_path) as lineup,
    ):
        lineup.reached()
