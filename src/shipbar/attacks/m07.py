"""M07: satisfies a property that says nothing."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_code
from shipbar.attacks.weak import script

CODE = """
def same(value, *rest):
    return ()

for name in ("normalise", "normalize", "canonical", "round_trip", "simplify"):
    setattr(package, name, same)
"""
UP_TO_NORMAL_FORM = """
normal = getattr(package, "normalise", lambda same: same)
return normal(value) == normal(expected)
"""


def payload(ground: Ground) -> Files:
    """Bring a normal form that makes all values one."""
    return with_code(ground, CODE)


twin = script(UP_TO_NORMAL_FORM)
"""Compares up to the package's own normal form: a property that a constant has."""

ATTACK = Attack(
    id="M07",
    title="satisfies vacuous properties",
    closed_by="A case is an equality with a frozen value. No property is checked with functions of the candidate, so there is none that it could make empty.",
    payload=payload,
    twin=twin,
    level="task",
)
