"""Decodes what a subject answers into plain data that the judge can compare.

Every byte is hostile. The decoder is total: it returns a value or raises
`DecodeError`, in bounded time and memory, and never runs anything that the
subject sent (D12, D15, N02). It is JSON with a schema: lists whose first item
names a type. The writer's half is `shipbar/subject/encode.py`.

Bounds, and what each is for:

- `MAX_NODES` items in all and `MAX_DEPTH` levels: no deep or wide bombs;
- `MAX_ALIKE` entries of one set or dict may share a hash: hashes chosen to collide
  would cost the square of their number;
- `MAX_BITS`, `MAX_DIGITS` and `MAX_EXPONENT` for numbers: comparing a long one with a
  number of another type takes the square of its length.
"""

import datetime
import json
from collections import Counter
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

import attrs

MAX_DEPTH = 60
MAX_NODES = 25_000
MAX_ALIKE = 8
MAX_TEXT = 2_000_000
MAX_BITS = 50_000
MAX_DIGITS = 5_000
MAX_EXPONENT = 10_000


class DecodeError(ValueError):
    """The bytes are no encoded value."""


@attrs.frozen(eq=False)
class Opaque:
    """A value that is no plain data. It equals nothing, itself included in a literal."""

    what: str
    """The class's name, or why it could not be read."""

    def __eq__(self, other: object) -> bool:
        """Never equal."""
        return False

    def __hash__(self) -> int:
        """Each one on its own."""
        return id(self)


@attrs.frozen(eq=False)
class Member:
    """An Enum member, by name."""

    enum: str
    """The public name of its class."""
    name: str
    """Its own name."""
    base: Any = None
    """The value of its mixed-in built-in type (IntEnum, StrEnum); None without one."""

    def __eq__(self, other: object) -> bool:
        """By class and name; to anything else, as the mixed-in value."""
        if isinstance(other, Member):
            return (self.enum, self.name) == (other.enum, other.name)
        return self.base is not None and bool(self.base == other)

    def __hash__(self) -> int:
        """By name, as equality between members is."""
        return hash((self.enum, self.name))


def decode(payload: bytes) -> Any:  # noqa: ANN401  # plain data of any shape is the point
    """Return the value that ``payload`` encodes.

    Raises:
        DecodeError: it encodes none, or passes a bound.
    """
    try:
        node = _JSON.decode(payload.decode())
        return _Decoder().value(node, 0)
    except DecodeError:
        raise
    except (
        ValueError,
        TypeError,
        OverflowError,
        RecursionError,
        ArithmeticError,
        KeyError,
    ) as cause:
        raise DecodeError(f"{type(cause).__name__} while decoding") from cause


def decode_names(payload: bytes) -> tuple[str, ...]:
    """Return the class names of an exception's MRO.

    Raises:
        DecodeError: the payload is no list of strings.
    """
    value = decode(payload)
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise DecodeError("expected a list of names")
    return tuple(value)


def _refuse(text: str) -> None:
    raise DecodeError(f"a bare number {text[:20]!r}; floats come as hexadecimal text")


def _refuse_object(_pairs: object) -> None:
    raise DecodeError("an object; every item is a scalar or a list")


_JSON = json.JSONDecoder(
    parse_float=_refuse, parse_constant=_refuse, object_pairs_hook=_refuse_object
)


class _Decoder:
    """Decodes one answer; counts its items."""

    def __init__(self) -> None:
        self._nodes = 0

    def value(self, node: object, depth: int) -> Any:  # noqa: ANN401
        self._nodes += 1
        if self._nodes > MAX_NODES or depth > MAX_DEPTH:
            raise DecodeError("too many items or too deep")
        if node is None or isinstance(node, bool | int | str):
            return node
        if not isinstance(node, list) or not node or not isinstance(node[0], str):
            raise DecodeError("expected a list that starts with a type's name")
        tag, items = node[0], node[1:]
        if tag in _CONTAINERS:
            return _CONTAINERS[tag]([self.value(item, depth + 1) for item in items])
        if tag == "dict":
            return self._dict(items, depth)
        if tag == "enum":
            enum, name, base = items
            return Member(_text(enum), _text(name), self.value(base, depth + 1))
        if tag not in _SCALARS:
            raise DecodeError(f"no type named {tag[:20]!r}")
        return _SCALARS[tag](*items)

    def _dict(self, items: list[object], depth: int) -> dict[Any, Any]:
        pairs: list[tuple[Any, Any]] = []
        for pair in items:
            if not isinstance(pair, list) or len(pair) != 2:  # noqa: PLR2004  # key and value
                raise DecodeError("a dict's item is a pair")
            key, item = (self.value(half, depth + 1) for half in pair)
            pairs.append((key, item))
        check_hashes(key for key, _ in pairs)
        result = dict(pairs)
        if len(result) != len(pairs):
            raise DecodeError("a dict's keys differ")  # D10: none may count twice
        return result


def check_hashes(items: Iterable[Any]) -> None:
    """Refuse items to hash of which more share a hash than honest ones ever do.

    Raises:
        DecodeError: more than `MAX_ALIKE` do.
    """
    counted = Counter(map(hash, items))
    if counted and max(counted.values()) > MAX_ALIKE:
        raise DecodeError(f"more than {MAX_ALIKE} entries of one hash")


def _hashed(make: Callable[[list[Any]], Any]) -> Callable[[list[Any]], Any]:
    def build(items: list[Any]) -> object:
        check_hashes(items)
        result = make(items)
        if len(result) != len(items):
            raise DecodeError("a set's items differ")  # D10
        return result

    return build


def _text(item: object) -> str:
    if not isinstance(item, str) or len(item) > MAX_TEXT:
        raise DecodeError("expected text")
    return item


def _number(item: object) -> int:
    if type(item) is not int:
        raise DecodeError("expected a whole number")
    return item


_MAX_HEX = len("-0x") + MAX_BITS // 4


def _int(text: object) -> int:
    digits = _text(text)
    if not digits.lstrip("-").startswith("0x") or len(digits) > _MAX_HEX:
        raise DecodeError(f"expected hexadecimal of at most {MAX_BITS} bits")
    return int(digits, 16)


def _float(text: object) -> float:
    return float.fromhex(_text(text))


def _complex(real: object, imaginary: object) -> complex:
    return complex(_float(real), _float(imaginary))


def _bytes(text: object) -> bytes:
    return bytes.fromhex(_text(text))


def _range(start: object, stop: object, step: object) -> range:
    return range(_whole(start), _whole(stop), _whole(step))


def _whole(item: object) -> int:
    if isinstance(item, list) and item[:1] == ["int"]:
        return _int(*item[1:])
    return _number(item)


def _decimal(text: object) -> Decimal | Opaque:
    """Read a Decimal; one that arithmetic could not bear, or that raises when compared, is opaque."""
    digits = _text(text)
    if len(digits) > MAX_DIGITS:
        return Opaque("a decimal with too many digits")
    try:
        number = Decimal(digits)
    except InvalidOperation as cause:
        raise DecodeError("no decimal") from cause
    if number.is_snan() or (
        number.is_finite() and abs(number.adjusted()) > MAX_EXPONENT
    ):
        return Opaque("a decimal that cannot be compared")
    return number


def _fraction(numerator: object, denominator: object) -> Fraction | Opaque:
    if len(_text(numerator)) > MAX_DIGITS or len(_text(denominator)) > MAX_DIGITS:
        return Opaque("a fraction with too many digits")
    return Fraction(_int(numerator), _int(denominator))


def _timedelta(
    days: object, seconds: object, microseconds: object
) -> datetime.timedelta:
    return datetime.timedelta(_number(days), _number(seconds), _number(microseconds))


_CONTAINERS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": _hashed(set),
    "frozenset": _hashed(frozenset),
}
_SCALARS: dict[str, Callable[..., Any]] = {
    "opaque": lambda what: Opaque(_text(what)),
    "int": _int,
    "float": _float,
    "complex": _complex,
    "bytes": _bytes,
    "range": _range,
    "decimal": _decimal,
    "fraction": _fraction,
    "date": lambda text: datetime.date.fromisoformat(_text(text)),
    "time": lambda text: datetime.time.fromisoformat(_text(text)),
    "datetime": lambda text: datetime.datetime.fromisoformat(_text(text)),
    "timedelta": _timedelta,
}
