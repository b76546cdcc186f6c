"""The reference tranche: pinned variants that any machine builds to the same bytes.

`families/reference.toml` names for each task its family, the rules that it must have,
its assertions and the digest of its folder. The tasks themselves
are never committed.
"""

import tomllib
from pathlib import Path

import attrs

from shipbar.building.rules import Rules

SEED = "shipbar reference tranche 1"
"""Public: what is built from it is for reference, and trains or evaluates nobody."""


@attrs.frozen(kw_only=True)
class Pin:
    """One task of the tranche."""

    number: int
    """Its place in the tranche."""
    family: str
    """Its family's name."""
    task_id: str
    """The task's id."""
    assertions: int
    """Held-out assertions."""
    digest: str
    """`sha256:…` over the task's files; empty until it is pinned."""
    rules: Rules = attrs.field(factory=dict)
    """The values that its domain is known for in the tranche; the rest is drawn."""


def read_pins(path: Path) -> tuple[Pin, ...]:
    """Read the tranche's pins, in order."""
    table = tomllib.loads(path.read_text("utf-8"))
    return tuple(Pin(**entry) for entry in table["task"])
