"""Runs a task's suite under stock pytest, in the sandbox, one package a process.

pytest shares its process with the package there, as it does wherever somebody runs the
suite by hand, so a package could forge what is said of it. That is why grades are not
made this way; here the packages are the task's own, and the sandbox keeps what a
stranger's task might do from the machine.

What pytest would find beside the suite is brought along: `conftest.py` files and
configuration in the folders above it, up to the task's. No plugin is loaded, no cache
written, and the environment is that of every sandboxed program.
"""

import hashlib
import importlib.metadata
import os
import py_compile
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

from shipbar.contract import Limits
from shipbar.errors import GraderFault, SandboxError
from shipbar.grading.bench import world_readable
from shipbar.grading.channel import Channel, Garbled, Gone, Slow
from shipbar.grading.install import Install, install
from shipbar.grading.intake import take_in, write_tree
from shipbar.grading.tasks import Task, suite_files
from shipbar.ports import SURROUNDINGS, Job, Sandbox
from shipbar.sealed.frames import CASE, DONE, ESCAPED, LOAD

DISTRIBUTIONS = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")
"""All that pytest needs on Linux."""
SETTINGS = (
    *("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini"),
    *("pyproject.toml", "tox.ini", "setup.cfg", "conftest.py"),
)
"""Files that pytest heeds in the folders above a suite."""
TMP_MIB = 64
LEAST_MIB = 512
"""Least memory: pytest needs more than a runner."""
START_S = 60.0
"""Wall seconds in which pytest has started and collected on a busy machine."""
SPARE_S = 10.0
"""Wall seconds that a test may take beyond the contract's limit for a case."""


@attrs.frozen(kw_only=True)
class Ran:
    """What came of a suite under stock pytest."""

    outcomes: Mapping[str, bool]
    """For each test that ended, by id below the task, whether it passed."""
    lost: str = ""
    """How the run ended before its end; empty if it did not."""
    words: str = ""
    """pytest's own words; hostile text."""

    @property
    def passed(self) -> frozenset[str]:
        """The ids that passed."""
        return frozenset(test for test, passed in self.outcomes.items() if passed)


@attrs.frozen(kw_only=True)
class Stock:
    """Stock pytest, ready to run a task's suite."""

    task: Task
    """Whose suite."""
    sandbox: Sandbox
    """Where."""
    program: Path
    """A copy of `subject/stock` that the sandbox's user may read."""
    tools: Path
    """A folder that holds pytest, see `pytest_folder`."""
    work: Path
    """Folder in which each run makes and removes one of its own."""

    def run(self, package: str) -> Ran:
        """Run the suite with a package of the task importable.

        Raises:
            SandboxError: the sandbox or pytest did not start.
        """
        with tempfile.TemporaryDirectory(prefix="shipbar-stock-", dir=self.work) as at:
            place = Path(at)
            self._lay_out(place, package)
            return self._run(place)

    def _lay_out(self, place: Path, package: str) -> None:
        """Write suite and package where the sandbox's user may read them."""
        files = {"pytest.ini": b""}  # where the search for settings ends
        files |= {f"task/{name}": data for name, data in suite_of(self.task).items()}
        installed = install(
            take_in(self.task.folder / package),
            self.task.contract,
            Install.AUTO,
            self.sandbox,
            self.work,
        )
        prefix = f"{installed.root}/" if installed.root else ""
        if installed.root is not None:
            files |= {
                f"package/{path.removeprefix(prefix)}": data
                for path, data in installed.files.items()
                if path.startswith(prefix)
            }
        if world_readable():
            place.chmod(0o755)
        write_tree(files, place, "", world_readable=world_readable())

    def _run(self, place: Path) -> Ran:
        limits = self.task.contract.grader.limits
        running = self.sandbox.start(
            Job(
                program=self.program,
                folders={"candidate": place, "extra": self.tools},
                limits=attrs.evolve(
                    limits, memory_mib=max(LEAST_MIB, limits.memory_mib)
                ),
                tmp_mib=TMP_MIB,
                surroundings={**SURROUNDINGS, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            )
        )
        try:
            channel = Channel(running, cap=limits.output_kib * 1024)
            try:
                channel.ready(START_S)
            except (Gone, Slow, Garbled) as cause:
                raise SandboxError(
                    f"stock pytest did not start: {running.stop() or type(cause).__name__}"
                ) from cause
            ran = _hear(channel, limits, self.task.contract.grader.pytest_paths)
        finally:
            running.stop()
        return attrs.evolve(ran, words=_steady(ran.words, place))


def _steady(words: str, place: Path) -> str:
    """Take from pytest's words what differs from one run to the next: places and times."""
    for folder in (str(place), "/candidate"):
        words = words.replace(folder, "")
    return re.sub(r" in \d+\.\d+s", "", words)


def _hear(channel: Channel, limits: Limits, paths: tuple[str, ...]) -> Ran:
    """Take one answer a test until the run is over, or lost."""
    outcomes: dict[str, bool] = {}
    request, text, wait = LOAD, "\n".join(paths), START_S
    end = time.monotonic() + START_S + limits.wall_s
    while True:
        channel.send([(request, text)])
        try:
            frame = channel.answer(min(wait, end - time.monotonic()))
        except (Gone, Slow, Garbled) as event:
            after = f" after {list(outcomes)[-1]}" if outcomes else ""
            return Ran(outcomes=outcomes, lost=_ENDS[type(event)] + after)
        said = frame.payload.decode("utf-8", "replace")
        if frame.kind not in (DONE, ESCAPED):
            return Ran(outcomes=outcomes, words=said)
        outcomes[said] = frame.kind == DONE
        request, text, wait = CASE, "", limits.case_wall_s + SPARE_S


_ENDS = {Gone: "it ended", Slow: "it hung", Garbled: "it wrote what is no answer"}


def suite_of(task: Task) -> dict[str, bytes]:
    """Return the suite's files and what pytest heeds above them, by path in the task."""
    root = task.folder
    found = suite_files(root, task.contract)
    above = {
        folder
        for name in task.contract.grader.pytest_paths
        for folder in (root / name).parents
        if folder.is_relative_to(root)
    }
    found += [
        folder / name
        for folder in sorted(above)
        for name in SETTINGS
        if (folder / name).is_file()
    ]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def pytest_digest() -> str:
    """Return `sha256:…` over the records of pytest and of what it needs.

    Raises:
        GraderFault: one of them is not installed.
    """
    digest = hashlib.sha256()
    for name in DISTRIBUTIONS:
        try:
            record = importlib.metadata.distribution(name).read_text("RECORD")
        except importlib.metadata.PackageNotFoundError as cause:
            raise GraderFault(
                f"{name} is not installed; install Shipbar with its dependencies"
            ) from cause
        # Lines of compiled files differ from one machine to the next.
        lines = sorted(it for it in (record or "").splitlines() if ".pyc" not in it)
        digest.update(f"{name}\n{lines}\n".encode())
    return f"sha256:{digest.hexdigest()}"


def pytest_folder(cache: Path) -> Path:
    """Return a folder with pytest that any user can read, making it if the cache has none.

    Raises:
        SandboxError: the cache cannot be written.
    """
    version = f"{sys.implementation.cache_tag}"
    target = cache / f"pytest-{version}-{pytest_digest()[7:23]}"
    if target.is_dir():
        return target
    scratch = target.with_name(f".{target.name}-{os.getpid()}")
    try:
        scratch.mkdir(parents=True)
        for name, file in _sources():
            path = scratch / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, path)
            if path.suffix == ".py":
                # Compiled here, since nothing can be written there.
                py_compile.compile(
                    str(path),
                    dfile=f"/extra/{name}",
                    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
                )
        for path in (scratch, *scratch.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        scratch.rename(target)
    except OSError as cause:
        if not target.is_dir():
            raise SandboxError(
                f"cannot write {target}: {cause}; set SHIPBAR_CACHE to a folder that can be written"
            ) from cause
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return target


def _sources() -> Iterator[tuple[str, str]]:
    """Yield the files of pytest and of what it needs: path inside, path on the host."""
    for name in DISTRIBUTIONS:
        for file in importlib.metadata.files(name) or ():
            if ".." not in file.parts and "__pycache__" not in file.parts:
                yield file.as_posix(), str(file.locate())
