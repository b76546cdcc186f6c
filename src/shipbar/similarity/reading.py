"""Reads what is to be compared, and names whatever is not compared as it stands.

Nothing that a candidate writes takes a file out of the comparison unseen: a folder
called `vendor` or a line "generated" is named and compared all the same, and so is a
program under the name of data. Only what holds no program text is left out, and named
too. A text that nobody reads, such as one in base64, is *unread*: it may be anything.
"""

import ast
import codecs
import re
import warnings
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
_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_PLAIN = frozenset({"utf-8", "utf-8-sig", "ascii", "iso8859-1", "iso8859-15", "cp1252"})
"""Encodings in which program text stands as it looks."""
_MOST_DECODED = 1 << 16
"""Bytes of a file in another encoding: decoding some of them takes long."""
_RUN = re.compile(rb"[\w+/=\\-]{40,}+")
_GAP = 16
_LEAST_OPAQUE = 1200
"""Bytes of runs without a blank, next to each other, from which they are no program text."""
_PROGRAM = re.compile(rb"(?m)^[ \t]*(?:def|class|async def)[ \t]+\w+")
_MOST_TRIED = 1 << 18


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


def package_of(files: Mapping[str, bytes], *, only: Language | None = None) -> Package:
    """Choose what of ``files``, contents by path, is compared.

    Args:
        files: contents by path.
        only: the language that is parsed, if it is no other; the rest is text.
    """
    kept: list[SourceFile] = []
    remarks: list[str] = []
    unread: list[str] = []
    room = MOST_TOTAL
    for path in sorted(files):
        pure = PurePosixPath(path)
        if _IGNORED & set(pure.parts) or pure.suffix == ".pyc":
            continue
        data = files[path]
        if not data.strip():
            continue
        language = _language(pure, data)
        if only is not None and language is not only:
            language = None
        if language is None and (why := _no_program(pure, data)):
            remarks.append(f"{path}: {why}")
            continue
        most = min(MOST_BYTES, room)
        remarks += [
            f"{path}: {it}"
            for it in _peculiar(pure, data, is_python=language is not None)
        ]
        data, hidden = _plain(data, language)
        if hidden:
            remarks.append(f"{path}: {hidden}")
            unread.append(path)
        if len(data) > most:
            remarks.append(
                f"{path}: only {most} of {len(data)} bytes compared; the rest passes the limit"
            )
            unread.append(path)
        room -= min(len(data), most)
        kept.append(SourceFile(path=path, data=data[:most], language=language))
    return Package(
        files=tuple(kept),
        remarks=tuple(remarks),
        unread=tuple(dict.fromkeys(unread)),
    )


def _language(path: PurePosixPath, data: bytes) -> Language | None:
    """Tell the language by the suffix, else whether Python would take it."""
    if b"\0" in data[:MOST_BYTES]:
        return None
    if path.suffix.lower() in BY_SUFFIX:
        return BY_SUFFIX[path.suffix.lower()]
    python = _PYTHON_LINE.match(data[:200]) or _is_python(data)
    return BY_SUFFIX[".py"] if python else None


def _is_python(data: bytes) -> bool:
    """Whether something that is not called so is a Python program."""
    if len(data) > _MOST_TRIED or not _PROGRAM.search(data):
        return False
    try:
        with warnings.catch_warnings(action="ignore"):
            ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _plain(data: bytes, language: Language | None) -> tuple[bytes, str]:
    """Return program text as the interpreter reads it, and what of it nobody can read."""
    if language is not None and language.name == "Python":
        lines = data[:1000].split(b"\n")[:2]
        cookie = next((it for line in lines if (it := _COOKIE.match(line))), None)
        if cookie is not None:
            data, how = _decoded(data, cookie[1].decode())
            if how:
                return data, how
    longest = _opaque(data[:MOST_BYTES])
    if longest < _LEAST_OPAQUE:
        return data, ""
    return data, f"holds {longest} bytes that are no program text, and may hide one"


def _opaque(data: bytes) -> int:
    """Return how long the longest text is that looks like one in base64 or in escapes."""
    longest = size = end = 0
    for run in _RUN.finditer(data):
        near = run.start() - end <= _GAP
        size = (size if near else 0) + run.end() - run.start()
        end = run.end()
        longest = max(longest, size)
    return longest


def _decoded(data: bytes, encoding: str) -> tuple[bytes, str]:
    try:
        name = codecs.lookup(encoding).name
        if name in _PLAIN:
            return data, ""
        if len(data) <= _MOST_DECODED:
            read = codecs.decode(data, name)
            if isinstance(read, str):
                return (
                    read.encode("utf-8", "replace"),
                    f"written in {name}; compared as the interpreter reads it",
                )
    except (LookupError, ValueError):
        pass
    return data, "written in an encoding that is not read"


def _no_program(path: PurePosixPath, data: bytes) -> str:
    """Say why a file holds no program text; nothing if it may."""
    if b"\0" in data[:MOST_BYTES]:
        return "binary, not compared"
    if path.suffix.lower() in _DATA:
        return "data, not compared"
    return ""


def _peculiar(path: PurePosixPath, data: bytes, *, is_python: bool) -> list[str]:
    remarks = []
    if path.suffix.lower() not in BY_SUFFIX and is_python:
        remarks.append("a Python program, whatever it is called; compared as one")
    if _VENDORED & set(path.parts):
        remarks.append("in a folder of other people's code; compared all the same")
    if _GENERATED.search(data[:1000]):
        remarks.append("calls itself generated; compared all the same")
    if len(data) > 4 * _MINIFIED and len(data) > _MINIFIED * (data.count(b"\n") + 1):
        remarks.append("minified: line numbers say little")
    return remarks
