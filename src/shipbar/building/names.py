"""Invented names: pronounceable, of no real project, stable for a seed.

Words are built from two or three syllables of a small vocabulary of our own, so that a
hit on an English word or an existing project is rare; what is taken (builtins, keywords,
the standard library, a family's deny-list) is drawn again.
A name's shape follows its role's kind: `Velmorin` a class, `velmorin` a
function, `VelmorinFault` an error.
"""

import builtins
import keyword
import random
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Literal

import attrs

Kind = Literal[
    "package", "function", "class", "method", "error", "constant", "attribute"
]

_ONSETS = [
    "b",
    "br",
    "d",
    "dr",
    "f",
    "fl",
    "g",
    "gr",
    "k",
    "kl",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "qu",
    "r",
    "s",
    "sk",
    "st",
    "t",
    "tr",
    "v",
    "z",
]
_VOWELS = ["a", "e", "i", "o", "u"]
_CODAS = ["", "", "", "l", "m", "n", "r", "x", "nd", "rt", "sk"]
LENGTHS = (5, 9)
"""Letters of a word."""
STEM = 4
"""Leading letters that no two words of a variant share."""
LEAST_DENIED = 4
"""Letters from which on a denied word may not occur inside a name."""
_FAULTS = ("Fault", "Refusal", "Mishap", "Trouble")


@attrs.frozen(kw_only=True)
class Role:
    """What a public name is for."""

    id: str
    """How templates and probes call it."""
    kind: Kind
    """Decides its shape."""
    about: str
    """One line: what it stands for."""
    public: bool = True
    """Whether it is a symbol of the package; methods and attributes are not."""


class Names(Mapping[str, str]):
    """The drawn names, by role; also as attributes, as templates read them."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """Keep ``names``."""
        self._names = dict(names)

    def __getitem__(self, role: str) -> str:
        """Return a role's name."""
        return self._names[role]

    def __getattr__(self, role: str) -> str:
        """Return a role's name."""
        try:
            name: str = self.__dict__["_names"][role]
        except KeyError as cause:
            raise AttributeError(f"no role {role!r}") from cause
        return name

    def __iter__(self) -> Iterator[str]:
        """Iterate over the roles."""
        return iter(self._names)

    def __len__(self) -> int:
        """The number of roles."""
        return len(self._names)


def draw_names(
    roles: Sequence[Role],
    rng: random.Random,
    denied: Collection[str] = (),
    fits: Callable[[str], bool] = lambda _: True,
) -> Names:
    """Draw a name for each role and for `package`; no two share a stem.

    Args:
        roles: in a fixed order, since each takes from the generator.
        rng: derived from the variant's seed.
        denied: words, in lower case, that may not occur inside any name.
        fits: whether a word may be taken at all; one in some dozens must.
    """
    fault = rng.choice(_FAULTS)
    taken: set[str] = set()

    def fresh() -> str:
        while not fits(word := _fresh(rng, taken, denied)):
            pass
        taken.add(word[:STEM])
        return word

    names = {"package": fresh()}
    for role in roles:
        names[role.id] = _shaped(role.kind, fresh(), fault)
    return Names(names)


def _fresh(rng: random.Random, taken: Collection[str], denied: Collection[str]) -> str:
    """Draw a word of two or three syllables whose first letters are new."""
    while True:
        word = "".join(
            _syllable(rng, last=number == 0)
            for number in reversed(range(rng.choice((2, 3, 3))))
        )
        if (
            not LENGTHS[0] <= len(word) <= LENGTHS[1]
            or word[:STEM] in taken
            or _is_taken(word)
        ):
            continue
        if any(bad in word for bad in denied if len(bad) >= LEAST_DENIED):
            continue
        return word


def _syllable(rng: random.Random, *, last: bool) -> str:
    return (
        rng.choice(_ONSETS) + rng.choice(_VOWELS) + (rng.choice(_CODAS) if last else "")
    )


def _is_taken(word: str) -> bool:
    return (
        keyword.iskeyword(word)
        or hasattr(builtins, word)
        or word in sys.stdlib_module_names
        or word.startswith("test")  # pytest would collect it
    )


def _shaped(kind: Kind, word: str, fault: str) -> str:
    if kind == "class":
        return word.capitalize()
    if kind == "error":
        return word.capitalize() + fault
    if kind == "constant":
        return word.upper()
    return word
