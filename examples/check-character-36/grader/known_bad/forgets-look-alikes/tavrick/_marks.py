"""The mark of a payload.

A state starts at the length of the payload and takes in one value after
another; the mark symbol is the one that would bring it to zero. A long
payload gets a second symbol from a second pass, which runs backwards, with
another multiplier, over the payload and the first mark symbol.
"""

from collections.abc import Iterable
from itertools import accumulate

from tavrick._symbols import SYMBOLS, values_of

SHORT_PAYLOAD = 8
"""The longest payload, in symbols, whose mark is a single symbol."""

_FORWARD = 11
_BACKWARD = 23


def states_of(payload: str) -> list[int]:
    """Return the states of the first pass: the start, then one a symbol."""
    return _run(len(payload), values_of(payload), _FORWARD)


def mark_of(payload: str) -> str:
    """Return the mark of a payload: one symbol, or two for a long payload."""
    first = _closing_symbol(states_of(payload)[-1], _FORWARD)
    if len(payload) <= SHORT_PAYLOAD:
        return first
    backwards = reversed(values_of(payload + first))
    states = _run(len(payload), backwards, _BACKWARD)
    return first + _closing_symbol(states[-1], _BACKWARD)


def _run(start: int, values: Iterable[int], multiplier: int) -> list[int]:
    def step(state: int, value: int) -> int:
        return (multiplier * state + value) % len(SYMBOLS)

    return list(accumulate(values, step, initial=start))


def _closing_symbol(state: int, multiplier: int) -> str:
    return SYMBOLS[-multiplier * state % len(SYMBOLS)]
