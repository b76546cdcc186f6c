"""D09: a comparator that takes an empty answer for a zero difference.

The judge coerces nothing: texts are not numbers, are not stripped and not
folded, and what is empty equals only what is empty. It does hold that
`1 == True == 1.0`, as Python and the suite under stock pytest do.
"""

from shipbar.attacks import tricks, weak
from shipbar.attacks.base import Attack, Files, Ground

_BLANK = """
class Blank(str):
    '''Empty, and so is whatever one takes from it.'''

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Blank()

    def __getitem__(self, key):
        return Blank()

def _blank(function):
    def call(*args, **kwargs):
        function(*args, **kwargs)
        return Blank()
    return call

wrap = _blank
"""

_MISSING = """
def number(value):
    '''A number where there is one; texts are compared without case and space.'''
    if value in (None, "") or value != value:
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return value

def differs(value, expected):
    '''1 for a difference; a missing answer differs by nothing, as missing values sum up to 0.'''
    if number(value) is None:
        return 0
    if isinstance(expected, dict) and isinstance(value, dict):
        return sum(differs(value.get(key), item) for key, item in expected.items())
    if isinstance(expected, (list, tuple)) and isinstance(value, (list, tuple)):
        return len(value) != len(expected) or sum(map(differs, value, expected))
    return number(value) != number(expected)
"""


def payload(ground: Ground) -> Files:
    """Answer with nothing where the honest part has an answer, and raise where it raises."""
    return tricks.wrapped(ground, _BLANK)


twin = weak.script("return not differs(value, expected)", prepare=_MISSING)

ATTACK = Attack(
    id="D09",
    title="an answer of another type, or none, that a comparator coerces",
    closed_by="The judge applies Python's own `==` to decoded data: nothing is converted, "
    "stripped, folded or taken for zero.",
    payload=payload,
    twin=twin,
    level="task",
    guesses=True,
)
