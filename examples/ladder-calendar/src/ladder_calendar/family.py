"""Days of a calendar of equal months and a few blank days, which belong to no month.

No library stands behind this family: what is marked as remembered is the tempting
reading, which a solver takes who has not read the rule.
"""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from ladder_calendar.questions import Questions
from shipbar.building.family import Draw, Family, Probe
from shipbar.building.names import Role
from shipbar.building.rules import Axis, Rules, Value
from shipbar.contract import TaskClass

_ROUNDS = 60
"""Rounds of probes; each asks about every axis."""


def _axis(id_: str, question: str, feature: str, tempting: str, *others: str) -> Axis:
    values = (Value(tempting, remembered=True), *map(Value, others))
    return Axis(id_, question, values, feature)


def _function(id_: str, about: str) -> Role:
    return Role(id=id_, kind="function", about=about)


class LadderCalendar(Family):
    """Spine: a day from year, month and day, `fields` back; no axis touches a plain day."""

    name: ClassVar[str] = "ladder-calendar"
    title: ClassVar[str] = "days of a calendar of equal months and blank days"
    task_class: ClassVar[TaskClass] = "invented"
    count: ClassVar[int] = 48
    folder: ClassVar[Path] = Path(__file__).parent
    axes: ClassVar[tuple[Axis, ...]] = (
        _axis(
            "blanks-place",
            "Where in the year do the blank days lie?",
            "years",
            "end",
            "start",
            "middle",
        ),
        _axis(
            "long-years",
            "Which years are long?",
            "years",
            "fourth",
            "fifth-not-25th",
            "third-not-ninth",
        ),
        _axis("year-zero", "Is there a year 0?", "years", "absent", "present"),
        _axis(
            "numbering",
            "How are the days of a year numbered?",
            "numbers",
            "from-one",
            "from-zero",
            "days-left",
        ),
        _axis(
            "week-blanks",
            "Do blank days have a weekday?",
            "weeks",
            "counted",
            "skipped",
        ),
        _axis(
            "week-restart",
            "When do the weeks begin anew?",
            "weeks",
            "never",
            "yearly",
            "monthly",
        ),
        _axis(
            "search-start",
            "Does a search for a weekday find the day that it starts from?",
            "weeks",
            "itself",
            "after",
        ),
        _axis(
            "missing-day",
            "What becomes of a day that the wanted month does not have?",
            "moving",
            "clipped",
            "wrapped",
            "refused",
        ),
        _axis(
            "blank-month",
            "Do the blank days count as a month when months are added?",
            "moving",
            "passed",
            "counted",
        ),
        _axis(
            "distance-ends",
            "Which of the two days does a distance count?",
            "distances",
            "one",
            "both",
            "neither",
        ),
        _axis(
            "middle-tie",
            "Which of two middle days is taken?",
            "distances",
            "earlier",
            "later",
        ),
        _axis(
            "text-order",
            "In which order are the numbers of a day written?",
            "texts",
            "year-first",
            "day-first",
            "month-first",
        ),
    )
    roles: ClassVar[tuple[Role, ...]] = (
        Role(id="day", kind="class", about="a day"),
        Role(id="fields", kind="method", about="its three numbers", public=False),
        Role(id="malformed", kind="error", about="a text is no day"),
        _function("blanks", "counts the blank days of a year"),
        _function("compare", "says which of two days is earlier"),
        _function("step", "moves by days"),
        _function("months_on", "moves by months"),
        _function("years_on", "moves by years"),
        _function("number", "gives a day's number in its year"),
        _function("numbered", "finds the day of a number"),
        _function("weekday", "gives a day's weekday"),
        _function("seek", "finds the next day of a weekday"),
        _function("distance", "counts days"),
        _function("listing", "lists the days that a distance counts"),
        _function("middle", "finds the day halfway"),
        _function("text", "writes a day"),
        _function("read", "reads a day"),
    )

    def parameters(self, rules: Rules, rng: random.Random) -> Mapping[str, object]:
        """Draw the sizes of the calendar, and the mark between the numbers of a text."""
        del rules
        months, days, week = 0, 0, 1
        # Weeks that fit a month or the months of a year would hide when they restart.
        while days % week == 0 or months * days % week == 0:
            months, days = rng.randint(8, 13), rng.randint(23, 39)
            week = rng.choice((5, 6, 7, 9))
        return {
            "months": months,
            "days": days,
            "week": week,
            "blanks": rng.randint(2, 4),
            "mark": rng.choice("/.:"),
        }

    def head(self, draw: Draw) -> str:
        """Return `outcome`, which makes plain data of days and of exceptions."""
        n = draw.names
        return f"""\
def outcome(call, *arguments):
    try:
        answer = call(*arguments)
    except {n.malformed}:
        return "malformed"
    except ValueError:
        return "refused"
    return answer.{n.fields}() if isinstance(answer, {n.day}) else answer
"""

    def probes(self, draw: Draw, rng: random.Random) -> Iterator[Probe]:
        """Yield rounds that ask about every axis in turn."""
        questions = Questions(draw, rng)
        for number in range(_ROUNDS):
            yield from questions.turn(number)


FAMILY = LadderCalendar()
