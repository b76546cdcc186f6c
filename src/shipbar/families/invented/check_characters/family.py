"""Codes over 36 symbols that carry characters which check them.

No library stands behind this family: what is marked as remembered is the tempting
reading, which a solver takes who has not read the rule.
"""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from shipbar.building.family import Draw, Family, Probe
from shipbar.building.names import Role
from shipbar.building.rules import Axis, Rules, Value
from shipbar.contract import TaskClass
from shipbar.families.invented.check_characters.inputs import SYMBOLS, text_of
from shipbar.families.invented.check_characters.questions import Questions

_ROUNDS = 120
"""Rounds of probes; each asks about every axis."""
_WEIGHTS = (5, 7, 11, 13, 17, 19, 23, 25, 29, 31)
"""Numbers that share no divisor with 36, so that every wrong symbol shows."""


def _axis(id_: str, question: str, feature: str, tempting: str, *others: str) -> Axis:
    values = (Value(tempting, remembered=True), *map(Value, others))
    return Axis(id_, question, values, feature)


def _function(id_: str, about: str) -> Role:
    return Role(id=id_, kind="function", about=about)


class CheckCharacters(Family):
    """Two layers, texts of symbols and lists of values; every rule has a call in one of them."""

    name: ClassVar[str] = "check-characters"
    title: ClassVar[str] = "codes that are read, grouped, weighed, closed and opened"
    task_class: ClassVar[TaskClass] = "invented"
    count: ClassVar[int] = 30
    # Three assertions of its own for each leave room for four others and calibration.
    most_inverted: ClassVar[int | None] = 7
    folder: ClassVar[Path] = Path(__file__).parent
    axes: ClassVar[tuple[Axis, ...]] = (
        _axis(
            "alphabet",
            "Which value does each symbol have?",
            "symbols",
            "digits-first",
            "letters-first",
            "letters-backwards",
        ),
        _axis(
            "small-letters",
            "When does a small letter stand for its capital?",
            "symbols",
            "always",
            "never",
            "unmixed",
        ),
        _axis(
            "separators",
            "Where may separators stand in a text?",
            "symbols",
            "anywhere",
            "inside",
            "single",
        ),
        _axis(
            "padding",
            "How is a short body brought to its least length?",
            "bodies",
            "in-front",
            "behind",
            "repeated",
        ),
        _axis(
            "groups",
            "Which groups are full when a text is written in groups?",
            "bodies",
            "from-left",
            "from-right",
            "even",
        ),
        _axis(
            "numbering",
            "Which number does a list of values stand for?",
            "numbers",
            "high-first",
            "low-first",
            "by-length",
        ),
        _axis(
            "weight-cycle",
            "Which weights follow when all have been given out?",
            "weights",
            "again",
            "back-and-forth",
            "last",
        ),
        _axis(
            "weight-side",
            "From which side are weights given out?",
            "weights",
            "left",
            "right",
        ),
        _axis(
            "closing",
            "Which value closes a total?",
            "guards",
            "remainder",
            "complement",
            "mirror",
        ),
        _axis(
            "guard-length",
            "How many symbols does a guard have?",
            "guards",
            "one",
            "two",
            "two-if-long",
        ),
        _axis(
            "guard-place",
            "Where in a code does the guard stand?",
            "codes",
            "behind",
            "in-front",
            "after-first",
        ),
        _axis(
            "mismatch",
            "What does opening a code with a wrong guard do?",
            "codes",
            "raises",
            "none",
        ),
        _axis(
            "wrong-in-list",
            "What does a wrong code do to a list that is opened?",
            "codes",
            "left-out",
            "kept",
            "ends",
        ),
    )
    roles: ClassVar[tuple[Role, ...]] = (
        _function("plain", "reads a text: its symbols alone"),
        _function("values", "the values of a text's symbols"),
        _function("symbols", "the symbols of values"),
        _function("ranked", "sorts texts by their values"),
        _function("padded", "brings a body to its least length"),
        _function("grouped", "writes a text in groups"),
        _function("number", "the number that values stand for"),
        _function("digits", "the values that stand for a number"),
        _function("weight", "one weight"),
        _function("weights", "the weights of so many values"),
        _function("total", "the weighted sum of values"),
        _function("closing", "the value that closes a total"),
        _function("guard", "the values of a guard"),
        _function("join", "puts body and guard together"),
        _function("parts", "takes a code apart"),
        _function("sealed", "makes a code of a body"),
        _function("holds", "whether a text is a code with the right guard"),
        _function("opened", "the body of a code"),
        _function("sift", "the bodies of many codes"),
        _function("restored", "fills in one unreadable symbol"),
        Role(id="malformed", kind="error", about="a text cannot be read"),
        Role(id="mismatch", kind="error", about="a guard does not fit its body"),
    )

    def parameters(self, rules: Rules, rng: random.Random) -> Mapping[str, object]:
        """Draw weights, lengths and marks, and the bodies that the specification shows."""
        del rules
        least = rng.choice((4, 5, 6))
        long = least + rng.choice((3, 4))
        body = text_of(rng, SYMBOLS, least + 2)
        return {
            "weights": tuple(rng.sample(_WEIGHTS, 5)),
            "start": rng.randint(2, 34),
            "size": rng.choice((3, 4, 5)),
            "least": least,
            "long": long,
            "filler": rng.choice("QXZJ"),
            "separator": rng.choice("-./:"),
            "blot": rng.choice("?*#"),
            "short": text_of(rng, SYMBOLS, 3),
            "body": body[1:],
            "other": body[0],
            "longer": text_of(rng, SYMBOLS, long + 2),
        }

    def head(self, draw: Draw) -> str:
        """Return `outcome`, which makes plain data of exceptions."""
        n = draw.names
        return f"""\
def outcome(call, *arguments):
    try:
        return call(*arguments)
    except {n.malformed}:
        return "malformed"
    except {n.mismatch}:
        return "mismatch"
    except ValueError:
        return "refused"
"""

    def probes(self, draw: Draw, rng: random.Random) -> Iterator[Probe]:
        """Take one probe of each kind in turn; corner cases stand in the first rounds."""
        kinds = [kind() for kind in Questions(draw, rng).kinds()]
        for _ in range(_ROUNDS):
            for kind in kinds:
                yield next(kind)


FAMILY = CheckCharacters()
