"""Sandboxes that do not do what a sandbox must, added as anybody would add one."""

import os
import signal
from pathlib import Path

import pytest

from shipbar.config import Config
from shipbar.ports import Availability, Job, Running, Sandbox
from shipbar.sandboxes.bubblewrap import Bubblewrap

DEADLY = "TALLY_DEADLY"
"""Variable that names a file; who removes it dies."""


class Absent(Sandbox):
    """Is not there."""

    name = "absent"

    def __init__(self, config: Config) -> None:
        pass

    def available(self) -> Availability:
        return Availability(
            works=False, detail="absent: not there", remedy="apt install presence"
        )

    def _start(self, job: Job) -> Running:
        raise FileNotFoundError("absent: no such program")


class Faulty(Absent):
    """Starts, and hands over what is no running program."""

    name = "faulty"

    def _start(self, job: Job) -> Running:
        return NotRunning()


class NotRunning:
    requests = -1
    answers = -1

    def stop(self) -> str:
        raise ZeroDivisionError("in the grader's own code")


class Deadly(Sandbox):
    """Works, but kills the grader's process once, at the start of a job."""

    name = "deadly"

    def __init__(self, config: Config) -> None:
        self._inner = Bubblewrap(config)

    def available(self) -> Availability:
        return self._inner.available()

    def _start(self, job: Job) -> Running:
        try:
            Path(os.environ[DEADLY]).unlink()
        except FileNotFoundError:
            return self._inner.start(job)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("unreachable")


ADDED = {
    "absent": "tests.cli.fakes:Absent",
    "deadly": "tests.cli.fakes:Deadly",
    "faulty": "tests.cli.fakes:Faulty",
    "unloadable": "tests.cli.no_such_module:Nothing",
}


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Add the fakes by an installed package's entry points; return the path to add for others."""
    metadata = folder / "fakes-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: fakes\nVersion: 1.0\n"
    )
    (metadata / "entry_points.txt").write_text(
        "[shipbar.sandbox]\n"
        + "".join(f"{name} = {where}\n" for name, where in ADDED.items())
    )
    monkeypatch.syspath_prepend(folder)
    return folder
