"""Turns a value into plain data: JSON text in which a list's first item names a type.

Values are read by their built-in type, through that type's own slots, so that
an honest subclass is read by value and a lying one gains nothing. What is no
built-in type, too deep or too large is *opaque*: it equals no literal.
"""

from __future__ import annotations

import sys
from _json import encode_basestring_ascii

TYPE_CHECKING = False  # as typing's, without what importing it costs
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

quote: Callable[[str], str] = encode_basestring_ascii

MAX_DEPTH = 50
MAX_NODES = 20_000
MAX_TEXT = 1_000_000
MAX_BITS = 50_000
PLAIN_INT = 1 << 53

_mro = type.__dict__["__mro__"].__get__


class TooMuch(Exception):  # noqa: N818  # it is control flow, not a fault
    """The value passes a bound."""


class Encoder:
    """Encodes values; knows the public names of the package's classes."""

    def __init__(self, names: Callable[[type], str]) -> None:
        """Take ``names``: a function from a class to the name it goes by."""
        self._name_of = names
        self._nodes = 0

    def encode(self, value: object) -> str:
        """Return JSON text for ``value``; never raise for what a value does."""
        self._nodes = 0
        try:
            return self._any(value, 0)
        except TooMuch:
            return '["opaque","too large"]'
        except Exception:  # a value that cannot be read equals nothing
            return '["opaque","unreadable"]'

    def _any(self, value: Any, depth: int) -> str:
        self._nodes += 1
        if depth > MAX_DEPTH or self._nodes > MAX_NODES:
            raise TooMuch
        if value is None:
            return "null"
        if value is True:
            return "true"
        if value is False:
            return "false"
        kind = type(value)
        enum = sys.modules.get("enum")
        if enum is not None and isinstance(kind, enum.EnumType):
            return self._enum(value, kind, depth)
        plain = self._plain(value, kind, depth)
        if plain is None:
            return '["opaque",' + quote(self._name_of(kind)) + "]"
        return plain

    def _plain(self, value: Any, kind: type, depth: int) -> str | None:
        """The value of its class's first base that is plain data; None without one."""
        for base in _mro(kind):
            write = BUILT_IN.get(base)
            if write is not None:
                return write(self, value, depth)
            library = self._library(base)
            if library is not None:
                return library(value)
        return None

    def _library(self, base: type) -> Callable[[Any], str] | None:
        """The writer for a standard-library class that the candidate has loaded."""
        found = LIBRARY.get((base.__module__, base.__name__))
        if (
            found is None
            or getattr(sys.modules.get(found[0]), base.__name__, None) is not base
        ):
            return None
        return found[1]

    def _enum(self, value: Any, kind: type, depth: int) -> str:
        base = self._plain(value, kind, depth) or "null"
        name = object.__getattribute__(value, "_name_")
        return (
            '["enum",'
            + quote(self._name_of(kind))
            + ","
            + quote(str(name))
            + ","
            + base
            + "]"
        )

    def _items(self, tag: str, items: Iterable[Any], depth: int) -> str:
        inner = depth + 1
        return (
            ",".join(['["' + tag + '"', *[self._any(item, inner) for item in items]])
            + "]"
        )

    def _int(self, value: Any, _depth: int) -> str:
        number = int.__index__(value)
        if -PLAIN_INT < number < PLAIN_INT:
            return str(number)
        if number.bit_length() > MAX_BITS:
            raise TooMuch
        return '["int","' + hex(number) + '"]'

    def _str(self, value: Any, _depth: int) -> str:
        if str.__len__(value) > MAX_TEXT:
            raise TooMuch
        return quote(str.__str__(value))

    def _float(self, value: Any, _depth: int) -> str:
        return '["float","' + float.hex(value) + '"]'

    def _complex(self, value: Any, _depth: int) -> str:
        number = complex.__complex__(value)
        return '["complex","' + number.real.hex() + '","' + number.imag.hex() + '"]'

    def _bytes(self, value: Any, _depth: int) -> str:
        base = bytes if isinstance(value, bytes) else bytearray
        if base.__len__(value) > MAX_TEXT:
            raise TooMuch
        return '["bytes","' + base.hex(value) + '"]'

    def _list(self, value: Any, depth: int) -> str:
        return self._items("list", list.__iter__(value), depth)

    def _tuple(self, value: Any, depth: int) -> str:
        return self._items("tuple", tuple.__iter__(value), depth)

    def _set(self, value: Any, depth: int) -> str:
        return self._items("set", set.__iter__(value), depth)

    def _frozenset(self, value: Any, depth: int) -> str:
        return self._items("frozenset", frozenset.__iter__(value), depth)

    def _dict(self, value: Any, depth: int) -> str:
        inner = depth + 1
        pairs = [
            "[" + self._any(key, inner) + "," + self._any(item, inner) + "]"
            for key, item in dict.items(value)
        ]
        return ",".join(['["dict"', *pairs]) + "]"

    def _range(self, value: Any, depth: int) -> str:
        return self._items("range", (value.start, value.stop, value.step), depth)


BUILT_IN: dict[type, Callable[[Encoder, Any, int], str]] = {
    int: Encoder._int,
    str: Encoder._str,
    float: Encoder._float,
    complex: Encoder._complex,
    bytes: Encoder._bytes,
    bytearray: Encoder._bytes,
    list: Encoder._list,
    tuple: Encoder._tuple,
    set: Encoder._set,
    frozenset: Encoder._frozenset,
    dict: Encoder._dict,
    range: Encoder._range,
}


def _decimal(value: Any) -> str:
    return '["decimal",' + quote(sys.modules["decimal"].Decimal.__str__(value)) + "]"


def _fraction(value: Any) -> str:
    return (
        '["fraction","' + hex(value._numerator) + '","' + hex(value._denominator) + '"]'
    )


def _timedelta(value: Any) -> str:
    return f'["timedelta",{value.days},{value.seconds},{value.microseconds}]'


def _moment(name: str) -> Callable[[Any], str]:
    def write(value: Any) -> str:
        cls = getattr(sys.modules["datetime"], name)
        return '["' + name + '",' + quote(cls.isoformat(value)) + "]"

    return write


LIBRARY: dict[tuple[str, str], tuple[str, Callable[[Any], str]]] = {
    ("decimal", "Decimal"): ("decimal", _decimal),
    ("fractions", "Fraction"): ("fractions", _fraction),
    ("datetime", "timedelta"): ("datetime", _timedelta),
    ("datetime", "datetime"): ("datetime", _moment("datetime")),
    ("datetime", "date"): ("datetime", _moment("date")),
    ("datetime", "time"): ("datetime", _moment("time")),
}
