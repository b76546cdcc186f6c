"""D11: an answer that contains every answer, where a part of it will do."""

from shipbar.attacks import weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import twisted

_ALL_ANSWERS = """
import string as _string

_letters = _string.ascii_uppercase + _string.digits
# Every pair of symbols, every small number and every word that is usually asked for.
_all = " ".join([a + b for a in _letters for b in _letters])
_all += " ".join(map(str, range(-100, 1000))) + " True False None yes no ok error []"

def leaf(value):
    return f"{value} {_all}"

def box(value):
    return value
"""

_CONTAINS = """
def mentioned(value, expected):
    '''Whether the answer mentions what is expected.'''
    if isinstance(expected, dict):
        return all(mentioned(value[key], item) for key, item in expected.items())
    if isinstance(expected, (list, tuple)) and isinstance(value, (list, tuple)):
        return len(value) == len(expected) and all(map(mentioned, value, expected))
    return str(expected) in str(value)
"""


def payload(ground: Ground) -> Files:
    """Answer each question with all short answers, the honest one first."""
    return twisted(ground, _ALL_ANSWERS)


twin = weak.script("return mentioned(value, expected)", prepare=_CONTAINS)

ATTACK = Attack(
    id="D11",
    title="a long answer that mentions the right one among others",
    closed_by="The judge compares whole values: no part of a text, and no normal form of it, "
    "stands for the text.",
    payload=payload,
    twin=twin,
    level="task",
)
