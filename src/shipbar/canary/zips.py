"""Reads zips, wheels and whatever else is one, by their directory and with every bound.

The directory is read a piece at a time, so that memory does not grow with it. Entries may
share data, as a bomb's do: each is counted as often as it comes. What is stored or
deflated or packed with bzip2 is read; other methods and encrypted entries are named.
"""

import struct
import zlib
from collections.abc import Callable, Iterator

import attrs

from shipbar.canary.packed import BZIP2, RAW, Budget, UnreadableError, unpacked

ReadAt = Callable[[int, int], bytes]
"""Returns so many bytes from an offset on, or fewer at the end."""

END = b"PK\5\6"
END_SIZE = 22
_LONGEST_COMMENT = 0xFFFF
_WINDOW = 1 << 16
_PIECE = 1 << 17
_ENTRY, _LOCAL = struct.Struct("<4s6H3I5H2I"), struct.Struct("<4s5H3I2H")
_END, _END64 = struct.Struct("<4s4H2IH"), struct.Struct("<4sQ2H2I4Q")
_LOCATOR = struct.Struct("<4sIQI")
_FULL = 0xFFFFFFFF
_STORED, _DEFLATED, _BZIP2 = 0, 8, 12
_METHODS = {
    9: "Deflate64",
    14: "LZMA",
    93: "Zstandard",
    95: "XZ",
    98: "PPMd",
    99: "AES",
}
_DAMAGED = "the zip is damaged, or only a part of one; fetch it again"


@attrs.frozen(kw_only=True)
class Entry:
    """One entry of the directory."""

    name: bytes
    """Its path."""
    said: bytes
    """Its extra fields and comment."""
    encrypted: bool
    """Whether a password is needed."""
    method: int
    """How it is packed."""
    crc: int
    """CRC-32 of its content."""
    packed: int
    """Bytes that it takes in the zip."""
    offset: int
    """Where its local header is."""


def entries(read_at: ReadAt, size: int) -> Iterator[Entry]:
    """Yield the entries of a zip that ends at ``size``.

    Raises:
        UnreadableError: there is no directory, or it is damaged.
    """
    start, length, shift = _directory(read_at, size)
    place, window, base = start, b"", start
    while place < start + length:
        if place + _ENTRY.size > base + len(window):
            window, base = read_at(place, _WINDOW), place
        entry = _unpack(_ENTRY, window[place - base :], b"PK\1\2")
        head = _ENTRY.size
        tail = sum(entry[10:13])
        rest = window[place - base + head : place - base + head + tail]
        if len(rest) < tail:
            rest = read_at(place + head, tail)
        if len(rest) < tail:
            raise UnreadableError(_DAMAGED)
        yield _entry(entry, rest, shift)
        place += head + tail


def content(read_at: ReadAt, entry: Entry, budget: Budget) -> Iterator[bytes]:
    """Yield what an entry holds.

    Raises:
        UnreadableError: it is encrypted, packed in another way, or damaged.
        ExpandedError: more comes out than the budget has.
    """
    if entry.encrypted:
        raise UnreadableError("it is encrypted; unpack it with its password")
    if entry.method not in (_STORED, _DEFLATED, _BZIP2):
        how = _METHODS.get(entry.method, f"method {entry.method}")
        raise UnreadableError(f"it is packed by {how}; unpack it and search that")
    local = _unpack(_LOCAL, read_at(entry.offset, _LOCAL.size), b"PK\3\4")
    start = entry.offset + _LOCAL.size + local[9] + local[10]
    pieces = _range(read_at, start, entry.packed)
    if entry.method != _STORED:
        pieces = unpacked(pieces, RAW if entry.method == _DEFLATED else BZIP2, budget)
    crc = 0
    for piece in pieces:
        if entry.method == _STORED:
            budget.take(len(piece))
        crc = zlib.crc32(piece, crc)
        yield piece
    if crc != entry.crc:
        raise UnreadableError(f"its content is not what its checksum says; {_DAMAGED}")


def _range(read_at: ReadAt, start: int, length: int) -> Iterator[bytes]:
    place = start
    while place < start + length:
        piece = read_at(place, min(_PIECE, start + length - place))
        if not piece:
            raise UnreadableError(_DAMAGED)
        place += len(piece)
        yield piece


def _directory(read_at: ReadAt, size: int) -> tuple[int, int, int]:
    """Return where the directory starts, its length, and what was put before the zip."""
    tail_start = max(0, size - END_SIZE - _LONGEST_COMMENT)
    tail = read_at(tail_start, size - tail_start)
    place = tail.rfind(END)
    if place < 0:
        raise UnreadableError(f"it has no directory; {_DAMAGED}")
    fields = _unpack(_END, tail[place:], END)
    length, offset, end = fields[5], fields[6], tail_start + place
    if end >= _LOCATOR.size:
        locator = read_at(end - _LOCATOR.size, _LOCATOR.size)
        if locator.startswith(b"PK\6\7"):
            # Right before its locator, unless somebody extended it.
            end -= _LOCATOR.size + _END64.size
            wide = _unpack(_END64, read_at(max(end, 0), _END64.size), b"PK\6\6")
            length, offset = wide[8], wide[9]
    shift = end - length - offset
    if shift < 0:
        raise UnreadableError(_DAMAGED)
    return offset + shift, length, shift


def _entry(entry: tuple[int, ...], rest: bytes, shift: int) -> Entry:
    flags, method, crc = entry[3], entry[4], entry[7]
    names, extras = entry[10], entry[11]
    packed, offset = _wide(entry, rest[names : names + extras])
    return Entry(
        name=rest[:names],
        said=rest[names:],
        encrypted=bool(flags & 1),
        method=method,
        crc=crc,
        packed=packed,
        offset=offset + shift,
    )


def _wide(entry: tuple[int, ...], extra: bytes) -> tuple[int, int]:
    """Return the packed size and the offset, which the extra field may have in full."""
    packed, plain, offset = entry[8], entry[9], entry[16]
    while len(extra) >= 4:  # noqa: PLR2004  # the head of a field
        kind, length = struct.unpack("<2H", extra[:4])
        if kind == 1:
            numbers = [
                it[0] for it in struct.iter_unpack("<Q", extra[4 : 4 + length // 8 * 8])
            ]
            # Only those are there that do not fit, in this order.
            numbers = numbers[1:] if plain == _FULL else numbers
            if packed == _FULL and numbers:
                packed, *numbers = numbers
            if offset == _FULL and numbers:
                offset = numbers[0]
        extra = extra[4 + length :]
    return packed, offset


def _unpack(form: struct.Struct, data: bytes, mark: bytes) -> tuple[int, ...]:
    if len(data) < form.size or not data.startswith(mark):
        raise UnreadableError(_DAMAGED)
    return form.unpack_from(data)
