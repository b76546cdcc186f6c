"""The judge against subjects that do as they please, each a script of the test's own.

What a subject does costs it the case that is due and no other; what fails on our
side is never a score.
"""

import threading
import time

import pytest

from shipbar.errors import SandboxError
from shipbar.grading import judge as module
from shipbar.grading.bench import Seat
from shipbar.grading.judge import judge, outcome_of
from shipbar.ports import Job, Sandbox
from shipbar.sealed.codec import DecodeError
from shipbar.sealed.frames import CASE, DONE, ESCAPED, HEAD, LOAD, RAISED, VALUE, Frame
from shipbar.sealed.lift import lift
from shipbar.testing.fakes import Scripted, answering
from tests.grading.trial import contract, judged, lifted, outcomes

SUITE = lifted(
    "".join(f"def test_{n}():\n    assert f({n}) == 'secret-{n}'\n\n" for n in range(6))
)
SYMBOLS = ("f", "g")


def number_in(request: Frame) -> int:
    """Which case a request is, from what it asks; -1 for another request."""
    if request.kind != CASE:
        return -1
    source = request.payload.partition(b"\0")[0].decode()
    return int(source.partition("f(")[2].partition(")")[0])


def right(actor, request) -> None:
    """Answer one request as an honest runner of a correct candidate."""
    if request.kind == CASE:
        actor.say(VALUE, request.id, f'"secret-{number_in(request)}"'.encode())
    else:
        actor.say(DONE, request.id)


def honest_but(number, misbehave):
    """Be honest, but at case ``number`` do as ``misbehave`` says, and be honest again if it returns."""

    def script(actor):
        actor.ready()
        for request in actor.requests():
            if number_in(request) == number:
                misbehave(actor, request)
            else:
                right(actor, request)

    return script


honest = honest_but(None, None)


def hold(tmp_path, *scripts, **limits):
    """Judge the suite with one script after another; return the result and the sandbox."""
    sandbox = Scripted(*scripts)
    terms = contract(SYMBOLS, **{"case_wall_s": 5.0, **limits})
    return judged(tmp_path, SUITE, terms, sandbox=sandbox), sandbox


def words(result) -> list[str]:
    return [str(outcome) for outcome in result.outcomes]


def test_right_answers_pass_in_one_subject(tmp_path):
    result, sandbox = hold(tmp_path, honest)
    assert words(result) == ["passed"] * 6
    assert result.structure.ok
    assert len(sandbox.actors) == 1


def test_nothing_of_what_is_expected_and_no_name_of_a_test_is_sent(tmp_path):
    _, sandbox = hold(tmp_path, honest)
    sent = b"".join(request.payload for request in sandbox.actors[0].heard)
    assert b"f(3)" in sent
    assert b"secret" not in sent
    assert b"test" not in sent


def test_a_subject_sees_the_candidate_s_folder_and_nothing_else(tmp_path):
    _, sandbox = hold(tmp_path, honest)
    assert list(sandbox.jobs[0].folders) == ["candidate"]


# -- before any candidate code -------------------------------------------------------


@pytest.mark.parametrize(
    "script",
    [
        lambda actor: None,
        lambda actor: actor.write(b"bwrap: no namespaces\n" * 9),
        lambda actor: actor.say(VALUE, b"x" * 16, b"hello"),
    ],
    ids=["ends", "prose", "not ready"],
)
def test_two_subjects_that_never_are_ready_are_the_machine_s_fault(script, tmp_path):
    with pytest.raises(SandboxError, match="did not start"):
        hold(tmp_path, script)


def test_one_that_is_not_ready_gets_a_second_try(tmp_path):
    result, sandbox = hold(tmp_path, lambda actor: None, honest)
    assert words(result) == ["passed"] * 6
    assert len(sandbox.actors) == 2


def test_one_that_is_silent_at_the_start_is_waited_for_so_long(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "READY_S", 0.1)
    with pytest.raises(SandboxError, match="slow"):
        hold(tmp_path, lambda actor: actor.wait())


# -- the structural check ------------------------------------------------------------


def at_load(misbehave):
    def script(actor):
        actor.ready()
        for request in actor.requests():
            if request.kind == LOAD:
                misbehave(actor, request)
            else:
                right(actor, request)

    return script


@pytest.mark.parametrize(
    ("misbehave", "why"),
    [
        (lambda actor, request: actor.close_answers(), "crashed"),
        (lambda actor, request: actor.say(ESCAPED, request.id, b"Traceback"), "raised"),
        (lambda actor, request: actor.say(VALUE, request.id, b"1"), "malformed"),
        (lambda actor, request: actor.say(DONE, b"?" * 16), "malformed"),
        (lambda actor, request: actor.write(b"\xff" * 99), "malformed"),
        (lambda actor, request: actor.wait(), "timed out"),
    ],
    ids=["ends", "raises", "answers", "another id", "noise", "hangs"],
)
def test_an_import_that_fails_is_found_by_the_structural_check(
    misbehave, why, tmp_path, monkeypatch
):
    monkeypatch.setattr(module, "IMPORT_S", 0.2)
    result, sandbox = hold(tmp_path, at_load(misbehave), case_wall_s=0.2)
    assert not result.structure.imports
    assert result.structure.why == why
    assert words(result) == ["unreached"] * 6
    [actor] = sandbox.actors
    assert [request.kind for request in actor.heard] == [LOAD]  # nothing held out


def test_the_candidate_s_own_words_are_kept_and_bounded(tmp_path):
    noise = b"\x1b[2J\xff" + b"x" * 100_000 + b"KeyError: 'a'"
    result, _ = hold(
        tmp_path, at_load(lambda actor, request: actor.say(ESCAPED, request.id, noise))
    )
    assert result.trace.endswith("KeyError: 'a'")
    assert len(result.trace) <= 20_000


def test_missing_symbols_are_named_and_only_by_names_that_we_know(tmp_path):
    said = b"g\nh\n<script>\n\xff"
    result, _ = hold(
        tmp_path, at_load(lambda actor, request: actor.say(DONE, request.id, said))
    )
    assert result.structure.imports
    assert result.structure.missing == ("g",)
    assert not result.structure.ok
    assert words(result) == ["unreached"] * 6


def test_an_import_may_take_longer_than_a_case(tmp_path):
    def slow_import(actor, request):
        actor.pause(0.3)
        right(actor, request)

    result, _ = hold(tmp_path, at_load(slow_import), case_wall_s=0.2)
    assert words(result) == ["passed"] * 6


def test_an_import_that_works_once_only_costs_the_cases_after_a_crash(tmp_path):
    def second(actor):
        actor.ready()
        actor.hear()

    result, sandbox = hold(
        tmp_path, honest_but(2, lambda actor, _: actor.close_answers()), second
    )
    assert words(result) == ["passed", "passed", *["crashed"] * 4]
    assert len(sandbox.actors) == 4
    assert result.structure.ok


# -- one case ------------------------------------------------------------------------


def says(kind, payload):
    return lambda actor, request: actor.say(kind, request.id, payload)


def twice(actor, request):
    right(actor, request)
    right(actor, request)


def drip(actor, request):
    actor.write(HEAD.pack(1_000))
    while not actor.pause(0.02):
        actor.write(b"\x00")


MISBEHAVIOURS = {
    "another value": (says(VALUE, b'"secret-9"'), "wrong"),
    "nothing": (says(VALUE, b"null"), "wrong"),
    "opaque": (says(VALUE, b'["opaque","Hollow"]'), "wrong"),
    "raises": (says(RAISED, b'["list","builtins.ValueError"]'), "raised"),
    "raises before": (says(ESCAPED, b'["list","builtins.ValueError"]'), "raised"),
    "a kind that is none": (says(b"!", b"null"), "malformed"),
    "done": (says(DONE, b""), "malformed"),
    "no json": (says(VALUE, b"secret-2"), "malformed"),
    "names that are none": (says(RAISED, b"null"), "malformed"),
    "too much": (says(VALUE, b'"' + b"x" * 2_000_000 + b'"'), "malformed"),
    "an id that is none": (lambda actor, _: actor.say(VALUE, b"?" * 16, b"1"), "malformed"),
    "no frame": (lambda actor, _: actor.write(b"\xff\xff\xff\xff"), "malformed"),
    "ends": (lambda actor, _: actor.close_answers(), "crashed"),
    "half": (lambda actor, _: (actor.write(b"\0\0\0\x20V"), actor.close_answers()), "crashed"),
}  # fmt: skip
KEEPS = ("wrong", "raised")


@pytest.mark.parametrize("name", MISBEHAVIOURS)
def test_what_a_subject_does_costs_the_case_that_is_due_and_no_other(name, tmp_path):
    misbehave, outcome = MISBEHAVIOURS[name]
    result, sandbox = hold(tmp_path, honest_but(2, misbehave), honest)
    assert words(result) == [*["passed"] * 2, outcome, *["passed"] * 3]
    assert len(sandbox.actors) == (1 if outcome in KEEPS else 2)
    if outcome not in KEEPS:  # the next one is asked for what is left, and no more
        asked = [number_in(request) for request in sandbox.actors[1].heard]
        assert [number for number in asked if number >= 0] == [3, 4, 5]


@pytest.mark.parametrize(
    "misbehave",
    [lambda actor, _: actor.wait(), drip, lambda actor, _: actor.close_requests()],
    ids=["hang", "drip", "closed input"],
)
def test_what_takes_too_long_costs_one_case_and_one_limit(misbehave, tmp_path):
    def script(actor):
        honest_but(2, misbehave)(actor)
        actor.wait()

    start = time.monotonic()
    result, _ = hold(tmp_path, script, honest, case_wall_s=0.3)
    assert words(result) == [*["passed"] * 2, "timed out", *["passed"] * 3]
    assert time.monotonic() - start < 5


def test_an_answer_that_comes_twice_ends_the_subject(tmp_path):
    result, sandbox = hold(tmp_path, honest_but(2, twice), honest)
    assert words(result) == [*["passed"] * 3, "malformed", *["passed"] * 2]
    assert len(sandbox.actors) == 2


def test_answers_out_of_turn_end_the_subject(tmp_path):
    def swapped(actor, request):
        following = actor.hear()
        right(actor, following)
        right(actor, request)

    result, _ = hold(tmp_path, honest_but(2, swapped), honest)
    assert words(result) == [*["passed"] * 2, "malformed", *["passed"] * 3]


def test_answers_before_the_requests_end_the_subject(tmp_path):
    def eager(actor):
        actor.ready()
        for number in range(9):
            actor.say(VALUE, bytes(16), f'"secret-{number}"'.encode())
        actor.wait()

    result, _ = hold(tmp_path, eager)
    assert result.structure.why == "malformed"
    assert words(result) == ["unreached"] * 6


def test_whatever_comes_after_the_last_answer_changes_nothing(tmp_path):
    def goes_on(actor, request):
        for _ in range(50):
            right(actor, request)

    result, sandbox = hold(tmp_path, honest_but(5, goes_on))
    assert words(result) == ["passed"] * 6
    assert len(sandbox.actors) == 1


def test_a_crash_in_the_last_case_starts_nobody(tmp_path):
    result, sandbox = hold(
        tmp_path, honest_but(5, lambda actor, _: actor.close_answers())
    )
    assert words(result) == [*["passed"] * 5, "crashed"]
    assert len(sandbox.actors) == 1


def test_a_subject_that_crashes_always_is_asked_each_case_once(tmp_path):
    result, sandbox = hold(tmp_path, answering(lambda source: None))
    assert words(result) == ["crashed"] * 6
    assert len(sandbox.actors) == 6


def test_the_limit_of_the_run_leaves_the_rest_unreached(tmp_path):
    def dawdle(actor):
        actor.ready()
        for request in actor.requests():
            if request.kind == CASE and actor.pause(0.25):
                return
            right(actor, request)

    result, _ = hold(tmp_path, dawdle, wall_s=0.6, case_wall_s=0.5)
    found = words(result)
    assert found[:2] == ["passed", "passed"]
    assert found[2] in {"timed out", "unreached"}
    assert found[3:] == ["unreached"] * 3


def test_a_hang_in_every_case_ends_with_the_run(tmp_path):
    start = time.monotonic()
    script = honest_but(0, lambda actor, _: actor.wait())
    result, _ = hold(tmp_path, script, script, wall_s=0.5, case_wall_s=0.4)
    assert "passed" not in words(result)[:1]
    assert time.monotonic() - start < 5


def test_every_subject_is_stopped_before_the_verdict(tmp_path):
    before = threading.active_count()
    hold(tmp_path, honest_but(1, lambda actor, _: actor.close_answers()), honest)
    assert threading.active_count() == before


# -- a file's head -------------------------------------------------------------------


def test_a_head_that_cannot_be_run_fails_its_cases_and_no_others(tmp_path):
    """As under pytest, where that file's collection fails."""
    files = {
        "test_a.py": "from wares import gone\n\ndef test_a():\n    assert 1 == 1\n\ndef test_b():\n    assert 1 == 1\n",
        "test_b.py": "from wares import f\n\ndef test_c():\n    assert f() == 1\n",
    }
    suite = lift(files, "wares").suite
    result = judged(tmp_path, suite, contract(), package="def f(): return 1\n")
    assert words(result) == ["raised", "raised", "passed"]


def test_a_crash_in_one_case_of_a_real_runner_costs_one_case(tmp_path):
    package = """
    import os, sys, threading, time

    def f(n):
        if n == 1:
            os._exit(0)
        if n == 2:
            sys.exit(0)
        if n == 3:
            raise KeyboardInterrupt
        if n == 4:
            sys.stdin.close(); sys.stdout.close(); print("gone", file=sys.stderr)
        return f"secret-{n}"
    """
    text = "from wares import f\n\n" + "".join(
        f"def test_{n}():\n    assert f({n}) == 'secret-{n}'\n\n" for n in range(6)
    )
    assert list(outcomes(tmp_path, package, text, ["f"]).values()) == [
        *("passed", "crashed", "raised", "raised", "passed", "passed")
    ]


# -- our own faults ------------------------------------------------------------------


class Broken(Sandbox):
    name = "broken"

    def _start(self, job):
        raise OSError("no more processes")

    def available(self):
        raise AssertionError


def test_a_sandbox_that_does_not_start_is_no_score(tmp_path):
    with pytest.raises(SandboxError, match="no more processes"):
        Seat(Broken(), Job(), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_fault_of_ours_is_raised_and_never_an_outcome(tmp_path, monkeypatch):
    def faulty(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(module, "value_as_expected", faulty)
    with pytest.raises(ZeroDivisionError):
        hold(tmp_path, honest)


def test_only_a_refusal_to_decode_makes_an_answer_malformed(monkeypatch):
    def refuses(_):
        raise DecodeError("no")

    monkeypatch.setattr(module, "decode", refuses)
    frame = Frame(kind=VALUE, id=bytes(16), payload=b"1")
    assert str(outcome_of(SUITE.cases[0], frame)) == "malformed"


def test_the_next_sandbox_is_started_while_the_first_subject_works(tmp_path):
    calls = []
    terms = contract(SYMBOLS)
    seat = Seat(
        Scripted(honest_but(1, lambda actor, _: actor.close_answers()), honest),
        Job(),
        tmp_path,
    )
    try:
        judge(seat, SUITE, terms, meanwhile=lambda: calls.append(1))
    finally:
        seat.leave()
    assert calls == [1]
