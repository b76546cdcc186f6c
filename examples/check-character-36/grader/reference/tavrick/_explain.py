"""How the mark of a text comes about."""

from typing import TypedDict

from tavrick._marks import mark_of, states_of
from tavrick._symbols import symbols_of, values_of
from tavrick._tags import split


class Working(TypedDict):
    """What `explain` returns."""

    payload: str
    """The symbols before the mark."""
    values: list[int]
    """Their values."""
    states: list[int]
    """The states of the first pass; one more than there are values."""
    expected: str
    """The mark that belongs to the payload."""
    found: str
    """The mark that the text has."""
    good: bool
    """Whether the two are the same."""


def explain(text: str) -> Working:
    """Return how the mark of a text comes about, be the mark good or not.

    Raises:
        TypeError: `text` is not a string.
        LayoutFault: a character cannot stand where it is.
        LengthFault: no tag has that many symbols.
    """
    payload, found = split(symbols_of(text))
    expected = mark_of(payload)
    return Working(
        payload=payload,
        values=values_of(payload),
        states=states_of(payload),
        expected=expected,
        found=found,
        good=expected == found,
    )
