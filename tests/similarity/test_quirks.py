"""What is observed of a task's sources: what tells authors apart, kept as digests, once a task."""

import hashlib
import json
import stat

import attrs
import pytest

from shipbar.errors import GraderFault, SandboxError
from shipbar.grading.grader import Grader
from shipbar.grading.intake import take_in
from shipbar.grading.tasks import load_task
from shipbar.ports import Guard
from shipbar.similarity import quirks as module
from shipbar.similarity.guard import FOLDER
from shipbar.similarity.quirks import Place, habits_of, key_of
from shipbar.testing.fakes import Scripted, Unconfined
from shipbar.verdict import Copying
from tests.cli import tiny
from tests.similarity import quirky

SDIST = "summing-1.0.tar.gz"


@pytest.fixture
def place(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    yield Place(sandbox=Unconfined(), work=work, cache=tmp_path / "cache")
    assert list(work.iterdir()) == []


@pytest.fixture
def task(tmp_path):
    return quirky.task(tmp_path / "task")


def known(task, habits, source="reference"):
    """What a source is known by: test and kind."""
    return {
        (task.suite.cases[it.case].id.rpartition("::")[2], it.kind)
        for it in habits.sources[source]
    }


class Knowing(Guard):
    """Finds no copies, and knows habits."""

    name = "sha256:knowing"

    def __init__(self, habits):
        self._known = habits

    def _check(self, written):
        return Copying(metric=1, hard_fail=False, sources=())

    def _habits(self):
        return self._known


def asked(task, place, habits, package):
    with Grader(task, place.sandbox, place.work, guard=Knowing(habits)) as grader:
        quirks = grader.grade(package).run.quirks
    assert quirks is not None
    (found,) = quirks.sources
    return found


def test_a_reference_is_known_by_words_orders_and_shows_that_are_its_own(task, place):
    assert known(task, habits_of(task, place)) == quirky.KINDS


def test_a_copy_agrees_in_all_and_other_work_in_nothing(task, place, tmp_path):
    habits = habits_of(task, place)
    renamed = quirky.REFERENCE.replace("self.one, self.two", "self.uno, self.due")
    renamed = renamed.replace("self.one", "self.uno").replace("self.two", "self.due")
    copy = tiny.submission(tmp_path / "copy", renamed)
    other = tiny.submission(tmp_path / "other", quirky.OTHER)
    found = asked(task, place, habits, copy)
    assert (found.asked, found.answered, found.agreed) == (5, 5, 5)
    assert len(found.examples) == 4  # two of the questions are about one case
    assert set(found.examples) <= {case.id for case in task.suite.cases}
    found = asked(task, place, habits, other)
    assert (found.asked, found.answered, found.agreed, found.examples) == (5, 4, 0, ())


@pytest.mark.parametrize(
    ("change", "gone"),
    [
        ({"specification": "Say: there is a gap\n  in it.\n"}, "test_faults_002 text 1"),
        ({"specification": "Its repr is short.\n"}, "test_pairs_001 repr pair"),
        (
            {"reference": quirky.REFERENCE.replace("there is a gap in it", "")},
            "test_faults_002 text 1",
        ),
        (
            {"reference": quirky.REFERENCE.replace("there is a gap in it", "refused")},
            "test_faults_002 text 1",
        ),
        (
            {"reference": quirky.REFERENCE.replace('"pears": 2, "apples": 1', '"apples": 1, "pears": 2')},
            "test_counts_001 order",
        ),
        (
            {"reference": quirky.REFERENCE.replace('"there is a gap in it"', "str({'aa', 'bb', 'cc', 'dd', 'ee'})")},
            "test_faults_002 text 1",
        ),
    ],
    ids=["specified", "shows specified", "empty", "in the suite", "sorted", "by hash"],
)  # fmt: skip
def test_what_does_not_tell_authors_apart_is_not_asked(change, gone, place, tmp_path):
    task = quirky.task(tmp_path / "task", **change)
    test, _, kind = gone.partition(" ")
    assert known(task, habits_of(task, place)) == quirky.KINDS - {(test, kind)}


def test_what_an_independent_implementation_says_too_is_not_asked(place, tmp_path):
    own = quirky.OTHER.replace("only numbers can be added", "there is a gap in it")
    task = quirky.task(
        tmp_path / "task", **{"grader/independent/one/tally/__init__.py": own}
    )
    left = quirky.KINDS - {("test_faults_002", "text 1")}
    assert known(task, habits_of(task, place)) == left


def test_what_hangs_on_the_cases_before_is_not_asked(place, tmp_path):
    counting = quirky.REFERENCE.replace(
        '"there is a gap in it"', '"gap after " + "x" * sum(calls)'
    ).replace("def add(a, b):", "calls = []\n\n\ndef add(a, b):\n    calls.append(1)")
    task = quirky.task(tmp_path / "task", reference=counting)
    left = quirky.KINDS - {("test_faults_002", "text 1")}
    assert known(task, habits_of(task, place)) == left


def test_no_more_is_asked_than_may_be(task, place, monkeypatch):
    monkeypatch.setattr(module, "QUESTIONS", 2)
    assert len(habits_of(task, place).sources["reference"]) == 2


def test_it_is_observed_once_and_kept_for_its_owner_alone(task, place):
    first = habits_of(task, place)
    (path,) = (place.cache / FOLDER).iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "gap" not in path.read_text()
    blind = attrs.evolve(place, sandbox=Scripted(lambda actor: None))
    blind.sandbox.name = place.sandbox.name
    assert habits_of(task, blind) == first


@pytest.mark.parametrize("damage", [b"", b"[]", b"{}", b'{"format":0}', b"\xff"])
def test_a_damaged_observation_is_made_anew(task, place, damage):
    first = habits_of(task, place)
    (path,) = (place.cache / FOLDER).iterdir()
    path.write_bytes(damage)
    assert habits_of(task, place) == first
    assert json.loads(path.read_bytes())["format"] == module.FORMAT


def test_another_task_or_sandbox_is_observed_anew(task, place, tmp_path):
    other = quirky.task(tmp_path / "other", specification="Add other numbers.\n")
    there = attrs.evolve(place, sandbox=Scripted(lambda actor: None))
    assert len({key_of(task, place), key_of(other, place), key_of(task, there)}) == 3


def test_a_source_that_cannot_be_asked_is_our_fault_and_is_not_kept(place, tmp_path):
    ending = quirky.REFERENCE.replace(
        "def __repr__(self):", "def __repr__(self):\n        import os; os._exit(3)"
    )
    task = quirky.task(tmp_path / "task", reference=ending)
    with pytest.raises(GraderFault, match="the subject ended"):
        habits_of(task, place)
    assert not (place.cache / FOLDER).exists()


def test_a_sandbox_that_does_not_start_is_no_observation(task, place):
    dead = attrs.evolve(place, sandbox=Scripted(lambda actor: None))
    with pytest.raises(SandboxError):
        habits_of(task, dead)


LIBRARY = """\
def summed(a, b):
    if a is None or b is None:
        raise KeyError("upstream misses one")
    return a + b


def shown():
    raise RuntimeError("upstream shows nothing")
"""
ADAPTER = """\
import summing


class TallyError(ValueError):
    pass


class Pair:
    def __init__(self, one, two):
        self.one, self.two = one, two

    def total(self):
        return add(self.one, self.two)


def add(a, b):
    try:
        return summing.summed(a, b)
    except (KeyError, TypeError) as cause:
        raise TallyError(str(cause)) from cause


def counts():
    try:
        return summing.shown()
    except RuntimeError as cause:
        raise TallyError(str(cause)) from cause
"""


@pytest.fixture
def mutated(tmp_path):
    """A task that departs from an upstream which is not fetched yet."""
    folder = quirky.task(
        tmp_path / "mutated", **{"grader/adapter/tally/__init__.py": ADAPTER}
    ).folder
    pin = (
        f'\n[upstream_sdist]\nname = "summing"\nversion = "1.0"\nfile = "{SDIST}"\n'
        f'sha256 = "{hashlib.sha256(LIBRARY.encode()).hexdigest()}"\nlicence = "MIT"\n'
    )
    text = (folder / "task.toml").read_text()
    mutant = text.replace('task_class = "invented"', 'task_class = "mutated"')
    (folder / "task.toml").write_text(mutant + pin)
    return load_task(folder)


def test_an_upstream_that_is_not_fetched_is_missing_and_not_guessed(mutated, place):
    habits = habits_of(mutated, place)
    assert habits.missing == ("upstream",)
    assert set(habits.sources) == {"reference"}


def test_a_fetched_upstream_is_known_by_what_it_gets_right(
    mutated, place, tmp_path, monkeypatch
):
    before = habits_of(mutated, place)
    tiny.write(place.cache / "upstream", {SDIST: LIBRARY})
    library = take_in(tiny.write(tmp_path / "library", {"summing.py": LIBRARY}))
    monkeypatch.setattr(module, "install_pinned", lambda *_: library)
    habits = habits_of(mutated, place)
    assert habits.missing == ()
    assert habits.sources["reference"] == before.sources["reference"]
    # What it says of None counts; not the interpreter on a text, nor counts(), where it is wrong.
    assert known(mutated, habits, "upstream") == {("test_faults_002", "text 1")}
