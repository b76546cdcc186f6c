"""A folder that is written beside its place and moved there in one step.

- What is being written is `.NAME.partial` beside the place NAME. Whoever writes holds
  a lock on it, so two deliveries to one place do not mix.
- Killed at any point, it leaves that folder and nothing at the place itself. The next
  run for the same place clears it and begins anew.
- All of it is on the disk before it is moved.
"""

import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from shipbar.errors import SeamError, UserError

_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


class Place:
    """Writes one folder. Used in a `with`, then finished."""

    def __init__(self, target: Path) -> None:
        """Write to the folder ``target``, which is not there yet, or is empty."""
        # By its own name, wherever the caller is: `-o .` has a name, too.
        self.target = target.resolve()
        self.partial = self.target.parent / f".{self.target.name}.partial"
        self._lock: int | None = None

    def __enter__(self) -> Self:
        """Make the folder that is written to, and lock it.

        Raises:
            UserError: somebody else writes to that place, or it cannot be made.
        """
        with failing(self.target):
            self.target.parent.mkdir(parents=True, exist_ok=True)
            self._lock = self._locked()
            _clear(self.partial)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove what was not finished."""
        if self._lock is not None:
            if _is_at(self._lock, self.partial):
                shutil.rmtree(self.partial, ignore_errors=True)
            os.close(self._lock)

    def write(self, path: str, data: bytes) -> None:
        """Write a file.

        Raises:
            SeamError: the disk is full, or fails.
            UserError: it cannot be written.
        """
        place = self.partial / path
        with failing(place):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)

    def finish(self) -> None:
        """Move all of it to its place.

        Raises:
            SeamError: the disk is full, or fails.
            UserError: something is at that place.
        """
        with failing(self.target):
            os.sync()  # one call for all files; a call for each takes far longer
            try:
                self.partial.rename(self.target)  # replaces an empty folder only
            except OSError as cause:
                if cause.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
                    raise taken(self.target) from cause
                raise
            parent = os.open(self.target.parent, os.O_RDONLY)
            try:
                os.fsync(parent)
            finally:
                os.close(parent)

    def _locked(self) -> int:
        """Open the folder, made if need be, and lock it."""
        while True:
            self.partial.mkdir(exist_ok=True)
            handle = os.open(self.partial, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as cause:
                os.close(handle)
                raise UserError(
                    f"{self.target}: another process is writing a delivery there; wait for it, or name another folder"
                ) from cause
            # Who held the lock may have moved the folder away just before.
            if _is_at(handle, self.partial):
                return handle
            os.close(handle)


def is_free(target: Path) -> bool:
    """Say whether a folder could be moved to ``target``: nothing is there, or an empty folder."""
    if target.is_symlink() or not target.exists():
        return not target.is_symlink()
    return target.is_dir() and not any(target.iterdir())


def taken(target: Path) -> UserError:
    """Return what to tell of a place that is not free."""
    return UserError(
        f"{target}: expected no such folder, or an empty one, and something else is there; name another folder with -o, or move it away"
    )


@contextmanager
def failing(where: Path) -> Iterator[None]:
    """Say what to do when the machine cannot take what is written.

    Raises:
        SeamError: the disk is full, or fails.
        UserError: it cannot be written for another reason.
    """
    try:
        yield
    except OSError as cause:
        place = cause.filename or where
        told = f"cannot write the delivery: {place}: {os.strerror(cause.errno) if cause.errno else cause}"
        if cause.errno in _MACHINE:
            raise SeamError(
                f"{told}; make room there or name another folder with -o, and run the same again; nothing half-written was left"
            ) from cause
        raise UserError(
            f"{told}; name a folder that can be written with -o, and run the same again"
        ) from cause


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _is_at(handle: int, path: Path) -> bool:
    try:
        there = path.lstat()
    except FileNotFoundError:
        return False
    mine = os.fstat(handle)
    return (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino)
