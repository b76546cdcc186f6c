"""The container that is measured: `docker run --network none` with pytest in the image.

The image is the runtime root that sandboxes use, plus pytest, compiled: the least
that a container with pytest can be. The daemon is our own, on a private socket.
"""

import compileall
import importlib.metadata
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs

from bench.subjects import reference
from shipbar import config
from shipbar.grading.tasks import Task
from shipbar.sandboxes.runtime import runtime
from tests import engines

IMAGE = "shipbar-bench-pytest"
NEEDED = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")


@attrs.frozen(kw_only=True)
class Engine:
    """A running daemon with the image in it."""

    client: tuple[str, ...]
    """The client and its options."""
    python: str
    """The interpreter in the image."""


@attrs.frozen(kw_only=True)
class Missing:
    """There is no daemon."""

    why: str
    """What is missing."""


@contextmanager
def engine() -> Iterator[Engine | Missing]:
    """Start a daemon of our own and import the image, if this machine can."""
    try:
        started = engines.docker()
        private = started.__enter__()
    except engines.NoEngineError as cause:
        yield Missing(why=str(cause))
        return
    try:
        client = (
            str(shutil.which("docker", path=private.path)),
            "--host",
            str(private.host),
        )
        yield Engine(client=client, python=_import(client))
    finally:
        started.__exit__(None, None, None)


def _import(client: tuple[str, ...]) -> str:
    """Make the image; return the interpreter's path in it."""
    made = runtime(config.current().cache)
    with tempfile.TemporaryDirectory() as name:
        site = Path(name) / "site-packages"
        for distribution in NEEDED:
            for file in importlib.metadata.files(distribution) or ():
                if ".." not in file.parts and file.suffix != ".pyc":
                    target = site / file
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(str(file.locate()), target)
        compileall.compile_dir(site, quiet=2)
        archive = Path(name) / "image.tar"
        with tarfile.open(archive, "w") as tar:
            tar.add(made.root, arcname=".")
            tar.add(site, arcname=f".{made.stdlib}/site-packages")
        subprocess.run(
            [*client, "import", str(archive), IMAGE], check=True, capture_output=True
        )
    return made.python


@contextmanager
def graded(engine: Engine, task: Task) -> Iterator[Callable[[], None]]:
    """One container a grade, with the suite and the candidate mounted."""
    (tests,) = task.contract.grader.pytest_paths
    command = [
        *engine.client,
        *("run", "--rm", "--network", "none", "--pull", "never"),
        *(
            "-v",
            f"{task.folder / tests}:/tests:ro",
            "-v",
            f"{reference(task)}:/candidate:ro",
        ),
        *("-e", "PYTHONPATH=/candidate", "-e", "PYTHONDONTWRITEBYTECODE=1", IMAGE),
        *(engine.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "/tests"),
    ]

    def run() -> None:
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode:
            raise AssertionError(done.stdout.decode() + done.stderr.decode())

    yield run
