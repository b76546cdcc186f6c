"""Statements on one store, and the public names and chance that make them."""

import random
from collections.abc import Sequence

import attrs

from shipbar.building.family import Probe
from shipbar.building.names import Names

KEYS = (
    "ash",
    "bay",
    "elm",
    "fig",
    "fir",
    "gum",
    "ivy",
    "nut",
    "oak",
    "pea",
    "rue",
    "tea",
    "yam",
    "yew",
)


@attrs.define
class Script:
    """Statements on a store called `box`, and what makes them."""

    names: Names
    """The public names."""
    rng: random.Random
    """What draws."""
    lines: list[str] = attrs.Factory(list)
    """The statements so far."""

    def make(self, kind: str, capacity: int, *, span: int = 10, weigh: str = "") -> str:
        """Make a store; return the text that makes it."""
        words = [str(capacity)]
        if kind == "timed":
            self.lines.append("now = [0]")
            words += [str(span), "lambda: now[0]"]
        text = f"{self.names[kind]}({', '.join([*words, *([weigh] if weigh else [])])})"
        self.lines.append(f"box = {text}")
        return text

    def call(self, method: str, *args: object) -> str:
        """Return the text of a call on the store."""
        return f"box.{self.names[method]}({', '.join(map(repr, args))})"

    def do(self, method: str, *args: object) -> None:
        """Add a call on the store."""
        self.lines.append(self.call(method, *args))

    def guarded(self, method: str, *args: object) -> str:
        """Return the text of a call that may raise."""
        words = [f"box.{self.names[method]}", *map(repr, args)]
        return f"outcome({', '.join(words)})"

    def at(self, moment: int) -> None:
        """Set the clock."""
        self.lines.append(f"now[0] = {moment}")

    def put_all(self, keys: Sequence[str]) -> None:
        """Put a fresh value under each key."""
        for key in keys:
            self.do("put", key, self.value())

    def put_small(self, keys: Sequence[str], most: int) -> None:
        """Put a value of at least one and at most ``most`` under each key."""
        for key in keys:
            self.do("put", key, self.rng.randint(1, most))

    def value(self) -> int:
        """Draw a value."""
        return self.rng.randint(10, 99)

    def keys(self, count: int) -> list[str]:
        """Draw different keys."""
        return self.rng.sample(KEYS, count)

    def ask(self, axis: str, *expressions: str) -> Probe:
        """Return a probe for one expression, or for the list of several."""
        text = (
            expressions[0] if len(expressions) == 1 else f"[{', '.join(expressions)}]"
        )
        return Probe(axis, text, "\n".join(self.lines))

    @property
    def pairs(self) -> str:
        """The text that asks for all pairs."""
        return self.call("pairs")
