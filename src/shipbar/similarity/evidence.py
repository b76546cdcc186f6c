"""What is the same, side by side: greedy string tiling of two packages.

Tiles are found by the grams that count, so that base material is no evidence. The
longest match goes first, no symbol is in two tiles, and tiles with next to nothing
between them are shown as one region. A region says whether it is *verbatim* or
*renamed*: by then the score has been found, and this is for the reader.
"""

import heapq
import re
from collections import Counter
from collections.abc import Mapping, Sequence

import attrs

from shipbar.similarity.base import Base
from shipbar.similarity.fingerprints import (
    GRAM,
    TOKEN_GRAM,
    Fingerprint,
    Grams,
)
from shipbar.similarity.reading import Package
from shipbar.similarity.streams import Stream
from shipbar.verdict import SharedRegion

MOST_REGIONS = 10
"""Regions that are shown."""
GAP = 3
"""Symbols between two tiles up to which they are one region."""
_MOST_PLACES = 16
"""Places of one gram that are looked at: one that is everywhere is no evidence."""
_MOST_SEEDS = 200_000
_VERBATIM = 0.9
_WORD = re.compile(r"\w+")


@attrs.frozen(kw_only=True)
class Side:
    """One side of a region."""

    path: str
    """Of the file."""
    first: int
    """Its first line, from 1."""
    last: int
    """Its last line."""
    text: str = attrs.field(repr=False)
    """What stands there."""


@attrs.frozen(kw_only=True)
class Region:
    """A part of the candidate and the part of the source that it is like."""

    candidate: Side
    """In the candidate."""
    source: Side
    """In the source."""
    symbols: int
    """How many are the same."""
    verbatim: bool
    """Whether the words are the same too; else names were changed."""


@attrs.frozen(kw_only=True)
class _Tile:
    left: int
    right: int
    length: int


def regions(
    candidate: tuple[Fingerprint, Package],
    source: tuple[Fingerprint, Package],
    base: Base = Base(),  # noqa: B008  # a frozen value
) -> tuple[Region, ...]:
    """Return what is the same in both, the largest first; at most `MOST_REGIONS`."""
    found = _regions(
        _Both(candidate[0].streams, source[0].streams, GRAM, base.grams),
        _texts(candidate[1]),
        _texts(source[1]),
    )
    if not found:
        found = _regions(
            _Both(
                candidate[0].token_streams,
                source[0].token_streams,
                TOKEN_GRAM,
                base.tokens,
            ),
            _texts(candidate[1]),
            _texts(source[1]),
        )
    found.sort(key=lambda it: (-it.symbols, it.candidate.path, it.candidate.first))
    return tuple(found[:MOST_REGIONS])


class Places:
    """Where a source has each gram; made once, to find what many candidates share with it."""

    def __init__(self, source: Fingerprint, *, by_tokens: bool = False) -> None:
        """Lay out a source's trees, or its tokens."""
        self.by_tokens = by_tokens
        self.grams = source.tokens if by_tokens else source.grams
        streams = source.token_streams if by_tokens else source.streams
        self._width = TOKEN_GRAM if by_tokens else GRAM
        self._at: dict[bytes, list[int]] = {}
        start = 0
        for stream in streams:
            for place, gram in enumerate(stream.hashes(self._width), start):
                self._at.setdefault(gram, []).append(place)
            # Past the end, so that no run goes on from one file to the next.
            start += len(stream) + 1

    def longest(self, candidate: Fingerprint, base: Base) -> SharedRegion | None:
        """Return the longest run that both have, as a place in the candidate; None: there is none.

        It is a run of what counts: base material ends it.
        """
        own = candidate.tokens if self.by_tokens else candidate.grams
        shared = (own & self.grams) - (base.tokens if self.by_tokens else base.grams)
        streams = candidate.token_streams if self.by_tokens else candidate.streams
        best, where = 0, None
        for stream in streams if shared else ():
            length, place = self._run(stream.hashes(self._width), shared)
            if length > best:
                best, where = length, (stream, place)
        if where is None:
            return None
        stream, place = where
        symbols = best + self._width - 1
        lines = stream.lines[place : place + symbols]
        return SharedRegion(
            path=stream.path,
            first=min(lines),
            last=max(lines),
            symbols=symbols,
            share=round(symbols / sum(map(len, streams)), 4),
        )

    def _run(self, hashed: Sequence[bytes], shared: Grams) -> tuple[int, int]:
        """Return how many grams the longest run has, and where the first begins."""
        best = start = 0
        # The runs that end here, by the place in the source where each would go on.
        running: dict[int, int] = {}
        for place, gram in enumerate(hashed):
            if gram not in shared:
                if running:
                    running = {}
                continue
            running = {
                other + 1: running.get(other, 0) + 1
                for other in self._at[gram][:_MOST_PLACES]
            }
            length = max(running.values())
            if length > best:
                best, start = length, place - length + 1
        return best, start


class _Laid:
    """The streams of a package, one after the other, with a step between that matches nothing."""

    def __init__(self, streams: Sequence[Stream], width: int) -> None:
        self.hashed: list[bytes | None] = []
        self.places: list[tuple[str, int]] = []
        self.owner: list[int] = []
        for number, stream in enumerate(streams):
            hashed: list[bytes | None] = list(stream.hashes(width))
            self.hashed += hashed + [None] * (len(stream) - len(hashed))
            self.places += [(stream.path, line) for line in stream.lines]
            self.owner += [number] * len(stream)


class _Both:
    """Two packages laid out for tiling."""

    def __init__(
        self,
        left: Sequence[Stream],
        right: Sequence[Stream],
        width: int,
        base: frozenset[bytes],
    ) -> None:
        self.left, self.right = _Laid(left, width), _Laid(right, width)
        self.width, self._base = width, base

    def matches(self) -> list[_Tile]:
        """Return every match that cannot be made longer."""
        places: dict[bytes, list[int]] = {}
        for place, gram in enumerate(self.right.hashed):
            if gram is not None and gram not in self._base:
                places.setdefault(gram, []).append(place)
        # On a diagonal, neighbouring seeds are one longer match.
        diagonals: dict[int, list[int]] = {}
        seeds = 0
        for place, gram in enumerate(self.left.hashed):
            if gram is None:
                continue
            for other in places.get(gram, ())[:_MOST_PLACES]:
                diagonals.setdefault(other - place, []).append(place)
                seeds += 1
            if seeds >= _MOST_SEEDS:
                break
        found = []
        for shift, starts in diagonals.items():
            first = last = starts[0]
            for start in [*starts[1:], -1]:
                if start == last + 1:
                    last = start
                    continue
                found.append(
                    _Tile(
                        left=first,
                        right=first + shift,
                        length=last - first + self.width,
                    )
                )
                first = last = start
        return found

    def tiles(self) -> list[_Tile]:
        """Return tiles that share no symbol, chosen longest first."""
        heap = [(-it.length, it.left, it.right) for it in self.matches()]
        heapq.heapify(heap)
        taken_left, taken_right = (
            bytearray(len(self.left.places)),
            bytearray(len(self.right.places)),
        )
        chosen = []
        while heap:
            size, left, right = heapq.heappop(heap)
            length = -size
            free = _free(taken_left, taken_right, left, right, length)
            if free == [(0, length)]:
                taken_left[left : left + length] = b"\1" * length
                taken_right[right : right + length] = b"\1" * length
                chosen.append(_Tile(left=left, right=right, length=length))
                continue
            for start, end in free:
                if end - start >= self.width:
                    heapq.heappush(heap, (start - end, left + start, right + start))
        return chosen

    def merged(self) -> list[_Tile]:
        """Return the tiles, those next to each other on both sides as one."""
        out: list[_Tile] = []
        for tile in sorted(self.tiles(), key=lambda it: (it.left, it.right)):
            if out and self._joins(out[-1], tile):
                last = out.pop()
                length = tile.left + tile.length - last.left
                out.append(_Tile(left=last.left, right=last.right, length=length))
            else:
                out.append(tile)
        return out

    def _joins(self, one: _Tile, other: _Tile) -> bool:
        left = other.left - one.left - one.length
        right = other.right - one.right - one.length
        return (
            0 <= left <= GAP
            and 0 <= right <= GAP
            and self.left.owner[one.left] == self.left.owner[other.left]
            and self.right.owner[one.right] == self.right.owner[other.right]
        )


def _free(
    left_taken: bytearray, right_taken: bytearray, left: int, right: int, length: int
) -> list[tuple[int, int]]:
    """Return the parts of a match of which no symbol is taken, as offsets."""
    if not any(left_taken[left : left + length]) and not any(
        right_taken[right : right + length]
    ):
        return [(0, length)]
    parts: list[tuple[int, int]] = []
    start = -1
    for offset in range(length):
        taken = left_taken[left + offset] or right_taken[right + offset]
        if taken and start >= 0:
            parts.append((start, offset))
            start = -1
        elif not taken and start < 0:
            start = offset
    if start >= 0:
        parts.append((start, length))
    return parts


def _texts(package: Package) -> dict[str, list[str]]:
    return {
        file.path: file.data.decode("utf-8", "replace").split("\n")
        for file in package.files
    }


def _regions(
    both: _Both, left: Mapping[str, list[str]], right: Mapping[str, list[str]]
) -> list[Region]:
    out = []
    for tile in both.merged():
        candidate = _side(both.left, tile.left, tile.length, left)
        source = _side(both.right, tile.right, tile.length, right)
        out.append(
            Region(
                candidate=candidate,
                source=source,
                symbols=tile.length,
                verbatim=_alike(candidate.text, source.text) >= _VERBATIM,
            )
        )
    return out


def _side(laid: _Laid, start: int, length: int, texts: Mapping[str, list[str]]) -> Side:
    length = min(length, len(laid.places) - start)
    path = laid.places[start][0]
    lines = [line for _, line in laid.places[start : start + length]]
    first, last = min(lines), max(lines)
    return Side(
        path=path,
        first=first,
        last=last,
        text="\n".join(line.rstrip("\r") for line in texts[path][first - 1 : last]),
    )


def _alike(one: str, other: str) -> float:
    """Return the share of words that two texts have in common."""
    left, right = Counter(_WORD.findall(one)), Counter(_WORD.findall(other))
    return 2 * (left & right).total() / max(left.total() + right.total(), 1)
