"""Sets of whole numbers that are read, written and changed by runs."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from shipbar.building.family import Draw, Family, Probe, Upstream
from shipbar.building.names import Role
from shipbar.building.rules import Axis, Value
from shipbar.building.upstream import read_pin
from shipbar.contract import TaskClass
from shipbar.families.mutated.integer_spans.questions import Questions

_FOLDER = Path(__file__).parent


def _axis(id_: str, question: str, feature: str, remembered: str, *others: str) -> Axis:
    values = (Value(remembered, remembered=True), *map(Value, others))
    return Axis(id_, question, values, feature)


def _method(id_: str, about: str) -> Role:
    return Role(id=id_, kind="method", about=about, public=False)


class IntegerSpans(Family):
    """Spine: `span_set` from a list, `members` as a list; no axis touches either."""

    name = "integer-spans"
    title = "sets of whole numbers that are read, written and changed by runs"
    task_class: ClassVar[TaskClass] = "mutated"
    count = 104
    folder = _FOLDER
    upstream: ClassVar[Upstream | None] = read_pin(_FOLDER / "upstream.toml")
    axes: ClassVar[tuple[Axis, ...]] = (
        _axis(
            "range-end",
            "Which of its two numbers does a range in a text leave out?",
            "texts",
            "closed",
            "without-last",
            "without-first",
        ),
        _axis(
            "descending",
            "What does a range in a text mean whose first number is greater?",
            "reading",
            "refused",
            "swapped",
            "empty",
        ),
        _axis(
            "repeat",
            "What does reading do with a number that is named again?",
            "reading",
            "absorbed",
            "toggles",
            "refused",
        ),
        _axis(
            "sequence-repeat",
            "Where does a number stand that an ordered reading meets again?",
            "reading",
            "first",
            "last",
            "every",
        ),
        _axis(
            "pairs",
            "Is a run of two written as a range?",
            "texts",
            "joined",
            "apart",
        ),
        _axis(
            "order",
            "In which order are the members iterated?",
            "sets",
            "ascending",
            "descending",
            "by-size",
        ),
        _axis(
            "len",
            "What does the length count?",
            "sets",
            "numbers",
            "runs",
            "extent",
        ),
        _axis(
            "runs-form",
            "Which two integers describe a run?",
            "runs",
            "bounds",
            "past-end",
            "length",
        ),
        _axis(
            "add-answer",
            "What does putting numbers in return?",
            "changing",
            "nothing",
            "count",
            "numbers",
        ),
        _axis(
            "removal",
            "What has been taken out when a number is missing?",
            "changing",
            "up-to",
            "all-or-nothing",
            "all-others",
        ),
        _axis(
            "pop",
            "Which member is popped?",
            "changing",
            "least",
            "greatest",
            "longest-run",
        ),
        _axis(
            "minus-caret",
            "Which operator is the difference, and which the exclusive or?",
            "combining",
            "usual",
            "swapped",
        ),
        _axis(
            "gaps-reach",
            "How far do the numbers reach that a set leaves out?",
            "gaps",
            "within",
            "one-beyond",
            "one-above",
        ),
    )
    roles: ClassVar[tuple[Role, ...]] = (
        Role(id="span_set", kind="class", about="a set of numbers"),
        Role(id="read", kind="function", about="makes a set from a text"),
        Role(id="sequence", kind="function", about="lists a text's numbers in order"),
        Role(id="between", kind="function", about="makes a set between two bounds"),
        Role(id="from_runs", kind="function", about="makes a set from pairs"),
        Role(id="malformed", kind="error", about="a text cannot be read"),
        _method("members", "lists the members, ascending"),
        _method("first", "lists the first members in the order of iteration"),
        _method("runs", "describes the runs"),
        _method("text", "writes the set"),
        _method("add", "puts numbers in"),
        _method("remove", "takes numbers out that must be there"),
        _method("discard", "takes numbers out that may be there"),
        _method("pop", "takes one number out"),
        _method("gaps", "what the set leaves out"),
        _method("missing", "what the set leaves out between bounds"),
        _method("covers", "whether numbers are members"),
    )

    def head(self, draw: Draw) -> str:
        """Return `outcome`, which makes plain data of sets and of exceptions, and `told`."""
        n = draw.names
        return f"""\
def outcome(call, *arguments):
    try:
        answer = call(*arguments)
    except {n.malformed}:
        return "malformed"
    except KeyError:
        return "missing"
    except ValueError:
        return "refused"
    return answer.{n.members}() if isinstance(answer, {n.span_set}) else answer


def told(text, *numbers):
    try:
        found = {n.read}(text)
    except {n.malformed}:
        return "malformed"
    return [number for number in numbers if number in found]
"""

    def probes(self, draw: Draw, rng: random.Random) -> Iterator[Probe]:
        """Take one probe of each kind in turn, without end."""
        made = Questions(draw, rng)
        kinds = [kind() for kind in made.kinds()]
        # A window is finite, whatever the kinds repeat.
        for _ in range(200):
            for kind in kinds:
                yield next(kind)


FAMILY = IntegerSpans()
