"""Recurring moments: text in five fields, and the dates and times that it selects.

Every remembered value was measured on the pinned release (`notes.md`). The spine
is the plan made of plain data, and its attributes: with plain numbers and names
in it no axis touches them. Each leaf is reachable through the spine or through
one call on one field: `expand` for what a field selects, `restricts`, `split`,
`number`, `nth_weekday`, `last_workday`; `days_in` shows a month of a plan.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from shipbar.building.family import Draw, Family, Probe, Upstream
from shipbar.building.names import Role
from shipbar.building.rules import Axis, Value
from shipbar.building.upstream import read_pin
from shipbar.contract import TaskClass
from shipbar.families.mutated.recurrence.edges import Edges
from shipbar.families.mutated.recurrence.inputs import ORDERS

ROUNDS = 30
"""Each gives a probe of every kind; so many leave forty or more of its own to most axes."""


def _axis(name: str, question: str, feature: str, *values: str) -> Axis:
    """Return an axis; the first of ``values`` is the remembered one."""
    first, *others = values
    return Axis(
        name,
        question,
        (Value(first, remembered=True), *map(Value, others)),
        feature,
    )


def _function(name: str, about: str) -> Role:
    return Role(id=name, kind="function", about=about)


class Recurrence(Family):
    """A timetable in five fields, and what is asked of it."""

    name = "recurrence"
    title = "recurring moments in five fields"
    task_class: ClassVar[TaskClass] = "mutated"
    axes: ClassVar[tuple[Axis, ...]] = (
        _axis(
            "field-order",
            "In which order do the five parts of a text stand?",
            "text",
            "minute-first",
            "weekday-first",
            "day-first",
        ),
        _axis(
            "weekday-numbers",
            "Which numbers stand for which weekdays?",
            "fields",
            "sunday-zero-or-seven",
            "monday-zero",
            "monday-one",
            "sunday-one",
        ),
        _axis(
            "reversed-range",
            "What does a range mean whose end comes before its start?",
            "fields",
            "refused",
            "wraps",
            "swapped",
        ),
        _axis(
            "range-step",
            "From where does a step over a range or a star count?",
            "fields",
            "from-start",
            "from-end",
            "multiples",
        ),
        _axis(
            "single-step",
            "What does a step behind a single value select?",
            "fields",
            "to-the-end",
            "alone",
            "both-ways",
        ),
        _axis(
            "list",
            "How do the terms of a list come together?",
            "fields",
            "union",
            "toggle",
            "subtract",
        ),
        _axis(
            "restricting",
            "When does a day or weekday field count as restricting?",
            "days",
            "not-from-star",
            "not-bare-star",
            "not-complete",
        ),
        _axis(
            "day-rule",
            "What holds where both the day and the weekday restrict?",
            "days",
            "either",
            "both",
            "day-decides",
        ),
        _axis(
            "nth-weekday",
            "How are the weekdays of a month counted?",
            "days",
            "from-start",
            "from-end",
            "rows",
        ),
        _axis(
            "last-workday",
            "Which day is the last working day of a month?",
            "days",
            "monday-to-friday",
            "monday-to-saturday",
            "none-at-weekend",
        ),
        _axis(
            "short-months",
            "What becomes of a day that a month does not have?",
            "days",
            "skipped",
            "clamped",
        ),
        _axis(
            "start",
            "Is a start that fires itself among what follows it?",
            "search",
            "excluded",
            "included",
        ),
        _axis(
            "seconds",
            "What do the seconds of a moment count for?",
            "search",
            "dropped",
            "kept",
        ),
    )
    roles: ClassVar[tuple[Role, ...]] = (
        Role(id="plan", kind="class", about="a timetable, made of plain data"),
        Role(id="error", kind="error", about="a text, field or plan that is wrong"),
        _function("read", "makes a plan of a text"),
        _function("split", "the five parts of a text by field"),
        _function("expand", "what the text of one field selects"),
        _function("restricts", "whether a day or weekday text restricts"),
        _function("number", "the numbers that stand for a weekday"),
        _function("nth_weekday", "the day of a month's nth weekday"),
        _function("last_workday", "the day of a month's last working day"),
        _function("fires_on", "whether a plan fires on a date"),
        _function("fires", "whether a plan fires at a moment"),
        _function("times", "hours and minutes at which a plan fires on a date"),
        _function("days_in", "the days of a month on which a plan fires"),
        _function("following", "the next moment"),
        _function("preceding", "the moment before"),
        _function("series", "the next moments"),
        _function("between", "all moments between two"),
        _function("gap", "seconds until the next moment"),
    )
    folder = Path(__file__).parent
    upstream: ClassVar[Upstream | None] = read_pin(folder / "upstream.toml")
    count = 152

    def head(self, draw: Draw) -> str:
        """Import what moments are made of, and bind a call's outcome to a value."""
        return f"""\
from datetime import date, datetime


def outcome(call, *arguments):
    try:
        return call(*arguments)
    except {draw.names["error"]}:
        return "refused"
"""

    def probes(self, draw: Draw, rng: random.Random) -> Iterator[Probe]:
        """Corner cases of every kind, then random inputs of all kinds in turn."""
        inputs = Edges(draw.names, _order(draw), rng)
        yield from inputs.corners()
        for number in range(ROUNDS):
            yield from inputs.round()
            # In two of three rounds, so that most probes are still split by some axis.
            if number % 3:
                yield from inputs.edges()


def _order(draw: Draw) -> tuple[str, ...]:
    """The fields in the order of the selection's texts, so that texts can be read."""
    return ORDERS[draw.rules["field-order"]]


FAMILY = Recurrence()
