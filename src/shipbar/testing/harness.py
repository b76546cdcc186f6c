"""Starts the suite's programs in a sandbox, hears them out, and looks for what they left.

Every program is recognisable from outside: a random mark is in its environment, in
its process name and in the names of the files it makes. After every job the host is
searched for that mark, so each promise is also a promise that nothing stays behind.
"""

import contextlib
import json
import os
import secrets
import select
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import attrs

from shipbar.contract import Limits
from shipbar.errors import SandboxError
from shipbar.ports import Job, Running, Sandbox

Json = Any
"""What a program told: lists, dicts, text, numbers."""
NewSandbox = Callable[[], Sandbox]
"""Makes a sandbox; each promise asks for one of its own."""

START_S = 30.0
"""Seconds within which a program has started and answered; engines are slow."""
STOP_S = 15.0
"""Seconds within which stopping is done, whatever a program does against it."""
ANSWER_CAP = 4 << 20
"""Bytes of an answer that are read."""
GONE_S = 3.0
"""Seconds within which the host shows no trace of a job that was stopped."""
MARK_VARIABLE = "SHIPBAR_MARK"
# Where a sandbox may keep things on the host. Deeper than this nobody looks.
PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/run")  # noqa: S108  # searched, not used
DEPTH = 4

SMALL = Limits(wall_s=30.0, cpu_s=10.0, memory_mib=256, processes=1)
"""What most programs of the suite may use."""


@attrs.frozen(kw_only=True)
class Heard:
    """What came from a program."""

    text: bytes
    """Its standard output so far, up to the cap."""
    ended: bool
    """Whether the output ended."""
    seconds: float
    """How long we listened."""


def expect(kept: object, seen: str) -> None:
    """Raise AssertionError with what was ``seen`` unless ``kept``.

    An `assert` would be gone under `python -O`.
    """
    if not kept:
        raise AssertionError(seen)


class Inside:
    """A program of the suite that runs in a sandbox."""

    def __init__(self, running: Running, mark: str) -> None:
        """Listen to ``running``."""
        self.running, self.mark = running, mark
        self._held = b""

    def hear(self, seconds: float, cap: int = ANSWER_CAP) -> Heard:
        """Read until the output ends, ``cap`` bytes are there or time is up."""
        begun = time.monotonic()
        text, self._held = self._held, b""
        while len(text) < cap:
            part = self._part(begun + seconds)
            if not part:
                ended = part is not None
                return Heard(text=text, ended=ended, seconds=time.monotonic() - begun)
            text += part
        text, self._held = text[:cap], text[cap:]
        return Heard(text=text, ended=False, seconds=time.monotonic() - begun)

    def line(self, seconds: float = START_S) -> Json:
        """Return the next line, which is JSON; raise AssertionError if none comes."""
        until = time.monotonic() + seconds
        while b"\n" not in self._held and len(self._held) < ANSWER_CAP:
            part = self._part(until)
            if not part:
                why = "ended" if part is not None else f"took over {seconds:.0f} s"
                tail = self.running.stop()
                raise AssertionError(
                    f"a program {why} before it answered; standard error: {tail!r}"
                )
            self._held += part
        line, _, self._held = self._held.partition(b"\n")
        try:
            return json.loads(line)
        except ValueError as cause:
            raise AssertionError(
                f"expected a line of JSON, got {line[:200]!r}"
            ) from cause

    def expect(self, told: Json) -> None:
        """Raise AssertionError unless the next line is ``told``."""
        line = self.line()
        expect(line == told, f"expected a program to tell {told!r}, got {line!r}")

    def say(self, data: bytes) -> None:
        """Write to the program's standard input."""
        while data:
            _, ready, _ = select.select([], [self.running.requests], [], START_S)
            expect(ready, "a program's standard input took nothing more")
            data = data[os.write(self.running.requests, data) :]

    def close_requests(self) -> None:
        """End the program's input, and leave the number to whoever owns it."""
        void = os.open(os.devnull, os.O_WRONLY)
        os.dup2(void, self.running.requests)
        os.close(void)

    def _part(self, until: float) -> bytes | None:
        """Some bytes; none at the end; None when time is up."""
        left = max(0.0, until - time.monotonic())
        if not select.select([self.running.answers], [], [], left)[0]:
            return None
        return os.read(self.running.answers, 65536)


@contextlib.contextmanager
def started(sandbox: Sandbox, job: Job, mark: str) -> Iterator[Inside]:
    """Start ``job``; on leaving stop it, in time, and find no trace of it."""
    inside = Inside(sandbox.start(job), mark)
    try:
        yield inside
    except BaseException:
        with contextlib.suppress(SandboxError):  # what came first is what is told
            inside.running.stop()
        raise
    begun = time.monotonic()
    inside.running.stop()
    took = time.monotonic() - begun
    expect(took < STOP_S, f"stop() took {took:.1f} s, expected less than {STOP_S:.0f}")
    assert_gone(mark)


@contextlib.contextmanager
def program(
    sandbox: Sandbox, call: str, /, *, job: Job | None = None, **words: object
) -> Iterator[Inside]:
    """Start a function of `testing/inside`, named `module.function`, as ``job``'s program."""
    mark = "sb" + secrets.token_hex(6)
    job = job or Job(limits=SMALL)
    with folder() as place:
        wish = {"mark": mark, "with": words}
        wish["module"], _, wish["function"] = call.partition(".")
        write_program(place, wish)
        job = attrs.evolve(
            job, program=place, surroundings={**job.surroundings, MARK_VARIABLE: mark}
        )
        with started(sandbox, job, mark) as inside:
            yield inside
        left = sorted(path.name for path in place.iterdir())
        expect(
            left == sorted(["wish.json", *_program_files()]),
            f"the program's folder was changed: it holds {left}",
        )


def told(
    sandbox: Sandbox, call: str, /, *, job: Job | None = None, **words: object
) -> Json:
    """Run such a function to its end and return what it answered."""
    with program(sandbox, call, job=job, **words) as inside:
        return inside.line()


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Yield an empty host folder that anyone may read."""
    with tempfile.TemporaryDirectory(prefix="conformance-") as name:
        path = Path(name).resolve()
        path.chmod(0o755)
        yield path


def write_program(place: Path, wish: Mapping[str, object]) -> None:
    """Fill ``place`` with the suite's programs and what they are to do."""
    for name, content in _program_files().items():
        (place / name).write_bytes(content)
        (place / name).chmod(0o644)
    (place / "wish.json").write_text(json.dumps(wish))
    (place / "wish.json").chmod(0o644)


def _program_files() -> dict[str, bytes]:
    source = resources.files("shipbar.testing") / "inside"
    return {
        entry.name: entry.read_bytes()
        for entry in source.iterdir()
        if entry.name.endswith(".py") and entry.name != "__init__.py"
    }


def assert_gone(mark: str) -> None:
    """Raise AssertionError if the host still has a process or a file of that mark."""
    until = time.monotonic() + GONE_S
    while (left := processes_of(mark)) and time.monotonic() < until:
        time.sleep(0.02)
    expect(not left, f"left running after stop(): {', '.join(left)}")
    files = files_of(mark)
    expect(not files, f"left on disk after stop(): {', '.join(files)}")


def processes_of(mark: str) -> list[str]:
    """Describe the host's processes that wear ``mark``."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        if entry.name == str(os.getpid()):
            continue
        for name in ("comm", "cmdline", "environ"):
            with contextlib.suppress(OSError):
                if mark.encode() in (entry / name).read_bytes():
                    found.append(f"process {entry.name} (by its {name})")
                    break
    return found


def files_of(mark: str) -> list[str]:
    """Return the host's files whose names hold ``mark``."""
    places = {*PLACES, tempfile.gettempdir()}
    return [path for place in sorted(places) for path in _search(place, mark, DEPTH)]


def _search(place: str, mark: str, depth: int) -> Iterator[str]:
    with contextlib.suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if mark in entry.name:
                yield entry.path
            elif depth and entry.is_dir(follow_symlinks=False):
                yield from _search(entry.path, mark, depth - 1)


def remove(path: Path) -> None:
    """Remove a file or a tree of the host that the suite made."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def environment_of(job: Job, mark: str) -> dict[str, str]:
    """What a program of the suite has to find as its environment."""
    return {**job.surroundings, MARK_VARIABLE: mark}
