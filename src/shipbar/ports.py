"""Every seam of Shipbar: what a newcomer can add, in one file.

`Sandbox` starts a program where it can reach nothing; `Guard` says what a submission
is a copy of; `Reporter` hears how the work goes. Implementations fill the underscored
methods; callers use the public ones, which keep the promises: whatever a sandbox
raises, a caller sees `SandboxError`, and of a guard `GraderFault`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import attrs

from shipbar.contract import Limits
from shipbar.errors import GraderFault, SandboxError, ShipbarError
from shipbar.verdict import Copying

SURROUNDINGS: Mapping[str, str] = {
    "HOME": "/tmp",  # noqa: S108  # inside the sandbox, where /tmp is its own
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "PATH": "/usr/bin",
    "PWD": "/tmp",  # noqa: S108  # likewise; where a program starts
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "TZ": "UTC",
}
"""The whole environment of a sandboxed program, unless a job says otherwise."""


@attrs.frozen(kw_only=True)
class Job:
    """What to run in a sandbox."""

    program: Path | None = None
    """Host folder with a `__main__.py`, read-only inside; None is Shipbar's own
    runner. Its `sys.argv[1:]` are `name=path` words that say where each of
    `folders` lies inside."""
    folders: Mapping[str, Path] = attrs.field(factory=dict)
    """Host folders by name (`candidate`, `extra`), read-only inside. One may still
    be filled after the start: what is put there appears inside. They must be readable
    by others where Shipbar runs as root, and in containers always: what runs inside
    is nobody."""
    limits: Limits = attrs.field(factory=Limits)
    """What the program may use. The caller keeps the wall clock and the output cap."""
    tmp_mib: int = 16
    """Size of the only writable folder, in MiB."""
    surroundings: Mapping[str, str] = SURROUNDINGS
    """The environment, complete."""


class Running(Protocol):
    """A started program. Whoever started it stops it."""

    requests: int
    """Descriptor that the program reads as its standard input; not blocking."""
    answers: int
    """Descriptor that carries the program's standard output; not blocking."""

    def stop(self) -> str:
        """End every process of the job, reap it, remove what it left.

        Safe to call again. Returns the tail of what was written to standard
        error: empty, or the words of a backend or program that failed to start.
        """
        ...


@attrs.frozen(kw_only=True)
class Availability:
    """What a backend can do on this machine, found by trying it."""

    works: bool
    """Whether a program ran in it just now."""
    detail: str
    """What was found: versions, mechanisms, or the error that came."""
    remedy: str = ""
    """What to install or change; empty when it works."""
    lacks: tuple[str, ...] = ()
    """What it cannot promise compared with the strongest backend."""


class Sandbox(ABC):
    """Runs programs that may be hostile, where nothing can be reached.

    What every implementation promises is what `shipbar.testing.check_sandbox`
    asserts.
    """

    name: str
    """The word for it in `--sandbox` and in verdicts."""
    lacks: tuple[str, ...] = ()
    """What it cannot promise compared with the strongest backend."""

    def start(self, job: Job) -> Running:
        """Start ``job``; raise SandboxError, and nothing else, when that fails."""
        try:
            return self._start(job)
        except ShipbarError:
            raise
        except Exception as cause:  # broad on purpose: this is the boundary
            raise SandboxError(
                f"{self.name}: cannot start: {type(cause).__name__}: {cause}"
            ) from cause

    @abstractmethod
    def _start(self, job: Job) -> Running:
        """Start it; raise what you like."""

    @abstractmethod
    def available(self) -> Availability:
        """Try it for real on this machine; never raise."""


@attrs.frozen(kw_only=True)
class Question:
    """Something that a case shows and no assertion looks at."""

    case: int
    """Its place in the suite."""
    kind: str
    """Which of the things that the case shows."""


@attrs.frozen(kw_only=True)
class Habits:
    """What a task's sources answer where the specification leaves freedom."""

    sources: Mapping[str, Mapping[Question, str]]
    """For each source, the digests of its answers."""
    missing: tuple[str, ...] = ()
    """Names of sources that could not be had."""


@attrs.frozen(kw_only=True)
class Written:
    """What a candidate wrote, as a guard reads it."""

    files: Mapping[str, bytes]
    """Contents by POSIX path, as accepted."""
    digest: str
    """`sha256:…` over paths and contents."""
    built: Mapping[str, bytes] = attrs.field(factory=dict)
    """What its own build made beside that, by the path where it is installed."""


class Guard(ABC):
    """Says how like its task's sources a submission is. A check reads, and runs nothing.

    The same submission gives the same answer, whatever was checked before.
    """

    name: str
    """What is compared with, and by what: another name may give other scores."""

    def check(self, written: Written) -> Copying:
        """Compare what was handed in with the task's sources.

        Raises:
            ShipbarError: a source cannot be read.
            GraderFault: anything else went wrong on our side; that is no finding.
        """
        try:
            return self._check(written)
        except ShipbarError:
            raise
        except Exception as cause:  # broad on purpose: this is the boundary
            raise GraderFault(
                f"copy guard: cannot compare: {type(cause).__name__}: {cause}"
            ) from cause

    @abstractmethod
    def _check(self, written: Written) -> Copying:
        """Compare; raise what you like."""

    def habits(self) -> Habits | None:
        """Return what the sources do where nothing says what to do; None: nobody shall ask.

        Raises:
            ShipbarError: they could not be observed.
            GraderFault: anything else went wrong on our side.
        """
        try:
            return self._habits()
        except ShipbarError:
            raise
        except Exception as cause:  # broad on purpose: this is the boundary
            raise GraderFault(
                f"copy guard: cannot observe: {type(cause).__name__}: {cause}"
            ) from cause

    def _habits(self) -> Habits | None:
        """Observe them; raise what you like. A guard need not."""
        return None


class Reporter:
    """Hears how the work goes. Every method does nothing until overridden."""

    def started(self, total: int) -> None:
        """Work on ``total`` submissions starts."""

    def finished(self, name: str, text: str) -> None:
        """The submission called ``name`` is done; ``text`` says how it went."""
