"""P04: a paraphrase of leaked code by a model."""

from shipbar.attacks.base import NotApplicable

ATTACK = NotApplicable(
    id="P04",
    title="a paraphrase of the reference by a model",
    why="It takes a leaked reference, and none is anywhere that a solver or a subject can "
    "reach. If one leaked, a paraphrase would be correct by what it does and unlike it by "
    "its source: what is left of this risk is met by the copy guard's measure of structure "
    "and by replacing the task.",
)
