"""The judge as a fortress: hostile bytes by the thousand.

Whatever a subject says has an outcome, soon, within bounded memory, and is never a
pass: every expectation here is a secret that no message was made from. Seeds are
fixed; hypothesis looks further at every run.
"""

import json
import os
import random
import secrets
import subprocess
import sys
import threading
import time
import tracemalloc
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shipbar.grading.channel import Channel, Garbled, Gone, Slow
from shipbar.grading.judge import outcome_of
from shipbar.sealed.codec import DecodeError, decode
from shipbar.sealed.compare import Approx, Equals, Expectation, Raises
from shipbar.sealed.frames import (
    CASE,
    DONE,
    ESCAPED,
    HEAD,
    ID_BYTES,
    OVERHEAD,
    RAISED,
    VALUE,
    Frame,
    FrameError,
    FrameReader,
    pack,
)
from shipbar.sealed.lift import Case
from shipbar.verdict import Outcome
from tests.repository import ROOT
from tests.sealed.clock import quickly

SECRET = secrets.token_hex(16)
"""Drawn anew at every run: a pass would mean that it was guessed."""
NUMBER = secrets.randbits(120)
EXPECTATIONS: tuple[Expectation, ...] = (
    Equals(value=SECRET),
    Equals(value=[SECRET, {"k": (SECRET, NUMBER)}]),
    Equals(value={SECRET: 1, 2: {SECRET}}),
    Equals(value=NUMBER),
    Approx(value=NUMBER),
    Approx(value=[NUMBER, 0.5]),
    Approx(value={SECRET: 1.0}),
    Raises(
        error=SECRET,
        lineages=frozenset({frozenset({SECRET})}),
        known=frozenset({SECRET, "builtins.ValueError"}),
    ),
)
KINDS = (VALUE, RAISED, ESCAPED, DONE, b"Z", b"\x00")
CAP = 64 * 1024
MIB = 1024 * 1024
PRIME = 2**61 - 1


def case_of(expectation: Expectation) -> Case:
    return Case(id="t.py::test_a", file=0, line=1, source="", expectation=expectation)


CASES = [case_of(expectation) for expectation in EXPECTATIONS]


# -- making hostile messages ---------------------------------------------------------

TAGS = (
    *("list", "tuple", "set", "frozenset", "dict", "enum", "opaque", "int", "float"),
    *("complex", "bytes", "range", "decimal", "fraction", "date", "time", "datetime"),
    *("timedelta", "object", "", "__reduce__", "nan"),
)
SCRAPS = (
    *("", "a", "0x1", "-0x" + "f" * 400, "0x" + "g", "nan", "-inf", "0x1p+1023", "1e400"),
    *("9" * 400, "sNaN", "NaN123", "1E+9999", "-0E-9999", "00ff", "0", "2024-02-30"),
    *("2024-02-29", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "24:00"),
    *("12:00:00+00:00:00.000001", "\x00", "\ud800", "\uff11", "builtins.ValueError"),
    *("Exception", "x" * 3_000, "__class__", "ValueError", "1_0", " 1 ", "Infinity"),
)  # fmt: skip


def hostile_node(rng: random.Random, depth: int = 0) -> object:
    """Something that looks like an encoded value, and often is one."""
    roll = rng.random()
    if depth > 5 or roll < 0.35:
        return rng.choice(
            [
                *(None, True, False, 0, 1, -1, 2**53, rng.randrange(-(10**12), 10**12)),
                *(rng.choice(SCRAPS), rng.choice(SCRAPS), 10**400, hex(PRIME)),
            ]
        )
    if roll < 0.4:
        return {rng.choice(SCRAPS): hostile_node(rng, depth + 1)}
    if roll < 0.42:
        return ["list", *[rng.choice([None, 0, ""])] * rng.choice([10, 30_000])]
    if roll < 0.44:
        count = rng.choice([7, 9, 300])
        return ["set", *[["fraction", hex(PRIME * n), "0x1"] for n in range(1, count)]]
    items = [hostile_node(rng, depth + 1) for _ in range(rng.randrange(5))]
    if rng.random() < 0.2:
        items = [[item, hostile_node(rng, depth + 1)] for item in items]
    return [rng.choice(TAGS), *items]


SCALARS = (
    *(None, True, 0, -5, "", "a", "builtins.ValueError", "\ud800", 2**60),
    *(["int", hex(PRIME)], ["float", "0x1p+3"], ["float", "nan"], ["complex", "inf", "-0x0p+0"]),
    *(["bytes", "00ff"], ["range", 0, 9, 2], ["decimal", "NaN"], ["decimal", "1e-9999"]),
    *(["fraction", "-0x1", "0x3"], ["date", "0001-01-01"], ["timedelta", 999999999, 0, 1]),
    *(["time", "23:59:59.999999+23:59"], ["datetime", "9999-12-31T23:59:59-23:59"]),
    *(["enum", "E", "A", None], ["opaque", "Hollow"], ["decimal", "sNaN"]),
)  # fmt: skip


def honest_node(rng: random.Random, depth: int = 0) -> object:
    """An encoded value, or nearly always one: sets and dicts may hold what has no hash."""
    if depth > 3 or rng.random() < 0.4:
        return rng.choice(SCALARS)
    items = [honest_node(rng, depth + 1) for _ in range(rng.randrange(5))]
    if rng.random() < 0.2:
        return ["dict", *[[number, item] for number, item in enumerate(items)]]
    return [rng.choice(["list", "list", "tuple", "set", "frozenset"]), *items]


def names_node(rng: random.Random) -> object:
    """What is said of an exception."""
    known = ["builtins.ValueError", "builtins.Exception", "?.Lie", "Broken", "a" * 32]
    return ["list", *rng.choices(known, k=rng.randrange(6))]


def spoilt(rng: random.Random, data: bytes) -> bytes:
    """Change, cut, repeat or swap a few bytes."""
    text = bytearray(data)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text) + 1)
        match rng.randrange(5):
            case 0:
                text[at : at + 1] = rng.randbytes(1)
            case 1:
                del text[at : at + rng.randrange(1, 9)]
            case 2:
                text[at:at] = text[at : at + 40]
            case 3:
                text[at:at] = rng.choice([b"[", b"]", b'"', b",", b"\\", b"{", b"\xff"])
            case _:
                text[at:at] = b"[" * rng.randrange(1, 3_000)
    return bytes(text[:CAP])


POOL = [
    json.dumps(make(random.Random(f"node {number}"))).encode()
    for make in (hostile_node, honest_node, names_node)
    for number in range(300)
]


def hostile_payload(rng: random.Random) -> bytes:
    """One of the pool, as it is or spoilt; or two of them in one; or noise."""
    roll = rng.random()
    payload = rng.choice(POOL)
    if roll < 0.1:
        return rng.randbytes(rng.randrange(200))
    if roll < 0.3:
        tag = rng.choice(TAGS).encode()
        return b'["%b",%b,%b]' % (tag, payload[:CAP], rng.choice(POOL)[:CAP])
    return payload if roll < 0.7 else spoilt(rng, payload)


# -- outcomes ------------------------------------------------------------------------


READ = (Outcome.WRONG, Outcome.RAISED, Outcome.NOT_RAISED, Outcome.MALFORMED)


@pytest.mark.parametrize("seed", range(8))
def test_twelve_thousand_hostile_answers_have_an_outcome_and_never_pass(seed):
    rng = random.Random(f"answers {seed}")
    seen: Counter[Outcome] = Counter()
    slowest = 0.0
    for _ in range(1_500):
        frame = Frame(
            kind=rng.choice(KINDS) if rng.random() < 0.3 else rng.choice(KINDS[:3]),
            id=bytes(ID_BYTES),
            payload=hostile_payload(rng),
        )
        start = time.process_time()
        seen.update([outcome_of(rng.choice(CASES), frame)])
        slowest = max(slowest, time.process_time() - start)
    assert Outcome.PASSED not in seen
    # The messages are no mere noise: a good part of them is read.
    assert min(seen[outcome] for outcome in READ) > 5, seen
    assert slowest < 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(SCRAPS),
    lambda inner: st.builds(
        lambda tag, items: [tag, *items],
        st.sampled_from(TAGS) | st.text(max_size=3),
        st.lists(inner | st.tuples(inner, inner).map(list), max_size=5),
    ),
    max_leaves=30,
)


@settings(max_examples=100)
@given(
    st.sampled_from(CASES),
    st.sampled_from(KINDS),
    st.binary(max_size=200) | json_values.map(lambda node: json.dumps(node).encode()),
)
def test_any_answer_has_an_outcome_and_never_passes(case, kind, payload):
    frame = Frame(kind=kind, id=bytes(ID_BYTES), payload=payload)
    assert outcome_of(case, frame) is not Outcome.PASSED


@settings(max_examples=100)
@given(
    st.binary(max_size=300) | json_values.map(lambda node: json.dumps(node).encode())
)
def test_the_decoder_is_total(payload):
    try:
        value = decode(payload)
    except DecodeError:
        return
    hash(repr(value)[:50])  # what was read can be handled


def nested(kind: str, depth: int) -> bytes:
    return (f'["{kind}",' * depth + "1" + "]" * depth).encode()


def many(item: str, count: int, kind: str = "list") -> bytes:
    return (f'["{kind}",' + ",".join([item] * count) + "]").encode()


def colliding(make, kind: str, count: int) -> bytes:
    return json.dumps([kind, *[make(n) for n in range(1, count)]]).encode()


BOMBS = {
    "brackets": b"[" * 1_000_000,
    "braces": b'{"":' * 200_000,
    "closed brackets": b"[" * 500_000 + b"]" * 500_000,
    "nested lists": nested("list", 100_000),
    "nested tuples": nested("tuple", 55),
    "nested frozensets": nested("frozenset", 55),
    "empty lists": b"[" + b"[]," * 340_000 + b"[]]",
    "empty objects": b"[" + b"{}," * 340_000 + b"{}]",
    "object keys": ("{" + ",".join(f'"{n}":0' for n in range(90_000)) + "}").encode(),
    "zeros": many("0", 500_000),
    "texts": many('""', 340_000),
    "one text": b'"' + b"x" * 1_000_000 + b'"',
    "escapes": b'"' + b"\\ud800" * 170_000 + b'"',
    "digits": b"9" * 1_000_000,
    "many long numbers": many("9" * 4_000, 250),
    "hexadecimal": b'["int","0x' + b"f" * 1_000_000 + b'"]',
    "long integers": many('["int","0x' + "f" * 12_000 + '"]', 80),
    "long decimals": many('["decimal","' + "9" * 4_900 + '"]', 200),
    "huge exponents": many('["decimal","9e9999"]', 20_000),
    "long fractions": many(f'["fraction","0x{"f" * 4_900}","0x{"e" * 4_899}7"]', 100),
    "long floats": many('["float","0x0.' + "0" * 4_000 + '1p-4"]', 240),
    "bytes": b'["bytes","' + b"00" * 499_000 + b'"]',
    "long ranges": many('["range",0,["int","0x' + "f" * 5_000 + '"],1]', 200),
    "colliding fractions": colliding(lambda n: ["fraction", hex(PRIME * n), "0x1"], "set", 20_000),
    "colliding integers": colliding(lambda n: ["int", hex(PRIME * n)], "frozenset", 20_000),
    "colliding keys": colliding(lambda n: [["decimal", str(PRIME * n)], 0], "dict", 20_000),
    "colliding members": colliding(
        lambda n: ["enum", "E", str(n), ["fraction", hex(PRIME * n), "0x1"]], "set", 5_000
    ),
    "colliding member keys": colliding(
        lambda n: [["enum", "E", str(n), ["fraction", hex(PRIME * n), "0x1"]], 0], "dict", 5_000
    ),
    "near collisions": colliding(lambda n: ["int", hex(n << 45)], "set", 12_000),
    "members in members": b'["enum","E","A",' * 55 + b"1" + b"]" * 55,
    "unhashable": many('["list"]', 20_000, "set"),
    "names": many('"builtins.ValueError"', 20_000),
}  # fmt: skip


EXPECTED_OF_BOMBS = [
    CASES[1],
    case_of(Approx(value=[NUMBER] * 250)),
    case_of(Equals(value=set(range(4_999)))),
]


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_costs_less_than_a_second(bomb):
    for case in EXPECTED_OF_BOMBS:
        frame = Frame(kind=VALUE, id=bytes(ID_BYTES), payload=BOMBS[bomb][:MIB])
        with quickly():
            assert outcome_of(case, frame) is not Outcome.PASSED


@pytest.mark.slow
def test_no_bomb_costs_more_than_bounded_memory():
    """In a process of its own: what it took at most is told when it ends."""
    script = """
import resource
from tests.sealed.test_fortress import BOMBS, CASES, ID_BYTES, MIB, RAISED, VALUE, Frame, outcome_of
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for payload in BOMBS.values():
    for kind in (VALUE, RAISED):
        outcome_of(CASES[1], Frame(kind=kind, id=bytes(ID_BYTES), payload=payload[:MIB]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=50,
    )
    assert int(ran.stdout) < 150 * 1024  # KiB


# -- frames and channels -------------------------------------------------------------


def hostile_stream(rng: random.Random, due: bytes) -> bytes:
    """A few frames as a liar would send them, some under the id that is due."""
    parts = []
    for _ in range(rng.randrange(1, 6)):
        id_ = due if rng.random() < 0.5 else rng.randbytes(ID_BYTES)
        frame = pack(rng.choice(KINDS), id_, hostile_payload(rng)[:4_000])
        roll = rng.random()
        if roll < 0.1:
            frame = HEAD.pack(rng.choice([0, 1, 16, 2**31, 2**32 - 1])) + frame[4:]
        elif roll < 0.2:
            frame = frame[: rng.randrange(len(frame))]
        elif roll < 0.25:
            frame = rng.randbytes(rng.randrange(60))
        parts.append(frame)
    return b"".join(parts)


@pytest.mark.parametrize("seed", range(4))
def test_ten_thousand_hostile_streams_are_cut_or_refused_within_bounds(seed):
    rng = random.Random(f"streams {seed}")
    cut = refused = 0
    for _ in range(2_500):
        reader = FrameReader(4_096)
        stream = hostile_stream(rng, bytes(ID_BYTES))
        for at in range(0, len(stream), 1_000):
            reader.feed(stream[at : at + 1_000])
            try:
                while (frame := reader.next()) is not None:
                    assert len(frame.kind) == 1
                    assert len(frame.id) == ID_BYTES
                    assert len(frame.payload) <= 4_096 - OVERHEAD
                    cut += 1
            except FrameError:
                refused += 1
                break
            assert reader.rest <= HEAD.size + 4_096
    assert cut > 500
    assert refused > 50


class Pipes:
    """A started subject that is nothing but two pipes."""

    def __init__(self) -> None:
        self.theirs, self.requests = os.pipe()
        self.answers, self.said = os.pipe()
        for end in (self.requests, self.answers, self.theirs):
            os.set_blocking(end, False)

    def close(self) -> None:
        for end in (self.theirs, self.requests, self.answers, self.said):
            os.close(end)

    def stop(self) -> str:
        return ""


@pytest.mark.parametrize("seed", range(4))
def test_a_hostile_conversation_is_the_due_answer_or_one_of_three_events(seed):
    """Frames, channel, decoder and comparison together, over a real pipe."""
    rng = random.Random(f"talks {seed}")
    events: Counter[str] = Counter()
    for _ in range(400):
        pipes = Pipes()
        try:
            channel = Channel(pipes, cap=4_096)
            channel.send([(CASE, "0\nsource")] * 3)
            ids = [frame.id for frame in read_requests(pipes)]
            data = hostile_stream(rng, ids[0])
            if rng.random() < 0.3:
                data = pack(VALUE, ids[0], b"1") + hostile_stream(rng, ids[1])
            assert len(data) < 60_000  # a pipe takes it without a reader
            os.write(pipes.said, data)
            for expected_id in ids:
                try:
                    frame = channel.answer(0.002)
                except (Gone, Slow, Garbled) as event:
                    events[type(event).__name__] += 1
                    break
                assert frame.id == expected_id
                outcome = outcome_of(rng.choice(CASES), frame)
                assert outcome is not Outcome.PASSED
                events[str(outcome)] += 1
        finally:
            pipes.close()
    assert events["Garbled"] > 20
    assert events["Slow"] > 20
    assert sum(events.values()) - events["Garbled"] - events["Slow"] > 20


def read_requests(pipes: Pipes) -> list[Frame]:
    reader = FrameReader(1 << 20)
    reader.feed(os.read(pipes.theirs, 1 << 20))
    frames = []
    while (frame := reader.next()) is not None:
        frames.append(frame)
    return frames


def test_a_flood_is_not_stored():
    """A subject that only writes costs the judge one frame's memory, and its time."""
    pipes = Pipes()
    stop = threading.Event()

    def flood() -> None:
        garbage = pack(VALUE, bytes(ID_BYTES), b"x" * 30_000)
        while not stop.is_set():
            try:
                os.write(pipes.said, garbage)
            except OSError:
                return

    channel = Channel(pipes, cap=32_768)
    channel.send([(CASE, "0\nsource")])
    thread = threading.Thread(target=flood, daemon=True)
    tracemalloc.start()
    try:
        thread.start()
        for _ in range(200):
            with pytest.raises(Garbled):
                channel.answer(5)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        stop.set()
        os.set_blocking(pipes.answers, True)
        while thread.is_alive():
            os.read(pipes.answers, 1 << 16)
            thread.join(0.01)
        pipes.close()
    assert peak < 2_000_000
