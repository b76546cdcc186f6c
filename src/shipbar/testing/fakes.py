"""Sandboxes that hold nothing back, for tests of what talks to one.

- `Scripted`: each subject is a Python function in a thread of the test. It hears
  requests and writes what it likes, so that a judge meets any behaviour on demand.
- `Unconfined`: each subject is Shipbar's own runner in a plain process. What it is
  given is the test's own code; nothing that a stranger wrote may ever run in it.

Neither has a name in `wiring`: no command and no API call can reach them.
"""

import contextlib
import importlib.resources
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from shipbar.errors import SandboxError
from shipbar.ports import Availability, Job, Running, Sandbox
from shipbar.sealed.frames import (
    CASE,
    DONE,
    HEAD,
    OVERHEAD,
    READY,
    VALUE,
    Frame,
    pack,
)

STOP_S = 10.0
"""Seconds within which a script has noticed that nobody listens any more."""


class Actor:
    """A scripted subject's end of the conversation."""

    def __init__(self, requests: int, answers: int) -> None:
        """Read requests from one descriptor and write answers to another; own both."""
        self._requests: int | None = requests
        self._answers: int | None = answers
        self._stopped = threading.Event()
        self.heard: list[Frame] = []
        """Every request so far."""

    def hear(self) -> Frame | None:
        """Return the next request; None when there will be none."""
        head = self._exactly(HEAD.size)
        if head is None:
            return None
        body = self._exactly(HEAD.unpack(head)[0])
        if body is None:
            return None
        frame = Frame(kind=body[:1], id=body[1:OVERHEAD], payload=body[OVERHEAD:])
        self.heard.append(frame)
        return frame

    def requests(self) -> Iterator[Frame]:
        """Yield requests until there are no more."""
        while (frame := self.hear()) is not None:
            yield frame

    def ready(self) -> None:
        """Say what a runner says once, before any candidate code is there."""
        self.write(READY)

    def say(self, kind: bytes, id_: bytes, payload: bytes = b"") -> None:
        """Write one answer."""
        self.write(pack(kind, id_, payload))

    def write(self, data: bytes) -> None:
        """Write any bytes."""
        while data and self._answers is not None:
            data = data[os.write(self._answers, data) :]

    def close_requests(self) -> None:
        """Read no more, as a process that closed its standard input."""
        requests, self._requests = self._requests, None
        _close(requests)

    def close_answers(self) -> None:
        """Write no more: to the judge, the process is gone."""
        answers, self._answers = self._answers, None
        _close(answers)

    def wait(self) -> None:
        """Do nothing until stopped."""
        self._stopped.wait()

    def pause(self, seconds: float) -> bool:
        """Do nothing for a while; return whether it was stopped meanwhile."""
        return self._stopped.wait(seconds)

    def end(self) -> None:
        """Tell a script that is waiting to go on."""
        self._stopped.set()

    def _exactly(self, size: int) -> bytes | None:
        parts = b""
        while len(parts) < size:
            part = os.read(self._requests, size - len(parts)) if self._requests else b""
            if not part:
                return None
            parts += part
        return parts


Script = Callable[[Actor], None]
"""What a scripted subject does from its start to its end."""


class Scripted(Sandbox):
    """Starts scripts instead of programs."""

    name = "scripted"

    def __init__(self, *scripts: Script) -> None:
        """Take the script of the first subject, the second, and so on; the last one stays."""
        self._scripts = scripts
        self.actors: list[Actor] = []
        """One for each subject that was started."""
        self.jobs: list[Job] = []
        """What each was started for."""

    def _start(self, job: Job) -> Running:
        script = self._scripts[min(len(self.actors), len(self._scripts) - 1)]
        theirs, requests = os.pipe()
        answers, said = os.pipe()
        actor = Actor(theirs, said)
        self.actors.append(actor)
        self.jobs.append(job)
        thread = threading.Thread(target=_act, args=(script, actor), daemon=True)
        thread.start()
        return _Thread(requests, answers, actor, thread)

    def available(self) -> Availability:
        """Say that it works: there is nothing to try."""
        return Availability(works=True, detail="runs scripts in threads")


def _act(script: Script, actor: Actor) -> None:
    """Play a script; its end closes the pipes, as a process's end does."""
    try:
        # A judge that stops listening ends a script as SIGPIPE ends a process.
        with contextlib.suppress(BrokenPipeError):
            script(actor)
    finally:
        actor.close_requests()
        actor.close_answers()


class _Thread:
    """A script that was started."""

    def __init__(
        self, requests: int, answers: int, actor: Actor, thread: threading.Thread
    ) -> None:
        self.requests, self.answers = requests, answers
        for descriptor in (requests, answers):
            os.set_blocking(descriptor, False)
        self._actor, self._thread, self._live = actor, thread, True

    def stop(self) -> str:
        if self._live:
            self._live = False
            os.close(self.requests)
            os.close(self.answers)
            self._actor.end()
            self._thread.join(STOP_S)
            if self._thread.is_alive():
                raise SandboxError("a script did not end")
        return ""


def answering(reply: Callable[[str], tuple[bytes, bytes] | None]) -> Script:
    """Make a script that does as a runner does, but for what it says of each case.

    Args:
        reply: from a case's source to the kind and payload of the answer; None ends
            the subject, as a crash does.
    """

    def script(actor: Actor) -> None:
        actor.ready()
        for request in actor.requests():
            if request.kind != CASE:
                actor.say(DONE, request.id)
                continue
            source = request.payload.partition(b"\0")[0].decode().partition("\n")[2]
            said = reply(source)
            if said is None:
                return
            kind, payload = said
            actor.say(kind, request.id, payload)

    return script


def always(payload: bytes, kind: bytes = VALUE) -> Script:
    """Make a script that gives one answer to every case."""
    return answering(lambda _source: (kind, payload))


class Unconfined(Sandbox):
    """Runs Shipbar's own runner as an ordinary child process."""

    name = "unconfined"
    lacks: tuple[str, ...] = ("everything that a sandbox is for",)

    def _start(self, job: Job) -> Running:
        subject = Path(str(importlib.resources.files("shipbar"))) / "subject"
        places = [f"{name}={folder}" for name, folder in job.folders.items()]
        popen = subprocess.Popen(  # noqa: S603  # our own interpreter and runner
            [
                *(sys.executable, "-s", "-S", "-P", "-B", str(subject / "boot.py")),
                *("--", str(job.program or subject), *places),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(job.surroundings),
            cwd="/",
        )
        return _Process(popen)

    def available(self) -> Availability:
        """Say that it works: a child process can always be started."""
        return Availability(works=True, detail="runs plain processes", lacks=self.lacks)


class _Process:
    """A runner that was started."""

    def __init__(self, popen: "subprocess.Popen[bytes]") -> None:
        if popen.stdin is None or popen.stdout is None:
            raise SandboxError("a runner is started with two pipes")
        self._popen, self._pipes = popen, (popen.stdin, popen.stdout)
        self.requests, self.answers = (pipe.fileno() for pipe in self._pipes)
        for descriptor in (self.requests, self.answers):
            os.set_blocking(descriptor, False)

    def stop(self) -> str:
        if self._popen.poll() is None:
            self._popen.kill()
        self._popen.wait(STOP_S)
        for pipe in self._pipes:
            pipe.close()
        return ""


def _close(descriptor: int | None) -> None:
    if descriptor is not None:
        os.close(descriptor)


__all__ = ["Actor", "Script", "Scripted", "Unconfined", "always", "answering"]
