"""Logic-less templates: tags, sections, includes and the contexts that names are found in."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from shipbar.building.family import Draw, Family, Probe, Upstream
from shipbar.building.names import Role
from shipbar.building.rules import Axis, Constraint, Value
from shipbar.building.upstream import read_pin
from shipbar.contract import TaskClass
from shipbar.families.mutated.plain_templates.inputs import rounds

FOLDER = Path(__file__).parent
ROUNDS = 120
"""Rounds of inputs, twenty each; several times what a suite of the usual size needs."""


def _axis(
    feature: str, name: str, question: str, remembered: str, *others: str
) -> Axis:
    values = (Value(remembered, remembered=True), *map(Value, others))
    return Axis(name, question, values, feature)


class PlainTemplates(Family):
    """Templates filled in from plain data, with nothing of a programming language in them."""

    name: ClassVar[str] = "plain-templates"
    title: ClassVar[str] = "text filled in from templates and plain data"
    task_class: ClassVar[TaskClass] = "mutated"
    count: ClassVar[int] = 121
    folder: ClassVar[Path] = FOLDER
    upstream: ClassVar[Upstream | None] = read_pin(FOLDER / "upstream.toml")
    axes: ClassVar[tuple[Axis, ...]] = (
        _axis(
            "writing",
            "escaping",
            "Which tags escape what they write?",
            "plain",
            "marked",
        ),
        _axis(
            "writing", "quotes", "Which quotes are escaped?", "double", "single", "both"
        ),
        _axis(
            "names",
            "missing",
            "What does a name stand for that is nowhere?",
            "empty",
            "refuse",
            "own-name",
        ),
        _axis(
            "names",
            "scope",
            "Which context of the stack decides?",
            "outwards",
            "outermost-first",
            "innermost-only",
        ),
        _axis(
            "names",
            "dotted",
            "What does a dot in a name mean?",
            "whole-path",
            "plain-key",
            "first-part",
        ),
        _axis(
            "sections",
            "empties",
            "Which values are absent to a section?",
            "falsy",
            "null-false",
            "zero-present",
        ),
        _axis(
            "sections",
            "lists",
            "How does a section go through a list?",
            "repeat",
            "once",
            "backwards",
        ),
        _axis(
            "sections",
            "callables",
            "What does a callable get, and what becomes of its answer?",
            "source",
            "filled",
            "filled-again",
        ),
        _axis(
            "reading",
            "alone",
            "What becomes of the line of a tag that is alone on it?",
            "taken-out",
            "kept",
        ),
        _axis(
            "reading",
            "comments",
            "Which blanks vanish with a comment?",
            "nothing-else",
            "blanks-after",
            "blanks-before",
        ),
        _axis(
            "reading",
            "marks",
            "How long do new marks last?",
            "to-the-end",
            "to-section-end",
        ),
        _axis(
            "reading",
            "unclosed",
            "What becomes of a section that is still open at the end?",
            "refuse",
            "close",
        ),
        _axis(
            "includes",
            "margin",
            "Which lines of an included template get its margin?",
            "every-line",
            "first-line",
        ),
    )
    constraints: ClassVar[tuple[Constraint, ...]] = (
        Constraint(
            "the first part of a name cannot choose among contexts if only the innermost is asked",
            lambda rules: (
                (rules["scope"], rules["dotted"]) != ("innermost-only", "first-part")
            ),
        ),
    )
    roles: ClassVar[tuple[Role, ...]] = (
        Role(id="fill", kind="function", about="fills a template in"),
        Role(id="tokens", kind="function", about="cuts a template into tokens"),
        Role(id="source", kind="function", about="writes tokens back as a template"),
        Role(id="names", kind="function", about="the names that a template looks up"),
        Role(
            id="escaped",
            kind="function",
            about="the names whose values it writes escaped",
        ),
        Role(
            id="roots",
            kind="function",
            about="the keys that it looks for in the contexts themselves",
        ),
        Role(
            id="find",
            kind="function",
            about="what a name stands for in a stack of contexts",
        ),
        Role(
            id="known",
            kind="function",
            about="whether a name is found in a stack of contexts",
        ),
        Role(id="show", kind="function", about="the text of a value"),
        Role(id="escape", kind="function", about="escapes a text for markup"),
        Role(id="indent", kind="function", about="puts a margin in front of a text"),
        Role(
            id="absent",
            kind="function",
            about="whether a section takes a value as absent",
        ),
        Role(id="error", kind="error", about="a template or a name that is refused"),
    )

    def head(self, draw: Draw) -> str:
        """Bind an outcome that may be a refusal, and callables for sections."""
        return f'''\
def outcome(call, *args):
    """What a call returns, or that it refuses."""
    try:
        return call(*args)
    except {draw.names["error"]}:
        return "refused"


def same(text, again):
    return text


def twice(text, again):
    return text + "|" + text


def framed(text, again):
    return "[" + again(text) + "]" + text


def measured(text, again):
    return str(len(text))


def upper(text, again):
    return text.upper()
'''

    def probes(self, draw: Draw, rng: random.Random) -> Iterator[Probe]:
        """Yield inputs of all rules in turn."""
        for rule, (expression, arrange) in rounds(draw.names, rng, ROUNDS):
            yield Probe(rule, expression, arrange)


FAMILY = PlainTemplates()
