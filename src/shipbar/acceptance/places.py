"""The report's folder, and the folder in it that a run works in.

One run at a time has a report: it holds a lock on the folder. A run works in a folder of
its own that every process of it holds a lock on, so that what a killed run left is
removed by the next one, and never under the hands of a process that is still ending.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from shipbar.errors import SeamError, UserError

_WORK, _LOCK = ".work-", ".lock"


@contextlib.contextmanager
def failing(what: Path) -> Iterator[None]:
    """Turn what a disk says into an error of ours.

    Raises:
        SeamError: the disk is full, or fails.
    """
    try:
        yield
    except OSError as cause:
        where = cause.filename or what
        raise SeamError(
            f"{where}: cannot be written or read ({cause.strerror}); what was measured is kept: make room, and run the same command again"
        ) from cause


@contextlib.contextmanager
def report_folder(place: Path) -> Iterator[None]:
    """Make the report's folder, and hold it.

    Raises:
        UserError: it cannot be made, or another run has it.
    """
    try:
        place.mkdir(parents=True, exist_ok=True)
        handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as cause:
        raise UserError(
            f"{place}: expected a folder for the report, cannot make one there ({cause.strerror}); name another with -o"
        ) from cause
    try:
        if not _locked(handle, fcntl.LOCK_EX):
            raise UserError(
                f"{place}: another `shipbar accept` writes there; wait for it, or name another folder with -o"
            )
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def work_folder(report: Path) -> Iterator[Path]:
    """Make the folder that this run works in, and remove it and what is left of others."""
    for left in report.glob(f"{_WORK}*"):
        _remove_if_free(left)
    with failing(report):
        work = Path(tempfile.mkdtemp(prefix=_WORK, dir=report))
    try:
        with failing(report):
            (work / _LOCK).touch()
        with holding(work):
            yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


@contextlib.contextmanager
def holding(work: Path) -> Iterator[None]:
    """Hold a run's folder, so that no other run removes it."""
    with (work / _LOCK).open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield


def _remove_if_free(work: Path) -> None:
    try:
        handle = os.open(work / _LOCK, os.O_RDONLY)
    except OSError:
        shutil.rmtree(work, ignore_errors=True)
        return
    try:
        if _locked(handle, fcntl.LOCK_EX):
            shutil.rmtree(work, ignore_errors=True)
    finally:
        os.close(handle)


def _locked(handle: int, how: int) -> bool:
    try:
        fcntl.flock(handle, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
