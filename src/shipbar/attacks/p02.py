"""P02: a renamed or restructured copy."""

from shipbar.attacks.base import NotApplicable

ATTACK = NotApplicable(
    id="P02",
    title="a renamed or restructured copy of the reference",
    why="A correct copy answers every probe correctly, so no grader can tell it from honest "
    "work by what it does. The way to a copy at run time is tried as P01; one that was "
    "brought along is measured on its source by the copy guard, and a task's own "
    "deviations keep an original's copy below the bar.",
)
