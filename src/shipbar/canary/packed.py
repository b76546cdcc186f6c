"""What is packed is taken apart as a stream: compressed data, and tars.

Unlike the intake of submissions, which refuses whatever it need not take, a search takes
all that it can: links, devices and odd names are passed over, many streams in one file are
ordinary, and what is damaged is given up where the damage is. What it shares with the intake:

- Nothing is written, followed, executed or imported.
- A decoder returns at most a piece at a time, and whatever it returns is counted first.
- Whatever is wrong, the error is `UnreadableError`, which says what to do.
"""

import bz2
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

import attrs
import zstandard

from shipbar.grading import archives
from shipbar.grading.archives import BLOCK, PIECE, Inflate

SLICE = 8 * 1024
"""Bytes that a decoder is given at a time: what follows one stream is copied for the next."""
_XZ_MEMORY = 80 * 1024 * 1024
_ZSTD_SLICE = 512
_ZSTD_WINDOW = 128 * 1024 * 1024
_LONGEST_EXTENSION = 1 << 20
_ZEROS = bytes(BLOCK)
_NO_CONTENT = frozenset(b"123456")
_PAX_RECORD = re.compile(rb"(?s)(\d{1,7}) (path|size|linkpath|GNU\.sparse\.name)=")


class UnreadableError(Exception):
    """Something could not be read; says why. It never leaves this package."""


class ExpandedError(Exception):
    """A file unpacks to more than its share. It never leaves this package."""


@attrs.define
class Budget:
    """How much may still come out of one file."""

    left: int
    """Bytes."""

    def take(self, count: int) -> None:
        """Use some up.

        Raises:
            ExpandedError: there is not so much left.
        """
        self.left -= count
        if self.left < 0:
            raise ExpandedError


# -- what it is ------------------------------------------------------------------------

GZIP, BZIP2, XZ, ZLIB, ZSTD = "gzip", "bzip2", "xz", "zlib", "zstd"
TAR, ZIP = "tar", "zip"
_PACKED = (
    (b"\x1f\x8b\x08", GZIP),
    (b"\xfd7zXZ\0", XZ),
    (b"\x28\xb5\x2f\xfd", ZSTD),
    (b"PK\3\4", ZIP),
    (b"PK\5\6", ZIP),
    (b"PK\6\6", ZIP),
)
_BZIP2 = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")
_ZLIB = (b"\x78\x01", b"\x78\x9c", b"\x78\xda")  # the fourth, 78 5E, is text as well
OPAQUE = (
    (b"\x04\x22\x4d\x18", "LZ4"),
    (b"\xff\x06\0\0sNaPpY", "Snappy"),
    (b"\x1f\x9d", "compress (.Z)"),
    (b"LZIP", "lzip"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"MSCF\0\0\0\0", "a cabinet"),
    (b"!<arch>\n", "an ar archive, as Debian's packages are"),
    (b"hsqs", "SquashFS"),
    (b"PAR1", "Parquet"),
    (b"ORC", "ORC"),
    (b"ARROW1\0\0", "Arrow"),
    (b"Obj\1", "Avro"),
    (b"\x89HDF\r\n\x1a\n", "HDF5"),
    (b"%PDF-", "PDF"),
    (b"PACK\0\0\0", "a pack of git's"),
)
"""Formats whose content may be packed in a way that is not looked into."""


def packed_as(head: bytes) -> str | None:
    """Tell by its first block what something is packed as, if it can be taken apart."""
    for magic, name in _PACKED:
        if head.startswith(magic):
            return name
    if _BZIP2.match(head):
        return BZIP2
    if head.startswith(_ZLIB) and _inflates(head):
        return ZLIB
    return TAR if archives.kind_of(head) == "tar" else None


def opaque(head: bytes) -> str | None:
    """Name the format of what cannot be taken apart here; None for everything else."""
    return next((name for magic, name in OPAQUE if head.startswith(magic)), None)


def _inflates(head: bytes) -> bool:
    try:
        return bool(zlib.decompressobj().decompress(head, 1))
    except zlib.error:
        return False


# -- streams ---------------------------------------------------------------------------


class Stream:
    """Hands out a stream in pieces or exact amounts, and lets its beginning be seen."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._held = memoryview(b"")
        # What went wrong while looking ahead is told when what came before was taken.
        self._failed: UnreadableError | None = None

    def peek(self, count: int) -> bytes:
        """Return the first bytes, at most so many, and keep them."""
        while len(self._held) < count:
            try:
                piece = next(self._pieces, None)
            except UnreadableError as error:
                self._failed = error
                break
            if piece is None:
                break
            self._held = memoryview(bytes(self._held) + piece)
        return bytes(self._held[:count])

    def pieces(self, count: int | None = None) -> Iterator[memoryview]:
        """Yield the next bytes: so many, or all.

        Raises:
            UnreadableError: it ends before that many.
        """
        while count is None or count:
            if not self._held:
                if self._failed is not None:
                    raise self._failed
                piece = next(self._pieces, None)
                if piece is None:
                    if count is None:
                        return
                    raise UnreadableError(
                        "it ends early; fetch it again, or unpack what is there"
                    )
                self._held = memoryview(piece)
            taken, self._held = (
                self._held[:count],
                self._held[count or len(self._held) :],
            )
            count = None if count is None else count - len(taken)
            yield taken

    def read(self, count: int) -> bytes:
        """Return exactly so many bytes."""
        return b"".join(self.pieces(count))


# -- compressed data -------------------------------------------------------------------


class _Decoder(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Zstd:
    """zstd's decompressor with that interface. A frame may need `_ZSTD_WINDOW` of memory.

    It cannot be told how much to give out at most, so it is given little at a time (a
    block of 128 KiB takes at least four bytes), and what is too much waits here.
    """

    def __init__(self) -> None:
        decoder = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
        self._zstd = decoder.decompressobj()
        self._waiting, self._out = b"", memoryview(b"")

    @property
    def eof(self) -> bool:
        return self._zstd.eof and not self._out

    @property
    def needs_input(self) -> bool:
        return not self._waiting and not self._out

    @property
    def unused_data(self) -> bytes:
        return self._zstd.unused_data + self._waiting

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        self._waiting += data
        if not self._out:
            some = self._waiting[:_ZSTD_SLICE]
            self._waiting = self._waiting[_ZSTD_SLICE:]
            self._out = memoryview(self._zstd.decompress(some))
        piece, self._out = self._out[:max_length], self._out[max_length:]
        return bytes(piece)


RAW = "deflate"
_DECODERS: dict[str, Callable[[], _Decoder]] = {
    GZIP: lambda: Inflate(31),
    ZLIB: lambda: Inflate(15),
    RAW: lambda: Inflate(-15),
    BZIP2: bz2.BZ2Decompressor,
    XZ: lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY),
    ZSTD: _Zstd,
}


def unpacked(
    pieces: Iterator[bytes] | Iterator[memoryview], kind: str, budget: Budget
) -> Iterator[bytes]:
    """Decompress streams that follow each other; zeros between and after are padding.

    Raises:
        UnreadableError: they are damaged, end early, or need too much memory.
        ExpandedError: more comes out than the budget has.
    """
    new = _DECODERS[kind]
    decoder: _Decoder | None = None
    for data in _slices(pieces):
        rest = data
        while True:
            if decoder is None:
                rest = rest.lstrip(b"\0")
                if not rest:
                    break
                decoder = new()
            piece = _step(decoder, rest)
            budget.take(len(piece))
            if piece:
                yield piece
            rest = b""
            if decoder.eof:
                rest, decoder = decoder.unused_data, None
            elif decoder.needs_input:
                break
    if decoder is not None:
        raise UnreadableError("the compressed data end early; fetch the file again")


def _slices(pieces: Iterator[bytes] | Iterator[memoryview]) -> Iterator[bytes]:
    for piece in pieces:
        for start in range(0, len(piece), SLICE):
            yield bytes(piece[start : start + SLICE])


def _step(decoder: _Decoder, data: bytes) -> bytes:
    try:
        return decoder.decompress(data, PIECE)
    except (
        zlib.error,
        lzma.LZMAError,
        zstandard.ZstdError,
        OSError,
        EOFError,
        ValueError,
    ) as error:
        raise UnreadableError(
            f"the compressed data are damaged ({error}); fetch the file again"
        ) from None


# -- tars ------------------------------------------------------------------------------


@attrs.define
class Member:
    """One entry of a tar. Whoever takes it reads its content before the next."""

    name: bytes
    """Its path."""
    said: list[bytes]
    """What else its headers say: a link's target, extensions."""
    content: Iterator[bytes]
    """Its content; nothing for a folder, link or device."""


def tar_members(stream: Stream) -> Iterator[Member]:
    """Yield the entries of a tar, and of those that follow it in the same stream.

    Raises:
        UnreadableError: a header is damaged, or the tar ends early.
    """
    while True:
        said: list[bytes] = []
        fields = _fields(stream, said)
        if fields is None:
            return
        name, size = fields
        content = (bytes(piece) for piece in stream.pieces(size))
        yield Member(name=name, said=said, content=content)
        for _ in content:  # what was not read
            pass
        _pass_over(stream, -size % BLOCK)


def _fields(stream: Stream, said: list[bytes]) -> tuple[bytes, int] | None:
    """Read the next entry's name and size, and what its headers say; None at the end."""
    extra: dict[str, bytes] = {}
    while True:
        block = _next_block(stream)
        if block is None:
            return None
        kind, size = block[156], _number(block[124:136])
        if kind in b"xgLK":
            extra |= _extension(stream, kind, size, said)
            continue
        if kind in b"S":
            more = block[482]
            while more:
                more = stream.read(BLOCK)[504]
        link = extra.get("linkpath", _word(block[157:257]))
        said += [link] if link else []
        name = extra.get("GNU.sparse.name") or extra.get("path") or _name(block)
        if "size" in extra:
            size = int(extra["size"]) if extra["size"].isdigit() else -1
        if kind in _NO_CONTENT:
            size = 0
        if size < 0:
            raise UnreadableError("a tar header is damaged; unpack it and search that")
        return name, size


def _next_block(stream: Stream) -> bytes | None:
    """Return the next header; zeros, which end a tar, may have another tar behind them."""
    while True:
        if not stream.peek(1):
            return None
        block = stream.read(BLOCK)
        if block == _ZEROS:
            continue
        if archives.kind_of(block) != "tar":
            raise UnreadableError(
                "a tar header is damaged, or something else comes after the tar's end; "
                "unpack it and search that"
            )
        return block


def _extension(
    stream: Stream, kind: int, size: int, said: list[bytes]
) -> dict[str, bytes]:
    if not 0 <= size <= _LONGEST_EXTENSION:
        raise UnreadableError(
            f"a tar's extension header has over {_LONGEST_EXTENSION} bytes; unpack it and search that"
        )
    data = stream.read(size)
    _pass_over(stream, -size % BLOCK)
    said.append(data)
    if kind in b"L":
        return {"path": data.rstrip(b"\0")}
    if kind in b"K":
        return {"linkpath": data.rstrip(b"\0")}
    return _records(data) if kind in b"x" else {}


def _records(data: bytes) -> dict[str, bytes]:
    """Read the pax records that say where and how long a member is."""
    found, place = {}, 0
    while place < len(data):
        space = data.find(b" ", place, place + 8)
        length = data[place:space] if space > place else b""
        if not length.isdigit() or int(length) <= len(length):
            break
        record = data[place : place + int(length)]
        if known := _PAX_RECORD.match(record):
            found[known[2].decode()] = record[known.end() : -1]
        place += int(length)
    return found


def _pass_over(stream: Stream, count: int) -> None:
    for _ in stream.pieces(count):
        pass


def _name(block: bytes) -> bytes:
    name, prefix = _word(block[:100]), _word(block[345:500])
    return prefix + b"/" + name if prefix and block[257:263] == b"ustar\0" else name


def _word(field: bytes) -> bytes:
    return field.partition(b"\0")[0]


def _number(field: bytes) -> int:
    """Read an octal number, or a binary one as GNU's tar writes it; -1 for neither."""
    if field[0] == 0x80:  # noqa: PLR2004  # the mark of a positive binary number
        return int.from_bytes(field[1:])
    text = field.strip(b" \0")
    return (
        int(text, 8)
        if re.fullmatch(rb"[0-7]*", text) and text
        else 0
        if not text
        else -1
    )
