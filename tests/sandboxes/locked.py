"""Starts small programs under Landlock and hears what became of what they tried."""

import contextlib
import os
import select
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from shipbar.config import Config
from shipbar.contract import Limits
from shipbar.ports import Job
from shipbar.sandboxes import landlock
from shipbar.sandboxes.landlock import Landlock, abi

KERNEL_ABI = abi()
VERSIONS = range(1, max(KERNEL_ABI, 1) + 1)
"""Those that this kernel can be asked to behave like."""
HEARD_S = 20.0

# Every program of these tests says line by line what became of what it tried.
HEAD = """
import os, signal, sys, time
def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())
def attempt(name, action):
    try:
        action()
    except BaseException as error:
        say(name, type(error).__name__)
    else:
        say(name, "worked")
places = dict(word.split("=", 1) for word in sys.argv[1:])
own = os.getcwd()
"""


@attrs.frozen(kw_only=True)
class Place:
    """Where sandboxes keep things for one run of this module."""

    top: Path
    sandbox: Landlock

    @property
    def work(self) -> Path:
        return self.top / "work"


@attrs.frozen(kw_only=True)
class Said:
    lines: list[str]
    tail: str

    @property
    def outcomes(self) -> dict[str, str]:
        return dict(line.rsplit(" ", 1) for line in self.lines)


@contextlib.contextmanager
def started(
    place: Place, source: str, folder: Path, **job: object
) -> Iterator[Callable[[], Said]]:
    """Start a program; yield what hears it to its end. Leaving checks that nothing is left."""
    program = folder / "program"
    program.mkdir(exist_ok=True)
    (program / "__main__.py").write_text(HEAD + source)
    for path in (program, *program.iterdir()):
        path.chmod(0o755)
    given = Job(program=program, **job)  # type: ignore[arg-type]  # each test its own fields
    running = place.sandbox.start(given)

    def hear() -> Said:
        text, until = b"", time.monotonic() + HEARD_S
        while select.select(
            [running.answers], [], [], max(0.0, until - time.monotonic())
        )[0]:
            part = os.read(running.answers, 65536)
            if not part:
                return Said(lines=text.decode().splitlines(), tail=running.stop())
            text += part
        raise AssertionError(f"no end in {HEARD_S} s; heard {text[-500:]!r}")

    try:
        yield hear
    finally:
        running.stop()
    assert list(place.work.iterdir()) == [], "the job's folder was left behind"
    assert processes_with(str(program)) == [], "processes were left behind"


def run(place: Place, source: str, folder: Path, **job: object) -> Said:
    with started(place, source, folder, **job) as hear:
        return hear()


def processes_with(word: str) -> list[int]:
    """Processes that have ``word`` on their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if (
                entry.name.isdecimal()
                and word.encode() in (entry / "cmdline").read_bytes()
            ):
                found.append(int(entry.name))
    return found


def several(count: int) -> Limits:
    return attrs.evolve(Limits(), processes=count)


@contextlib.contextmanager
def open_place() -> Iterator[Place]:
    """Make a place; not in pytest's own temporary folder, which only its owner may enter."""
    with tempfile.TemporaryDirectory(prefix="landlock-") as name:
        top = Path(name).resolve()
        top.chmod(0o755)
        config = Config(cache=top / "cache", work=top / "work", inherited={})
        config.work.mkdir()
        yield Place(top=top, sandbox=Landlock(config))


@contextlib.contextmanager
def open_folder(place: Place) -> Iterator[Path]:
    """Make a host folder that anyone may read."""
    with tempfile.TemporaryDirectory(dir=place.top) as name:
        Path(name).chmod(0o755)
        yield Path(name)


def as_of(place: Place, version: int) -> Place:
    """The sandbox as it is on a kernel with an older Landlock."""
    sandbox = Landlock(place.sandbox._config)
    sandbox._abi = min(version, landlock.KNOWN_ABI)
    return attrs.evolve(place, sandbox=sandbox)
