"""Conditions over names that are read, written, compared, simplified and asked."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from shipbar.building.family import Draw, Family, Probe, Upstream
from shipbar.building.names import Role
from shipbar.building.rules import Axis, Value
from shipbar.building.upstream import read_pin
from shipbar.contract import TaskClass
from shipbar.families.mutated.boolean_queries.questions import Questions

_FOLDER = Path(__file__).parent


def _axis(id_: str, question: str, feature: str, remembered: str, *others: str) -> Axis:
    values = (Value(remembered, remembered=True), *map(Value, others))
    return Axis(id_, question, values, feature)


def _function(id_: str, about: str) -> Role:
    return Role(id=id_, kind="function", about=about)


class BooleanQueries(Family):
    """Spine: conditions are plain tuples, given and returned; no axis touches their form."""

    name = "boolean-queries"
    title = (
        "conditions over names that are read, written, compared, simplified and asked"
    )
    task_class: ClassVar[TaskClass] = "mutated"
    count = 110
    folder = _FOLDER
    upstream: ClassVar[Upstream | None] = read_pin(_FOLDER / "upstream.toml")
    axes: ClassVar[tuple[Axis, ...]] = (
        _axis(
            "precedence",
            "Which of the two joining operators binds tighter?",
            "reading",
            "and",
            "or",
            "equal",
        ),
        _axis(
            "adjacent",
            "What do two operands mean with no operator between them?",
            "reading",
            "refused",
            "and",
            "or",
        ),
        _axis(
            "keywords",
            "In which letters is a word an operator or a constant?",
            "tokens",
            "any",
            "lower",
            "upper",
        ),
        _axis(
            "spelling",
            "In which letters does a name come out of a text?",
            "reading",
            "kept",
            "lowered",
        ),
        _axis(
            "brackets",
            "Which operands are written in brackets?",
            "writing",
            "every",
            "needed",
            "whole",
        ),
        _axis(
            "listing",
            "How often and in which order are names listed?",
            "names",
            "every",
            "once",
            "sorted",
        ),
        _axis(
            "equality",
            "What of the operands counts when conditions are compared?",
            "comparing",
            "sets",
            "order",
            "counted",
        ),
        _axis(
            "replaced",
            "What happens to a condition after a part has been replaced?",
            "replacing",
            "left",
            "simplified",
            "in-turn",
        ),
        _axis(
            "negations",
            "Where are negations moved?",
            "rearranging",
            "inward",
            "outward",
            "one-level",
        ),
        _axis(
            "complement",
            "What becomes of a name beside its own negation?",
            "simplifying",
            "constant",
            "stays",
        ),
        _axis(
            "absorbing",
            "Which operands does another operand make superfluous?",
            "simplifying",
            "both",
            "plain",
            "neither",
        ),
        _axis(
            "order",
            "In which order do simplified operands stand?",
            "simplifying",
            "sorted",
            "kept",
            "compounds-first",
        ),
        _axis(
            "missing",
            "What is a name that the facts lack?",
            "asking",
            "error",
            "false",
            "undecided",
        ),
    )
    roles: ClassVar[tuple[Role, ...]] = (
        _function("tokens", "splits a text"),
        _function("read", "makes a condition from a text"),
        _function("write", "makes a text from a condition"),
        _function("names", "lists the names of a condition"),
        _function("same", "compares two conditions"),
        _function("replace", "replaces parts of a condition"),
        _function("settle", "moves the negations of a condition"),
        _function("simplify", "shortens a condition"),
        _function("evaluate", "asks whether a condition holds"),
        _function("select", "finds the rows for which a text holds"),
        Role(id="malformed", kind="error", about="a text cannot be read"),
    )

    def head(self, draw: Draw) -> str:
        """Return `outcome`, which makes plain data of exceptions."""
        return f"""\
def outcome(call, *arguments):
    try:
        return call(*arguments)
    except {draw.names.malformed}:
        return "malformed"
    except KeyError:
        return "missing"
"""

    def probes(self, draw: Draw, rng: random.Random) -> Iterator[Probe]:
        """Take one probe of each kind in turn, without end."""
        made = Questions(draw, rng)
        kinds = [kind() for kind in made.kinds()]
        # A window is finite, whatever the kinds repeat.
        for _ in range(200):
            for kind in kinds:
                yield next(kind)


FAMILY = BooleanQueries()
