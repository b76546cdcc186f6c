"""Talks with a subject: sends ahead, takes answers in order, waits no longer than it may.

The subject is hostile. It may write anything at any time, or nothing; it may
close its ends, stop reading, or die. Whatever it does is one of four things
here: the answer that is due, `Gone`, `Slow` or `Garbled`.
"""

import os
import select
import time
from collections import deque
from collections.abc import Sequence

from shipbar.ports import Running
from shipbar.sealed.frames import (
    ID_BYTES,
    OVERHEAD,
    Frame,
    FrameError,
    FrameReader,
    pack,
)

READ = 65_536


class Gone(Exception):  # noqa: N818  # an event, not a fault
    """The subject's answers ended."""


class Slow(Exception):  # noqa: N818
    """No whole answer came in time."""


class Garbled(Exception):  # noqa: N818
    """What came is not the answer that is due."""


class Channel:
    """One conversation with one subject."""

    def __init__(self, running: Running, *, cap: int) -> None:
        """Take over a started runner's pipes.

        Args:
            running: where to talk.
            cap: bytes that the payload of one answer may have.
        """
        self._running = running
        self._reader = FrameReader(cap + OVERHEAD)
        self._due: deque[bytes] = deque()
        self._outbox = memoryview(b"")
        self._poll = select.poll()
        self._poll.register(running.answers, select.POLLIN)
        self._writing = False

    def ready(self, timeout_s: float) -> None:
        """Hear the runner say that it is there, before any candidate code is."""
        self._due.appendleft(bytes(ID_BYTES))
        self.answer(timeout_s)

    def send(self, requests: Sequence[tuple[bytes, str | bytes]]) -> None:
        """Queue requests (kind and payload) and write what can be written now."""
        ids = os.urandom(ID_BYTES * len(requests))
        parts = [bytes(self._outbox)]
        for number, (kind, payload) in enumerate(requests):
            id_ = ids[number * ID_BYTES : (number + 1) * ID_BYTES]
            self._due.append(id_)
            parts.append(pack(kind, id_, _bytes(payload)))
        self._outbox = memoryview(b"".join(parts))
        self._write()

    def answer(self, timeout_s: float) -> Frame:
        """Return the answer to the oldest open request.

        Raises:
            Gone: the subject's answers ended.
            Slow: it did not come within ``timeout_s`` seconds of wall-clock time.
            Garbled: something else came.
        """
        deadline = time.monotonic() + timeout_s
        while True:
            try:
                frame = self._reader.next()
            except FrameError as cause:
                raise Garbled(str(cause)) from cause
            if frame is not None:
                return self._checked(frame)
            left = deadline - time.monotonic()
            if left <= 0:
                raise Slow
            self._wait(left)

    def _checked(self, frame: Frame) -> Frame:
        """Only the oldest open request may be answered, and once (N01)."""
        if not self._due or frame.id != self._due[0]:
            raise Garbled("an answer that was not due")
        self._due.popleft()
        return frame

    def _wait(self, seconds: float) -> None:
        for descriptor, events in self._poll.poll(seconds * 1000):
            if descriptor == self._running.requests:
                self._write()
            elif events & (select.POLLIN | select.POLLHUP | select.POLLERR):
                self._read()

    def _read(self) -> None:
        try:
            data = os.read(self._running.answers, READ)
        except BlockingIOError:
            return
        except OSError as cause:
            raise Gone from cause
        if not data:
            raise Gone
        self._reader.feed(data)

    def _write(self) -> None:
        try:
            while self._outbox:
                self._outbox = self._outbox[
                    os.write(self._running.requests, self._outbox) :
                ]
        except BlockingIOError:
            pass
        except (
            OSError
        ):  # it closed its end; what it says, or that it is gone, is heard on the other
            self._outbox = memoryview(b"")
        if bool(self._outbox) != self._writing:
            self._writing = bool(self._outbox)
            if self._writing:
                self._poll.register(self._running.requests, select.POLLOUT)
            else:
                self._poll.unregister(self._running.requests)


def _bytes(payload: str | bytes) -> bytes:
    return (
        payload
        if isinstance(payload, bytes)
        else payload.encode("utf-8", "surrogatepass")
    )
