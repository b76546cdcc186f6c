"""Fragments: finds a piece of one text in another, however it is laid out or packed.

A text is read as tokens: words, numbers, and every other sign by itself. White space,
quotes, backticks and backslashes are dropped, of Python source also comments and
docstrings (what a rule says in words, the specification says too). A *fragment* is
`WINDOW` tokens in a row, of which at least `TELLING` are different words: a list of
numbers, or a call repeated with other numbers, is common to any two texts on a subject.

The two numbers were measured on the reference tranche and a hand-written task: honest
specifications share windows of at most four different words with anything held out, and
every function of 30 tokens or more in a reference or known-bad has one of six.
"""

import base64
import bz2
import io
import lzma
import re
import tarfile
import tokenize
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

WINDOW = 16
TELLING = 6
_TOKEN = re.compile(r"\w+|[^\w\s\"'`\\]")
_LAYOUT = frozenset(
    {
        *(tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT),
        *(tokenize.COMMENT, tokenize.ENCODING),
    }
)
_BASE64 = re.compile(
    rb"(?:[A-Za-z0-9+/]{60,76}\r?\n)+[A-Za-z0-9+/]*={0,2}|[A-Za-z0-9+/_-]{40,}={0,2}"
)
_HEX = re.compile(rb"[0-9A-Fa-f]{64,}")
DEEPEST = 3
"""Layers of packing that are undone."""
MOST_BYTES = 64 * 1024 * 1024
"""What one packed file may come to."""


def tokens(text: str) -> list[str]:
    """Return the tokens of any text."""
    return _TOKEN.findall(text)


def code_tokens(source: str) -> list[str]:
    """Return the tokens of Python source without its comments and docstrings."""
    found: list[str] = []
    fresh = True  # at the start of a statement, where a text alone is a docstring
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type in _LAYOUT:
                fresh = fresh or token.type != tokenize.COMMENT
                continue
            if not (fresh and token.type == tokenize.STRING):
                found += _TOKEN.findall(token.string)
            fresh = False
    except (tokenize.TokenError, SyntaxError):
        return tokens(source)
    return found


class Fragments:
    """The windows of what is held out, and from where each came."""

    def __init__(self) -> None:
        """Hold nothing yet."""
        self._homes: dict[tuple[str, ...], str] = {}
        self._words: set[str] = set()

    def __len__(self) -> int:
        """How many windows it holds."""
        return len(self._homes)

    def add(self, home: str, its: list[str]) -> None:
        """Hold the windows of a text; what is held already keeps its home."""
        for start in range(len(its) - WINDOW + 1):
            window = tuple(its[start : start + WINDOW])
            if window not in self._homes and _telling(window):
                self._homes[window] = home
                self._words.update(window)

    def found(self, its: list[str]) -> Counter[str]:
        """Count the different windows that a text shares with what is held, by home."""
        # A byte a token: a row of ones as long as a window is found without a loop.
        known = bytes(map(self._words.__contains__, its))
        row, seen = b"\1" * WINDOW, set()
        at = known.find(row)
        while at >= 0:
            window = tuple(its[at : at + WINDOW])
            if window in self._homes:
                seen.add(window)
            at = known.find(row, at + 1)
        return Counter(self._homes[window] for window in seen)

    def first(self, its: list[str]) -> str:
        """Return the first window of a text that is held, as text; empty if none is."""
        for start in range(len(its) - WINDOW + 1):
            window = tuple(its[start : start + WINDOW])
            if window in self._homes:
                return " ".join(window)
        return ""


def _telling(window: tuple[str, ...]) -> bool:
    words = {token for token in window if token[0].isalpha() or token[0] == "_"}
    return len(words) >= TELLING


# -- what is packed --------------------------------------------------------------------


def views(data: bytes, depth: int = DEEPEST) -> Iterator[tuple[str, bytes]]:
    """Yield what data comes to when packing is undone, each with a word for the way.

    The first is the data itself. Archives, compression, base64 and hexadecimal runs are
    undone, one inside the other up to ``depth``; what cannot be undone is only itself.
    """
    yield "", data
    if depth:
        for way, inner in _unpacked(data):
            for more, innermost in views(inner, depth - 1):
                yield f"{way} {more}".strip(), innermost


def _unpacked(data: bytes) -> Iterator[tuple[str, bytes]]:
    if data.startswith(b"PK\3\4"):
        yield from _quietly(_zipped, "in a zip", data)
    elif data[257:262] == b"ustar":
        yield from _quietly(_tarred, "in a tar", data)
    elif data.startswith(b"\x1f\x8b"):
        yield from _quietly(_gunzip, "gzipped", data)
    elif data.startswith(b"BZh"):
        yield from _quietly(_bunzip, "bzipped", data)
    elif data.startswith(b"\xfd7zXZ\0"):
        yield from _quietly(_unxz, "in xz", data)
    elif data[:1] == b"\x78":
        yield from _quietly(_inflate, "deflated", data)
    elif b"\0" not in data[:8192]:
        for run in _BASE64.findall(data):
            yield from _quietly(_unbase64, "in base64", run)
        for run in _HEX.findall(data):
            yield from _quietly(_unhex, "in hexadecimal", run)


Undo = Callable[[bytes], Iterable[bytes]]
_REFUSALS = (
    *(OSError, EOFError, ValueError, RuntimeError, NotImplementedError),
    *(zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile),
)


def _quietly(undo: Undo, way: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """What turns out to be no such packing yields nothing."""
    try:
        yield from ((way, inner) for inner in undo(data))
    except _REFUSALS:
        return


def _zipped(data: bytes) -> Iterator[bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            if info.file_size <= MOST_BYTES:
                yield info.filename.encode() + b"\n" + archive.read(info)


def _tarred(data: bytes) -> Iterator[bytes]:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isreg() else None
            held = file.read(MOST_BYTES) if file is not None else b""
            yield member.name.encode() + b"\n" + held


def _gunzip(data: bytes) -> Iterator[bytes]:
    yield zlib.decompressobj(wbits=31).decompress(data, MOST_BYTES)


def _inflate(data: bytes) -> Iterator[bytes]:
    yield zlib.decompressobj().decompress(data, MOST_BYTES)


def _bunzip(data: bytes) -> Iterator[bytes]:
    yield bz2.BZ2Decompressor().decompress(data, MOST_BYTES)


def _unxz(data: bytes) -> Iterator[bytes]:
    yield lzma.LZMADecompressor().decompress(data, MOST_BYTES)


def _unbase64(run: bytes) -> Iterator[bytes]:
    bare = b"".join(run.split()).rstrip(b"=")
    bare = bare[: len(bare) - (len(bare) % 4 == 1)]
    yield base64.b64decode(
        bare + b"=" * (-len(bare) % 4), b"-_" if b"-" in bare or b"_" in bare else None
    )


def _unhex(run: bytes) -> Iterator[bytes]:
    yield bytes.fromhex(run[: len(run) // 2 * 2].decode())
