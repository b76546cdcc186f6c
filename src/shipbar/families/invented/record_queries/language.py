"""The words and marks of one variant's language, and the fields that its records have.

No field is also a word of the language, and no two words of a language are alike.
"""

import random
from collections.abc import Mapping, Sequence

import attrs

_JOINS = (("&", "|", "!"), ("&&", "||", "!"), ("and", "or", "not"), ("+", "/", "~"))
_NUMBERS = (
    "age",
    "beds",
    "depth",
    "floor",
    "height",
    "miles",
    "pages",
    "price",
    "score",
    "speed",
    "stock",
    "weight",
    "width",
    "year",
)
_WORDS = (
    "brand",
    "city",
    "colour",
    "crew",
    "dialect",
    "grade",
    "harbour",
    "kind",
    "label",
    "maker",
    "owner",
    "shape",
    "street",
    "team",
)
_TEXTS = (
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "flint",
    "grove",
    "heron",
    "ivory",
    "jade",
    "kelp",
    "larch",
    "maple",
    "north",
    "olive",
    "pearl",
    "quartz",
    "raven",
)


@attrs.frozen(kw_only=True)
class Language:
    """How things are written in one variant; `draw_language` draws it."""

    both: str
    """Joins two conditions of which both must hold."""
    either: str
    """Joins two conditions of which one must hold."""
    negation: str
    """Turns a condition round."""
    without: str
    """Joins a condition that must hold and one that must not."""
    equal: str
    """Whether two values are the same."""
    unequal: str
    """Whether they are not."""
    contains: str
    """Whether a text contains another."""
    within: str
    """Whether a value lies in a range."""
    every: str
    """Holds for every record."""
    then: str
    """Stands before a step."""
    sort: str
    """The step that sorts."""
    rising: str
    """The smallest first."""
    falling: str
    """The largest first."""
    take: str
    """The step that takes the first few."""
    once: str
    """The step that leaves out duplicates."""
    show: str
    """The step that leaves some fields."""
    quote: str
    """Stands around a text."""
    numbers: tuple[str, ...]
    """Fields whose values are numbers in examples."""
    words: tuple[str, ...]
    """Fields whose values are texts in examples."""
    texts: tuple[str, ...]
    """Texts that come up as values."""

    @property
    def comparisons(self) -> tuple[str, ...]:
        """The marks that compare by size or sameness."""
        return (self.equal, self.unequal, "<", "<=", ">", ">=")


def draw_language(rng: random.Random) -> Language:
    """Draw a language."""
    both, either, negation = rng.choice(_JOINS)
    rising, falling = rng.choice((("up", "down"), ("rising", "falling")))
    return Language(
        both=both,
        either=either,
        negation=negation,
        without=rng.choice(("unless", "except", "without")),
        equal=rng.choice(("=", "==")),
        unequal=rng.choice(("<>", "!=")),
        contains=rng.choice(("contains", "includes", "mentions")),
        within=rng.choice(("in", "within", "among")),
        every=rng.choice(("every", "all", "any")),
        then=rng.choice(("->", ";", "::")),
        sort=rng.choice(("sort", "order", "arrange")),
        rising=rising,
        falling=falling,
        take=rng.choice(("take", "limit", "first")),
        once=rng.choice(("once", "unique", "distinct")),
        show=rng.choice(("show", "pick", "only")),
        quote=rng.choice("'\""),
        numbers=tuple(sorted(rng.sample(_NUMBERS, 5))),
        words=tuple(sorted(rng.sample(_WORDS, 4))),
        texts=tuple(sorted(rng.sample(_TEXTS, 8))),
    )


def language_of(parameters: Mapping[str, object]) -> Language:
    """Return the language that `Family.parameters` drew."""
    return Language(**parameters)  # type: ignore[arg-type]  # made from a Language by Family.parameters


Condition = tuple[object, ...]
"""A condition as a tuple, as the package takes it."""
Record = Mapping[str, int | str]
"""A record."""


def field(name: str) -> Condition:
    """Return a field as it stands in a condition."""
    return ("field", name)


def listed(records: Sequence[Record]) -> str:
    """Return records as an expression."""
    return repr([dict(record) for record in records])
