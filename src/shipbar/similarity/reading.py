"""Reads what is to be compared, and names whatever is not compared as it stands.

Nothing that a candidate writes takes a file out of the comparison unseen: a folder
called `vendor` or a line "generated" is named and compared all the same. Only what
holds no program text is left out, and named too.
"""

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import attrs

from shipbar.errors import UserError
from shipbar.grading.intake import take_in
from shipbar.similarity.languages import BY_SUFFIX, Language

MOST_BYTES = 1 << 20
"""Of one file; the rest of a longer one is left out, and that is told."""
MOST_TOTAL = 1 << 23
"""Of all files of a package together."""

_DATA_SUFFIXES = """
.cfg .css .csv .dat .gif .gz .html .ini .jpg .json .lock .md .pdf .png .rst .svg .toml
.tsv .txt .typed .xml .yaml .yml .zip
"""
_DATA = frozenset(_DATA_SUFFIXES.split())
_IGNORED = frozenset({"__pycache__", ".git", ".hg", ".mypy_cache", ".pytest_cache"})
_VENDORED = frozenset({"vendor", "_vendor", "third_party", "node_modules", "extern"})
_GENERATED = re.compile(rb"(?i)\b(?:auto-?)?generated (?:by|from)\b|\bdo not edit\b")
_MINIFIED = 500
"""Bytes a line, on average, from which a file is called minified."""
_PYTHON_LINE = re.compile(rb"#!.*python")


@attrs.frozen(kw_only=True)
class SourceFile:
    """One file that is compared."""

    path: str
    """Below the package's folder."""
    data: bytes
    """What it holds, up to `MOST_BYTES`."""
    language: Language | None
    """By its suffix; None: compared as text."""


@attrs.frozen(kw_only=True)
class Package:
    """What is compared of one submission or source."""

    files: tuple[SourceFile, ...]
    """In the order of their paths."""
    remarks: tuple[str, ...]
    """What a reader must know of single files, each `path: what`."""
    unread: tuple[str, ...] = ()
    """Paths of program text of which not all is compared."""


def read_package(path: str | Path) -> Package:
    """Read a source file, a folder, a tar or a wheel.

    Raises:
        UserError: there is no such path.
        IntakeError: what is there is hostile, or passes a cap of intake.
    """
    path = Path(path)
    if not path.exists():
        raise UserError(f"{path}: nothing there; expected a source file or a folder")
    if path.is_file() and not path.is_symlink() and path.suffix.lower() in BY_SUFFIX:
        with path.open("rb") as file:
            return package_of({path.name: file.read(MOST_BYTES + 1)})
    return package_of(take_in(path).files)


def package_of(files: Mapping[str, bytes]) -> Package:
    """Choose what of ``files``, contents by path, is compared."""
    kept: list[SourceFile] = []
    remarks: list[str] = []
    unread: list[str] = []
    room = MOST_TOTAL
    for path in sorted(files):
        pure = PurePosixPath(path)
        if _IGNORED & set(pure.parts) or pure.suffix == ".pyc":
            continue
        data = files[path]
        if why := _no_program(pure, data):
            remarks.append(f"{path}: {why}")
            continue
        most = min(MOST_BYTES, room)
        remarks += [f"{path}: {it}" for it in _peculiar(pure, data)]
        if len(data) > most:
            remarks.append(
                f"{path}: only {most} of {len(data)} bytes compared; the rest passes the limit"
            )
            unread.append(path)
        room -= min(len(data), most)
        kept.append(
            SourceFile(path=path, data=data[:most], language=_language(pure, data))
        )
    return Package(files=tuple(kept), remarks=tuple(remarks), unread=tuple(unread))


def _language(path: PurePosixPath, data: bytes) -> Language | None:
    if path.suffix.lower() in BY_SUFFIX:
        return BY_SUFFIX[path.suffix.lower()]
    return BY_SUFFIX[".py"] if _PYTHON_LINE.match(data[:200]) else None


def _no_program(path: PurePosixPath, data: bytes) -> str:
    """Say why a file holds no program text; nothing if it may."""
    if b"\0" in data[:MOST_BYTES]:
        return "binary, not compared"
    if path.suffix.lower() in _DATA:
        return "data, not compared"
    return ""


def _peculiar(path: PurePosixPath, data: bytes) -> list[str]:
    remarks = []
    if _VENDORED & set(path.parts):
        remarks.append("in a folder of other people's code; compared all the same")
    if _GENERATED.search(data[:1000]):
        remarks.append("calls itself generated; compared all the same")
    if len(data) > 4 * _MINIFIED and len(data) > _MINIFIED * (data.count(b"\n") + 1):
        remarks.append("minified: line numbers say little")
    return remarks
