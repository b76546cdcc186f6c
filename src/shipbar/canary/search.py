"""Searches a stream of bytes for canaries, at the speed of `bytes.find`.

- Memory is flat: what was searched is let go, but for so much as a match could reach
  back into. Each match is reported once, however the stream is cut.
- A piece is made lower-case and searched for one word, which hardly any text holds; the
  pattern is tried only there. Letters as escapes, and UTF-16, are looked for where a piece
  can hold them at all.
"""

import re
from collections.abc import Callable, Iterator, Mapping

import attrs

from shipbar.canary import forms

PIECE = 1 << 20
"""Bytes that are searched at a time."""


@attrs.frozen(kw_only=True)
class Hit:
    """One canary in a stream."""

    canary: str
    """The canary, as its maker writes it."""
    offset: int
    """Bytes before it."""
    line: int
    """The line on which it begins, from 1; 0 where lines are not counted."""
    exact: bool
    """Whether it stands there byte for byte, and not escaped, split or in other letters."""


class Searcher:
    """Takes a stream piece by piece and reports what is in it."""

    def __init__(
        self,
        needles: Mapping[bytes, str],
        take: Callable[[Hit], None],
        *,
        counts_lines: bool = True,
    ) -> None:
        """Start at the beginning of a stream.

        Args:
            needles: lower-case bytes to look for beside our form, each with its canary.
            take: called with each hit, in order of offset within a piece.
            counts_lines: whether hits say on which line they are, which costs a pass.
        """
        self._needles = needles
        self._take = take
        self._counts_lines = counts_lines
        self._held = bytearray()
        self._before = 0
        self._lines = 0

    def feed(self, piece: bytes | memoryview) -> None:
        """Take the next bytes."""
        self._held += piece
        if len(self._held) >= PIECE:
            self._search(len(self._held) - forms.LONGEST)

    def skip_to(self, offset: int) -> None:
        """Go on at ``offset``; between are zeros, which nothing can reach across."""
        if offset > self._before + len(self._held):
            self.finish()
            self._before = offset

    def finish(self) -> None:
        """Search what is held; what comes later stands apart from it."""
        if self._held:
            self._search(len(self._held))

    def _search(self, end: int) -> None:
        """Report what begins before ``end``, then let that go."""
        low = self._held.lower()
        hits = {start: hit for start, hit in self._hits(low, self._held) if start < end}
        counted = 0
        for start in sorted(hits):
            line = 0
            if self._counts_lines:
                self._lines += self._held.count(b"\n", counted, start)
                line, counted = self._lines + 1, start
            self._take(
                attrs.evolve(hits[start], offset=self._before + start, line=line)
            )
        if self._counts_lines:
            self._lines += self._held.count(b"\n", counted, end)
        del self._held[:end]
        self._before += end

    def _hits(self, low: bytearray, raw: bytearray) -> Iterator[tuple[int, Hit]]:
        for match in _matches(low):
            text = forms.as_text(match[1])
            yield match.start(), _hit(text, raw[match.start() : match.end()])
        for needle, text in self._needles.items():
            for start in _places(low, needle):
                yield start, _hit(text, raw[start : start + len(needle)])


def _hit(text: str, found: bytearray) -> Hit:
    exact = found == text.encode("utf-8", "surrogatepass")
    return Hit(canary=text, offset=0, line=0, exact=exact)


def _matches(low: bytearray) -> Iterator[re.Match[bytes]]:
    match = forms.PATTERN.match
    for start in _places(low, forms.ANCHOR):
        if found := match(low, start):
            yield found
    if 0 in low:
        for start in _places(low, forms.WIDE_ANCHOR):
            if found := match(low, start):
                yield found
    done = 0
    while escape := forms.ESCAPED.search(low, done):
        place = escape.start()
        begin, done = max(done, place - forms.LEAD), place + forms.LEAD
        for first in forms.FIRST.finditer(low, begin, done):
            if found := match(low, first.start()):
                yield found


def _places(low: bytearray, needle: bytes) -> Iterator[int]:
    find, place = low.find, low.find(needle)
    while place >= 0:
        yield place
        place = find(needle, place + 1)
