"""What a task may show of its pinned upstream, and where the upstream's sdist lies.

Works offline from the cache. What is not there is *not fetched*, which is never a
failure of the task.
"""

import hashlib
import io
import re
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

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
        "contents",
        "datetime",
        "default",
        "dictionary",
        "documentation",
        "element",
        "elements",
        "example",
        "examples",
        "exception",
        "expected",
        "expression",
        "expressions",
        "field",
        "function",
        "functions",
        "hour",
        "implementation",
        "instance",
        "integer",
        "integers",
        "interval",
        "intervals",
        "iterable",
        "iterator",
        "key",
        "keyword",
        "keywords",
        "license",
        "method",
        "methods",
        "minute",
        "minutes",
        "module",
        "month",
        "number",
        "numbers",
        "object",
        "operation",
        "operations",
        "operator",
        "operators",
        "original",
        "output",
        "parameter",
        "parameters",
        "parsed",
        "parser",
        "parsing",
        "position",
        "python",
        "raises",
        "reference",
        "release",
        "returns",
        "seconds",
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
        "timezone",
        "tokens",
        "unittest",
        "unknown",
        "update",
        "usage",
        "value",
        "values",
        "version",
        "versions",
        "weekday",
        "whitespace",
    ]
)
"""Words of the trade, which give no library away."""


class Pinned(Protocol):
    """A pinned sdist: of a family or of a contract."""

    @property
    def name(self) -> str:
        """The distribution's name."""
        ...

    @property
    def file(self) -> str:
        """The sdist's file name."""
        ...

    @property
    def sha256(self) -> str:
        """Its digest, hexadecimal."""
        ...


class NotFetchedError(SeamError):
    """A pinned upstream is not in the cache."""


def cached(pin: Pinned, cache: Path) -> Path:
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
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != pin.sha256:
        raise SeamError(
            f"{path}: expected sha256 {pin.sha256}, got {digest}; remove it, and run `shipbar upstream fetch {pin.name}`"
        )
    return path


def unpacked(path: Path) -> dict[str, bytes]:
    """Return the files of an sdist by their path below its only folder; setup code is not run."""
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


def deny_words(files: Mapping[str, bytes], more: Iterable[str]) -> frozenset[str]:
    """Return what no solver may see, in lower case: names and telling strings of an upstream.

    Args:
        files: of its sdist.
        more: names beside those found in it.
    """
    words = set(more)
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
