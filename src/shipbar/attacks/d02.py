"""D02: values of subclasses of built-in types that are equal to everything."""

from shipbar.attacks import weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import twisted

LIAR = """
_liars = {}

def liar(value):
    '''The same value in a subclass that is equal to everything and ordered as one likes.'''
    base = type(value)
    if base in (bool, type(None)):
        base, value = int, int(bool(value))
    if base not in _liars:
        yes, no = (lambda self, other: True), (lambda self, other: False)
        inside = {"__eq__": yes, "__ne__": no, "__le__": yes, "__ge__": yes}
        inside |= {"__hash__": lambda self: 0, "__contains__": yes}
        inside |= {"__instancecheck__": yes, "__class__": base}
        _liars[base] = type(base.__name__, (base,), inside)
    return _liars[base](value)
"""

_EVERYTHING = LIAR + "leaf = box = liar\n"


def payload(ground: Ground) -> Files:
    """Answer with liars at every level."""
    return twisted(ground, _EVERYTHING)


twin = weak.script("return isinstance(value, type(expected)) and value == expected")

ATTACK = Attack(
    id="D02",
    title="a subclass of a built-in type with an equality of its own",
    closed_by="The runner encodes a value through its built-in type's own slots, and the "
    "judge compares what it decoded itself: no method of the candidate takes part.",
    payload=payload,
    twin=twin,
    level="task",
)
