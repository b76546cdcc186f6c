"""A sandbox that holds nothing back, to prove that the conformance suite can fail.

A plain process of the same user, or of nobody where we are root, so that what the
suite tries does no harm. What outlives it is found by a word in its environment.
"""

import contextlib
import fcntl
import functools
import os
import pty
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

import attrs

from shipbar.config import Config
from shipbar.errors import SandboxError
from shipbar.ports import Availability, Job, Running, Sandbox
from shipbar.sandboxes.host import drop_root, subject_folder


@attrs.frozen(kw_only=True)
class Faults:
    """What it does wrong towards the one who uses it."""

    unavailable: bool = False
    """It says that it does not work."""
    copies_folders: bool = False
    """Folders are as they were at the start."""
    raises_what_comes: bool = False
    """A failed start is no SandboxError."""
    stops_once: bool = False
    """Stopping again raises."""
    never_kills: bool = False
    """Stopping only stops listening."""
    forgets_errors: bool = False
    """What came on standard error is dropped."""
    blocks: bool = False
    """The pipes block."""
    mute: bool = False
    """The program's output goes nowhere."""
    holds_output: bool = False
    """The output stays open when the program has ended."""
    deaf: bool = False
    """What is written to the program never comes to its end."""
    nameless: bool = False
    """The program is not told where its folders are."""
    privileged: bool = False
    """Programs run as who we are."""
    leaks: bool = False
    """The program inherits a descriptor of ours."""
    terminal: bool = False
    """The program has a controlling terminal."""
    writes_into_folders: bool = False
    """Something is left in the job's folders."""


class Weak(Sandbox):
    """Runs programs as ordinary processes."""

    name = "weak"

    def __init__(self, config: Config, faults: Faults | None = None) -> None:
        self._work = Path(tempfile.mkdtemp(prefix="weak-", dir=config.work))
        self._work.chmod(0o777)
        self._subject = subject_folder(config.cache)
        self._started: list[subprocess.Popen[bytes]] = []
        self._terminals: list[int] = []
        self._faults = faults or Faults()
        self.word = f"weak{secrets.token_hex(8)}"

    def start(self, job: Job) -> Running:
        if self._faults.raises_what_comes and not (job.program or self._work).is_dir():
            raise FileNotFoundError(str(job.program))
        return super().start(job)

    def _start(self, job: Job) -> Running:
        faults = self._faults
        folders = dict(job.folders)
        if faults.copies_folders:
            for name, folder in folders.items():
                copy = self._work / secrets.token_hex(4)
                folders[name] = Path(shutil.copytree(folder, copy))
        if faults.writes_into_folders:
            for folder in folders.values():
                (folder / "lock").touch()
        words = [f"{name}={path}" for name, path in folders.items()]
        read, write = os.pipe()
        main, terminal = pty.openpty()
        prepare = functools.partial(take, terminal) if faults.terminal else None
        popen = subprocess.Popen(
            [
                *(interpreter(), "-B", str(self._subject / "boot.py"), "--"),
                *(str(job.program or self._subject), *words * (not faults.nameless)),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL if faults.mute else write,
            stderr=subprocess.PIPE,
            env={**job.surroundings, "WEAK": self.word, "PYTHONHASHSEED": "1"},
            cwd=self._work,
            pass_fds=(read,) if faults.leaks else (),
            start_new_session=faults.terminal,
            preexec_fn=prepare,  # noqa: PLW1509  # a terminal can be taken in no other way
            **({} if faults.privileged else drop_root()),
        )
        self._started.append(popen)
        os.close(terminal)
        self._terminals.append(main)
        if not faults.holds_output:
            os.close(write)
        os.set_blocking(read, faults.blocks)
        return Process(popen, read, faults)

    def available(self) -> Availability:
        works = not self._faults.unavailable
        return Availability(works=works, detail="a plain process")

    def clean_up(self) -> None:
        """End all that ever came of it."""
        while self._terminals:
            os.close(self._terminals.pop())
        for _ in range(50):
            for popen in self._started:
                popen.poll()
            found = self._left()
            if not found:
                return
            for pid in found:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)

    def _left(self) -> list[int]:
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                alive = b"State:\tZ" not in (entry / "status").read_bytes()
                if alive and self.word.encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
        return found


class Process:
    """A started program."""

    def __init__(
        self, popen: "subprocess.Popen[bytes]", answers: int, faults: Faults
    ) -> None:
        assert popen.stdin is not None
        self._popen, self._faults = popen, faults
        self.requests, self.answers = popen.stdin.fileno(), answers
        self._beside = os.dup(self.requests) if faults.deaf else None
        os.set_blocking(self.requests, faults.blocks)
        self._tail: str | None = None

    def stop(self) -> str:
        if self._tail is not None:
            if self._faults.stops_once:
                raise SandboxError("stopped already")
            return self._tail
        assert self._popen.stdin is not None
        assert self._popen.stderr is not None
        self._tail = ""
        if not self._faults.never_kills:
            self._popen.kill()
            self._popen.wait(10)
        os.set_blocking(self._popen.stderr.fileno(), False)
        with contextlib.suppress(OSError):
            self._tail = os.read(self._popen.stderr.fileno(), 16384).decode()
        if self._faults.forgets_errors:
            self._tail = ""
        for pipe in (self._popen.stdin, self._popen.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        os.close(self.answers)
        if self._beside is not None:
            os.close(self._beside)
        return self._tail


def take(terminal: int) -> None:
    """Make it the controlling terminal of the session that we lead."""
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def interpreter() -> str:
    """An interpreter that nobody can run: ours may lie in root's home."""
    return "/usr/bin/python3" if os.geteuid() == 0 else sys.executable
