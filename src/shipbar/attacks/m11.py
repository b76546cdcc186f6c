"""M11: implements each feature alone, so that compositions fail."""

from shipbar.attacks.base import NotApplicable

ATTACK = NotApplicable(
    id="M11",
    title="implements isolated features only",
    why="It is no trick but an incomplete solution, and a sealed grade pays it for exactly those cases that it answers. Whether a suite asks for compositions is a property of the task, which its own checks must prove; a partial submission that scores strictly between nothing and all is part of the example task.",
)
