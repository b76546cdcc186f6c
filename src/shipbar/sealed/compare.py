"""Judges one answer against one expectation.

Equality is Python's own `==`, as the suite's assertion says, applied to plain
data that the judge decoded itself: nothing of the candidate takes part (D1,
D2). So `1 == 1.0 == True` holds as it does under stock pytest; a number never
equals a text, and nothing is stripped, folded or coerced (D06, D09, D11). NaN
equals nothing (D08). What is no plain data equals nothing.

Exceptions are judged by the names in their MRO that the suite ever expects.
What may be raised where class E is expected: E, or a class that the reference
derives from E, with just the ancestors that it has in the reference. A class
that inherits from every error at once has some that it must not (D07).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import attrs

from shipbar.sealed.codec import Member, check_hashes

NUMBERS = (int, float, complex, Decimal, Fraction)
DEFAULT_REL = "1e-6"
DEFAULT_ABS = "1e-12"
"""As `pytest.approx` documents them; text, since a Decimal takes them exactly."""


@attrs.frozen(kw_only=True)
class Equals:
    """`assert EXPR == LITERAL`."""

    value: Any
    """Plain data."""


@attrs.frozen(kw_only=True)
class Is:
    """`assert EXPR is LITERAL`, for True, False and None."""

    value: bool | None
    """The one object that will do."""


@attrs.frozen(kw_only=True)
class Approx:
    """`assert EXPR == approx(LITERAL)`."""

    value: Any
    """A number, or a list, tuple or dict of numbers, never nested."""
    rel: float | None = None
    """Relative tolerance; None is the default."""
    abs: float | None = None
    """Absolute tolerance; None is the default."""


@attrs.frozen(kw_only=True)
class Raises:
    """`with raises(E): EXPR`."""

    error: str
    """The class's public name, or `builtins.Name`."""
    lineages: frozenset[frozenset[str]]
    """For E and for each class that the reference derives from it: those names
    in its MRO that the suite ever expects."""
    known: frozenset[str]
    """All names that the suite ever expects."""


Expectation = Equals | Is | Approx | Raises


def lineages(
    error: str, ancestors: Mapping[str, Sequence[str]]
) -> frozenset[frozenset[str]]:
    """Return what `Raises.lineages` holds for ``error``.

    Args:
        error: a key of ``ancestors``.
        ancestors: for every class that the suite expects, the names in its MRO
            after itself.
    """
    return frozenset(
        frozenset({name, *above}.intersection(ancestors))
        for name, above in ancestors.items()
        if name == error or error in above
    )


def raised_as_expected(expected: Raises, names: Sequence[str]) -> bool:
    """Whether an exception with these names in its MRO is the expected one."""
    seen = expected.known.intersection(names)
    return expected.error in seen and seen in expected.lineages


def value_as_expected(expected: Equals | Is | Approx, value: object) -> bool:
    """Whether a decoded value is the expected one."""
    if isinstance(expected, Is):
        return value is expected.value
    if isinstance(expected, Equals):
        return equal(expected.value, value)
    return approximately(expected, value)


def equal(expected: object, value: object) -> bool:
    """Python's `==` on plain data; what cannot be compared is unequal."""
    try:
        if expected == value:
            return True
        if all(member.base is None for member in _members(value)):
            return False
        named = frozenset(_members(expected))
        return bool(expected == _keyed_by_base(value, named))
    except (TypeError, ValueError, ArithmeticError, RecursionError):
        return False


def _members(value: object) -> Iterator[Member]:
    """Every Enum member in ``value``."""
    if isinstance(value, Member):
        yield value
    elif isinstance(value, dict):
        yield from _members([*value.keys(), *value.values()])
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _members(item)


def _keyed_by_base(value: Any, named: frozenset[Member]) -> Any:  # noqa: ANN401
    """Put its base in the place of a member, which Python's IntEnum and StrEnum hash as.

    Without that ``{1: "a"}`` would not equal a dict whose key is an IntEnum's 1. The
    members in ``named`` stay: a literal has a member's name only, not its base.
    """
    if isinstance(value, Member):
        return value if value in named or value.base is None else value.base
    if isinstance(value, dict):
        pairs = [
            (_keyed_by_base(key, named), _keyed_by_base(item, named))
            for key, item in value.items()
        ]
        check_hashes(key for key, _ in pairs)
        return dict(pairs)
    if isinstance(value, list | tuple | set | frozenset):
        items = [_keyed_by_base(item, named) for item in value]
        if isinstance(value, set | frozenset):
            check_hashes(items)
        return type(value)(items)
    return value


def approximately(expected: Approx, value: object) -> bool:
    """As `pytest.approx` compares, on plain data."""
    try:
        return _near(expected, expected.value, value)
    except (TypeError, ValueError, ArithmeticError):
        return False


def _near(how: Approx, expected: Any, value: Any) -> bool:  # noqa: ANN401
    if isinstance(expected, dict):
        return (
            isinstance(value, dict)
            and expected.keys() == value.keys()
            and all(
                _number_near(how, item, value[key]) for key, item in expected.items()
            )
        )
    if isinstance(expected, list | tuple):
        return (
            isinstance(value, list | tuple)
            and len(expected) == len(value)
            and all(
                _number_near(how, *pair) for pair in zip(expected, value, strict=True)
            )
        )
    return _number_near(how, expected, value)


def _number_near(how: Approx, expected: Any, value: Any) -> bool:  # noqa: ANN401
    if isinstance(value, Member):
        value = value.base
    if expected == value:
        return True
    if not isinstance(value, NUMBERS) or not _is_finite(expected):
        return False
    return bool(abs(expected - value) <= _tolerance(how, expected))


def _is_finite(number: Any) -> bool:  # noqa: ANN401
    # A Decimal may be finite and yet more than a float can hold.
    return (
        number.is_finite()
        if isinstance(number, Decimal)
        else math.isfinite(abs(number))
    )


def _tolerance(how: Approx, expected: Any) -> Any:  # noqa: ANN401
    exact = isinstance(expected, Decimal)
    number = Decimal if exact else _as_it_is
    default = Decimal if exact else float
    least = default(DEFAULT_ABS) if how.abs is None else number(how.abs)
    if how.rel is None and how.abs is not None:
        return least
    part = default(DEFAULT_REL) if how.rel is None else number(how.rel)
    return max(part * abs(expected), least)


def _as_it_is(number: Any) -> Any:  # noqa: ANN401
    return number
