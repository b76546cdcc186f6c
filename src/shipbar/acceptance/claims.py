"""A claim against what was measured.

- What was claimed and does not come out again rejects the task: status, figure,
  figures, problems, reasons.
- Conditions are told and never held against anybody: another interpreter, another
  sandbox, another Shipbar.
- Some claims answer another question than the one asked here, and then nothing but our
  own answer counts: novelty among other tasks than those of the delivery, reviews that
  were signed since, and a corpus or parameters of another Shipbar. A receipt that names
  this very Shipbar and other parameters is none of these.
- Images are made when a task is delivered and looked through here: that a receipt says
  nothing of them is no difference.
"""

import json
from collections.abc import Sequence
from typing import Any

import attrs

from shipbar.attest.receipt import (
    NOT_APPLICABLE,
    PASSED,
    Difference,
    Receipt,
    answers_that_differ,
    conditions_that_differ,
)

GOES_OUT = (PASSED, NOT_APPLICABLE)
"""What a gate may have found of a task that is delivered."""
_SURROUNDINGS = ("depends: others", "depends: reviews")
_IMAGES = ("depends: image ", "figures: images")
_ASKED = ("depends: ", "parameters: ")
_LONGEST = 160


@attrs.frozen(kw_only=True)
class Weighed:
    """What comes of holding a claim to what was measured."""

    reasons: tuple[str, ...] = ()
    """What does not come out again."""
    notes: tuple[str, ...] = ()
    """What differs and is not held against it."""


def weighed(recorded: Receipt, found: Receipt) -> Weighed:
    """Hold a receipt to what the same gate found here."""
    differences = [
        it
        for it in answers_that_differ(recorded, found)
        if not it.what.startswith(_IMAGES)
    ]
    asked = [it for it in differences if it.what.startswith(_ASKED)]
    excused = [it for it in asked if _excused(it, recorded, found)]
    notes = _conditions(recorded, found)
    if excused:
        names = ", ".join(it.what.partition(": ")[2] for it in excused)
        notes.append(
            f"{recorded.question.gate}: claimed {_cell(recorded)} of another question ({names}); counted is what was measured, {_cell(found)}"
        )
        return Weighed(notes=tuple(notes))
    reasons = tuple(f"{recorded.question.gate}: {_told(it)}" for it in differences)
    return Weighed(reasons=reasons, notes=tuple(notes))


def _excused(it: Difference, recorded: Receipt, found: Receipt) -> bool:
    """Whether a question differs for a reason that an honest maker may have."""
    if it.what in _SURROUNDINGS:
        return True
    tools = [one.question.conditions.tool_digest for one in (recorded, found)]
    return tools[0] != tools[1]


def _conditions(recorded: Receipt, found: Receipt) -> list[str]:
    before, now = recorded.question.conditions, found.question.conditions
    return [
        f"another {it.what.replace('_', ' ')}: the receipts say {_short(it.recorded)}, here it is {_short(it.found)}"
        for it in conditions_that_differ(before, now)
    ]


def _cell(receipt: Receipt) -> str:
    return f"{receipt.status} {receipt.cell}".strip()


def _told(it: Difference) -> str:
    return f"{it.what}: claimed {_short(it.recorded)}, measured {_short(it.found)}"


def _short(value: Any) -> str:  # noqa: ANN401  # JSON values are of any type
    if value is None:
        return "nothing"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def of_line(gate: str, status: str, cell: str, receipt: Receipt) -> Sequence[str]:
    """Say where a line of the index and the receipt that it names part."""
    said = f"{status} {cell}".strip()
    if said != _cell(receipt):
        return [f"{gate}: the index says {said}, its receipt {_cell(receipt)}"]
    if receipt.status not in GOES_OUT:
        return [f"{gate}: its receipt says {_cell(receipt)}: it must not go out"]
    return []
