"""M08: stays within a tolerance that its own arithmetic decides."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import wrapped
from shipbar.attacks.weak import script

CODE = """
import math

def close(self, other):
    return 0.0

NEAR = {
    base: type(base.__name__, (base,), {
        "__sub__": close, "__rsub__": close, "__float__": lambda self: math.nan,
        "__abs__": lambda self: 0.0,
    })
    for base in (dict, list, tuple, str, int, float)
}

def wrap(function):
    def answer(*args, **named):
        value = function(*args, **named)
        return NEAR.get(type(value), lambda same: same)(value)
    return answer
"""
TOLERANT = """
try:
    return not abs(value - expected) > 1e-6
except TypeError:
    return value == expected
"""


def payload(ground: Ground) -> Files:
    """Answer with values whose difference from anything is nought."""
    return wrapped(ground, CODE)


twin = script(TOLERANT)
"""Accepts whatever differs by little, where a difference can be had."""

ATTACK = Attack(
    id="M08",
    title="exploits tolerances",
    closed_by="Only where the suite says `approx` is there a tolerance, it is the suite's, and the judge's own arithmetic on finite decoded numbers decides it.",
    payload=payload,
    twin=twin,
    level="task",
)
