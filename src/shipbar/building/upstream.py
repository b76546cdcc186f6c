"""The pinned libraries of mutated families: fetched once, checked, never committed.

`fetch` asks the package index, as pip is set up for it, for one file by name and
hash, and refuses anything else. Every other function works offline from the
cache; what is not there is *not fetched*, which is never a failure of the
library.
"""

import hashlib
import io
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path

from shipbar.building.family import Upstream
from shipbar.errors import SeamError

LEAST_LITERAL = 8
"""Letters from which on a string of the upstream's README or tests is denied."""
_LITERAL = re.compile(rf"[\"'`]([^\"'`\n]{{{LEAST_LITERAL},60}})[\"'`]")
LEAST_WORD = 4
"""Letters from which on a name of the upstream is denied."""
COMMON = frozenset(
    [
        "argument",
        "arguments",
        "assert",
        "attribute",
        "attributes",
        "boolean",
        "callable",
        "characters",
        "default",
        "dictionary",
        "element",
        "elements",
        "example",
        "examples",
        "exception",
        "expected",
        "expression",
        "expressions",
        "function",
        "functions",
        "implementation",
        "instance",
        "integer",
        "integers",
        "iterator",
        "iterable",
        "key",
        "keyword",
        "keywords",
        "license",
        "method",
        "methods",
        "module",
        "number",
        "numbers",
        "object",
        "operator",
        "operators",
        "original",
        "output",
        "parameter",
        "parameters",
        "position",
        "python",
        "raises",
        "reference",
        "release",
        "returns",
        "sequence",
        "setting",
        "single",
        "specification",
        "specified",
        "standard",
        "statement",
        "string",
        "strings",
        "support",
        "symbol",
        "symbols",
        "template",
        "templates",
        "testing",
        "tests",
        "unittest",
        "unknown",
        "update",
        "usage",
        "value",
        "values",
        "version",
        "versions",
        "whitespace",
        "contents",
        "element",
        "operation",
        "operations",
        "documentation",
        "datetime",
        "timezone",
        "minutes",
        "seconds",
        "interval",
        "intervals",
        "parsed",
        "parsing",
        "parser",
        "tokens",
        "field",
        "minute",
        "hour",
        "month",
        "weekday",
    ]
)
"""Words of the trade, which give no library away."""


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


class NotFetchedError(SeamError):
    """A pinned upstream is not in the cache."""


def cached(pin: Upstream, cache: Path) -> Path:
    """Return the sdist's path.

    Raises:
        NotFetchedError: it is not in the cache; says which command brings it.
        SeamError: what is in the cache is another file.
    """
    path = cache / "upstream" / pin.file
    if not path.is_file():
        raise NotFetchedError(
            f"{pin.file} is not fetched; run `shipbar upstream fetch {pin.name}`"
        )
    check(pin, path.read_bytes())
    return path


def check(pin: Upstream, data: bytes) -> None:
    """Raise SeamError unless ``data`` is the pinned file, by size and hash."""
    digest = hashlib.sha256(data).hexdigest()
    if (len(data), digest) != (pin.size, pin.sha256):
        raise SeamError(
            f"{pin.file}: expected {pin.size} bytes with sha256 {pin.sha256}, got {len(data)} with {digest}; refused"
        )


def fetch(pin: Upstream, cache: Path, environment: Mapping[str, str]) -> Path:
    """Bring the pinned sdist into the cache, if it is not there; return its path.

    pip checks the hash before it looks into the file.

    Raises:
        SeamError: the index does not have it, or has another file.
    """
    target = cache / "upstream" / pin.file
    if target.is_file():
        return cached(pin, cache)
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
                f"{pin.file} cannot be fetched: {done.stderr.strip() or 'the index has another file'}"
            )
        data = found.read_bytes()
    check(pin, data)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    return target


def sources(pin: Upstream, cache: Path) -> dict[str, bytes]:
    """Return the files of the packages that an adapter imports, by path.

    Read like any other archive; setup code is not run.

    Raises:
        NotFetchedError: the sdist is not in the cache.
        SeamError: it holds none of the packages.
    """
    files = _unpacked(cached(pin, cache))
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


def _unpacked(path: Path) -> dict[str, bytes]:
    if path.suffix == ".zip":
        with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
            return {
                info.filename.partition("/")[2]: archive.read(info)
                for info in archive.infolist()
                if not info.is_dir()
            }
    with tarfile.open(path) as archive:
        members = [member for member in archive if member.isreg()]
        contents = {
            member.name.partition("/")[2]: archive.extractfile(member)
            for member in members
        }
        return {
            name: file.read() for name, file in contents.items() if file is not None
        }


def deny_list(pin: Upstream, cache: Path) -> frozenset[str]:
    """Return what no solver may see, in lower case: names and telling strings of the upstream.

    Raises:
        NotFetchedError: the sdist is not in the cache.
    """
    files = _unpacked(cached(pin, cache))
    words = {pin.name, *pin.packages, *pin.deny}
    for path, data in files.items():
        text = data.decode("utf-8", "replace")
        if path.endswith(".py") and "test" not in path.lower():
            words |= set(re.findall(r"(?m)^(?:class|def) ([A-Za-z]\w{3,})", text))
        if "readme" in path.lower() or "test" in path.lower():
            words |= set(_LITERAL.findall(text))
    return frozenset(
        word.lower()
        for word in words
        if word.lower() not in COMMON and len(word) >= LEAST_WORD
    )


def denied_in(text: str, denied: frozenset[str]) -> list[str]:
    """Return the denied words that ``text`` holds, also inside camelCase and snake_case names."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).replace("_", " ")
    whole = {word.lower() for word in re.findall(r"[A-Za-z0-9.+-]+", f"{text} {split}")}
    lowered = text.lower()
    return sorted(
        word
        for word in denied
        if word in whole or (not word.isalnum() and word in lowered)
    )
