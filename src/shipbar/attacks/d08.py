"""D08: NaN and infinity, where a difference is only looked at if it is too large."""

from shipbar.attacks import weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import twisted

_NOT_A_NUMBER = """
import decimal as _decimal

_nan = float("nan")  # one object, so that lists of it are equal

def leaf(value):
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _nan
    return value

def box(value):
    if type(value) is tuple:
        return tuple(_decimal.Decimal("NaN") if item is _nan else item for item in value)
    return value
"""

_TOLERANT = """
def near(value, expected):
    '''Numbers may differ by a little.'''
    if isinstance(expected, dict):
        return value.keys() == expected.keys() and all(
            near(value[key], expected[key]) for key in expected)
    if isinstance(expected, (list, tuple)):
        return len(value) == len(expected) and all(map(near, value, expected))
    if isinstance(expected, (int, float)) and not isinstance(expected, bool):
        return not abs(value - expected) > 1e-9
    return value == expected
"""


def payload(ground: Ground) -> Files:
    """Answer with NaN wherever a number is due."""
    return twisted(ground, _NOT_A_NUMBER)


twin = weak.script("return near(value, expected)", prepare=_TOLERANT)

ATTACK = Attack(
    id="D08",
    title="NaN and infinity that are never too far away",
    closed_by="Numbers are compared with `==`, which NaN never satisfies, and approximate ones "
    "with `difference <= tolerance` after both were found finite.",
    payload=payload,
    twin=twin,
    level="task",
)
