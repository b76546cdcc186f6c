"""The package whose values the comparator tables are about, as text."""

WARES = '''
"""Values: honest ones, and ones that lie."""

import collections
import datetime
import enum
from decimal import Decimal
from fractions import Fraction


class Hollow:
    """Equal to all."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


def liar(base):
    """A subclass that says that it is equal to anything, and reads as anything."""

    def yes(self, other):
        return True

    def no(self, other):
        return False

    return type(
        "Liar" + base.__name__.title(),
        (base,),
        {"__eq__": yes, "__ne__": no, "__hash__": base.__hash__},
    )


class Name(str):
    """An honest subclass."""


class Count(int):
    pass


class Weight(float):
    pass


class Row(list):
    pass


class Box(dict):
    pass


class Day(datetime.date):
    pass


class Money(Decimal):
    pass


Pair = collections.namedtuple("Pair", "left right")


class Colour(enum.Enum):
    RED = "red"
    GREEN = "green"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Kind(enum.StrEnum):
    ERROR = "error"


class Colours(enum.Enum):
    RED = "red"


class Bits(enum.Flag):
    A = 1
    B = 2


class Price(Decimal, enum.Enum):
    UNIT = "1.50"


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


Zone = datetime.timezone(datetime.timedelta(hours=2))
'''
