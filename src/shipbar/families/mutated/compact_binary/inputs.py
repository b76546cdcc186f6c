"""Inputs of the compact binary format, and how questions about them are put.

Each axis has a stream of questions of its own: corner cases, then random ones
for ever. Most show their axis alone: sizes and first bytes do not depend on the
order of bytes, what is written and read back does not depend on widths, and keys
are listed without the count before them. Bytes are given in hexadecimal.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, cycle

import attrs

from shipbar.building.family import Probe
from shipbar.building.names import Names

WORDS = ["ash", "elm", "oak", "yew", "fir", "bay", "fig", "hop", "rye", "ivy", "x", ""]
ROUNDS = 240
"""Times that each stream is asked before all end."""


@attrs.frozen
class Stream:
    """Questions for one axis."""

    corners: Sequence[str]
    """Corner cases, written for any names."""
    makers: Sequence[Callable[[], str]]
    """What makes random questions, taken in turn."""


class Inputs:
    """Values that hardly any axis touches, and one variant's names to ask with."""

    def __init__(self, names: Names, rng: random.Random) -> None:
        """Keep names and chance."""
        self._names, self._rng = names, rng

    def ask(self, text: str, **parts: object) -> str:
        """Put names and parts into one question."""
        return text.format_map({**self._names, **parts})

    def choose(self, texts: Sequence[str], **parts: object) -> str:
        """Put names and parts into one of several questions."""
        return self.ask(self._rng.choice(texts), **parts)

    def plain(self) -> object:
        """A value that is written in one way only."""
        rng = self._rng
        return rng.choice([rng.randrange(128), rng.choice(WORDS), None, True, False])

    def key(self) -> object:
        """A key that is written in one way only."""
        return self._rng.choice([self._rng.randrange(128), self._rng.choice(WORDS)])

    def plain_item(self) -> str:
        """An item of one or a few bytes, in hexadecimal."""
        rng = self._rng
        text = rng.choice(WORDS).encode()
        return rng.choice(
            [
                f"{rng.randrange(128):02x}",
                rng.choice(["c0", "c2", "c3"]),
                f"{0xA0 + len(text):02x}{text.hex()}",
            ]
        )

    def probes(self, streams: Mapping[str, Stream]) -> Iterator[Probe]:
        """Yield probes, one of each stream in turn."""
        running = {
            axis: chain(
                map(self.ask, stream.corners),
                (make() for make in cycle(stream.makers)),
            )
            for axis, stream in streams.items()
        }
        for _ in range(ROUNDS):
            for axis, questions in running.items():
                yield Probe(axis, next(questions))
