"""Sandboxes that are ready: started ahead, each with an empty folder for one candidate.

A seat is used for one submission and never again: nothing of one grade can
reach the next (G06).
"""

import contextlib
import os
import shutil
import tempfile
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from shipbar.errors import SandboxError
from shipbar.ports import Job, Running, Sandbox

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor


class Seat:
    """A folder for one candidate, and the subjects that serve it, one at a time."""

    def __init__(self, sandbox: Sandbox, job: Job, work: Path) -> None:
        """Make the folder below ``work`` and start a subject that sees it."""
        self.place = Path(tempfile.mkdtemp(prefix="shipbar-", dir=work))
        self.folder = self.place / "candidate"
        self.started = 0
        self._sandbox = sandbox
        self._running: Running | None = None
        try:
            self.folder.mkdir()
            if world_readable():
                self.place.chmod(0o755)
            self._job = Job(
                program=job.program,
                folders={**job.folders, "candidate": self.folder},
                limits=job.limits,
                tmp_mib=job.tmp_mib,
                surroundings=job.surroundings,
            )
            self._running = sandbox.start(self._job)
            self.started = 1
        except BaseException:
            self.leave()
            raise

    @property
    def running(self) -> Running:
        """The current subject; a new one if the last was stopped."""
        if self._running is None:
            self._running = self._sandbox.start(self._job)
            self.started += 1
        return self._running

    def stop(self) -> str:
        """End the current subject, if there is one; return what it wrote to standard error."""
        running, self._running = self._running, None
        return running.stop() if running is not None else ""

    def leave(self) -> None:
        """End the current subject and remove the folder."""
        try:
            self.stop()
        finally:
            shutil.rmtree(self.place, ignore_errors=True)


class Bench:
    """Keeps seats ready."""

    def __init__(self, sandbox: Sandbox, job: Job, work: Path, *, ahead: int) -> None:
        """Keep up to ``ahead`` seats started; nothing is started yet."""
        self._sandbox, self._job, self._work, self._ahead = sandbox, job, work, ahead
        # Started and not yet taken. Whoever takes one leaves it; what is still
        # here at the end is ours to leave.
        self._ready: deque[Seat] = deque()
        # Where seats are started ahead, used ones are left beside the next grade.
        # One sweeper: a subject that does not end must not hold up others for long.
        self._sweeper: ThreadPoolExecutor | None = None
        self._leaving: deque[Future[None]] = deque()

    def take(self) -> Seat:
        """Return a seat: a ready one, or a new one.

        Raises:
            SandboxError: one could not be started, or one that was left did not end.
        """
        while self._leaving and self._leaving[0].done():
            self._leaving.popleft().result()
        if self._ready:
            return self._ready.popleft()
        return Seat(self._sandbox, self._job, self._work)

    def refill(self) -> None:
        """Start one seat, if fewer than wanted are ready.

        Called while a subject is busy, so that the next one comes up beside it. A
        seat that cannot be had now is no fault of that one's: whoever needs it tries
        again, and is told.
        """
        if len(self._ready) < self._ahead:
            with contextlib.suppress(SandboxError, OSError):
                self._ready.append(Seat(self._sandbox, self._job, self._work))

    def leave(self, seat: Seat) -> None:
        """End what runs in a taken seat and remove its folder: at once, or very soon.

        Very soon is beside the next grade, for a bench that starts seats ahead;
        `close` waits for the last.
        """
        if not self._ahead:
            seat.leave()
            return
        if self._sweeper is None:
            # Here, since a single grade has no use for its imports.
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

            self._sweeper = ThreadPoolExecutor(1, "shipbar-sweeper")
        self._leaving.append(self._sweeper.submit(seat.leave))

    def close(self) -> None:
        """Leave every seat, and wait until those that were left are gone."""
        with contextlib.ExitStack() as steps:  # one that fails keeps no other here
            if self._sweeper is not None:
                steps.callback(self._sweeper.shutdown)
            while self._leaving:
                steps.callback(self._leaving.popleft().result)
            while self._ready:
                steps.callback(self._ready.popleft().leave)


def world_readable() -> bool:
    """Whether what a sandbox is to read must be readable by others: its user is not root."""
    return os.geteuid() == 0
