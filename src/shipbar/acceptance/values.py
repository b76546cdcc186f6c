"""What is said of a task, and of each gate that it was asked."""

from collections.abc import Iterable, Mapping
from typing import Any, Self

import attrs

ACCEPTED, REJECTED, UNMEASURED = "accepted", "rejected", "not measured"
OUTCOMES = (ACCEPTED, REJECTED, UNMEASURED)
"""What comes of a task. Only the first two count in the rate."""


def _texts(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(found)


def _each(found: "Iterable[Asked]") -> "tuple[Asked, ...]":
    return tuple(found)


@attrs.frozen(kw_only=True)
class Asked:
    """One gate on one task: what was claimed, and what was measured."""

    gate: str
    """The gate's id."""
    name: str
    """Its name."""
    claimed: str = ""
    """Status and figure as the maker signed them; empty if nothing was."""
    status: str = ""
    """How it came out here; empty if it was not asked."""
    cell: str = ""
    """The figure that stands for it."""
    reasons: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    """What of it rejects the task."""
    missing: str = ""
    """Why it says nothing here, and what to do about it."""
    notes: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    """What differs and is not held against it."""
    figures: Mapping[str, Any] = attrs.field(factory=dict)
    """What was measured, as JSON values."""
    seconds: float = 0.0
    """Wall seconds that it took, when it was run."""
    reused: bool = False
    """Whether it was run by an earlier call, and its receipt kept."""


@attrs.frozen(kw_only=True)
class Result:
    """One task."""

    task_id: str
    """Its id."""
    digest: str = ""
    """``sha256:…`` of it as delivered; empty if that cannot be told."""
    split: str = ""
    """`train` or `eval`; empty if that cannot be told."""
    state: str = ""
    """How its grader was delivered: `open`, `sealed` or `withheld`."""
    outcome: str = attrs.field(validator=attrs.validators.in_(OUTCOMES))
    """One of `OUTCOMES`."""
    reasons: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    """Why it was rejected, or could not be measured."""
    by_design: bool = False
    """Whether it was not to be measured: a withheld grader of the evaluation split."""
    notes: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    """What was told and not held against it."""
    asked: tuple[Asked, ...] = attrs.field(default=(), converter=_each)
    """The gates, in order."""
    seconds: float = 0.0
    """Wall seconds that this call spent on it."""
    in_gates: float = 0.0
    """Wall seconds of gates that this call ran."""
    before: float = 0.0
    """Wall seconds of gates that earlier calls ran, and whose receipts were kept."""

    @property
    def reason(self) -> str:
        """The reasons in one text."""
        return "; ".join(self.reasons)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return attrs.asdict(self)

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Self:
        """Return what `as_json` gave."""
        return cls(**{**said, "asked": [Asked(**it) for it in said["asked"]]})

    def short(self) -> Self:
        """Return it without its gates: what one keeps of many."""
        return attrs.evolve(self, asked=())
