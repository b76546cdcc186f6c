"""Judges many variations of a task's own package, one after another in one subject.

A grade gives each submission a sandbox of its own. Proving a task asks about hundreds
of packages that are ours, each the reference with a small change, and starting a
subject for each would cost more than all their cases. So here:

- One sandboxed subject holds them all and changes from one to the next by forgetting
  the package's modules. It is the same runner, asked by the same requests, and the
  same judgement is made of each answer.
- Cases are asked a few at a time, likely failures first if the caller knows which,
  and a variation is left as soon as it has failed often enough.
- What does not end is stopped by a count of steps (calls, and rounds of loops), far
  above what the reference takes for the case: no clock has a say, so a busy machine
  changes no finding. Only what loops without a step of its own, inside the
  interpreter, is left to the wall limit.
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
from shipbar.sealed.lift import Case
from shipbar.verdict import Outcome

FIRST, MORE = 1, 3
"""Cases that are asked at first; then so many times as many, until enough have failed."""
SERVES = 250
"""Variations that one subject serves."""
STEPS, TIMES = 50_000, 20
"""A case, or an import, may take so many steps, and so many times those of the reference."""
TRACED = 200_000
"""Lines that are followed in a case when it is told which ones run."""
STOPPED = b"?.Stopped"
"""In the lineage of what stops a case."""
CPU_S = 600.0
"""Processor seconds of one subject, beside which the contract's are one package's."""

# What the subject needs for changing packages and for counting steps. It is written into
# a package's code as it is loaded, without moving a line: into each function, lambda,
# loop and comprehension.
_CONTROL = """\
import _imp, ast, builtins, os, sys
from importlib.machinery import SourceFileLoader

HERE, BASE = sys.path[-1], sys.path[:-1]
LIMIT = sys.getrecursionlimit()
taken = allowed = 0
made = {{}}

class Stopped(BaseException):
    pass

def step():
    global taken
    taken += 1
    if taken > allowed:
        raise Stopped
    return True

def start(steps):
    global taken, allowed
    taken, allowed = 0, steps

def call(near):
    at = {{name: getattr(near, name) for name in near._attributes}}
    return ast.Call(ast.Name("__step__", ast.Load(), **at), [], [], **at)

def counted(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.comprehension):
            node.ifs.insert(0, call(node.target))
        elif isinstance(node, ast.Lambda):
            node.body = ast.copy_location(
                ast.BoolOp(ast.And(), [call(node.body), node.body]), node.body
            )
        elif isinstance(node, (ast.FunctionDef, ast.While, ast.For)):
            first = isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None
            near = node.body[min(first, len(node.body) - 1)]
            node.body.insert(first, ast.copy_location(ast.Expr(call(near)), near))
    return tree

def code(self, data, path, *, _optimization=-1):
    if data not in made:
        tree = counted(ast.parse(data))
        made[data] = compile(tree, path, "exec", dont_inherit=True, optimize=_optimization)
    _imp._fix_co_filename(made[data], path)
    return made[data]

def change(name):
    for module in [it for it in sys.modules if it == {package!r} or it.startswith({prefix!r})]:
        del sys.modules[module]
    sys.path[:] = [*BASE, os.path.join(HERE, name) if name else HERE]
    sys.setrecursionlimit(LIMIT)
    if "decimal" in sys.modules:
        sys.modules["decimal"].setcontext(sys.modules["decimal"].Context())
    start({steps})
    return True

builtins.__step__, builtins.__start__, builtins.__taken__ = step, start, lambda: taken
SourceFileLoader.source_to_code = code
"""

# Filled with a case's own lines; each returns something else about the same run.
_COUNTED = """\
def case():
    __start__(1 << 62)
    try:
        case()()
    except BaseException:
        pass
    return __taken__
"""
_TRACED = """\
def case():
    import sys
    seen, left, root = set(), [{lines}], sys.path[-1] + "/"
    class Enough(BaseException):
        pass
    def watch(frame, event, argument):
        name = frame.f_code.co_filename
        if not name.startswith(root):
            return None
        if event == "line":
            seen.add((name.removeprefix(root), frame.f_lineno))
            left[0] -= 1
            if not left[0]:
                raise Enough
        return watch
    __start__(1 << 62)
    sys.settrace(watch)
    try:
        case()()
    except BaseException:
        pass
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
    stopped: frozenset[int]
    """Those of them that took too many steps."""

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
        self._requests: list[tuple[bytes, bytes]] = []

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
    ) -> Heard:
        """Say how a variation does.

        Args:
            files: its contents, by the same paths as the reference's.
            order: indices of cases to ask first.
            most: failures after which it is left; None asks everything.
            rest: whether the other cases follow, in suite order.

        Raises:
            SandboxError: a subject did not start.
            GraderFault: variations of one subject do not stay apart.
        """
        if self._served >= SERVES:
            self._retire()
        others = set(range(len(self._cases))).difference(order) if rest else ()
        asked = [*order, *sorted(others)]
        hearing = _Hearing(asked, len(asked) if most is None else most)
        while True:
            try:
                loads = self._ask(self._placed(files), hearing)
            except (Gone, Slow, Garbled):
                # It ended the subject or would not end, which costs what was due.
                self._leave()
                loads = hearing.opened
                hearing.lose()
            if not loads or hearing.over:
                return Heard(
                    loads=loads,
                    failed=tuple(hearing.failed),
                    stopped=frozenset(hearing.stopped),
                )

    def reached(self) -> list[frozenset[Line]]:
        """Return the lines of the reference that each case runs, imports left out.

        Raises:
            GraderFault: the reference cannot be asked.
        """
        frames = self._about_reference(self._ready(), _TRACED.format(lines=TRACED))
        return [_lines(frame) for frame in frames]

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
        self._served = 0
        if not self._requests:
            counts = self._about_reference(channel, _COUNTED)
            self._requests = [
                self._request(case, _limited(case.source, _count(frame)))
                for case, frame in zip(self._cases, counts, strict=True)
            ]
        self._channel = channel
        return channel

    def _about_reference(self, channel: Channel, around: str) -> list[Frame]:
        """Ask every case of the reference, written into what returns something about its run."""
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
            [self._request(case, _within(case.source, around)) for case in self._cases]
        )
        return [self._frame(channel) for _ in self._cases]

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
                if frame.kind in (RAISED, ESCAPED) and STOPPED in frame.payload:
                    hearing.stopped.append(number)
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
        return self._requests[number]

    def _request(self, case: Case, source: str) -> tuple[bytes, bytes]:
        head = self._task.suite.heads[case.file]
        return CASE, case_request(case.file, source, head)

    def _control(self) -> tuple[bytes, bytes]:
        package = self._task.contract.import_name
        text = _CONTROL.format(package=package, prefix=f"{package}.", steps=STEPS)
        return PREAMBLE, head_request(len(self._task.suite.heads), text)

    def _change(self, name: str) -> tuple[bytes, bytes]:
        source = f"def case():\n    return lambda: change({name!r})"
        return CASE, case_request(len(self._task.suite.heads), source, "")


class _Hearing:
    """How far one variation has been asked."""

    def __init__(self, asked: Sequence[int], most: int) -> None:
        self._asked, self._most = asked, most
        self.failed: list[int] = []
        self.stopped: list[int] = []
        self.opened = False
        self._done, self._size = 0, FIRST

    @property
    def over(self) -> bool:
        return self._done >= len(self._asked) or len(self.failed) >= self._most

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


def _limited(source: str, taken: int) -> str:
    """The case, so that it may take so many steps and no more."""
    tree = ast.parse(source)
    case = tree.body[0]
    assert isinstance(case, ast.FunctionDef)  # noqa: S101  # a lifted case is one
    case.body[:0] = ast.parse(f"__start__({STEPS + TIMES * taken})").body
    return ast.unparse(tree)


def _within(source: str, around: str) -> str:
    """The case inside another one, which runs it."""
    tree = ast.parse(around)
    outer = tree.body[0]
    assert isinstance(outer, ast.FunctionDef)  # noqa: S101  # it is written so above
    outer.body[:0] = ast.parse(source).body
    return ast.unparse(tree)


def _count(frame: Frame) -> int:
    taken = _told(frame)
    if not isinstance(taken, int):
        raise GraderFault("the steps of a case on the reference could not be counted")
    return taken


def _lines(frame: Frame) -> frozenset[Line]:
    seen = _told(frame)
    if not isinstance(seen, list):
        raise GraderFault("a case could not be traced on the reference")
    return frozenset((str(name), int(line)) for name, line in seen)


def _told(frame: Frame) -> object:
    try:
        return decode(frame.payload) if frame.kind == VALUE else None
    except DecodeError:
        return None
