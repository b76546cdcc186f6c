"""Tells archives apart, and reads a tar as data, with every guard (H08, H01).

This reader and the one for wheels are our own and small. The standard library's are made to be lenient,
differ between Python versions, and have had holes in the very places that a hostile
archive aims at: endless headers, negative offsets, sizes that lie. What ours promise:

- Nothing is written, followed, executed or imported. Content goes to an `Admission`.
- Regular files and folders only. A tar's link counts as a copy of a regular file that
  came before it; any other link, and every device, FIFO and sparse file, is refused.
- A compressed tar is a stream, decompressed a piece at a time: what comes out is
  counted before it is looked at, and a decoder that asks for too much memory is refused.
- An archive is complete or refused: it has its end mark, and only zeros after it.
- Whatever is wrong, the error is IntakeError.
"""

import bz2
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Protocol

import attrs

from shipbar.errors import IntakeError
from shipbar.grading.admission import Admission, quoted, resolve

BLOCK = 512
PIECE = 1 << 17
"""Bytes that a decoder may return at a time."""

_ZEROS = bytes(BLOCK)
# Longer than it takes to tell them apart: a tar begins with a name, maybe PKG-INFO.
_GZIP, _XZ, _ZIP = b"\x1f\x8b", b"\xfd7zXZ\0", (b"PK\3\4", b"PK\5\6")
_BZIP2 = re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)")
# xz -9 needs 65 MiB to decode; a crafted header may ask for 4 GiB.
_XZ_MEMORY = 80 * 1024 * 1024
# Parallel compressors write many streams in one file, but not one for every few bytes.
_MAX_STREAMS = 4096
# Extension headers: longest, and how many before one member.
_PAX_SIZE = re.compile(rb"[0-9]{1,12}")
_LONGEST_EXTENSION, _MAX_EXTENSIONS = 64 * 1024, 8


def kind_of(head: bytes) -> str | None:
    """Tell `"tar"` or `"wheel"` by the first 512 bytes, never by a name."""
    if head.startswith(_ZIP):
        return "wheel"
    if _decoder_for(head):
        return "tar"
    is_header = len(head) == BLOCK and head != _ZEROS and _checksum_holds(head)
    return "tar" if is_header else None


# -- compressed streams --------------------------------------------------------------


class _Decoder(Protocol):
    """What bz2's and lzma's decompressors have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class Inflate:
    """zlib's decompressor with the interface of the other two."""

    def __init__(self, wbits: int = 31) -> None:
        """Take gzip, or what else ``wbits`` stands for with zlib."""
        self._zlib = zlib.decompressobj(wbits)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        """Whether the stream is at its end."""
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        """What follows that end."""
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """Return at most so many bytes more."""
        piece = self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)
        # A full piece may leave output behind even when all input is taken.
        self.needs_input = len(piece) < max_length
        return piece


def _decoder_for(head: bytes) -> Callable[[], _Decoder] | None:
    if head.startswith(_GZIP):
        return Inflate
    if _BZIP2.match(head):
        return bz2.BZ2Decompressor
    if head.startswith(_XZ):
        return lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
    return None


def _decoded(
    chunks: Iterator[bytes], new: Callable[[], _Decoder], where: str
) -> Iterator[bytes]:
    """Decompress streams that follow each other; zeros between and after are padding."""
    decoder: _Decoder | None = None
    streams = 0
    for chunk in chunks:
        rest = chunk
        while True:
            if decoder is None:
                rest = rest.lstrip(b"\0")
                if not rest:
                    break
                decoder, streams = new(), streams + 1
                if streams > _MAX_STREAMS:
                    raise IntakeError(f"{where}: more than {_MAX_STREAMS} streams")
            piece = _step(decoder, rest, where)
            yield piece
            rest = b""
            if decoder.eof:
                rest, decoder = decoder.unused_data, None
            elif decoder.needs_input:
                break
    if decoder is not None:
        raise IntakeError(
            f"{where}: the compressed stream ends early; hand it in again"
        )


def _step(decoder: _Decoder, data: bytes, where: str) -> bytes:
    """Decompress at most one piece."""
    try:
        return decoder.decompress(data, PIECE)
    except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError) as error:
        raise IntakeError(f"{where}: the archive is damaged: {error}") from None


class _Stream:
    """Hands out exact amounts of a stream whose length is capped."""

    def __init__(self, chunks: Iterator[bytes], cap: int, where: str) -> None:
        self._chunks = chunks
        self._left = cap
        self._cap = cap
        self._where = where
        self._chunk = memoryview(b"")

    def pieces(self, size: int) -> Iterator[memoryview]:
        """Yield `size` bytes in pieces; IntakeError if the stream ends before."""
        while size:
            if not self._chunk and not self._refill():
                raise IntakeError(f"{self._where}: the archive ends early")
            piece = self._chunk[:size]
            self._chunk = self._chunk[size:]
            size -= len(piece)
            yield piece

    def read(self, size: int) -> bytes:
        """Return `size` bytes, which the caller has compared with a cap."""
        return b"".join(self.pieces(size))

    def skip(self, size: int) -> None:
        """Pass over `size` bytes, keeping none."""
        for _ in self.pieces(size):
            pass

    def finish(self) -> None:
        """Read to the end, where checksums are; only zeros may come."""
        while self._chunk or self._refill():
            if bytes(self._chunk).strip(b"\0"):
                raise IntakeError(f"{self._where}: data after the archive's end mark")
            self._chunk = memoryview(b"")

    def _refill(self) -> bool:
        for chunk in self._chunks:
            self._left -= len(chunk)
            if self._left < 0:
                raise IntakeError(
                    f"{self._where}: more than {self._cap} bytes after decompression"
                )
            if chunk:
                self._chunk = memoryview(chunk)
                return True
        return False


# -- tar -----------------------------------------------------------------------------


@attrs.define
class _Header:
    """One tar header, after the extension headers in front of it."""

    kind: bytes
    name: bytes
    link: bytes
    size: int


def read_tar(first: bytes, rest: Iterator[bytes], admission: Admission) -> None:
    """Admit the members of a tar, plain or compressed by gzip, bzip2 or xz.

    `first` is the beginning of the file, a block or more; `rest` is what follows.
    Raises IntakeError.
    """
    where = admission.where
    chunks: Iterator[bytes] = chain([first], rest)
    if new := _decoder_for(first):
        chunks = _decoded(chunks, new, where)
    stream = _Stream(chunks, admission.caps.stream_bytes, where)
    for _ in range(admission.max_members):
        header = _next_header(stream, admission)
        if header is None:
            stream.finish()
            return
        _tar_member(header, stream, admission)
    raise IntakeError(f"{where}: too many members")


def _tar_member(header: _Header, stream: _Stream, admission: Admission) -> None:
    """Admit or refuse what one header announces."""
    name = header.name
    path = admission.path(name)
    folder = header.kind == b"5"
    if header.kind not in {b"0", b"1", b"2", b"5"}:
        raise admission.refusal(name, "not a regular file, folder or link")
    if header.kind != b"0" and header.size:
        raise admission.refusal(name, "only a regular file has content")
    padded = -(-header.size // BLOCK) * BLOCK
    if not path:
        if not folder:
            raise admission.refusal(name, "a file needs a name")
    elif admission.leaves_out(path, folder=folder):
        stream.skip(padded)
    elif folder:
        admission.folder(path)
    elif header.kind == b"0":
        admission.expect(path, header.size)
        admission.file(path, stream.read(padded)[: header.size])
    else:
        admission.file(path, _linked(header, path, admission))


def _linked(header: _Header, path: str, admission: Admission) -> bytes:
    """Return the content of the regular file that a link leads to (H01, H08)."""
    target = header.link.decode("utf-8", "backslashreplace")
    below = "" if header.kind == b"1" else path.rpartition("/")[0]
    aim = resolve(below, target)
    if aim is None:
        why = f"a link out of the submission, to {quoted(target)}"
        raise admission.refusal(path, why)
    if aim not in admission.files:
        why = f"a link to {quoted(target)}, which is no file that comes before it"
        raise admission.refusal(path, why)
    return admission.files[aim]


def _next_header(stream: _Stream, admission: Admission) -> _Header | None:
    """Read the next member's header and its extensions; None at the end mark."""
    extra: dict[str, bytes] = {}
    for _ in range(_MAX_EXTENSIONS):
        block = stream.read(BLOCK)
        if block == _ZEROS and not extra:
            return None
        header = _parse_header(block, admission)
        if header.kind not in {b"x", b"g", b"L", b"K"}:
            return _extended(header, extra, admission)
        shown = header.name
        if header.size > _LONGEST_EXTENSION:
            raise admission.refusal(
                shown, f"an extension header over {_LONGEST_EXTENSION} bytes"
            )
        data = stream.read(-(-header.size // BLOCK) * BLOCK)[: header.size]
        if header.kind in {b"x", b"g"}:
            try:
                records = _pax_records(data)
            except ValueError:
                raise admission.refusal(shown, "a damaged pax header") from None
            _check_pax(records, shown, admission, shared=header.kind == b"g")
            extra |= records if header.kind == b"x" else {}
        else:
            extra["path" if header.kind == b"L" else "linkpath"] = data.rstrip(b"\0")
    raise IntakeError(
        f"{admission.where}: {_MAX_EXTENSIONS} extension headers in a row"
    )


def _extended(
    header: _Header, extra: dict[str, bytes], admission: Admission
) -> _Header:
    """Apply what extension headers say about the member behind them."""
    header.name = extra.get("path", header.name)
    header.link = extra.get("linkpath", header.link)
    if "size" in extra:
        if not _PAX_SIZE.fullmatch(extra["size"]):
            raise admission.refusal(header.name, "a damaged size")
        header.size = int(extra["size"])
    return header


def _check_pax(
    records: dict[str, bytes], shown: bytes, admission: Admission, *, shared: bool
) -> None:
    """Refuse the records that would change what a member is."""
    if any(key.startswith("GNU.sparse.") for key in records):
        raise admission.refusal(shown, "a sparse file; store it whole")
    if shared and records.keys() & {"path", "linkpath", "size"}:
        raise admission.refusal(shown, "a global header that names or sizes members")


def _pax_records(data: bytes) -> dict[str, bytes]:
    """Parse records, each `LENGTH KEY=VALUE` and a line end; ValueError if they are not that."""
    records: dict[str, bytes] = {}
    at = 0
    while at < len(data):
        space = data.index(b" ", at, at + 8)
        length = data[at:space]
        end = at + (int(length) if length.isdigit() else 0)
        key, equals, value = data[space + 1 : end - 1].partition(b"=")
        if end <= space + 2 or data[end - 1 : end] != b"\n" or not equals:
            raise ValueError
        records[key.decode("utf-8", "backslashreplace")] = value
        at = end
    return records


def _parse_header(block: bytes, admission: Admission) -> _Header:
    """Parse one 512-byte header: v7, ustar, GNU or pax."""
    name = block[:100].split(b"\0", 1)[0]
    if not _checksum_holds(block):
        raise admission.refusal(name, "a damaged tar header")
    # Only POSIX headers have a prefix; GNU keeps times in its place.
    if block[257:263] == b"ustar\0" and (prefix := block[345:500].split(b"\0", 1)[0]):
        name = prefix + b"/" + name
    kind = block[156:157]
    if kind in {b"\0", b"7"}:
        kind = b"0"
    if kind == b"0" and name.endswith(b"/"):
        kind = b"5"  # how v7 marked folders
    size = _number(block[124:136])
    if size is None:
        raise admission.refusal(name, "a damaged size")
    link = block[157:257].split(b"\0", 1)[0]
    return _Header(kind, name, link, size)


def _number(field: bytes) -> int | None:
    """Read an octal or base-256 number; None if it is neither, or negative."""
    if field.startswith(b"\x80"):
        return int.from_bytes(field[1:], "big")
    text = field.strip(b" \0")
    if not text:
        return 0
    return int(text, 8) if all(byte in b"01234567" for byte in text) else None


def _checksum_holds(block: bytes) -> bool:
    """Say whether a header's sum is right, its own field counted as spaces."""
    stored = _number(block[148:156])
    return stored == sum(block) - sum(block[148:156]) + 8 * ord(" ")
