"""D06: a comparison of texts: `repr` lies, and types vanish in it."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import script_repr
from shipbar.attacks.weak_d import twisted

_LOOKS = """
class Look(str):
    '''A text that reads like any other.'''

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def strip(self, *args):
        return self

    __hash__ = str.__hash__
    casefold = lower = format = strip

_looks = {}

def look(value):
    base = type(value)
    if base in (bool, type(None)):
        return value
    if base not in _looks:
        shown = lambda self, *spec: Look(base.__repr__(self))
        inside = dict.fromkeys(("__repr__", "__str__", "__format__"), shown)
        _looks[base] = type(base.__name__, (base,), inside)
    return _looks[base](value)

leaf = box = look
"""


def payload(ground: Ground) -> Files:
    """Answer with values whose `repr` and `str` are equal to every text."""
    return twisted(ground, _LOOKS)


ATTACK = Attack(
    id="D06",
    title="a comparison of what values look like",
    closed_by="The judge compares values and never what they look like; `repr` and `str` of "
    "the candidate's classes are not called on either side.",
    payload=payload,
    twin=script_repr,
    level="task",
)
