"""The runner's encoder: reads values through their built-in type's own slots.

It runs inside the sandbox, beside the candidate, and is believed by nobody; what it
must do is read honest values right, and never let a value stop the runner. The
module is loaded from its file: nothing of ours imports the subject.
"""

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import importlib.util
from collections.abc import Callable
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shipbar.sealed.codec import MAX_DEPTH, MAX_NODES, Member, Opaque, decode
from tests.repository import SOURCE
from tests.sealed.test_literals import values


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        f"subject_{name}", SOURCE / "subject" / f"{name}.py"
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


encode = load("encode")


def round_trip(value):
    encoder = encode.Encoder(lambda cls: cls.__name__)
    return decode(encoder.encode(value).encode())


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


@given(values)
def test_what_is_encoded_decodes_as_the_same_value(value):
    found = round_trip(value)
    assert found == value or isinstance(_first_opaque(found), Opaque)
    assert type(found) is type(value) or isinstance(found, Opaque)


def _first_opaque(value):
    """A member of a made-up Enum is no Enum's; numbers of many digits are not read."""
    if isinstance(value, Opaque):
        return value
    if isinstance(value, dict):
        value = [item for pair in value.items() for item in pair]
    if isinstance(value, list | tuple | set | frozenset):
        return next(filter(None, map(_first_opaque, value)), None)
    return None


@given(st.floats(allow_nan=True), st.text(st.characters(codec=None)))
def test_bits_and_code_points_survive(number, text):
    found = round_trip(number)
    assert found.hex() == number.hex()
    assert round_trip(text) == text


class Lying:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __str__(self):
        return "lie"

    __repr__ = __str__

    def __iter__(self):
        return iter(["lie"])

    def __len__(self):
        return 99

    def __index__(self):
        return 99

    __int__ = __index__

    def __float__(self):
        return 99.0

    def __complex__(self):
        return 99j

    def __getattribute__(self, name):
        if name in {"items", "keys", "values", "hex", "days", "isoformat", "__dict__"}:
            return lambda *_: ["lie"]
        return object.__getattribute__(self, name)


@pytest.mark.parametrize(
    ("base", "arguments"),
    [
        (int, (7,)),
        (str, ("a",)),
        (float, (0.5,)),
        (complex, (1, 2)),
        (bytes, (b"x",)),
        (bytearray, (b"x",)),
        (list, ([1],)),
        (tuple, ((1,),)),
        (dict, ({"k": 1},)),
        (set, ({1},)),
        (frozenset, ({1},)),
        (decimal.Decimal, ("1.5",)),
        (datetime.date, (2024, 1, 2)),
        (datetime.datetime, (2024, 1, 2, 3)),
    ],
)
def test_a_lying_subclass_is_read_by_its_base(base, arguments):
    liar = type("Liar", (Lying, base), {})(*arguments)
    assert round_trip(liar) == base(*arguments)


class Meta(type):
    @property
    def __name__(cls):  # type: ignore[override]  # a hostile metaclass
        raise RuntimeError

    @property
    def __module__(cls):  # type: ignore[override]  # as above
        raise RuntimeError

    def mro(cls):
        return (cls, object)


class Raiser(metaclass=Meta):
    def __getattribute__(self, name):
        raise RuntimeError


class Claims:
    @property  # type: ignore[misc]  # a lie
    def __class__(self):
        return dict


@dataclasses.dataclass
class Lot:
    items: list[int]


UNREADABLE: dict[str, Callable[[], object]] = {
    "object": object,
    "raiser": Raiser,
    "claims to be a dict": Claims,
    "dataclass": lambda: Lot([1]),
    "class": lambda: int,
    "enum class": lambda: Colour,
    "function": lambda: len,
    "iterator": lambda: iter([]),
    "generator": lambda: (n for n in [1]),
    "keys": {}.keys,
    "items": {}.items,
    "memoryview": lambda: memoryview(b"x"),
    "deque": lambda: collections.deque([1]),
    "wrapper": lambda: collections.UserDict(a=1),
    "ellipsis": lambda: ...,
    "not implemented": lambda: NotImplemented,
    "exception": lambda: ValueError("x"),
    "zone": lambda: datetime.UTC,
    "no date": type("date", (), {"__module__": "datetime"}),
    "no Decimal": type("Decimal", (), {"__module__": "decimal"}),
    "long int": lambda: 1 << 60_000,
    "long text": lambda: "x" * 1_100_000,
    "long bytes": lambda: b"x" * 1_100_000,
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_is_no_plain_data_is_opaque(what):
    found = round_trip(UNREADABLE[what]())
    assert isinstance(found, Opaque)
    assert len(found.what) < 100


def test_one_opaque_item_leaves_the_others_readable():
    found = round_trip([1, object(), {"a": Lot([1])}])
    assert found[0] == 1
    assert isinstance(found[1], Opaque)


def test_a_value_without_end_is_too_large():
    cycle: list[object] = []
    cycle.append(cycle)
    for value in (cycle, [[0] * 300] * 300, [None] * 30_000, [True] * 30_000):
        found = round_trip(value)
        assert isinstance(found, Opaque)
        assert found.what == "too large"


def test_whatever_is_encoded_is_within_the_decoder_s_bounds():
    assert encode.MAX_NODES < MAX_NODES
    assert encode.MAX_DEPTH < MAX_DEPTH
    widest: list[list[object]] = [[]] * (encode.MAX_NODES - 1)
    assert round_trip(widest) == widest
    deepest: list[object] = []
    for _ in range(encode.MAX_DEPTH):
        deepest = [deepest]
    assert round_trip(deepest) == deepest
    largest = set(range(encode.MAX_NODES - 1))
    assert round_trip(largest) == largest
    assert round_trip(2**encode.MAX_BITS - 1) == 2**encode.MAX_BITS - 1
    assert round_trip({"k": range(2**49_000)})["k"] == range(2**49_000)


def test_members_go_by_the_public_name_of_their_class():
    encoder = encode.Encoder(lambda cls: "Public")
    assert decode(encoder.encode([Colour.RED, Level.LOW]).encode()) == [
        Member("Public", "RED"),
        Member("Public", "LOW", 1),
    ]


@pytest.mark.parametrize(
    ("mixin", "value"),
    [(int, 3), (str, "s"), (float, 0.5), (bytes, b"b"), (tuple, (1, 2)), (decimal.Decimal, "1.5"), (datetime.date, (2024, 1, 2))],
)  # fmt: skip
def test_a_member_carries_the_value_of_its_mixed_in_type(mixin, value):
    cls = enum.Enum("Mixed", {"ONE": value}, type=mixin)  # type: ignore[misc]  # made at run time
    found = round_trip(cls.ONE)
    arguments = value if isinstance(value, tuple) and mixin is not tuple else (value,)
    assert found.base == mixin(*arguments)


def test_zones_survive_and_fractions_are_exact():
    zone = datetime.timezone(datetime.timedelta(hours=-3, minutes=-30, microseconds=1))
    moment = datetime.datetime(2024, 2, 29, 1, 2, 3, 4, zone)
    assert round_trip(moment) == moment
    assert round_trip(moment).utcoffset() == moment.utcoffset()
    third = fractions.Fraction(-(10**30), 3)
    assert round_trip(third) == third
