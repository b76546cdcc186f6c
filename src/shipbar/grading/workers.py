"""Processes that grade at once, where the end of one costs only what it held.

- A worker opens its grader once, then takes one path at a time and answers each.
- A worker that ends without an answer (killed, out of memory) costs the path that it
  held, which its caller reports as not graded. Another takes its place.
- A worker whose parent is gone finds its pipe closed, and ends.
- Results come in the order of the paths, whoever is done first.
- A worker may tell how far it is while it holds a path; its caller hears it at once.

Not a pool of the standard library's: there one process that dies breaks the whole
pool, and nobody can say which submission it held.
"""

import contextlib
import signal
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Generic, TypeVar

import attrs

LEAVE_S = 15.0
"""Seconds in which a worker that was told to end removes what it made."""

T = TypeVar("T")
Opener = Callable[[], AbstractContextManager[Callable[[str], T]]]
"""Opens what turns a path into a result. It is sent to a new process: a function of a
module, or a `functools.partial` of one."""
Tell = Callable[[str], None]
"""Sends a word on the way to the caller."""


@attrs.frozen
class _Told:
    """A word on the way, as it goes through the pipe."""

    word: str


_tells: list[Tell] = []
"""In a worker: what `tell` calls; in any other process, nothing."""


def tell(word: str) -> None:
    """Tell this worker's caller how far it is; does nothing outside a worker."""
    for send in _tells:
        send(word)


def _unheard(path: str, word: str) -> None:
    del path, word


def each(
    paths: Sequence[str],
    *,
    jobs: int,
    opener: Opener[T],
    lost: Callable[[str, str], T],
    heard: Callable[[str, str], None] = _unheard,
) -> Generator[T, None, None]:
    """Yield one result a path, in order, from ``jobs`` processes.

    Args:
        paths: what to hand out.
        jobs: processes at once.
        opener: called once in each process.
        lost: makes the result of a path whose process ended, from the path and why.
        heard: called with a path and each word that its worker tells by `tell`.
    """
    todo = deque(enumerate(paths))
    results: dict[int, T] = {}
    due = 0
    workers: dict[Connection, _Worker[T]] = {}
    try:
        while due < len(paths):
            while todo and len(workers) < jobs:
                worker = _Worker(opener)
                workers[worker.pipe] = worker
                worker.give(*todo.popleft())
            for pipe in wait(list(workers)):
                worker = workers[pipe]  # type: ignore[index]  # only pipes were waited for
                taken = worker.take(lost)
                if isinstance(taken, _Told):
                    heard(worker.path, taken.word)
                    continue
                results[worker.number] = taken
                if todo and not worker.ended:
                    worker.give(*todo.popleft())
                else:
                    del workers[worker.pipe]
                    worker.end()
            while due in results:
                yield results.pop(due)
                due += 1
    finally:
        for worker in workers.values():
            worker.process.terminate()
        for worker in workers.values():
            worker.end()


class _Worker(Generic[T]):
    """One process, seen from the parent."""

    def __init__(self, opener: Opener[T]) -> None:
        # Spawned and not forked: nothing of the parent's memory, locks or descriptors.
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(
            target=_serve, args=(theirs, opener), daemon=True
        )
        self.process.start()
        theirs.close()  # the only other end is the worker's: it closes when that ends
        self.number, self.path = -1, ""
        self.ended = False

    def give(self, number: int, path: str) -> None:
        """Hand out a path; `take` has the result once the pipe is readable."""
        self.number, self.path = number, path
        # One that has ended already is found out when its answer is taken.
        with contextlib.suppress(OSError):
            self.pipe.send(path)

    def take(self, lost: Callable[[str, str], T]) -> T | _Told:
        """Return the result of the path that was handed out, or a word on the way."""
        try:
            result: T | _Told = self.pipe.recv()
        except (EOFError, OSError):
            self.ended = True
            self.process.join(LEAVE_S)
            return lost(self.path, _how(self.process.exitcode))
        return result

    def end(self) -> None:
        """End the process, with force if it takes too long."""
        self.pipe.close()
        self.process.join(LEAVE_S)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


def _how(code: int | None) -> str:
    if code is not None and code < 0:
        return f"signal {-code}"
    return f"exit code {code}"


def _serve(pipe: Connection, opener: Opener[T]) -> None:
    """Run in the worker: answer until the parent closes its end."""
    # The terminal's interrupt reaches every process; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, leave)
    _tells.append(lambda word: pipe.send(_Told(word)))
    with opener() as result_of, contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            pipe.send(result_of(pipe.recv()))


def leave(number: int, _frame: FrameType | None) -> None:
    """Handle a signal by ending the process in good order: what it made is removed."""
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(128 + number)
