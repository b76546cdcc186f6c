"""Packs small trees in every way that a submission can come."""

import bz2
import gzip
import io
import lzma
import tarfile
import warnings
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

TREE = {
    "roman/__init__.py": b"def parse(text):\n    return len(text)\n",
    "roman/data.json": b'{"I": 1}\n',
    "roman/py.typed": b"",
}
METADATA = b"Metadata-Version: 2.4\nName: roman\nVersion: 1.0\n"


def write(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write a tree; the folder is made."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def member(
    name: str, data: bytes = b"", **fields: object
) -> tuple[tarfile.TarInfo, bytes]:
    """Make one tar member; `fields` are set on its TarInfo as they are."""
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in fields.items():
        setattr(info, key, value)
    return info, data


def tar(
    *members: tuple[tarfile.TarInfo, bytes], dialect: int = tarfile.PAX_FORMAT
) -> bytes:
    """Pack members into a plain tar, in order."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=dialect) as archive:
        for info, data in members:
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def tar_of(files: Mapping[str, bytes], prefix: str = "") -> bytes:
    """Pack a tree into a plain tar."""
    return tar(*(member(prefix + name, data) for name, data in files.items()))


def zip_of(
    files: Mapping[str, bytes] | Sequence[tuple[str | zipfile.ZipInfo, bytes]],
    method: int = zipfile.ZIP_DEFLATED,
) -> bytes:
    """Pack a tree into a zip; pairs may repeat a name."""
    pairs = files.items() if isinstance(files, Mapping) else files
    buffer = io.BytesIO()
    with (
        warnings.catch_warnings(action="ignore"),
        zipfile.ZipFile(buffer, "w", method) as archive,
    ):
        for name, data in pairs:
            archive.writestr(name, data)
    return buffer.getvalue()


def wheel_of(files: Mapping[str, bytes], metadata: bytes = METADATA) -> bytes:
    """Pack a tree into a wheel."""
    records = {
        "roman-1.0.dist-info/METADATA": metadata,
        "roman-1.0.dist-info/RECORD": b"",
    }
    return zip_of({**files, **records})


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}
