"""A base of three files, a task, and ways to damage a layout."""

import io
import shutil
import sys
import tarfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from shipbar import oci
from shipbar.oci.making import write_base
from shipbar.oci.tars import Entry
from tests.grading.authoring import new_task

PYTHON = f"python3.{sys.version_info.minor}"
BASE = (
    Entry(path=f"usr/bin/{PYTHON}", content=b"\x7fELF" + bytes(40), mode=0o755),
    Entry(path="usr/bin/python3", kind="link", target=PYTHON),
    Entry(path="etc/os-release", content=b"ID=small\n"),
)


def small_base(folder: Path, entries: Sequence[Entry] = BASE) -> oci.Base:
    """Write a base and open it."""
    write_base(folder, entries, command=["/usr/bin/python3"], made_by="by hand")
    return oci.open_base(folder)


def two_tasks(place: Path) -> list[Path]:
    """Make two tasks that differ in their ids and specifications."""
    one = new_task(place)
    two = place / "ribbons"
    shutil.copytree(one, two)
    for name, old, new in (
        ("task.toml", 'task_id = "strips"', 'task_id = "ribbons"'),
        ("solver/SPEC.md", "#", "# Other\n\n#"),
    ):
        path = two / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
    return [one, two]


def blob(layout: oci.Layout, digest: str) -> Path:
    """The file of a blob."""
    return layout.path / "blobs" / digest.replace(":", "/")


def flip(path: Path, at: int = -1) -> None:
    """Change one byte of a file, and not its length."""
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def members(layer: bytes) -> dict[str, tarfile.TarInfo]:
    """The members of a layer, as the standard library reads them."""
    with tarfile.open(fileobj=io.BytesIO(layer)) as archive:
        return {it.name: it for it in archive}


def ids(layout: oci.Layout) -> list[tuple[str, str, str]]:
    """Names and ids of a layout's images."""
    return [(it.name, it.config_digest, it.manifest_digest) for it in layout.images]


def contents(folder: Path) -> Mapping[str, bytes]:
    """What a folder holds."""
    return {
        it.relative_to(folder).as_posix(): it.read_bytes()
        for it in sorted(folder.rglob("*"))
        if it.is_file()
    }


Damage = Callable[[oci.Layout], None]
