"""Worked examples of a specification: never typed in, always what the reference answers."""

from collections.abc import Sequence

import attrs

from shipbar.building.family import Draw, Family
from shipbar.building.observe import Files, Observer
from shipbar.building.render import render_specification
from shipbar.errors import GraderFault
from shipbar.grading.suitetext import Frozen, Raised
from shipbar.sealed.literals import Writer


@attrs.frozen
class Example:
    """One worked example."""

    expression: str
    """What is asked."""
    arrange: str = ""
    """Statements that prepare it."""


@attrs.frozen(kw_only=True)
class Specified:
    """A rendered specification with what it shows."""

    text: str
    """Markdown."""
    examples: tuple[Example, ...]
    """In the order of the text, without repeats."""


def specify(
    family: Family, draw: Draw, observer: Observer, reference: Files
) -> Specified:
    """Render the specification: once to learn what it asks, once with the answers.

    Raises:
        GraderFault: an example cannot be answered.
    """
    asked: dict[Example, None] = {}

    def note(expression: str, arrange: str = "") -> str:
        asked[Example(expression, arrange)] = None
        return ""

    render_specification(family, draw, note)
    examples = list(asked)
    answers = dict(zip(examples, _answers(observer, reference, examples), strict=True))

    def show(expression: str, arrange: str = "") -> str:
        example = Example(expression, arrange)
        return shown(example, answers[example])

    return Specified(
        text=render_specification(family, draw, show), examples=tuple(examples)
    )


def _answers(
    observer: Observer, reference: Files, examples: Sequence[Example]
) -> list[Frozen]:
    found = observer.answers(
        reference, [(item.arrange, item.expression) for item in examples]
    )
    for example, answer in zip(examples, found, strict=True):
        if isinstance(answer, str):
            raise GraderFault(
                f"the example `{example.expression}` has no answer to show: {answer}"
            )
    return [answer for answer in found if not isinstance(answer, str)]


def shown(example: Example, answer: Frozen) -> str:
    """Return one example as Markdown: a line, or a block if it needs preparing."""
    if isinstance(answer, Raised):
        outcome = f"raises `{answer.name}`"
        comment = f"# raises {answer.name}"
    else:
        value = Writer().write(answer.value)
        outcome = f"is `{value}`"
        comment = f"# {value}"
    if not example.arrange:
        return f"`{example.expression}` {outcome}"
    return "\n".join(
        ["```python", example.arrange, f"{example.expression}  {comment}", "```"]
    )
