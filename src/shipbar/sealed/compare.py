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
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import attrs

from shipbar.sealed.codec import Member, Opaque

DEFAULT_REL = 1e-6
DEFAULT_ABS = 1e-12
"""As `pytest.approx` documents them."""


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
    """A number, or a list, tuple or dict of numbers."""
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
        return bool(expected == value)
    except (TypeError, ValueError, ArithmeticError, RecursionError):
        return False


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
            and all(_near(how, item, value[key]) for key, item in expected.items())
        )
    if isinstance(expected, list | tuple):
        return (
            isinstance(value, list | tuple)
            and len(expected) == len(value)
            and all(_near(how, *pair) for pair in zip(expected, value, strict=True))
        )
    return _number_near(how, expected, value)


def _number_near(how: Approx, expected: Any, value: Any) -> bool:  # noqa: ANN401
    if isinstance(value, Member):
        value = value.base
    if (
        isinstance(expected, bool)
        or expected is None
        or isinstance(value, bool | str | Opaque)
        or value is None
    ):
        return type(expected) is type(value) and equal(expected, value)
    if expected == value:
        return True
    if not math.isfinite(abs(expected)) or not math.isfinite(abs(value)):
        return False
    return bool(abs(expected - value) <= _tolerance(how, expected))


def _tolerance(how: Approx, expected: Any) -> Any:  # noqa: ANN401
    number = Decimal if isinstance(expected, Decimal) else float
    least = number(str(how.abs if how.abs is not None else DEFAULT_ABS))
    if how.rel is None and how.abs is not None:
        return least
    return max(
        number(str(how.rel if how.rel is not None else DEFAULT_REL)) * abs(expected),
        least,
    )
