"""Judges many variations of a task's own package, one after another in one subject.

A grade gives each submission a sandbox of its own. Proving a task asks about hundreds
of packages that are ours, each the reference with a small change, and starting a
subject for each would cost more than all their cases. So here:

- One sandboxed subject holds them all and changes from one to the next by forgetting
  the package's modules. It is the same runner, asked by the same requests, and the
  same judgement is made of each answer.
- Cases are asked a few at a time, likely failures first if the caller knows which,
  and a variation is left as soon as it has failed often enough.
- What does not end is stopped by processor time, not by the clock, so that a busy
  machine changes no finding; the contract's wall limit stays behind that.
- When a subject has served, the reference is asked everything once more: if it does not
  answer as at first, something leaked from a variation, and nothing is believed.

Never for a submission: one variation could reach the next. Whoever needs to be sure
that a variation passes grades it once more, by itself.
"""

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import attrs

from shipbar.errors import GraderFault, SandboxError
from shipbar.grading.bench import Seat, world_readable
from shipbar.grading.channel import Channel, Garbled, Gone, Slow
from shipbar.grading.install import Installed
from shipbar.grading.intake import write_tree
from shipbar.grading.judge import IMPORT_S, KIB, READY_S, outcome_of
from shipbar.grading.tasks import Task
from shipbar.ports import Job, Sandbox
from shipbar.sealed.codec import DecodeError, decode
from shipbar.sealed.compiled import case_request, head_request
from shipbar.sealed.frames import (
    CASE,
    DONE,
    ESCAPED,
    LOAD,
    PREAMBLE,
    RAISED,
    VALUE,
    Frame,
)
from shipbar.verdict import Outcome

FIRST, MORE = 1, 3
"""Cases that are asked at first; then so many times as many, until enough have failed."""
SERVES = 250
"""Variations that one subject serves."""
TICK_S = 0.25
"""Processor seconds after which a case is looked at; it is stopped at the second look."""
STOPPED = b"?.Stopped"
"""In the lineage of what stops a case."""
CPU_S = 600.0
"""Processor seconds of one subject, beside which the contract's are one package's."""

# What the subject needs for changing packages. It stops a case that is still the same
# after two ticks: the outermost frame below the runner is then the same object.
_CONTROL = """\
import os, signal, sys

HERE, BASE = sys.path[-1], sys.path[:-1]
LIMIT = sys.getrecursionlimit()
last = None

class Stopped(BaseException):
    pass

def tick(number, frame):
    global last
    while frame is not None and frame.f_back is not None:
        if frame.f_back.f_code.co_filename.endswith("runner.py"):
            break
        frame = frame.f_back
    if frame is None or frame.f_back is None:
        return
    if frame is last:
        last = None
        raise Stopped
    last = frame

def change(name):
    for module in [it for it in sys.modules if it == {package!r} or it.startswith({prefix!r})]:
        del sys.modules[module]
    sys.path[:] = [*BASE, os.path.join(HERE, name) if name else HERE]
    sys.setrecursionlimit(LIMIT)
    if "decimal" in sys.modules:
        sys.modules["decimal"].setcontext(sys.modules["decimal"].Context())
    return True

signal.signal(signal.SIGVTALRM, tick)
signal.setitimer(signal.ITIMER_VIRTUAL, {tick}, {tick})
"""

_TRACED = """\
def case():
    import sys
    seen, root = set(), sys.path[-1] + "/"
    def watch(frame, event, argument):
        name = frame.f_code.co_filename
        if not name.startswith(root):
            return None
        if event == "line":
            seen.add((name.removeprefix(root), frame.f_lineno))
        return watch
    sys.settrace(watch)
    try:
        case()()
    except BaseException:
        pass  # one that is slow under the tracer is stopped: what it ran so far counts
    finally:
        sys.settrace(None)
    return lambda: sorted(seen)
"""

Files = Mapping[str, bytes]
Line = tuple[str, int]
"""A file below the import root, and a line of it."""


@attrs.frozen(kw_only=True)
class Heard:
    """How a variation did, as far as it was asked."""

    loads: bool
    """Whether it imports and has every public symbol."""
    failed: tuple[int, ...]
    """Cases that it failed, in the order in which they were asked."""

    @property
    def ships(self) -> bool:
        """Whether it failed nothing."""
        return self.loads and not self.failed


class Lineup:
    """Judges variations of one package. Used in a `with`."""

    def __init__(
        self, task: Task, package: Installed, sandbox: Sandbox, work: Path
    ) -> None:
        """Take the package that others are variations of: the task's reference.

        Args:
            task: whose suite is asked.
            package: the reference, installed.
            sandbox: where it runs.
            work: folder for the sandbox's own folders.
        """
        self._task, self._package = task, package
        self._sandbox, self._work = sandbox, work
        self._root = package.root or ""
        self._cases = task.suite.cases
        self._seat: Seat | None = None
        self._channel: Channel | None = None
        self._served = 0

    def __enter__(self) -> Self:
        """Use it in a `with`."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the subject; without an error, only after a last look at the reference."""
        try:
            if kind is None:
                self._retire()
        finally:
            self._leave()

    def judge(
        self,
        files: Files,
        order: Sequence[int] = (),
        *,
        most: int | None = None,
        rest: bool = True,
        patience: int | None = None,
    ) -> Heard:
        """Say how a variation does.

        Args:
            files: its contents, by the same paths as the reference's.
            order: indices of cases to ask first.
            most: failures after which it is left; None asks everything.
            rest: whether the other cases follow, in suite order.
            patience: cases that had to be stopped after which it is left, each of them
                half a second; None is any number.

        Raises:
            SandboxError: a subject did not start.
            GraderFault: variations of one subject do not stay apart.
        """
        if self._served >= SERVES:
            self._retire()
        others = set(range(len(self._cases))).difference(order) if rest else ()
        asked = [*order, *sorted(others)]
        hearing = _Hearing(asked, len(asked) if most is None else most, patience)
        while True:
            try:
                loads = self._ask(self._placed(files), hearing)
            except (Gone, Slow, Garbled):
                # It ended the subject or would not end, which costs what was due.
                self._leave()
                loads = hearing.opened
                hearing.lose()
            if not loads or hearing.over:
                return Heard(loads=loads, failed=tuple(hearing.failed))

    def reached(self) -> list[frozenset[Line]]:
        """Return the lines of the reference that each case runs, imports left out.

        Raises:
            GraderFault: the reference cannot be asked.
        """
        channel = self._ready()
        heads = self._task.suite.heads
        sources = [_traced(case.source) for case in self._cases]
        # What was judged last may be another one than the reference.
        opening: list[tuple[bytes, str | bytes]] = [
            self._change(""),
            self._load(),
            *self._heads(),
        ]
        channel.send(opening)
        for _ in opening:
            self._frame(channel)
        channel.send(
            [
                (CASE, case_request(case.file, source, heads[case.file]))
                for case, source in zip(self._cases, sources, strict=True)
            ]
        )
        return [_lines(self._frame(channel)) for _ in self._cases]

    # -- one subject

    def _ready(self) -> Channel:
        """The subject that serves; a new one has loaded the reference."""
        if self._channel is not None:
            return self._channel
        limits = self._task.contract.grader.limits
        self._seat = Seat(
            self._sandbox, Job(limits=attrs.evolve(limits, cpu_s=CPU_S)), self._work
        )
        write_tree(
            self._package.files,
            self._seat.folder,
            self._root,
            world_readable=world_readable(),
        )
        channel = Channel(self._seat.running, cap=limits.output_kib * KIB)
        try:
            channel.ready(READY_S)
            opening: list[tuple[bytes, str | bytes]] = [
                self._load(),
                self._control(),
                *self._heads(),
            ]
            channel.send(opening)
            frames = [self._frame(channel) for _ in opening]
        except (Gone, Slow, Garbled) as cause:
            raise SandboxError(
                f"a subject did not start: {self._seat.stop() or type(cause).__name__.lower()}"
            ) from cause
        if any(frame.kind != DONE or frame.payload for frame in frames):
            raise GraderFault("the reference cannot be loaded, or lacks public symbols")
        self._channel, self._served = channel, 0
        return channel

    def _retire(self) -> None:
        """End the subject, unless what it served has changed how the reference does."""
        if self._channel is None:
            return
        hearing = _Hearing(range(len(self._cases)), len(self._cases))
        try:
            sound = self._ask("", hearing) and not hearing.failed
        except (Gone, Slow, Garbled):
            sound = False
        self._leave()
        if not sound:
            raise GraderFault(
                "the reference fails after variations were judged beside it: they do not stay apart"
            )

    def _leave(self) -> None:
        seat, self._seat, self._channel = self._seat, None, None
        if seat is not None:
            seat.leave()

    def _placed(self, files: Files) -> str:
        """Write a variation where the subject sees it; return its folder's name."""
        self._ready()
        assert self._seat is not None  # noqa: S101  # a subject that is ready has one
        self._served += 1
        name = f"v{self._served:04}"
        folder = self._seat.folder / name
        folder.mkdir()
        folder.chmod(0o755 if world_readable() else 0o700)
        write_tree(files, folder, self._root, world_readable=world_readable())
        return name

    def _ask(self, name: str, hearing: "_Hearing") -> bool:
        """Change to a variation and ask until enough is heard; say whether it loads."""
        channel = self._ready()
        channel.send([self._change(name), self._load(), *self._heads()])
        self._frame(channel)
        loaded = self._frame(channel)
        broken = [self._frame(channel).kind != DONE for _ in self._task.suite.heads]
        if loaded.kind != DONE or loaded.payload:
            return False
        hearing.opened = True
        while not hearing.over:
            some = hearing.portion()
            channel.send([self._case(number) for number in some])
            for number in some:
                case = self._cases[number]
                frame = self._frame(channel)
                right = outcome_of(case, frame) is Outcome.PASSED
                hearing.stopped += frame.kind in (RAISED, ESCAPED) and (
                    STOPPED in frame.payload
                )
                hearing.hear(right=right and not broken[case.file])
        return True

    def _frame(self, channel: Channel) -> Frame:
        limits = self._task.contract.grader.limits
        return channel.answer(max(IMPORT_S, limits.case_wall_s))

    # -- requests

    def _load(self) -> tuple[bytes, str]:
        contract = self._task.contract
        return LOAD, "\n".join([contract.import_name, *contract.public_symbols])

    def _heads(self) -> list[tuple[bytes, str | bytes]]:
        return [
            (PREAMBLE, head_request(*item))
            for item in enumerate(self._task.suite.heads)
        ]

    def _case(self, number: int) -> tuple[bytes, bytes]:
        case = self._cases[number]
        head = self._task.suite.heads[case.file]
        return CASE, case_request(case.file, case.source, head)

    def _control(self) -> tuple[bytes, bytes]:
        package = self._task.contract.import_name
        text = _CONTROL.format(package=package, prefix=f"{package}.", tick=TICK_S)
        return PREAMBLE, head_request(len(self._task.suite.heads), text)

    def _change(self, name: str) -> tuple[bytes, bytes]:
        source = f"def case():\n    return lambda: change({name!r})"
        return CASE, case_request(len(self._task.suite.heads), source, "")


class _Hearing:
    """How far one variation has been asked."""

    def __init__(
        self, asked: Sequence[int], most: int, patience: int | None = None
    ) -> None:
        self._asked, self._most = asked, most
        self._patience = len(asked) + 1 if patience is None else patience
        self.failed: list[int] = []
        self.stopped = 0
        self.opened = False
        self._done, self._size = 0, FIRST

    @property
    def over(self) -> bool:
        return (
            self._done >= len(self._asked)
            or len(self.failed) >= self._most
            or self.stopped >= self._patience
        )

    def portion(self) -> Sequence[int]:
        """The cases to ask next."""
        size, self._size = self._size, self._size * MORE
        return self._asked[self._done : self._done + size]

    def hear(self, *, right: bool) -> None:
        if not right:
            self.failed.append(self._asked[self._done])
        self._done += 1

    def lose(self) -> None:
        """The subject was lost over the case that was due."""
        if self.opened and not self.over:
            self.hear(right=False)


def _traced(source: str) -> str:
    """The case, so that it returns the lines that it runs."""
    outer = ast.parse(_TRACED).body[0]
    assert isinstance(outer, ast.FunctionDef)  # noqa: S101  # it is written so above
    outer.body[:0] = ast.parse(source).body
    return ast.unparse(ast.fix_missing_locations(outer))


def _lines(frame: Frame) -> frozenset[Line]:
    try:
        seen = decode(frame.payload) if frame.kind == VALUE else None
    except DecodeError:
        seen = None
    if not isinstance(seen, list):
        raise GraderFault("a case could not be traced on the reference")
    return frozenset((str(name), int(line)) for name, line in seen)
