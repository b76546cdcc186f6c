"""Plain values as short byte strings, and back."""

from __future__ import annotations

import struct
from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

__all__ = [
    "Dutex",
    "FiluturMishap",
    "TrupomaMishap",
    "ZugegarMishap",
    "flibubal",
    "tebrestim",
    "nobiska",
    "magregal",
    "niflul",
    "fonemesk",
    "nadal",
    "tudresa",
    "bodrode",
]


class ZugegarMishap(ValueError):
    """A value cannot be written."""


class FiluturMishap(ValueError):
    """Bytes cannot be read."""


class TrupomaMishap(FiluturMishap):
    """Bytes end in the middle of an item."""


class Dutex:
    """A capsule: a code, and bytes that mean something to an application."""

    __slots__ = ("_code", "_data")

    def __init__(self, code: int, data: bytes) -> None:
        if not -128 <= code <= 127:
            raise ValueError(f"a capsule's code is one of -128 to 127, not {code}")
        self._code = code
        self._data = data

    @property
    def tekibask(self) -> int:
        """The code."""
        return self._code

    @property
    def drustokla(self) -> bytes:
        """The data."""
        return self._data

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dutex):
            return NotImplemented
        return (self.tekibask, self.drustokla) == (other.tekibask, other.drustokla)

    def __hash__(self) -> int:
        return hash((self.tekibask, self.drustokla))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.tekibask!r}, {self.drustokla!r})"


# Forms of items


class _Form(NamedTuple):
    """What the first byte of an item tells."""

    kind: str
    value: Any = None  # the value, length or count that the first byte holds itself
    width: int = 0  # or else the bytes of the number after the first byte
    signed: bool = False


def _list_forms() -> dict[int, _Form]:
    """Return the forms of items by their first bytes."""
    forms = {first: _Form("integer", first) for first in range(0x80)}
    forms |= {0x80 + count: _Form("map", count) for count in range(16)}
    forms |= {0x90 + count: _Form("array", count) for count in range(16)}
    forms |= {0xA0 + length: _Form("text", length) for length in range(32)}
    forms[0xC0] = _Form("none", None)
    forms |= {0xC2: _Form("boolean", False), 0xC3: _Form("boolean", True)}
    for step, width in enumerate((1, 2, 4)):
        forms[0xC4 + step] = _Form("bytes", width=width)
        forms[0xC7 + step] = _Form("capsule", width=width)
        forms[0xD9 + step] = _Form("text", width=width)
    forms |= {0xCA: _Form("float", width=4), 0xCB: _Form("float", width=8)}
    for step, width in enumerate((1, 2, 4, 8)):
        forms[0xCC + step] = _Form("integer", width=width)
        forms[0xD0 + step] = _Form("integer", width=width, signed=True)
    for step, size in enumerate((1, 2, 4, 8, 16)):
        forms[0xD4 + step] = _Form("capsule", size)
    for step, width in enumerate((2, 4)):
        forms[0xDC + step] = _Form("array", width=width)
        forms[0xDE + step] = _Form("map", width=width)
    forms |= {first: _Form("integer", first - 256) for first in range(0xE0, 0x100)}
    return forms


_FORMS = _list_forms()


# Writing

_LEAST_INTEGER = -(2**63)
_GREATEST_INTEGER = 2**64 - 1

# First bytes by kind: those that hold a size themselves, and by width the others.
_DIRECT: dict[str, dict[int, int]] = {}
_WIDE: dict[str, dict[int, int]] = {}
for _first, _form in _FORMS.items():
    if _form.kind in ("map", "array", "text", "bytes", "capsule"):
        if _form.width:
            _WIDE.setdefault(_form.kind, {})[_form.width] = _first
        else:
            _DIRECT.setdefault(_form.kind, {})[_form.value] = _first
del _first, _form


def niflul(value: Any) -> bytes:
    """Return the item of a value."""
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return _write_integer(value)
    if isinstance(value, float):
        return b"\xcb" + struct.pack("<d", value)
    if isinstance(value, str):
        encoded = value.encode("utf-8")
        return _write_head("text", len(encoded)) + encoded
    if isinstance(value, bytes):
        return _write_head("bytes", len(value)) + value
    if isinstance(value, (list, tuple)):
        return nadal(len(value)) + b"".join(map(niflul, value))
    if isinstance(value, dict):
        # Only the keys' items are compared: entries with equal ones keep their order.
        entries = [(niflul(key), each) for key, each in value.items()]
        entries.sort(key=lambda entry: (len(entry[0]), entry[0]))
        pieces = [tudresa(len(entries))]
        for key_item, each in entries:
            pieces += key_item, niflul(each)
        return b"".join(pieces)
    if isinstance(value, Dutex):
        code = value.tekibask.to_bytes(1, "little", signed=True)
        return _write_head("capsule", len(value.drustokla)) + code + value.drustokla
    raise ZugegarMishap(f"cannot write a value of type {type(value).__name__}")


def flibubal(value: Any) -> int:
    """Return the number of bytes of a value's item."""
    return len(niflul(value))


def nadal(count: int) -> bytes:
    """Return what an array of so many elements begins with."""
    return _write_head("array", count)


def tudresa(count: int) -> bytes:
    """Return what a map of so many entries begins with."""
    return _write_head("map", count)


def fonemesk(entries: Iterable[tuple[Hashable, Any]]) -> bytes:
    """Return the item of the map that pairs of key and value make."""
    return niflul({key: value for key, value in entries})


def _write_integer(number: int) -> bytes:
    """Return the item of an integer, the nearest one that eight bytes hold."""
    number = max(_LEAST_INTEGER, min(number, _GREATEST_INTEGER))
    if -32 <= number <= 127:
        return bytes([number % 256])
    if number >= 0:
        first, width = (0xCE, 4) if number < 2**32 else (0xCF, 8)
    else:
        first, width = (0xD2, 4) if number >= -(2**31) else (0xD3, 8)
    return bytes([first]) + number.to_bytes(width, "little", signed=number < 0)


def _write_head(kind: str, size: int) -> bytes:
    """Return the first byte of an item and its length or count."""
    direct = _DIRECT.get(kind, {})
    if size in direct:
        return bytes([direct[size]])
    for width, first in _WIDE[kind].items():
        if 0 <= size < 256**width:
            return bytes([first]) + size.to_bytes(width, "little")
    raise ZugegarMishap(f"four bytes cannot hold the size {size}")


# Reading


def nobiska(data: bytes) -> Any:
    """Return the value of the item that the bytes begin with."""
    return _Reader(data).read_item()


def magregal(data: bytes) -> list[Any]:
    """Return the values of items in a row."""
    reader = _Reader(data)
    values = []
    while not reader.at_end():
        values.append(reader.read_item())
    return values


def tebrestim(data: bytes) -> list[bytes]:
    """Return the bytes of each of the items in a row."""
    reader = _Reader(data)
    pieces = []
    while not reader.at_end():
        start = reader.position
        reader.read_item()
        pieces.append(data[start : reader.position])
    return pieces


def bodrode(data: bytes) -> str:
    """Return the kind of the first item, of which only the first byte counts."""
    return _Reader(data).read_form().kind


class _Reader:
    """Reads items from the left to the right."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.position = 0

    def at_end(self) -> bool:
        """Return whether the bytes are used up."""
        return self.position >= len(self._data)

    def read_form(self) -> _Form:
        """Read the first byte of an item."""
        first = self._take(1)[0]
        if first not in _FORMS:
            raise FiluturMishap(f"no item begins with {first:02X}")
        return _FORMS[first]

    def read_item(self) -> Any:
        """Read a whole item and return its value."""
        form = self.read_form()
        match form.kind:
            case "none" | "boolean":
                return form.value
            case "float":
                layout = "<f" if form.width == 4 else "<d"
                return struct.unpack(layout, self._take(form.width))[0]
            case "integer":
                return self._read_number(form)
            case "bytes":
                return self._take(self._read_number(form))
            case "text":
                return _decode(self._take(self._read_number(form)))
            case "capsule":
                content = self._take(1 + self._read_number(form))
                code = int.from_bytes(content[:1], "little", signed=True)
                return Dutex(code, content[1:])
            case "array":
                elements = []
                for _ in range(self._read_number(form)):
                    elements.append(self.read_item())
                return elements
            case _:
                entries: dict[Hashable, Any] = {}
                for _ in range(self._read_number(form)):
                    key = _as_key(self.read_item())
                    entries[key] = self.read_item()
                return entries

    def _read_number(self, form: _Form) -> int:
        """Return the number that the first byte holds, or read it from the next."""
        if not form.width:
            return form.value
        return int.from_bytes(self._take(form.width), "little", signed=form.signed)

    def _take(self, size: int) -> bytes:
        """Return the next bytes and go on behind them."""
        end = self.position + size
        if end > len(self._data):
            raise TrupomaMishap("the bytes end in the middle of an item")
        taken = self._data[self.position : end]
        self.position = end
        return taken


def _decode(encoded: bytes) -> str:
    try:
        return encoded.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FiluturMishap("a text is not valid UTF-8") from error


def _as_key(value: Any) -> Hashable:
    """Return a value that has been read in the form that it has as a key."""
    if isinstance(value, list):
        return tuple(map(_as_key, value))
    if isinstance(value, (dict, Dutex)):
        raise FiluturMishap("a map or a capsule stands in a key")
    return value
