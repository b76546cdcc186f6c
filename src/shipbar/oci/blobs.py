"""The files of a layout, in a folder or in a tar, read without unpacking anything.

No name that a document gives is taken for a path before it was found to be a digest,
and no link is followed. A document is read whole, up to a bound; a layer in parts.
"""

import hashlib
import io
import re
import tarfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import attrs

from shipbar.errors import UserError
from shipbar.oci.tars import CHUNK

MOST_DOCUMENT = 64 << 20
"""Bytes that an index, a manifest or a config may have."""
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def blob_name(digest: object, where: str) -> str:
    """Return a blob's path in a layout.

    Args:
        digest: what a document says.
        where: that document, for the message.

    Raises:
        UserError: it is no digest.
    """
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise UserError(
            f"{where}: expected a digest, sha256: and 64 hexadecimal digits, got {str(digest)[:80]!r}; the layout is damaged, get it again"
        )
    return f"blobs/{digest.replace(':', '/')}"


class Blobs(ABC):
    """The files of one layout."""

    def __init__(self, path: Path) -> None:
        """Read those below ``path``, or in the tar at ``path``."""
        self.path = path

    @abstractmethod
    def names(self) -> list[str]:
        """Every file's path in the layout, sorted."""

    @abstractmethod
    def open(self, name: str) -> BinaryIO:
        """Open a file.

        Raises:
            UserError: it is not there.
        """

    @abstractmethod
    def size(self, name: str) -> int:
        """Bytes of a file that is there."""

    def __contains__(self, name: str) -> bool:
        """Whether there is a file of that path."""
        return name in self.names()

    def read(self, name: str) -> bytes:
        """Return a document.

        Raises:
            UserError: it is not there, or is too large to be one.
        """
        with self.open(name) as file:
            data = file.read(MOST_DOCUMENT + 1)
        if len(data) > MOST_DOCUMENT:
            raise UserError(
                f"{self.path}: {name} has over {MOST_DOCUMENT >> 20} MiB; no document of an image is that large"
            )
        return data

    def digest(self, name: str) -> str:
        """`sha256:…` of a file's bytes."""
        with self.open(name) as file:
            return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"  # type: ignore[arg-type]  # any reader of bytes

    def _missing(self, name: str) -> UserError:
        return UserError(
            f"{self.path}: {name} is not there; the layout is not whole, get it again"
        )


class FolderBlobs(Blobs):
    """A layout in a folder."""

    def names(self) -> list[str]:
        """Every file's path, sorted; links and special files are named and not opened."""
        return sorted(
            it.relative_to(self.path).as_posix()
            for it in self.path.rglob("*")
            if it.is_symlink() or not it.is_dir()
        )

    def __contains__(self, name: str) -> bool:
        """Whether there is a regular file of that path."""
        path = self.path / name
        return path.is_file() and not path.is_symlink()

    def open(self, name: str) -> BinaryIO:
        """Open a file."""
        if name not in self:
            raise self._missing(name)
        return (self.path / name).open("rb")

    def size(self, name: str) -> int:
        """Bytes of a file."""
        return (self.path / name).stat().st_size


class TarBlobs(Blobs):
    """A layout in an uncompressed tar."""

    def __init__(self, path: Path) -> None:
        """Read the list of its members."""
        super().__init__(path)
        try:
            with tarfile.open(path, "r:") as archive:
                self._places = {
                    it.name.removeprefix("./"): (it.offset_data, it.size)
                    for it in archive
                    if it.isreg()
                }
        except tarfile.TarError as cause:
            raise UserError(
                f"{path}: expected an OCI layout, in a folder or in an uncompressed tar; this is neither ({cause}). "
                "Unpack a compressed one first"
            ) from cause

    def names(self) -> list[str]:
        """Every regular member's path, sorted."""
        return sorted(self._places)

    def __contains__(self, name: str) -> bool:
        """Whether there is a member of that path."""
        return name in self._places

    def open(self, name: str) -> BinaryIO:
        """Open a member."""
        if name not in self._places:
            raise self._missing(name)
        offset, size = self._places[name]
        part: Any = _Part(self.path.open("rb"), offset, size)
        return io.BufferedReader(part)

    def size(self, name: str) -> int:
        """Bytes of a member."""
        return self._places[name][1]


@attrs.define(slots=False, eq=False)
class _Part(io.RawIOBase):
    """A part of a file, read as if it were one."""

    _file: BinaryIO
    _start: int
    _size: int
    _at: int = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}
        self._at = base[whence] + offset
        return self._at

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]  # what a reader hands in
        self._file.seek(self._start + self._at)
        data = self._file.read(min(len(buffer), max(0, self._size - self._at)))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()


def blobs_at(path: Path) -> Blobs:
    """Return the files of the layout at ``path``.

    Raises:
        UserError: there is nothing, or nothing that is a layout.
    """
    if not path.exists():
        raise UserError(f"{path}: there is no such file or folder; name an OCI layout")
    blobs = FolderBlobs(path) if path.is_dir() else TarBlobs(path)
    if "index.json" not in blobs or "oci-layout" not in blobs:
        raise UserError(
            f"{path}: expected an OCI layout, which has an index.json and an oci-layout; found neither or one of them"
        )
    return blobs


def parts(file: BinaryIO) -> Iterator[bytes]:
    """Yield a file in parts of `CHUNK` bytes."""
    while chunk := file.read(CHUNK):
        yield chunk
