"""The family of a compact binary format: values as items, items as bytes."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from shipbar.building.family import Draw, Family, Probe, Upstream
from shipbar.building.names import Role
from shipbar.building.rules import Axis, Value
from shipbar.building.upstream import read_pin
from shipbar.contract import TaskClass
from shipbar.families.mutated.compact_binary.edges import Edges
from shipbar.families.mutated.compact_binary.scalars import Scalars
from shipbar.families.mutated.compact_binary.structures import Structures

HEAD = '''\
raw = bytes.fromhex


def told(call, *args):
    """What a call returns, or how it is refused."""
    try:
        return call(*args)
    except {short_fault}:
        return "short"
    except {read_fault}:
        return "unreadable"
    except {write_fault}:
        return "unwritable"
    except ValueError:
        return "refused"
'''


def _axis(name: str, feature: str, question: str, *values: str) -> Axis:
    """An axis whose first value is the remembered one."""
    remembered, *others = values
    return Axis(
        name,
        question,
        (Value(remembered, remembered=True), *map(Value, others)),
        feature,
    )


def _function(name: str, about: str) -> Role:
    return Role(id=name, kind="function", about=about)


class CompactBinary(Family):
    """Values as compact bytes: integers, floats, text, maps, capsules."""

    name: ClassVar[str] = "compact-binary"
    title: ClassVar[str] = "plain values as compact bytes, and back"
    task_class: ClassVar[TaskClass] = "mutated"
    count: ClassVar[int] = 193
    folder: ClassVar[Path] = Path(__file__).parent
    upstream: ClassVar[Upstream | None] = read_pin(folder / "upstream.toml")
    axes: ClassVar[tuple[Axis, ...]] = (
        _axis(
            "byte-order",
            "numbers",
            "Which byte of a number of several bytes comes first?",
            "most-significant",
            "least-significant",
        ),
        _axis(
            "one-byte",
            "integers",
            "Which integers beside 0 to 127 take one byte?",
            "negatives",
            "positives",
        ),
        _axis(
            "integer-width",
            "integers",
            "How many bytes do the digits of other integers take?",
            "shortest",
            "four-or-eight",
            "eight",
        ),
        _axis(
            "big-integers",
            "integers",
            "What becomes of an integer that eight bytes cannot hold?",
            "refused",
            "decimal-text",
            "clamped",
        ),
        _axis(
            "floats",
            "floats",
            "How is a float written?",
            "double",
            "single-when-exact",
            "whole-as-integer",
        ),
        _axis(
            "bad-text",
            "text",
            "What does a text read as that is not UTF-8?",
            "refused",
            "bytes",
            "code-points",
        ),
        _axis(
            "tuples",
            "arrays",
            "How is a tuple written?",
            "as-arrays",
            "marked",
            "refused",
        ),
        _axis(
            "map-count",
            "maps",
            "What does the count of a map count?",
            "entries",
            "items",
        ),
        _axis(
            "map-order",
            "maps",
            "In which order are the entries of a map written?",
            "kept",
            "by-bytes",
            "shorter-first",
        ),
        _axis(
            "repeated-keys",
            "maps",
            "What becomes of a key that occurs twice?",
            "refused",
            "last",
            "first",
        ),
        _axis(
            "trailing",
            "reading",
            "May something follow the item that is read?",
            "ignored",
            "refused",
        ),
        _axis(
            "capsule-forms",
            "capsules",
            "Have capsules of common sizes first bytes of their own?",
            "by-size",
            "counted",
        ),
        _axis(
            "capsule-codes",
            "capsules",
            "Which codes may a capsule have?",
            "signed",
            "unsigned",
        ),
    )
    roles: ClassVar[tuple[Role, ...]] = (
        _function("encode", "writes a value as an item"),
        _function("decode", "reads the value of an item"),
        _function("decode_each", "reads the values of items in a row"),
        _function("split", "cuts bytes into items"),
        _function("size", "tells the bytes of a value's item"),
        _function("kind", "tells the kind of an item"),
        _function("open_array", "writes what an array begins with"),
        _function("open_map", "writes what a map begins with"),
        _function("pairs", "writes a map of pairs"),
        Role(id="capsule", kind="class", about="an application's own bytes"),
        Role(
            id="code", kind="attribute", about="what a capsule's data are", public=False
        ),
        Role(id="data", kind="attribute", about="a capsule's bytes", public=False),
        Role(id="write_fault", kind="error", about="a value cannot be written"),
        Role(id="read_fault", kind="error", about="bytes cannot be read"),
        Role(id="short_fault", kind="error", about="bytes end within an item"),
    )

    def head(self, draw: Draw) -> str:
        """Return the helpers that probes need."""
        return HEAD.format_map(draw.names)

    def probes(self, draw: Draw, rng: random.Random) -> Iterator[Probe]:
        """Yield probes for each axis in turn."""
        names = draw.names
        scalars, structures = Scalars(names, rng), Structures(names, rng)
        streams = {**scalars.streams, **structures.streams, **Edges(names, rng).streams}
        return scalars.probes(streams)


FAMILY = CompactBinary()
