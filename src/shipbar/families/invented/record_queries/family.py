"""A small language that filters, sorts and projects lists of plain records."""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

import attrs

from shipbar.building.family import Draw, Family, Probe
from shipbar.building.names import Role
from shipbar.building.rules import Axis, Rules, Value
from shipbar.contract import TaskClass
from shipbar.families.invented.record_queries.language import draw_language
from shipbar.families.invented.record_queries.questions import Questions

_ROUNDS = 160
"""Rounds of one question of each kind: as many as fill the share of one variant."""


def _axis(id_: str, question: str, feature: str, remembered: str, *others: str) -> Axis:
    values = (Value(remembered, remembered=True), *map(Value, others))
    return Axis(id_, question, values, feature)


def _function(id_: str, about: str) -> Role:
    return Role(id=id_, kind="function", about=about)


def _method(id_: str, about: str) -> Role:
    return Role(id=id_, kind="method", about=about, public=False)


class RecordQueries(Family):
    """Spine: `query` from plain tuples, `parts` and plain records; no axis touches their form."""

    name: ClassVar[str] = "record-queries"
    title: ClassVar[str] = "a small language of questions about lists of plain records"
    task_class: ClassVar[TaskClass] = "invented"
    count: ClassVar[int] = 119
    folder: ClassVar[Path] = Path(__file__).parent
    axes: ClassVar[tuple[Axis, ...]] = (
        _axis(
            "precedence",
            "Which of the two symmetrical joins binds tighter?",
            "reading",
            "both",
            "either",
            "alike",
        ),
        _axis(
            "exceptions",
            "How is a run of exceptions grouped?",
            "reading",
            "left",
            "right",
            "refused",
        ),
        _axis(
            "negation",
            "How far does a negation reach?",
            "reading",
            "one",
            "all",
        ),
        _axis(
            "chains",
            "What do several comparisons in a row mean?",
            "reading",
            "neighbours",
            "first",
            "refused",
        ),
        _axis(
            "escapes",
            "How does a quotation mark get into a text?",
            "tokens",
            "backslash",
            "doubled",
        ),
        _axis(
            "missing",
            "Which comparisons hold with a field that is lacking?",
            "testing",
            "unequal",
            "none",
            "below",
        ),
        _axis(
            "mixed",
            "How is a number compared with a text?",
            "testing",
            "unlike",
            "as-texts",
            "as-numbers",
            "number-first",
        ),
        _axis(
            "letters",
            "Where do capital and small letters count as the same?",
            "testing",
            "nowhere",
            "everywhere",
            "inside",
        ),
        _axis(
            "range-ends",
            "Which of its two ends belong to a range?",
            "testing",
            "closed",
            "without-upper",
            "open",
        ),
        _axis(
            "unsorted",
            "Where do records go that lack the field they are sorted by?",
            "listing",
            "last",
            "first",
            "lowest",
            "dropped",
        ),
        _axis(
            "duplicates",
            "Which of the records with one value stay?",
            "listing",
            "first",
            "last",
            "alone",
        ),
        _axis(
            "absent",
            "What is shown of a field that a record lacks?",
            "listing",
            "none",
            "left-out",
            "skipped",
        ),
        _axis(
            "steps",
            "In which order are the steps of a query taken?",
            "queries",
            "sort-first",
            "take-first",
            "as-written",
        ),
    )
    roles: ClassVar[tuple[Role, ...]] = (
        Role(id="query", kind="class", about="a condition and steps"),
        Role(id="malformed", kind="error", about="a text cannot be read"),
        _function("tokens", "takes a text apart"),
        _function("condition", "reads a condition"),
        _function("write", "writes a condition"),
        _function("read", "reads a query"),
        _function("test", "compares two values"),
        _function("holds", "whether a condition holds for a record"),
        _function("ordered", "sorts records"),
        _function("once", "leaves out duplicates"),
        _function("shown", "leaves some of the fields"),
        _function("column", "lists the values of a field"),
        _method("parts", "a query's condition and steps as a tuple"),
        _method("text", "writes a query"),
        _method("run", "answers a query"),
        _method("count", "counts the answers to a query"),
        _method("used", "lists the fields that a query names"),
    )

    def parameters(self, rules: Rules, rng: random.Random) -> Mapping[str, object]:
        """Draw the words and marks of the language, and the fields and texts of records."""
        del rules
        return attrs.asdict(draw_language(rng), recurse=False)

    def head(self, draw: Draw) -> str:
        """Return `outcome`, which makes plain data of refusals, `answers` and `story`."""
        n = draw.names
        return f"""\
def outcome(call, *arguments):
    try:
        answer = call(*arguments)
    except {n.malformed}:
        return "malformed"
    except ValueError:
        return "refused"
    return answer.{n.parts}() if isinstance(answer, {n.query}) else answer


def answers(condition, records):
    return [{n.holds}(condition, record) for record in records]


def story(text, records):
    query = {n.read}(text)
    return [query.{n.parts}(), query.{n.run}(records)]
"""

    def probes(self, draw: Draw, rng: random.Random) -> Iterator[Probe]:
        """Take one probe of each kind in turn."""
        kinds = [kind() for kind in Questions(draw, rng).kinds()]
        for _ in range(_ROUNDS):
            for kind in kinds:
                yield next(kind)


FAMILY = RecordQueries()
