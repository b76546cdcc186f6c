"""What inputs of this family are written with: keys, words, tags, sections.

Names of keys are no attributes of Python's types, and words hold no character that
is escaped, so that an input touches no rule but its own.
"""

import random
from collections.abc import Callable, Mapping

Asked = tuple[str, str]
"""An expression, and the arrange lines that it needs."""
Names = Mapping[str, str]
"""The public names by role."""
Generator = Callable[[Names, random.Random], Asked]
"""Makes one input for a rule."""

KEYS = ("ann", "bob", "cod", "dot", "elk", "fig", "gem", "hut", "ivy", "jug")
WORDS = ("oak", "tin", "fern", "moss", "reed", "clay", "dune", "silk", "barn", "flint")
MARKS = (("<%", "%>"), ("[", "]"), ("<<", ">>"), ("(|", "|)"), ("$", "$"), ("@@", "@"))
EMPTY = ("0", "''", "[]", "{}", "None", "False", "0.0", "()")
SHOWN = ("True", "False", "None", "0", "''", "[]", "{}", "12", "'oak'", "[1, 2]", "'0'")
FULL = ("1", "'0'", "[0]", "True", "-3", "'no'", "{'a': 0}", "[[]]", "0.5")


def tag(text: str) -> str:
    """A tag with the usual marks."""
    return "{{" + text + "}}"


def around(key: str, inside: str, sign: str = "#") -> str:
    """A section with its tags."""
    return f"{tag(sign + key)}{inside}{tag('/' + key)}"


def some(rng: random.Random, count: int) -> list[str]:
    """Draw different keys."""
    return rng.sample(KEYS, count)


def word(rng: random.Random) -> str:
    """Draw a word."""
    return rng.choice(WORDS)


def fill(names: Names, template: str, data: str, includes: str = "") -> str:
    """Ask for a template filled in; data and includes are Python."""
    rest = f", {includes}" if includes else ""
    return f"{names['fill']}({template!r}, {data}{rest})"


def chance(rng: random.Random, share: float) -> bool:
    """Whether something comes up that comes up in that share of cases."""
    return rng.random() < share
