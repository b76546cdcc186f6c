"""Asking a judged subject for its quirks: whatever it does, the grade stands and nothing is told."""

import json

import attrs
import pytest

from shipbar.errors import GraderFault
from shipbar.grading import quirks as module
from shipbar.grading.grader import Grader
from shipbar.grading.quirks import LONGEST, Heard, digest_of, quirks_of
from shipbar.ports import Guard, Habits, Question
from shipbar.testing.fakes import Unconfined
from shipbar.verdict import Copying
from tests.cli import tiny
from tests.similarity import quirky

SAID = {
    Question(case=1, kind="text 1"): "no number at 0x…: '1'",
    Question(case=2, kind="text 1"): "there is a gap in it",
    Question(case=2, kind="class 1"): "Nothing",
    Question(case=4, kind="repr pair"): "<1 beside 2>",
    Question(case=5, kind="order"): "[['pears', 'apples']]",
}
"""The reference's own words."""
HABITS = Habits(
    sources={"reference": {it: digest_of(answer) for it, answer in SAID.items()}}
)


class Knowing(Guard):
    """Finds no copies, and knows the reference's habits, or fails to."""

    name = "sha256:knowing"

    def __init__(self, known=HABITS):
        self._known = known

    def _check(self, written):
        return Copying(metric=1, hard_fail=False, sources=())

    def _habits(self):
        if isinstance(self._known, Exception):
            raise self._known
        return self._known


@pytest.fixture
def task(tmp_path):
    return quirky.task(tmp_path / "task")


@pytest.fixture
def grade(task, tmp_path):
    """Grade a package's text, by a guard that knows the habits or by another."""
    work = tmp_path / "work"
    work.mkdir()

    def graded(text, guard=None):
        path = tiny.submission(tmp_path / "mine", text)
        guard = Knowing() if guard is None else guard
        with Grader(task, Unconfined(), work, guard=guard) as grader:
            return grader.grade(path)

    yield graded
    assert list(work.iterdir()) == []


def speaking(body):
    """The reference, whose exceptions say what ``body`` makes them say."""
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    return quirky.REFERENCE.replace(
        "class TallyError(ValueError):\n    pass",
        f"class TallyError(ValueError):\n    def __str__(self):\n{lines}",
    )


def test_the_references_own_words_are_recognised(grade):
    (found,) = grade(quirky.REFERENCE).run.quirks.sources
    assert (found.source, found.asked, found.answered, found.agreed) == (
        *("reference", 5),
        *(5, 5),
    )


def test_nothing_is_asked_unless_it_is_wanted(grade):
    assert grade(quirky.REFERENCE, Knowing(None)).run.quirks is None


@pytest.mark.parametrize(
    ("body", "answered"),
    [
        ("return 'x' * 50_000_000", 5),
        ("raise ValueError('no words')", 3),
        ("raise SystemExit(3)", 3),
        ("raise KeyboardInterrupt", 3),
        ("return 7", 3),
        ("return str(__import__('os').urandom(8))", 5),
        ("return '\\ud800' + '\\0' * 400", 5),
        ("return self.__str__()", 3),
    ],
    ids=["huge", "raises", "exits", "interrupts", "no text", "differs", "odd", "deep"],
)
def test_words_of_any_kind_are_bounded_and_cost_themselves_alone(grade, body, answered):
    verdict = grade(speaking(body))
    (found,) = verdict.run.quirks.sources
    assert verdict.shipped
    assert verdict.run.subjects == 1
    assert (found.asked, found.answered, found.agreed) == (5, answered, 3)
    assert verdict.run.quirks.failure == ""


@pytest.mark.parametrize(
    ("body", "failure"),
    [
        ("__import__('os')._exit(0)", "the subject ended while it was asked"),
        ("while True: pass", "the subject did not answer in time"),
        (
            "import os\nfor fd in range(3, 64):\n    try: os.write(fd, b'x' * 99)\n    except OSError: pass",
            "the subject wrote what is no answer",
        ),
    ],
    ids=["ends", "hangs", "floods"],
)
def test_a_subject_that_is_lost_says_so_and_the_grade_stands(grade, body, failure):
    verdict = grade(speaking(body))
    assert verdict.shipped
    assert verdict.run.subjects == 1
    assert verdict.run.quirks.failure == failure
    (found,) = verdict.run.quirks.sources
    assert (found.asked, found.agreed) == (5, 0)


@pytest.mark.parametrize("text", ["raise OSError\n", "import os; os._exit(1)\n"])
def test_a_package_that_cannot_be_used_is_not_asked(grade, text):
    found = grade(text).run.quirks
    assert found.sources == ()
    assert found.failure == "there was no subject to ask"


def test_a_subject_that_ends_in_its_last_case_is_not_asked(grade):
    ending = quirky.REFERENCE.replace(
        'return {"pears"', '__import__("os")._exit(1)\n    return {"pears"'
    )
    verdict = grade(ending)
    assert verdict.passed == 5
    assert verdict.run.subjects == 1
    assert verdict.run.quirks.failure == "there was no subject to ask"


def test_the_digest_is_the_same_with_quirks_and_without(grade):
    varying = speaking("return str(__import__('os').urandom(8))")
    verdicts = [grade(varying), grade(varying), grade(varying, Knowing(None))]
    assert len({it.digest for it in verdicts}) == 1
    assert verdicts[0] == verdicts[2]
    assert "quirks" not in json.dumps(verdicts[0].digested())


def test_nothing_that_a_source_or_a_submission_says_is_told(grade):
    told = json.dumps(grade(quirky.REFERENCE).as_json())
    for answer in SAID.values():
        assert answer not in json.loads(told)["run"]["quirks"].values()
        assert digest_of(answer).partition(":")[2] not in told
    for word in ("gap", "beside", "Nothing", "pears"):
        assert word not in told


@pytest.mark.parametrize("cause", [GraderFault("a gap in it"), ValueError("a gap")])
def test_sources_that_cannot_be_observed_cost_no_grade(grade, cause):
    verdict = grade(quirky.REFERENCE, Knowing(cause))
    assert verdict.shipped
    assert verdict.run.quirks.sources == ()
    assert verdict.run.quirks.failure == (
        "the sources could not be observed (GraderFault)"
    )


def test_a_fault_of_ours_in_asking_costs_no_grade(grade, monkeypatch):
    monkeypatch.setattr(module, "_requests", lambda *_: 1 / 0)
    verdict = grade(quirky.REFERENCE)
    assert verdict.shipped
    assert verdict.run.quirks.failure == "asking failed (ZeroDivisionError)"


def test_all_questions_together_have_a_limit_of_their_own(grade, monkeypatch):
    monkeypatch.setitem(module.ask.__kwdefaults__, "wall_s", 0.35)
    verdict = grade(speaking("import time\ntime.sleep(0.2)\nreturn 'late'"))
    assert verdict.shipped
    assert verdict.run.quirks.failure == "the subject did not answer in time"


def test_examples_are_few_and_each_case_is_named_once(task):
    heard = Heard(answers=SAID)
    (found,) = quirks_of(task, HABITS, heard).sources
    assert len(found.examples) == 4
    assert len(set(found.examples)) == 4


def test_an_answer_longer_than_an_honest_one_is_left_out():
    frame = attrs.make_class("F", {"kind": attrs.field(), "payload": attrs.field()})
    for text, kept in (("x" * LONGEST, 1), ("x" * (LONGEST + 1), 0)):
        payload = json.dumps(["list", ["list", "text 1", text]]).encode()
        assert len(module._answers(0, frame(b"V", payload))) == kept
