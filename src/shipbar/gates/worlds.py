"""Ten worlds in which a verdict must be the same, and how each is really made.

- The order of cases is the judge's: it asks them in another one.
- Hash seed, zone and locale are variables of the subject's environment. A sandbox
  holds the data of `C` and `C.UTF-8` alone, so these are the locales there are, and
  names of others stand for `C`; zones are written out, as POSIX has them.
- Clock, user and working folder are changed in the subject by the program
  `subject/elsewhere`, before the candidate is there: as Python's functions tell them.
- The package lies in another folder inside, below another work folder outside.
- One core: the subject is started from a thread that is bound to one, and inherits it.
- Load: processes of ours that only count are bound to that same core, so a subject has
  half of one. They end with the block, with us, and of their own accord.
- Cold: before every start the kernel is told to forget the library that interpreters
  load, which needs no rights for files that nobody has mapped; none is started ahead.

What of that a package can really see on a backend is measured, see `witness`.
"""

import contextlib
import hashlib
import importlib.resources
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from shipbar.errors import SandboxError
from shipbar.grading.bench import world_readable
from shipbar.grading.tasks import Task
from shipbar.ports import Availability, Job, Running, Sandbox
from shipbar.sealed.lift import Suite
from shipbar.verdict import CaseOutcome, Verdict

DAY = 86_400
LOAD = 1
"""Busy processes beside a subject, on its core."""
LOAD_S = 900
"""Seconds after which a busy process ends of its own accord."""
KINDS = {
    "order": "order",
    "hash seed": "hash_seed",
    "zone": "zone",
    "locale": "locale",
    "clock": "clock_s",
    "cores": "one_core",
    "user": "user",
    "path": "moved",
    "caches": "cold",
    "load": "load",
}
"""What is perturbed, in the words of figures, and which field of `World` says so."""

BUSY = f"""
import os, time
parent, end = os.getppid(), time.monotonic() + {LOAD_S}
while os.getppid() == parent and time.monotonic() < end:
    pass
"""

Locale = tuple[tuple[str, str], ...]
ASCII: Locale = (("LC_ALL", "C"), ("LANG", "C"), ("PYTHONUTF8", "0"))
MISSING: Locale = (
    *(("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8")),
    ("PYTHONUTF8", "0"),
)
POSIX: Locale = (("LC_ALL", "POSIX"), ("LANG", "de_DE.UTF-8"), ("PYTHONUTF8", "1"))


@attrs.frozen(kw_only=True)
class World:
    """What differs from a plain run. As it is by default, nothing does."""

    name: str = ""
    """A word for it."""
    order: str = ""
    """`reversed`, or a seed to shuffle the cases by; empty for suite order."""
    hash_seed: int | None = None
    """Of the subject's interpreter."""
    zone: str = ""
    """Its TZ."""
    locale: Locale = ()
    """Its variables for that, by name."""
    clock_s: int = 0
    """Seconds that its clocks are ahead."""
    user: int | None = None
    """The id that it is told."""
    moved: bool = False
    """Whether package and working folder are elsewhere."""
    one_core: bool = False
    """Whether the subject has one core."""
    cold: bool = False
    """Whether the interpreter is read from the disk each time."""
    load: bool = False
    """Whether its core is shared with busy processes."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """What is perturbed in it, of `KINDS`."""
        return tuple(
            kind
            for kind, field in KINDS.items()
            if getattr(self, field) != getattr(PLAIN, field)
        )

    def only(self, kind: str) -> "World":
        """Return a plain world but for one of the things that are changed in this one."""
        field = KINDS[kind]
        changes = {"name": kind, field: getattr(self, field)}
        if kind == "load":  # which is on one core, or nowhere
            changes["one_core"] = True
        return attrs.evolve(PLAIN, **changes)

    @property
    def surroundings(self) -> dict[str, str]:
        """The variables that differ from `shipbar.ports.SURROUNDINGS`."""
        changed = dict(self.locale)
        if self.hash_seed is not None:
            changed["PYTHONHASHSEED"] = str(self.hash_seed)
        if self.zone:
            changed["TZ"] = self.zone
        if self.user is not None:
            changed |= {"USER": f"user{self.user}", "LOGNAME": f"user{self.user}"}
        return changed

    @property
    def words(self) -> str:
        """What `subject/elsewhere` is told; empty if it is not needed."""
        words = []
        if self.clock_s:
            words.append(f"clock={self.clock_s}")
        if self.user is not None:
            words.append(f"user={self.user}")
        if self.moved:
            words.append("folder=elsewhere")
        return " ".join(words)


PLAIN = World(name="plain")


def _numbered(number: int, world: World) -> World:
    """Give a world its name, an order of cases and a hash seed that no other shares."""
    name = f"world-{number}"
    digest = hashlib.sha256(f"shipbar/G6/hash-seed/{name}".encode()).digest()
    return attrs.evolve(
        world,
        name=name,
        order=world.order or f"shipbar/G6/order/{name}",
        hash_seed=int.from_bytes(digest[:4]),
    )


def _worlds(*worlds: World) -> tuple[World, ...]:
    return tuple(_numbered(number, world) for number, world in enumerate(worlds, 1))


WORLDS = _worlds(
    World(
        order="reversed",
        zone="EST5EDT,M3.2.0,M11.1.0",
        locale=ASCII,
        clock_s=-9000 * DAY,
        user=0,
        moved=True,
        one_core=True,
        cold=True,
        load=True,
    ),
    World(zone="LINT-14", locale=MISSING, clock_s=DAY, user=1000, moved=True),
    World(
        zone="BIT12",
        locale=POSIX,
        clock_s=9 * DAY + 25_000,
        user=1,
        moved=True,
        one_core=True,
    ),
    World(
        zone="NPT-5:45",
        locale=ASCII,
        user=501,
        moved=True,
        cold=True,
    ),
    World(
        zone="CET-1CEST,M3.5.0,M10.5.0/3",
        clock_s=-400 * DAY,
        user=33,
        moved=True,
        one_core=True,
        load=True,
    ),
    World(zone="NST3:30NDT,M3.2.0,M11.1.0", locale=MISSING, user=2),
    World(
        zone="IST-5:30",
        locale=POSIX,
        user=10_001,
        moved=True,
        one_core=True,
    ),
    World(zone="ADT3", locale=ASCII, clock_s=5000 * DAY, user=99, moved=True),
    World(
        zone="LHST-10:30LHDT-11,M10.1.0,M4.1.0",
        user=7,
        moved=True,
        one_core=True,
    ),
    World(
        zone="PST8PDT,M3.2.0,M11.1.0",
        locale=MISSING,
        clock_s=30_000 * DAY,
        user=60_001,
        moved=True,
    ),
)
"""The first has all that can be perturbed, for backends that see one of them.

The clock is moved in six: dates are slower there, since they are those in Python.
"""


def permuted(task: Task, world: World) -> tuple[Task, Sequence[int]]:
    """Return the task with its cases in the world's order, and where each stood before."""
    cases = task.suite.cases
    places = list(range(len(cases)))
    if world.order == "reversed":
        places.reverse()
    elif world.order:
        seed = hashlib.sha256(world.order.encode()).digest()
        random.Random(int.from_bytes(seed)).shuffle(places)
    suite = Suite(heads=task.suite.heads, cases=tuple(cases[at] for at in places))
    return attrs.evolve(task, suite=suite), places


def put_back(verdict: Verdict, places: Sequence[int]) -> Verdict:
    """Return a verdict on permuted cases with each outcome where its case stood."""
    found: dict[int, CaseOutcome] = dict(zip(places, verdict.cases, strict=True))
    return attrs.evolve(verdict, cases=tuple(found[at] for at in sorted(found)))


class Elsewhere(Sandbox):
    """A backend, whose subjects live in a world."""

    def __init__(
        self, inner: Sandbox, world: World, program: Path, library: Sequence[Path] = ()
    ) -> None:
        """Start subjects in ``inner``.

        Args:
            inner: the backend.
            world: what is different.
            program: a copy of `subject/elsewhere` that the sandbox's user may read.
            library: the files that a cold start must find on the disk.
        """
        self.name, self.lacks = inner.name, inner.lacks
        self._inner, self._world = inner, world
        self._program, self._library = program, library

    def _start(self, job: Job) -> Running:
        if self._world.cold:
            forget(self._library)
        with on_one_core() if self._world.one_core else contextlib.nullcontext():
            return self._inner.start(self._moved(job))

    def _moved(self, job: Job) -> Job:
        if job.program is not None:  # a build: no subject
            return job
        surroundings = {**job.surroundings, **self._world.surroundings}
        if not self._world.words:
            return attrs.evolve(job, surroundings=surroundings)
        folders = dict(job.folders)
        if self._world.moved:
            folders["extra"] = folders.pop("candidate")
        return attrs.evolve(
            job,
            program=self._program,
            folders=folders,
            surroundings=surroundings | {"ELSEWHERE": self._world.words},
        )

    def available(self) -> Availability:
        """Say what the backend says."""
        return self._inner.available()


@contextlib.contextmanager
def room(work: Path) -> Iterator[Path]:
    """Make a folder below ``work`` that others may enter where a sandbox's user is not ours."""
    with tempfile.TemporaryDirectory(prefix="shipbar-room ", dir=work) as name:
        if world_readable():
            Path(name).chmod(0o755)
        yield Path(name)


def copy_program(name: str, target: Path) -> Path:
    """Copy one of the subject's programs to where the sandbox can read it."""
    source = importlib.resources.files("shipbar") / "subject" / name / "__main__.py"
    target.mkdir()
    (target / "__main__.py").write_bytes(source.read_bytes())
    (target / "__main__.py").chmod(0o644)
    target.chmod(0o755)
    return target


def core() -> int:
    """The core that subjects with one are bound to; other processes of ours have others."""
    cores = sorted(os.sched_getaffinity(os.getpid()))
    return cores[os.getpid() % len(cores)]


@contextlib.contextmanager
def on_one_core() -> Iterator[None]:
    """Bind this thread, and what it starts, to one core."""
    before, one = os.sched_getaffinity(0), core()
    os.sched_setaffinity(0, {one})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextlib.contextmanager
def busy(count: int = LOAD) -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Keep processes busy on the one core, and end them.

    Raises:
        SandboxError: one of them ended before it should.
    """
    started: list[subprocess.Popen[bytes]] = []
    try:
        with on_one_core():
            while len(started) < count:
                process = subprocess.Popen(  # noqa: S603  # our own interpreter, our own words
                    [sys.executable, "-I", "-S", "-c", BUSY],
                    stdin=subprocess.DEVNULL,
                    env={},
                    cwd="/",
                )
                started.append(process)
        yield started
        if any(process.poll() is not None for process in started):
            raise SandboxError("the load ended while runs under load went on")
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait()


def forget(files: Sequence[Path]) -> None:
    """Have the kernel drop what it keeps of files; it keeps those that somebody has mapped."""
    for path in files:
        with contextlib.suppress(OSError):
            place = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.posix_fadvise(place, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(place)


def held(files: Sequence[Path]) -> float:
    """Return the share of files whose first bytes can be read without the disk."""
    found = 0
    for path in files:
        with path.open("rb", buffering=0) as file, contextlib.suppress(OSError):
            found += bool(os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT))
    return found / len(files) if files else 1.0
