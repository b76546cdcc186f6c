"""Framing: what is packed is cut out again, and nothing else is."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shipbar.sealed.frames import (
    HEAD,
    ID_BYTES,
    OVERHEAD,
    READY,
    VALUE,
    FrameError,
    FrameReader,
    pack,
)

ID = bytes(range(ID_BYTES))
CAP = 4_096

frames = st.tuples(
    st.binary(min_size=1, max_size=1),
    st.binary(min_size=ID_BYTES, max_size=ID_BYTES),
    st.binary(max_size=200),
)


@given(st.lists(frames, max_size=8), st.data())
def test_frames_come_out_as_they_went_in_however_the_stream_is_cut(sent, data):
    stream = b"".join(pack(*frame) for frame in sent)
    reader = FrameReader(CAP)
    heard = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        reader.feed(stream[:size])
        stream = stream[size:]
        while (frame := reader.next()) is not None:
            heard.append((frame.kind, frame.id, frame.payload))
    assert heard == sent
    assert reader.rest == 0


def test_a_runner_s_first_word_is_a_frame_without_an_id_of_ours():
    reader = FrameReader(CAP)
    reader.feed(READY)
    frame = reader.next()
    assert frame is not None
    assert frame.id == bytes(ID_BYTES)


@pytest.mark.parametrize("length", [0, 1, OVERHEAD - 1, CAP + 1, 2**31, 2**32 - 1])
def test_a_length_that_no_frame_may_have_is_refused_before_its_body(length):
    reader = FrameReader(CAP)
    reader.feed(HEAD.pack(length))
    with pytest.raises(FrameError, match="expected"):
        reader.next()
    with pytest.raises(FrameError):  # and stays so: there is no way back into step
        reader.next()


@pytest.mark.parametrize("length", [OVERHEAD, CAP])
def test_the_shortest_and_the_longest_frame_come_out(length):
    reader = FrameReader(CAP)
    reader.feed(pack(VALUE, ID, b"x" * (length - OVERHEAD)))
    frame = reader.next()
    assert frame is not None
    assert len(frame.payload) == length - OVERHEAD


def test_no_frame_comes_out_before_its_last_byte():
    reader = FrameReader(CAP)
    for byte in pack(VALUE, ID, b"payload")[:-1]:
        reader.feed(bytes([byte]))
        assert reader.next() is None
    reader.feed(b"d")
    assert reader.next() is not None


def test_what_is_held_is_bounded_by_one_frame_and_one_read():
    cap, read = 100_000, 10_000
    reader = FrameReader(cap)
    frame = pack(VALUE, ID, b"y" * (cap - OVERHEAD))
    tracemalloc.start()
    try:
        for _ in range(50):
            for at in range(0, len(frame), read):
                reader.feed(frame[at : at + read])
                while reader.next() is not None:
                    pass
                assert reader.rest <= cap + HEAD.size
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10 * cap
