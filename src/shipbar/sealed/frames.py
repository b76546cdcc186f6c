"""What crosses the pipes between judge and subject, and how it is cut up.

A frame is four bytes of length (big-endian) and a body; a body is one byte of
kind, sixteen bytes of id and a payload in UTF-8. The judge draws a random id
for every request and takes an answer only under the id that it is due, so
that an answer which comes twice, early or unasked ends the subject (N01).

`FrameReader` never holds more than one frame's cap, whatever is fed (K01).
"""

import struct

import attrs

ID_BYTES = 16
HEAD = struct.Struct(">I")
OVERHEAD = 1 + ID_BYTES

LOAD, PREAMBLE, CASE = b"L", b"P", b"C"
"""Requests: import the package; run a suite file's head; evaluate a case."""
DONE, VALUE, RAISED, ESCAPED = b"D", b"V", b"R", b"E"
"""Answers: done; the expression's value; what the expression raised; what was raised before it."""


class FrameError(ValueError):
    """The bytes are no frame that may come."""


@attrs.frozen(kw_only=True)
class Frame:
    """One frame, cut out."""

    kind: bytes
    """One byte."""
    id: bytes
    """Sixteen bytes."""
    payload: bytes
    """The rest; at most the reader's cap."""


def pack(kind: bytes, id_: bytes, payload: bytes = b"") -> bytes:
    """Return a frame's bytes."""
    return HEAD.pack(OVERHEAD + len(payload)) + kind + id_ + payload


READY = pack(DONE, bytes(ID_BYTES))
"""What a runner says once, before any candidate code is there."""


class FrameReader:
    """Cuts a stream of hostile bytes into frames."""

    def __init__(self, cap: int) -> None:
        """Refuse any frame whose body is longer than ``cap`` bytes."""
        self._cap = cap
        self._held = bytearray()

    def feed(self, data: bytes) -> None:
        """Take in what was read."""
        self._held += data

    def next(self) -> Frame | None:
        """Return the next whole frame, or None until more is fed.

        Raises:
            FrameError: the announced length is too long, or too short for an id.
        """
        if len(self._held) < HEAD.size:
            return None
        (length,) = HEAD.unpack_from(self._held)
        if not OVERHEAD <= length <= self._cap:
            raise FrameError(
                f"a frame of {length} bytes; expected {OVERHEAD} to {self._cap}"
            )
        end = HEAD.size + length
        if len(self._held) < end:
            return None
        body = bytes(self._held[HEAD.size : end])
        del self._held[:end]
        return Frame(kind=body[:1], id=body[1:OVERHEAD], payload=body[OVERHEAD:])

    @property
    def rest(self) -> int:
        """Bytes held that are not yet a frame."""
        return len(self._held)
