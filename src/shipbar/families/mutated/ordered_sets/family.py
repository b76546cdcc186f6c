"""Rows of distinct names, each with a position."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from shipbar.building.family import Draw, Family, Probe, Upstream
from shipbar.building.names import Role
from shipbar.building.rules import Axis, Constraint, Rules, Value
from shipbar.building.upstream import read_pin
from shipbar.contract import TaskClass
from shipbar.families.mutated.ordered_sets.questions import Questions

_FOLDER = Path(__file__).parent
_ROUNDS = 200
"""Probes of each kind at most; many more than any window takes."""


def _axis(id_: str, question: str, feature: str, remembered: str, *others: str) -> Axis:
    values = (Value(remembered, remembered=True), *map(Value, others))
    return Axis(id_, question, values, feature)


def _method(id_: str, about: str) -> Role:
    return Role(id=id_, kind="method", about=about, public=False)


def _newness_tells(rules: Rules) -> bool:
    return (rules["add-answer"], rules["again"]) != ("newness", "refused")


class OrderedSets(Family):
    """Spine: `row` from a list, `members` as a list; no axis touches either."""

    name = "ordered-sets"
    title = "rows of distinct names, each with a position"
    task_class: ClassVar[TaskClass] = "mutated"
    count = 66
    folder = _FOLDER
    upstream: ClassVar[Upstream | None] = read_pin(_FOLDER / "upstream.toml")
    axes: ClassVar[tuple[Axis, ...]] = (
        _axis(
            "iteration",
            "In which order are the members iterated?",
            "rows",
            "by-position",
            "backwards",
            "by-text",
        ),
        _axis(
            "outside",
            "What does a position mean that is negative or too large?",
            "positions",
            "from-end",
            "refused",
            "wraps",
        ),
        _axis(
            "absent",
            "What is the position of a name that is no member?",
            "positions",
            "missing",
            "minus-one",
            "next-place",
        ),
        _axis(
            "several",
            "What form do the positions of several names have?",
            "positions",
            "as-asked",
            "ascending",
            "pairs",
        ),
        _axis(
            "cut",
            "How are the ends of a stretch given?",
            "positions",
            "half-open",
            "closed",
            "length",
        ),
        _axis(
            "add-answer",
            "What does adding a name return?",
            "changing",
            "position",
            "name",
            "newness",
        ),
        _axis(
            "again",
            "What happens to a member that is added again?",
            "changing",
            "stays",
            "moves-last",
            "refused",
        ),
        _axis(
            "extend-answer",
            "What does adding several names return?",
            "changing",
            "last-position",
            "gained",
            "new-names",
        ),
        _axis(
            "gap",
            "What fills the place of a member that is taken out?",
            "changing",
            "close-up",
            "last-fills",
        ),
        _axis(
            "pop",
            "Which member is popped?",
            "changing",
            "last",
            "first",
            "middle",
        ),
        _axis(
            "same",
            "When does a row hold the same as something else?",
            "comparing",
            "by-kind",
            "any-order",
            "order-required",
        ),
        _axis(
            "union",
            "In which order do the members of a union stand?",
            "combining",
            "first-mention",
            "last-mention",
            "by-turns",
        ),
        _axis(
            "leading",
            "Which operand decides the order of what is common or is in one alone?",
            "combining",
            "left",
            "right",
        ),
    )
    constraints: ClassVar[tuple[Constraint, ...]] = (
        Constraint(
            "if a member cannot be added again, whether a name was new says nothing",
            _newness_tells,
        ),
    )
    roles: ClassVar[tuple[Role, ...]] = (
        Role(id="row", kind="class", about="distinct names, each with a position"),
        Role(id="missing", kind="error", about="a member that is needed is not there"),
        _method("members", "lists the members by position"),
        _method("find", "the position of a name"),
        _method("find_each", "the positions of several names"),
        _method("pick", "the members at several positions"),
        _method("cut", "a stretch of the row"),
        _method("add", "puts a name in"),
        _method("extend", "puts several names in"),
        _method("remove", "takes a name out that must be there"),
        _method("discard", "takes a name out that may be there"),
        _method("pop", "takes one member out and returns it"),
        _method("same", "whether the row holds just these names"),
        _method("covers", "whether names are members"),
    )

    def head(self, draw: Draw) -> str:
        """Return helpers that make plain data of exceptions: `outcome`, `done`, `at`."""
        n = draw.names
        return f"""\
def outcome(call, *arguments):
    try:
        return call(*arguments)
    except {n.missing}:
        return "missing"
    except IndexError:
        return "outside"
    except ValueError:
        return "refused"


def done(call, *arguments):
    answer = outcome(call, *arguments)
    return answer if answer in ("missing", "outside", "refused") else "done"


def at(row, *positions):
    return [outcome(lambda: row[position]) for position in positions]
"""

    def probes(self, draw: Draw, rng: random.Random) -> Iterator[Probe]:
        """Take one probe of each kind in turn."""
        kinds = [kind() for kind in Questions(draw, rng).kinds()]
        for _ in range(_ROUNDS):
            for kind in kinds:
                yield next(kind)


FAMILY = OrderedSets()
