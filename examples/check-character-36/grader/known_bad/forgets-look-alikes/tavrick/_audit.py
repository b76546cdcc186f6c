"""Sorting a list of texts into good ones, repeats and faults."""

from collections.abc import Iterable
from typing import TypedDict

from tavrick._faults import LayoutFault, LengthFault, MarkFault
from tavrick._mend import mend
from tavrick._tags import Tag, read


class Findings(TypedDict):
    """What `audit` returns; positions count from 1."""

    good: list[str]
    """The written form of each tag, once, in the order of first appearance."""
    repeated: list[int]
    """Positions of the texts whose tag appeared before."""
    faults: dict[str, list[int]]
    """Positions of the texts that cannot be read, by the name of the fault."""
    mendable: list[int]
    """Positions of those that `mend` makes good."""


def audit(texts: Iterable[str]) -> Findings:
    """Return what is good and what is wrong in a list of texts.

    Raises:
        TypeError: `texts` is itself a string, or one of them is not.
    """
    if isinstance(texts, str):
        raise TypeError("expected an iterable of strings, got one string")
    findings = Findings(good=[], repeated=[], faults={}, mendable=[])
    seen: set[Tag] = set()
    for position, text in enumerate(texts, start=1):
        try:
            tag = read(text)
        except (LayoutFault, LengthFault, MarkFault) as fault:
            findings["faults"].setdefault(type(fault).__name__, []).append(position)
            if isinstance(fault, MarkFault) and _can_be_mended(text):
                findings["mendable"].append(position)
            continue
        if tag in seen:
            findings["repeated"].append(position)
            continue
        seen.add(tag)
        findings["good"].append(tag.text)
    return findings


def _can_be_mended(text: str) -> bool:
    try:
        mend(text)
    except MarkFault:
        return False
    return True
