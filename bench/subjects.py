"""What is measured: one function a way to grade, each a complete grade of the reference."""

import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import shipbar
from shipbar import config, wiring
from shipbar.grading.tasks import Task
from shipbar.ports import Job, Running
from shipbar.sealed.compare import Raises

BATCH = 10
"""Grades in a row for one timing of sustained grading."""
SHIPBAR = Path(sys.executable).with_name("shipbar")


def reference(task: Task) -> Path:
    """Return the submission that everything here grades."""
    return task.folder / task.contract.reference_install


@contextmanager
def warm(task: Task) -> Iterator[Callable[[], None]]:
    """The sealed grade through the Python API in a process that stays.

    Its sandboxes were started ahead, while the other ways were being timed.
    """
    with shipbar.open_grader(task) as grader:
        yield lambda: _shipped(grader, task)


@contextmanager
def sustained(task: Task) -> Iterator[Callable[[], None]]:
    """``BATCH`` sealed grades in a row: every sandbox that is used has to be started again."""
    with shipbar.open_grader(task) as grader:

        def run() -> None:
            for _ in range(BATCH):
                _shipped(grader, task)

        yield run


def _shipped(grader: shipbar.Grader, task: Task) -> None:
    if not grader.grade(reference(task)).shipped:
        raise AssertionError("the reference must ship")


def cold(task: Task) -> Callable[[], None]:
    """`shipbar grade` as a command."""
    command = [
        str(SHIPBAR),
        "grade",
        str(task.folder),
        str(reference(task)),
        "--require-ship",
    ]
    return lambda: _run(command, os.environ)


def stock_pytest(task: Task) -> Callable[[], None]:
    """Stock pytest as a process on the same suite and candidate: no plugin, no cache, no settings."""
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
        *("-c", os.devnull, "--rootdir", str(task.folder)),
        *(str(task.folder / path) for path in task.contract.grader.pytest_paths),
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": str(reference(task)),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    return lambda: _run(command, environment)


@contextmanager
def floor(task: Task) -> Iterator[Callable[[], None]]:
    """One sandboxed interpreter that imports the candidate and evaluates the same expressions bare."""
    settings = config.current()
    sandbox = wiring.sandbox("bubblewrap", settings)
    with tempfile.TemporaryDirectory(dir=settings.work) as name:
        place = Path(name)
        shutil.copytree(reference(task), place / "candidate")
        (place / "program").mkdir()
        (place / "program" / "__main__.py").write_text(_bare(task))
        for path in (place, *place.rglob("*")):
            path.chmod(0o755)
        job = Job(
            program=place / "program",
            folders={"candidate": place / "candidate"},
            limits=task.contract.grader.limits,
        )
        yield lambda: _hear(sandbox.start(job))


def _hear(running: Running) -> None:
    """Wait until a program has said that it is done, then end it."""
    heard = b""
    while not heard.endswith(b"done\n"):
        select.select([running.answers], [], [], 30.0)
        part = os.read(running.answers, 65536)
        if not part:
            raise AssertionError(f"the floor did not finish: {running.stop()}")
        heard += part
    running.stop()


def _bare(task: Task) -> str:
    """A program that evaluates every expression of the suite and compares nothing."""
    lines = [
        "import sys",
        "sys.path.append(dict(w.split('=', 1) for w in sys.argv[1:])['candidate'])",
    ]
    lines += task.suite.heads
    for case in task.suite.cases:
        raises = isinstance(case.expectation, Raises)
        lines.append(f"{case.source}\n{_caught('case()()') if raises else 'case()()'}")
    return "\n".join([*lines, "print('done', flush=True)"])


def _caught(call: str) -> str:
    return f"try:\n    {call}\nexcept Exception:\n    pass"


def _run(command: list[str], environment: "os._Environ[str] | dict[str, str]") -> None:
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    if done.returncode:
        raise AssertionError(f"{command}: {done.stdout.decode()}{done.stderr.decode()}")


@contextmanager
def batch(task: Task, *, count: int) -> Iterator[Callable[[int], None]]:
    """`shipbar grade --many` on ``count`` submissions; called with a number of jobs."""
    with tempfile.TemporaryDirectory() as name:
        listed = Path(name) / "submissions"
        listed.mkdir()
        for number in range(count):
            shutil.copytree(reference(task), listed / f"{number:04}")

        def run(jobs: int) -> None:
            words = [
                "--many",
                str(listed),
                "--jobs",
                str(jobs),
                "--json-lines",
                "--require-ship",
            ]
            _run([str(SHIPBAR), "grade", str(task.folder), *words], os.environ)

        yield run
