"""Talking with a subject: whatever it does is its answer, or one of three events."""

import os
import time

import pytest

from shipbar.grading.channel import Channel, Garbled, Gone, Slow
from shipbar.ports import Job
from shipbar.sealed.frames import CASE, DONE, HEAD, VALUE, pack
from shipbar.testing.fakes import Script, Scripted

SOON = 5.0
"""Seconds that something prompt may take on a busy machine."""
CAP = 4_096


@pytest.fixture
def talk():
    """Start a script and return a channel to it."""
    running = []

    def start(script: Script, cap: int = CAP) -> Channel:
        subject = Scripted(script).start(Job())
        running.append(subject)
        return Channel(subject, cap=cap)

    yield start
    for subject in running:
        subject.stop()


def echo(actor):
    for request in actor.requests():
        actor.say(VALUE, request.id, request.payload)


def ask(channel, *texts):
    channel.send([(CASE, text) for text in texts])


def test_answers_come_in_the_order_of_the_requests(talk):
    channel = talk(echo)
    ask(channel, "a", "b")
    ask(channel, "c\ud800")
    heard = [channel.answer(SOON).payload for _ in range(3)]
    assert heard == [b"a", b"b", b"c\xed\xa0\x80"]


def test_every_request_has_an_id_of_its_own(talk):
    ids = []

    def script(actor):
        for request in actor.requests():
            ids.append(request.id)
            actor.say(VALUE, request.id)

    channel = talk(script)
    ask(channel, *["x"] * 200)
    for _ in range(200):
        channel.answer(SOON)
    assert len(set(ids)) == 200
    assert all(len(id_) == 16 for id_ in ids)


def test_a_runner_is_ready_before_it_is_asked(talk):
    channel = talk(lambda actor: (actor.ready(), echo(actor)))
    channel.ready(SOON)
    ask(channel, "a")
    assert channel.answer(SOON).payload == b"a"


def test_more_than_a_pipe_holds_is_sent_while_answers_are_read(talk):
    channel = talk(echo, cap=200_000)
    texts = [str(n) * 30_000 for n in range(9)]
    ask(channel, *texts)
    assert [channel.answer(SOON).payload.decode() for _ in texts] == texts


def late_words(actor):
    actor.hear()
    actor.write(b"\x00\x00")
    actor.wait()


def drip(actor):
    request = actor.hear()
    for byte in pack(VALUE, request.id, b"x" * 2_000):
        actor.write(bytes([byte]))
        if actor.pause(0.01):
            return


@pytest.mark.parametrize(
    "script",
    [lambda actor: actor.wait(), late_words, drip],
    ids=["silence", "half a head", "drip"],
)
def test_what_does_not_come_in_time_is_slow(script, talk):
    channel = talk(script)
    ask(channel, "a")
    start = time.monotonic()
    with pytest.raises(Slow):
        channel.answer(0.1)
    assert 0.1 <= time.monotonic() - start < SOON


def test_an_answer_that_is_there_is_heard_though_no_time_is_left(talk):
    channel = talk(echo)
    ask(channel, "a", "b")
    channel.answer(SOON)
    time.sleep(0.05)
    try:
        assert channel.answer(0).payload == b"b"
    except Slow:  # not read yet: then it is heard with a moment more
        assert channel.answer(SOON).payload == b"b"


def closes(actor):
    actor.hear()
    actor.close_answers()
    actor.wait()


def half_an_answer(actor):
    request = actor.hear()
    actor.write(pack(VALUE, request.id, b"x" * 100)[:50])


@pytest.mark.parametrize(
    "script",
    [lambda actor: None, lambda actor: actor.hear(), closes, half_an_answer],
    ids=["at once", "after the request", "pipe closed", "in the middle"],
)
def test_whoever_ends_is_gone(script, talk):
    channel = talk(script)
    ask(channel, "a")
    with pytest.raises(Gone):
        channel.answer(SOON)


def test_what_was_said_before_the_end_is_heard(talk):
    def script(actor):
        request = actor.hear()
        actor.say(VALUE, request.id, b"last words")

    channel = talk(script)
    ask(channel, "a", "b")
    assert channel.answer(SOON).payload == b"last words"
    with pytest.raises(Gone):
        channel.answer(SOON)


def foreign(actor):
    actor.hear()
    actor.say(VALUE, os.urandom(16))
    actor.wait()


def nameless(actor):
    actor.hear()
    actor.say(DONE, bytes(16))
    actor.wait()


def out_of_turn(actor):
    _first, second = actor.hear(), actor.hear()
    actor.say(VALUE, second.id)
    actor.wait()


def oversized(actor):
    request = actor.hear()
    actor.say(VALUE, request.id, b"x" * (CAP + 1))
    actor.wait()


def announces_much(actor):
    actor.hear()
    actor.write(HEAD.pack(2**32 - 1))
    actor.wait()


def prose(actor):
    actor.hear()
    actor.write(b"Traceback (most recent call last):\n")
    actor.wait()


@pytest.mark.parametrize(
    "script",
    [foreign, nameless, out_of_turn, oversized, announces_much, prose],
    ids=lambda script: script.__name__,
)
def test_what_was_not_asked_for_is_garbled(script, talk):
    channel = talk(script)
    ask(channel, "a", "b")
    with pytest.raises(Garbled):
        channel.answer(SOON)


def test_nothing_may_be_answered_twice(talk):
    def script(actor):
        request = actor.hear()
        actor.say(VALUE, request.id, b"1")
        actor.say(VALUE, request.id, b"2")
        actor.wait()

    channel = talk(script)
    ask(channel, "a", "b")
    assert channel.answer(SOON).payload == b"1"
    with pytest.raises(Garbled):
        channel.answer(SOON)


def test_nothing_may_be_answered_before_it_was_asked(talk):
    def script(actor):
        actor.say(VALUE, bytes(16), b"early")
        actor.wait()

    channel = talk(script)
    time.sleep(0.05)
    ask(channel, "a")
    with pytest.raises(Garbled):
        channel.answer(SOON)


def test_the_longest_answer_is_heard(talk):
    channel = talk(echo)
    ask(channel, "x" * CAP)
    assert len(channel.answer(SOON).payload) == CAP


def test_a_subject_that_stops_reading_keeps_nobody(talk):
    """More than its pipe holds is waiting to be sent; the wait for its answer ends."""
    channel = talk(lambda actor: actor.wait())
    start = time.monotonic()
    ask(channel, *["x" * 50_000] * 20)
    assert time.monotonic() - start < SOON
    with pytest.raises(Slow):
        channel.answer(0.1)


def test_a_subject_that_closed_its_input_may_still_answer_what_it_read(talk):
    def script(actor):
        request = actor.hear()
        actor.close_requests()
        actor.pause(0.05)
        actor.say(VALUE, request.id, b"read")
        actor.wait()

    channel = talk(script)
    ask(channel, *["x" * 50_000] * 20)
    assert channel.answer(SOON).payload == b"read"
    ask(channel, "more")  # to nobody
    with pytest.raises(Slow):
        channel.answer(0.05)
