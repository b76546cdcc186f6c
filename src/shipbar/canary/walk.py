"""Walks over what is to be searched: files, and folders with all that is in them.

- Symbolic links are followed, since collections of data are often made of them. A folder
  is searched once, wherever links lead; a link that leads back is remarked upon.
- What is neither a file nor a folder, or cannot be looked at, is named and never opened.
- The order is that of names, so that two walks over the same files tell the same.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from shipbar.canary.look import Unread, cannot, kind_of
from shipbar.errors import UserError


@attrs.frozen(kw_only=True)
class File:
    """A file to search."""

    path: str
    """Where it is."""
    size: int
    """Bytes that it takes to read: a hole takes none."""


@attrs.frozen(kw_only=True)
class Remark:
    """Something that was not searched here, because it is searched elsewhere."""

    text: str
    """What, and why."""


def walk(paths: Sequence[str | Path]) -> Iterator[File | Unread | Remark]:
    """Yield every file at and below ``paths``, and whatever is no file.

    Raises:
        UserError: one of the paths is not there.
    """
    for path in paths:
        if not os.path.lexists(path):
            raise UserError(f"{path}: not there; name a file or a folder to search")
    seen: set[tuple[int, int]] = set()
    # A stack and no recursion: folders may lie deeper than calls can go.
    todo = [str(path) for path in reversed(paths)]
    while todo:
        path = todo.pop()
        try:
            told = Path(path).stat()
        except (OSError, ValueError) as error:
            yield Unread(path=path, why=cannot(error))
            continue
        if stat.S_ISREG(told.st_mode):
            yield File(path=path, size=min(told.st_size, told.st_blocks * 512))
        elif not stat.S_ISDIR(told.st_mode):
            why = f"it is {kind_of(told.st_mode)}, and no file; leave it out"
            yield Unread(path=path, why=why)
        elif (told.st_dev, told.st_ino) in seen:
            yield Remark(text=f"{path}: a way to a folder that is searched anyway")
        else:
            seen.add((told.st_dev, told.st_ino))
            try:
                with os.scandir(path) as entries:
                    names = sorted((it.name for it in entries), reverse=True)
            except OSError as error:
                yield Unread(path=path, why=cannot(error))
            else:
                todo += [os.path.join(path, name) for name in names]  # noqa: PTH118  # text, by the million
