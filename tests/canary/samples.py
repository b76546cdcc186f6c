"""Canaries, files that hold them, and a search of one path."""

import io
import json
import tarfile
import zipfile
from pathlib import Path

from shipbar.canary import Bounds, Found, Known, Looked, scan

DIGITS = "05afe4940f2b1943c12f041f97df278c"
CANARY = f"shipbar-canary-{DIGITS}"
UUID = "shipbar-canary-3e2d5c0e-8d0b-4a52-9b0e-6f4d0c7b1a55"
LINE = f"before {CANARY} after\n".encode()


def looked(
    path: Path, known: Known | None = None, *, bounds: Bounds | None = None
) -> Looked:
    """What comes of the one file at a path."""
    (result,) = scan([path], known, bounds=bounds)
    return result


def found(path: Path) -> list[Found]:
    """What is found in a file, all of which can be read."""
    result = looked(path)
    assert result.unread == ()
    return list(result.found)


def canaries(path: Path) -> list[str]:
    return [it.canary for it in found(path)]


def tarred(
    files: dict[str, bytes], mode: str = "w", form: int = tarfile.PAX_FORMAT
) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode=mode, format=form) as tar:  # type: ignore[call-overload]
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return held.getvalue()


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return held.getvalue()


def escaped(text: str) -> str:
    """Every character as JSON may escape it."""
    return "".join(f"\\u{ord(char):04x}" for char in text)


def row(text: str) -> bytes:
    return json.dumps({"text": text}).encode() + b"\n"
