"""The pinned libraries of mutated families: fetched once, checked, never committed.

`fetch` asks the package index, as pip is set up for it, for one file by name and
hash, and refuses anything else. Every other function works offline from the
cache.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path

from shipbar.building.family import Upstream
from shipbar.errors import SeamError
from shipbar.grading.upstream import cached, deny_words, unpacked


def read_pin(path: Path) -> Upstream:
    """Read a family's `upstream.toml`."""
    table = tomllib.loads(path.read_text("utf-8"))
    return Upstream(
        name=table["name"],
        version=table["version"],
        file=table["file"],
        size=table["size"],
        sha256=table["sha256"],
        licence=table["licence"],
        packages=tuple(table["packages"]),
        deny=tuple(table.get("deny", ())),
    )


def check(pin: Upstream, data: bytes) -> None:
    """Raise SeamError unless ``data`` is the pinned file, by size and hash."""
    digest = hashlib.sha256(data).hexdigest()
    if (len(data), digest) != (pin.size, pin.sha256):
        raise SeamError(
            f"{pin.file}: expected {pin.size} bytes with sha256 {pin.sha256}, got {len(data)} with {digest}; refused"
        )


def fetch(pin: Upstream, cache: Path, environment: Mapping[str, str]) -> Path:
    """Bring the pinned sdist into the cache, if it is not there; return its path.

    pip checks the hash before it looks into the file. It comes to its place whole or
    not at all.

    Raises:
        SeamError: the index does not have it, or has another file; or the cache cannot
            be written.
    """
    target = cache / "upstream" / pin.file
    if target.is_file():
        return cached(pin, cache)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        data = _downloaded(pin, target, environment)
        check(pin, data)
        with tempfile.TemporaryDirectory(prefix=".", dir=target.parent) as beside:
            whole = Path(beside) / pin.file
            whole.write_bytes(data)
            whole.rename(target)
    except OSError as cause:
        why = os.strerror(cause.errno) if cause.errno else cause
        raise SeamError(
            f"{pin.file} cannot be kept: {cause.filename or target}: {why}; make room there, "
            "or name another folder with SHIPBAR_CACHE, and fetch again"
        ) from cause
    return target


def _downloaded(pin: Upstream, target: Path, environment: Mapping[str, str]) -> bytes:
    """Return what pip brings for a pin."""
    with tempfile.TemporaryDirectory() as name:
        wanted = Path(name) / "wanted.txt"
        wanted.write_text(f"{pin.name}=={pin.version} --hash=sha256:{pin.sha256}\n")
        words = [
            "download",
            "--no-deps",
            "--no-binary",
            ":all:",
            "--no-build-isolation",
            "--require-hashes",
        ]
        done = subprocess.run(  # noqa: S603  # our own interpreter's pip
            [
                sys.executable,
                "-m",
                "pip",
                *words,
                "--quiet",
                "-d",
                name,
                "-r",
                str(wanted),
            ],
            env=dict(environment),
            capture_output=True,
            text=True,
            check=False,
        )
        found = Path(name) / pin.file
        if done.returncode or not found.is_file():
            raise SeamError(
                f"{pin.file} cannot be fetched: {_reason(done.stderr)}; see that pip reaches an index that has "
                f"{pin.name} {pin.version}, or put the file at {target}, and run `shipbar upstream fetch {pin.name}`"
            )
        return found.read_bytes()


def _reason(told: str) -> str:
    """What pip says of the failure itself, without its retries."""
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    errors = [
        line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")
    ]
    return " ".join(errors or lines[-1:]) or "the index has another file"


def sources(pin: Upstream, cache: Path) -> dict[str, bytes]:
    """Return the files of the packages that an adapter imports, by path.

    Read like any other archive; setup code is not run.

    Raises:
        NotFetchedError: the sdist is not in the cache.
        SeamError: it holds none of the packages.
    """
    files = unpacked(cached(pin, cache))
    found: dict[str, bytes] = {}
    for package in pin.packages:
        roots = ("", "src/", "lib/")
        for root in roots:
            part = {
                path.removeprefix(root): data
                for path, data in files.items()
                if path.startswith(f"{root}{package}/") or path == f"{root}{package}.py"
            }
            if part:
                found |= part
                break
        else:
            raise SeamError(f"{pin.file} holds no package {package}")
    return {path: data for path, data in found.items() if path.endswith(".py")}


def deny_list(pin: Upstream, cache: Path) -> frozenset[str]:
    """Return what no solver may see, in lower case: names and telling strings of the upstream.

    Raises:
        NotFetchedError: the sdist is not in the cache.
    """
    return deny_words(
        unpacked(cached(pin, cache)), (pin.name, *pin.packages, *pin.deny)
    )
