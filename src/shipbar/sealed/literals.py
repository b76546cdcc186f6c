"""Reads and writes the expected side of an assertion.

A literal is plain data that the judge can build without running anything of a
candidate: Python's own literals; calls of `Decimal`, `Fraction`, `date`,
`time`, `datetime`, `timedelta`, `timezone`, `range`, `set`, `frozenset`,
`float` and `complex` on literals; and an Enum member of the package, as
`Colour.RED`. Writing is the inverse, and gives the same text at every run.
"""

import ast
import cmath
import datetime
import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from shipbar.sealed.codec import Member, Opaque

ORIGINS: Mapping[str, Callable[..., Any]] = {
    "builtins.set": set,
    "builtins.frozenset": frozenset,
    "builtins.range": range,
    "builtins.float": float,
    "builtins.complex": complex,
    "builtins.bytes": bytes,
    "decimal.Decimal": Decimal,
    "fractions.Fraction": Fraction,
    "datetime.date": datetime.date,
    "datetime.time": datetime.time,
    "datetime.datetime": datetime.datetime,
    "datetime.timedelta": datetime.timedelta,
    "datetime.timezone": datetime.timezone,
}
"""Callables that may stand in a literal, by where they come from."""

MOST_BITS = 10_000
"""A longer whole number is written in hexadecimal: Python reads no more than 4,300
decimal digits."""
UTC_ORIGINS = ("datetime.timezone.utc", "datetime.UTC")


class LiteralError(ValueError):
    """The expression is no literal; the text says why."""


class Reader:
    """Reads literals; knows what a file's names mean."""

    def __init__(
        self,
        origin_of: Callable[[ast.expr], str | None],
        package: str,
        symbols: frozenset[str] | None = None,
    ) -> None:
        """Take what resolves names.

        Args:
            origin_of: from a name or dotted name to its origin (`decimal.Decimal`),
                None for one that is not imported.
            package: the import name of the package under test.
            symbols: its public symbols, of which an expected Enum must be one; None
                if they are not known.
        """
        self._origin_of, self._package, self._symbols = origin_of, package, symbols

    def read(self, node: ast.expr) -> Any:  # noqa: ANN401  # plain data of any shape is the point
        """Return the value of a literal expression.

        Raises:
            LiteralError: it is none.
        """
        value = self._value(node)
        if _has_nan(value):
            raise LiteralError(
                "NaN equals nothing, so this can never pass; assert `math.isnan(x) is True` instead"
            )
        if _has_zone(value):
            raise LiteralError(
                "a zone by itself is no plain data; assert its `utcoffset(None)` instead"
            )
        return value

    def _value(self, node: ast.expr) -> Any:  # noqa: ANN401, PLR0911  # a return a kind
        match node:
            case ast.Constant() if node.value is not Ellipsis:
                return node.value
            case ast.List():
                return [self._value(item) for item in node.elts]
            case ast.Tuple():
                return tuple(self._value(item) for item in node.elts)
            case ast.Set():
                return self._hashed(node, [self._value(item) for item in node.elts])
            case ast.Dict():
                return self._dict(node)
            case (
                ast.UnaryOp(op=ast.USub() | ast.UAdd())
                | ast.BinOp(op=ast.Add() | ast.Sub())
            ):
                return self._number(node)
            case ast.Call():
                return self._call(node)
            case ast.Attribute() | ast.Name():
                return self._named(node)
            case _:
                raise LiteralError(f"`{ast.unparse(node)}` is no literal")

    def _hashed(self, node: ast.expr, items: list[Any]) -> set[Any]:
        try:
            return set(items)
        except TypeError as cause:
            raise LiteralError(f"`{ast.unparse(node)}`: {cause}") from cause

    def _dict(self, node: ast.Dict) -> dict[Any, Any]:
        result = {}
        for key, item in zip(node.keys, node.values, strict=True):
            if key is None:
                raise LiteralError("`**` is no literal")
            try:
                result[self._value(key)] = self._value(item)
            except TypeError as cause:
                raise LiteralError(f"`{ast.unparse(key)}`: {cause}") from cause
        if len(result) != len(node.keys):
            raise LiteralError(f"`{ast.unparse(node)}` has a key twice")
        return result

    def _number(self, node: ast.UnaryOp | ast.BinOp) -> Any:  # noqa: ANN401
        """Signs, and the `+` of a complex number."""
        if isinstance(node, ast.UnaryOp):
            operand = self._value(node.operand)
            if isinstance(operand, bool) or not isinstance(
                operand, int | float | complex | Decimal | Fraction
            ):
                raise LiteralError(f"`{ast.unparse(node)}` is no literal")
            try:
                return -operand if isinstance(node.op, ast.USub) else +operand
            except ArithmeticError as cause:
                raise LiteralError(f"`{ast.unparse(node)}`: {cause}") from cause
        left, right = self._value(node.left), self._value(node.right)
        if type(left) not in (int, float) or type(right) is not complex:
            raise LiteralError(f"`{ast.unparse(node)}` is computed; write its value")
        try:
            return left + right if isinstance(node.op, ast.Add) else left - right
        except OverflowError as cause:
            raise LiteralError(f"`{ast.unparse(node)}`: {cause}") from cause

    def _call(self, node: ast.Call) -> Any:  # noqa: ANN401
        origin = self._origin_of(node.func)
        make = ORIGINS.get(origin or "")
        if make is None:
            raise LiteralError(
                f"`{ast.unparse(node.func)}` may not be called on the expected side; "
                f"known: {', '.join(sorted(name.removeprefix('builtins.') for name in ORIGINS))}"
            )
        if any(keyword.arg is None for keyword in node.keywords):
            raise LiteralError("`**` is no literal")
        arguments = [self._value(argument) for argument in node.args]
        named = {
            str(keyword.arg): self._value(keyword.value) for keyword in node.keywords
        }
        try:
            return make(*arguments, **named)
        except (TypeError, ValueError, ArithmeticError, MemoryError) as cause:
            raise LiteralError(f"`{ast.unparse(node)}`: {cause}") from cause

    def _named(self, node: ast.Attribute | ast.Name) -> Any:  # noqa: ANN401
        origin = self._origin_of(node)
        if origin in UTC_ORIGINS:
            return datetime.UTC
        if isinstance(node, ast.Attribute):
            owner = self._origin_of(node.value)
            if owner is not None and owner.startswith(self._package + "."):
                return self._member(owner.removeprefix(self._package + "."), node.attr)
        raise LiteralError(
            f"`{ast.unparse(node)}` is a name, not a literal: the expected side must be readable without running anything"
        )

    def _member(self, enum: str, name: str) -> Member:
        if self._symbols is not None and enum not in self._symbols:
            raise LiteralError(
                f"{enum} is none of the contract's public_symbols; an expected Enum must be, under that name"
            )
        return Member(enum, name)


def _has_zone(value: object) -> bool:
    if isinstance(value, dict):
        return any(_has_zone(item) for pair in value.items() for item in pair)
    if isinstance(value, list | tuple | set | frozenset):
        return any(_has_zone(item) for item in value)
    return isinstance(value, datetime.tzinfo)


def _has_nan(value: object) -> bool:
    if isinstance(value, float):
        return math.isnan(value)
    if isinstance(value, complex):
        return math.isnan(value.real) or math.isnan(value.imag)
    if isinstance(value, Decimal):
        return value.is_nan()
    if isinstance(value, dict):
        return any(_has_nan(item) for pair in value.items() for item in pair)
    if isinstance(value, list | tuple | set | frozenset):
        return any(_has_nan(item) for item in value)
    return False


class Writer:
    """Writes values as literals; collects what they need imported."""

    def __init__(self) -> None:
        """Start with nothing needed."""
        self.imports: set[tuple[str, str]] = set()
        """Pairs of module and name."""

    def write(self, value: object) -> str:
        """Return source text whose value equals ``value``.

        Raises:
            LiteralError: it is no plain data, or nothing equals it.
        """
        if isinstance(value, Opaque):
            raise LiteralError(
                f"{value.what} is no plain data; observe it through attributes or methods"
            )
        if _has_nan(value):
            raise LiteralError("NaN equals nothing; probe `math.isnan(x)` instead")
        return self._text(value)

    def _text(self, value: object) -> str:  # noqa: C901, PLR0911  # a return a kind
        if isinstance(value, Opaque):
            return self.write(value)
        if isinstance(value, list | tuple):
            return self._sequence(value)
        if isinstance(value, set | frozenset):
            return self._set(value)
        if isinstance(value, dict):
            return (
                "{"
                + ", ".join(
                    f"{self._text(k)}: {self._text(v)}" for k, v in value.items()
                )
                + "}"
            )
        if isinstance(value, Member):
            return f"{value.enum}.{value.name}"
        if isinstance(value, int | float | complex):
            return self._number(value)
        if isinstance(value, Decimal):
            return self._needs("decimal", "Decimal") + f'("{value}")'
        if isinstance(value, Fraction):
            return (
                self._needs("fractions", "Fraction")
                + f"({value.numerator}, {value.denominator})"
            )
        if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
            self._needs("datetime", "")
            return repr(value)
        if isinstance(value, str):
            return _quoted(value)
        return repr(value)

    def _number(self, value: complex) -> str:
        if isinstance(value, int):
            return hex(value) if value.bit_length() > MOST_BITS else repr(value)
        if cmath.isfinite(value):
            return repr(value)
        if isinstance(value, float):
            return f'float("{value}")'
        return f"complex({self._number(value.real)}, {self._number(value.imag)})"

    def _needs(self, module: str, name: str) -> str:
        self.imports.add((module, name))
        return name

    def _sequence(self, value: list[Any] | tuple[Any, ...]) -> str:
        inside = ", ".join(self._text(item) for item in value)
        if isinstance(value, list):
            return f"[{inside}]"
        return f"({inside},)" if len(value) == 1 else f"({inside})"

    def _set(self, value: set[Any] | frozenset[Any]) -> str:
        # Sorted by text: a set has no order, a file must have one.
        inside = (
            "{" + ", ".join(sorted(self._text(item) for item in value)) + "}"
            if value
            else ""
        )
        if isinstance(value, frozenset):
            return f"frozenset({inside})"
        return inside or "set()"


def _quoted(text: str) -> str:
    """Double quotes, as the formatter would have it."""
    shown = repr(text)
    if shown[0] == "'" and '"' not in shown:
        return '"' + shown[1:-1] + '"'
    return shown
