"""The Python interface: load a task, grade one submission or many.

    task = shipbar.load_task("examples/check-character-36")
    verdict = shipbar.grade(task, "submission/")
    print(verdict.fraction, verdict.shipped)

Everything returned is a frozen value. A process that grades one submission
after another keeps a grader open, which starts sandboxes ahead:

    with shipbar.open_grader(task) as grader:
        verdict = grader.grade("submission/")
"""

import functools
import os
import stat
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import attrs

from shipbar import config as configuration
from shipbar import wiring
from shipbar.config import Config
from shipbar.errors import (
    GraderFault,
    IntakeError,
    SandboxError,
    SeamError,
    UnknownNameError,
    UserError,
)
from shipbar.grading.bench import world_readable
from shipbar.grading.grader import Grader
from shipbar.grading.install import Install
from shipbar.grading.tasks import Task, load_task
from shipbar.verdict import Verdict

AHEAD = 2
"""Sandboxes that an open grader keeps started."""
Opener = Callable[[], AbstractContextManager[Callable[[str], "Graded"]]]


def open_grader(
    task: Task,
    *,
    sandbox: str = wiring.AUTO,
    ahead: int = AHEAD,
    copy_guard: bool = True,
    quirks: bool = False,
) -> Grader:
    """Return a grader for many submissions of ``task``; close it, or use it in a `with`.

    Args:
        task: what to grade against.
        sandbox: a backend's name, or `auto` for the strongest that works here.
        ahead: sandboxes to keep started; each takes a few MiB while it waits.
        copy_guard: whether submissions are compared with the task's reference and
            upstream.
        quirks: whether the guard asks them, too, what no assertion asks.

    Raises:
        UnknownNameError: no backend has that name.
        UserError: the folder to work in is not there, or quirks are asked for without
            the copy guard.
        SandboxError: none works here.
    """
    if quirks and not copy_guard:
        raise UserError(
            "quirks are asked by the copy guard; leave it on, or leave them"
        )
    settings = _settings()
    backend = wiring.sandbox(sandbox, settings)
    observing = backend if quirks else None
    return Grader(
        task,
        backend,
        settings.work,
        ahead=ahead,
        guard=wiring.guard(task, settings, observing) if copy_guard else None,
    )


def grade(
    task: Task | str | Path,
    candidate: str | Path,
    *,
    sandbox: str = wiring.AUTO,
    install: Install | str = Install.AUTO,
    copy_guard: bool = True,
    quirks: bool = False,
) -> Verdict:
    """Grade the submission at ``candidate`` against ``task``.

    Args:
        task: a loaded task, or its folder.
        candidate: path of a folder, a tar or a wheel.
        sandbox: a backend's name, or `auto` for the strongest that works here.
        install: `auto`, `tree` or `pip`.
        copy_guard: whether it is compared with the task's reference and upstream;
            not so, a reference can be graded by what it does.
        quirks: whether it is asked, too, what no assertion asks; see `Verdict.run`.

    Raises:
        UserError: a bad path, contract or suite, a refused requirement, or quirks
            without the copy guard.
        SandboxError: no sandbox works here, or one failed by itself.
        GraderFault: anything else went wrong on our side; there is no score.
    """
    way = _way(install)
    loaded = task if isinstance(task, Task) else load_task(task)
    try:
        with open_grader(
            loaded, sandbox=sandbox, ahead=0, copy_guard=copy_guard, quirks=quirks
        ) as grader:
            return grader.grade(candidate, way)
    except SandboxError:
        wiring.forget(_settings())
        raise


@attrs.frozen(kw_only=True)
class Graded:
    """One of many: a verdict, or why there is none. Not graded is not zero."""

    candidate: str
    """The path, as given."""
    verdict: Verdict | None = None
    """The verdict, if there is one."""
    refused: str = ""
    """Why what was handed in is no submission."""
    fault: str = ""
    """What failed on our side."""


def grade_many(  # noqa: PLR0913  # the same words as `grade`, and how many at once
    task: Task | str | Path,
    candidates: Iterable[str | Path],
    *,
    jobs: int = 1,
    sandbox: str = wiring.AUTO,
    install: Install | str = Install.AUTO,
    copy_guard: bool = True,
    quirks: bool = False,
) -> Generator[Graded, None, None]:
    """Grade many submissions of one task; yield each as it is done, in the order given.

    What is wrong with the task or the arguments is raised at once; grading starts
    with the first result that is asked for, and stops when what is returned is closed.

    Args:
        task: a loaded task, or its folder.
        candidates: paths.
        jobs: processes that grade at once. One grades with nothing beside it; of
            several, each has its next sandbox coming up meanwhile, to keep as many
            cores busy as there are jobs.
            With more than one, a script calls this below
            ``if __name__ == "__main__":``, since each process imports the script.
        sandbox: a backend's name, or `auto`.
        install: `auto`, `tree` or `pip`.
        copy_guard: whether they are compared with the task's reference and upstream.
        quirks: whether they are asked, too, what no assertion asks.

    Raises:
        UserError: the task or an argument is wrong. What is wrong with one candidate
            is in its result.
        SandboxError: no sandbox works here.
    """
    if isinstance(candidates, str | Path):
        raise UserError(
            f"candidates: expected several paths, got one, {str(candidates)!r}; put it in a list"
        )
    if jobs < 1:
        raise UserError(f"jobs: expected 1 or more, got {jobs}")
    way = _way(install)
    loaded = task if isinstance(task, Task) else load_task(task)
    name = wiring.sandbox(sandbox, _settings()).name
    # Starting a sandbox waits for the kernel now and then; of several, another goes on.
    ahead = 1 if jobs > 1 else 0
    opener = functools.partial(
        _opened,
        loaded,
        way,
        sandbox=name,
        ahead=ahead,
        copy_guard=copy_guard,
        quirks=quirks,
    )
    return _each([str(candidate) for candidate in candidates], jobs, opener)


def _each(
    paths: Sequence[str], jobs: int, opener: Opener
) -> Generator[Graded, None, None]:
    if jobs > 1:
        # Here, since one process needs nothing of it, and its imports take time.
        from shipbar.grading import workers  # noqa: PLC0415

        yield from workers.each(paths, jobs=jobs, opener=opener, lost=_lost)
        return
    with opener() as grade_one:
        for path in paths:
            yield grade_one(path)


@contextmanager
def _opened(
    task: Task,
    install: Install,
    *,
    sandbox: str,
    ahead: int,
    copy_guard: bool,
    quirks: bool,
) -> Iterator[Callable[[str], Graded]]:
    with open_grader(
        task, sandbox=sandbox, ahead=ahead, copy_guard=copy_guard, quirks=quirks
    ) as grader:
        yield functools.partial(_graded, grader, install)


def _graded(grader: Grader, install: Install, path: str) -> Graded:
    try:
        return Graded(candidate=path, verdict=grader.grade(path, install))
    except IntakeError as refusal:
        return Graded(candidate=path, refused=str(refusal))
    except SeamError as fault:
        return Graded(candidate=path, fault=str(fault))


def _lost(path: str, how: str) -> Graded:
    return Graded(
        candidate=path,
        fault=f"the process that graded it ended without an answer ({how}); grade it again",
    )


def _way(install: Install | str) -> Install:
    try:
        return Install(install)
    except ValueError:
        raise UnknownNameError("way to install", str(install), list(Install)) from None


def _settings() -> Config:
    """This process's settings, once it is sure that there is a folder to work in."""
    settings = configuration.current()
    work = settings.work
    if not work.is_dir() or not os.access(work, os.W_OK | os.X_OK):
        raise UserError(
            f"expected a folder that can be written as the place to work in, got {work}; "
            "make it, or set SHIPBAR_WORK to another"
        )
    if world_readable():
        real = work.resolve()
        for folder in (real, *real.parents):
            if not folder.stat().st_mode & stat.S_IXOTH:
                raise UserError(
                    f"expected a place to work in that others can enter, since root's sandboxes do not run as root, got {work}; "
                    f"chmod o+x {folder}, or set SHIPBAR_WORK to another"
                )
    return settings


__all__ = [
    "Graded",
    "GraderFault",
    "Install",
    "grade",
    "grade_many",
    "load_task",
    "open_grader",
]
