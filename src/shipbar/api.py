"""The Python interface: load a task, grade one submission or many.

    task = shipbar.load_task("examples/check-character-36")
    verdict = shipbar.grade(task, "submission/")
    print(verdict.fraction, verdict.shipped)

Everything returned is a frozen value. A process that grades one submission
after another keeps a grader open, which starts sandboxes ahead:

    with shipbar.open_grader(task) as grader:
        verdict = grader.grade("submission/")
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import attrs

from shipbar import config as configuration
from shipbar import wiring
from shipbar.errors import GraderFault, IntakeError, SeamError, ShipbarError
from shipbar.grading.grader import Grader
from shipbar.grading.install import Install
from shipbar.grading.tasks import Task, load_task
from shipbar.verdict import Verdict

AHEAD = 2
"""Sandboxes that an open grader keeps started."""


def open_grader(
    task: Task, *, sandbox: str = wiring.AUTO, ahead: int = AHEAD
) -> Grader:
    """Return a grader for many submissions of ``task``; close it, or use it in a `with`.

    Args:
        task: what to grade against.
        sandbox: a backend's name, or `auto` for the strongest that works here.
        ahead: sandboxes to keep started; each takes a few MiB while it waits.

    Raises:
        UnknownNameError: no backend has that name.
        SandboxError: none works here.
    """
    settings = configuration.current()
    return Grader(task, wiring.sandbox(sandbox, settings), settings.work, ahead=ahead)


def grade(
    task: Task | str | Path,
    candidate: str | Path,
    *,
    sandbox: str = wiring.AUTO,
    install: Install | str = Install.AUTO,
) -> Verdict:
    """Grade the submission at ``candidate`` against ``task``.

    Args:
        task: a loaded task, or its folder.
        candidate: path of a folder, a tar or a wheel.
        sandbox: a backend's name, or `auto` for the strongest that works here.
        install: `auto`, `tree` or `pip`.

    Raises:
        UserError: a bad path, contract or suite, or a refused requirement.
        SandboxError: no sandbox works here, or one failed by itself.
        GraderFault: anything else went wrong on our side; there is no score.
    """
    loaded = task if isinstance(task, Task) else load_task(task)
    with open_grader(loaded, sandbox=sandbox, ahead=0) as grader:
        return grader.grade(candidate, Install(install))


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


def grade_many(
    task: Task | str | Path,
    candidates: Iterable[str | Path],
    *,
    jobs: int = 1,
    sandbox: str = wiring.AUTO,
    install: Install | str = Install.AUTO,
) -> Iterator[Graded]:
    """Grade many submissions of one task; yield each as it is done, in the order given.

    Args:
        task: a loaded task, or its folder.
        candidates: paths.
        jobs: processes that grade at once. Each has one sandbox at a time and
            starts none ahead, so that ``jobs`` is what the machine is asked for.
        sandbox: a backend's name, or `auto`.
        install: `auto`, `tree` or `pip`.

    Raises:
        UserError: the task is wrong. What is wrong with one candidate is in its result.
    """
    loaded = task if isinstance(task, Task) else load_task(task)
    name = wiring.sandbox(sandbox, configuration.current()).name
    paths = [str(candidate) for candidate in candidates]
    if jobs == 1:
        with closing(open_grader(loaded, sandbox=name, ahead=0)) as grader:
            for path in paths:
                yield _graded(grader, path, Install(install))
        return
    with ProcessPoolExecutor(
        jobs,
        mp_context=get_context("spawn"),
        initializer=_open_worker,
        initargs=(loaded, name, Install(install)),
    ) as pool:
        futures: list[Future[Graded]] = [
            pool.submit(_in_worker, path) for path in paths
        ]
        try:
            for future in futures:
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _graded(grader: Grader, path: str, install: Install) -> Graded:
    try:
        return Graded(candidate=path, verdict=grader.grade(path, install))
    except IntakeError as refusal:
        return Graded(candidate=path, refused=str(refusal))
    except SeamError as fault:
        return Graded(candidate=path, fault=str(fault))


_worker: list[tuple[Grader, Install]] = []
"""In a worker process: its grader, once it is open."""


def _open_worker(task: Task, sandbox: str, install: Install) -> None:
    _worker.append((open_grader(task, sandbox=sandbox, ahead=0), install))


def _in_worker(path: str) -> Graded:
    grader, install = _worker[0]
    try:
        return _graded(grader, path, install)
    except ShipbarError as fault:
        return Graded(candidate=path, fault=f"{type(fault).__name__}: {fault}")


__all__ = [
    "Graded",
    "GraderFault",
    "Install",
    "grade",
    "grade_many",
    "load_task",
    "open_grader",
]
