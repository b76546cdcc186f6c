"""A small package that has what disguises change, and questions that show what it does."""

from collections.abc import Mapping
from typing import Any

INIT = '''
"""Reads notes, and says what is in them."""

from .reading import Reader, words
from .sums import summary

__all__ = ["Reader", "summary", "words"]
'''

READING = '''
"""Notes as words."""

import re

_WORD = re.compile(r"[a-z]+")
_LONG = 4


def _is_long(word):
    return len(word) >= _LONG


def _kept(word, long_only):
    return _is_long(word) or not long_only


def words(text, *, long_only=False):
    """Return the words of a text."""
    found = _WORD.findall(text.lower())
    kept = [word for word in found if _kept(word, long_only)]
    return kept


def pairs(items):
    before = None
    for item in items:
        if before is not None:
            yield before, item
        before = item


class Reader:
    """Counts words."""

    most = 3

    def __init__(self, text):
        self.text = text
        self._counts = {}

    @property
    def counts(self):
        if not self._counts:
            for word in words(self.text):
                self._counts[word] = self._counts.get(word, 0) + 1
        return self._counts

    def top(self, least=1):
        if least < 1:
            raise ValueError(f"expected one or more, got {least!r}")
        ordered = sorted(self.counts, key=lambda it: (-self.counts[it], it))
        out = {word: self.counts[word] for word in ordered if self.counts[word] >= least}
        return list(out.items())[: self.most]

    def neighbours(self, word):
        seen = set()
        total = 0
        for left, right in pairs(words(self.text)):
            if left == word and right != word:
                seen.add(right)
                total += 1
            elif right == word and left != word:
                seen.add(left)
                total += 1
        return sorted(seen), total

    def between(self, low, high):
        return [it for it, n in self.counts.items() if low <= n <= high]
'''

SUMS = '''
"""Notes as numbers."""

from .reading import Reader


def _rounded(value):
    return round(value, 2)


def _share(part, whole):
    return part / whole


class _Span:
    def __init__(self, low, high):
        self.low, self.high = low, high


def _ends(span: _Span) -> list:
    first = last = 0
    match [span.low, span.high]:
        case [first, *rest] if rest:
            (last,) = rest
    rest = [first, last]
    return rest


def summary(text, short=False):
    reader = Reader(text)
    total = sum(reader.counts.values())
    if total == 0:
        return "nothing"
    longest = max(reader.counts, key=len)
    share = _share(len(reader.counts), total)
    rounded = _rounded(share)
    if short and not _ends(_Span(0, total))[1] > 100:
        line = f"{total} words"
    else:
        line = f"{total} words, {len(reader.counts)} of them different ({rounded:.2f}), longest {longest!r}"
    return line
'''

PACKAGE: Mapping[str, str] = {
    "notes/__init__.py": INIT,
    "notes/reading.py": READING,
    "notes/sums.py": SUMS,
}
TEXT = "The cat saw the dog, and the dog saw a bird; what the bird saw nobody knows"
QUESTIONS = (
    f"words({TEXT!r})",
    f"words({TEXT!r}, long_only=True)",
    f"Reader({TEXT!r}).top()",
    f"Reader({TEXT!r}).top(least=2)",
    f"Reader({TEXT!r}).neighbours('saw')",
    f"Reader({TEXT!r}).between(2, 3)",
    f"summary({TEXT!r})",
    f"summary({TEXT!r}, short=True)",
    "summary('')",
    "Reader('a').top(0)",
)


def answers(names: Mapping[str, Any]) -> list[str]:
    """Return what the package whose names these are says to each question."""
    said = []
    for question in QUESTIONS:
        try:
            said.append(repr(eval(question, dict(names))))
        except ValueError as cause:
            said.append(f"ValueError: {cause}")
    return said
