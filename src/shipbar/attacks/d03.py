"""D03: honest containers, lying members; sequences that adapt to their reader."""

from shipbar.attacks import weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.d02 import LIAR
from shipbar.attacks.weak_d import twisted

_MEMBERS = (
    LIAR
    + """
def leaf(value):
    return value

def lying(member):
    plain = member is None or isinstance(member, (bool, int, float, str, bytes))
    return liar(member) if plain else member

def box(value):
    '''A container of just the built-in type; the first one in a list adapts.'''
    if type(value) is list and value:
        return [Adapting(value[0]), *map(lying, value[1:])]
    if type(value) is tuple:
        return tuple(map(lying, value))
    return {key: lying(item) for key, item in value.items()} if type(value) is dict else value

class Adapting(str):
    '''About as long as the reader wants it, and whatever he compares it with.'''

    def __len__(self):
        return 1

    def __iter__(self):
        for _ in range(100):
            yield self

    def __getitem__(self, index):
        return self

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__
"""
)


def payload(ground: Ground) -> Files:
    """Answer with liars inside lists, tuples and dicts that are none."""
    return twisted(ground, _MEMBERS)


twin = weak.script("return type(value) is type(expected) and value == expected")

ATTACK = Attack(
    id="D03",
    title="lying members inside an honest container",
    closed_by="The runner reads members as it reads the whole, each by its built-in type's "
    "own slots, so that the judge decodes plain data at every level.",
    payload=payload,
    twin=twin,
    level="task",
)
