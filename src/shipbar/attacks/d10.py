"""D10: containers that are compared only as far as the answer goes: `all([])` is true."""

from shipbar.attacks import weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import twisted

_EMPTY = """
class Once:
    '''An iterator that is used up by whoever looks first, and equal to what he has.'''

    def __iter__(self):
        return self

    def __next__(self):
        raise StopIteration

def leaf(value):
    return value

def box(value):
    '''Nothing in it; a set, of which order and number are lost, as a one-shot iterator.'''
    return Once() if isinstance(value, (set, frozenset)) else type(value)()
"""

_AS_FAR = """
def agree(value, expected):
    '''Whether whatever was answered is right.'''
    if isinstance(expected, dict):
        return all(agree(item, expected.get(key)) for key, item in value.items())
    if isinstance(expected, (list, tuple, set, frozenset)):
        return all(agree(*pair) for pair in zip(value, expected))
    return value == expected
"""


def payload(ground: Ground) -> Files:
    """Answer with empty containers."""
    return twisted(ground, _EMPTY)


twin = weak.script("return agree(value, expected)", prepare=_AS_FAR)

ATTACK = Attack(
    id="D10",
    title="containers that are empty, repeat themselves or are read only once",
    closed_by="Containers are decoded whole, refused if members or keys repeat, and equal only "
    "as Python has it: same kind, same number, same members. An iterator is no plain data.",
    payload=payload,
    twin=twin,
    level="task",
    guesses=True,
)
