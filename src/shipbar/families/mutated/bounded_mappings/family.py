"""The axes, the surface and the probes of bounded mappings.

Four kinds of store share their methods and differ in the order in which keys
give way; a memo keeps a function's results in any of them. The observer that no
axis touches is the method that returns all pairs.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from shipbar.building.family import Draw, Family, Probe, Upstream
from shipbar.building.names import Role
from shipbar.building.rules import Axis, Value
from shipbar.building.upstream import read_pin
from shipbar.contract import TaskClass
from shipbar.families.mutated.bounded_mappings.inputs import all_probes

_HEAD = '''
def outcome(call, *args):
    """Return what a call answers, or the name of the error that it raises."""
    try:
        return call(*args)
    except {absent}:
        return "absent"
    except ValueError:
        return "ValueError"
    except ZeroDivisionError:
        return "ZeroDivisionError"
'''


def _axis(identity: str, feature: str, question: str, *values: str) -> Axis:
    """An axis whose first value is the remembered one."""
    return Axis(
        identity,
        question,
        tuple(Value(value, remembered=value == values[0]) for value in values),
        feature,
    )


def _method(identity: str, about: str) -> Role:
    return Role(id=identity, kind="method", about=about, public=False)


class BoundedMappings(Family):
    """Stores of a limited capacity, and a memo over them."""

    name = "bounded-mappings"
    title = "mappings of limited capacity that make room for new values"
    task_class: ClassVar[TaskClass] = "mutated"
    count = 175
    folder = Path(__file__).parent
    upstream: ClassVar[Upstream | None] = read_pin(folder / "upstream.toml")
    axes: ClassVar[tuple[Axis, ...]] = (
        _axis(
            "reading",
            "uses",
            "Is reading a value that is held a use of its key?",
            "use",
            "no-use",
        ),
        _axis(
            "asking",
            "uses",
            "Is asking whether a key is held a use of it, if it is?",
            "no-use",
            "use",
        ),
        _axis(
            "keeping",
            "uses",
            "Is offering a value to a key that is held already a use of it?",
            "use",
            "no-use",
        ),
        _axis(
            "requeue",
            "order",
            "Does a key that is put again lose its place in a queue?",
            "moves",
            "stays",
        ),
        _axis(
            "ties",
            "order",
            "Which of several keys with equally many uses gives way first?",
            "oldest",
            "newest",
            "stalest",
        ),
        _axis(
            "evict",
            "order",
            "Which end of the order of giving way is taken on request?",
            "first",
            "last",
        ),
        _axis(
            "oversize",
            "room",
            "What becomes of a value that alone weighs more than the capacity?",
            "raises",
            "refused",
            "forgotten",
        ),
        _axis(
            "growth",
            "room",
            "How much room does a heavier value need under a key that is held?",
            "whole",
            "difference",
        ),
        _axis(
            "last-moment",
            "age",
            "Is a value whose age is exactly the span dead or alive?",
            "dead",
            "alive",
        ),
        _axis(
            "lifetime",
            "age",
            "What starts a value's life?",
            "put",
            "put-and-read",
            "first-put",
        ),
        _axis(
            "counting",
            "age",
            "Do dead keys that nothing has removed yet count?",
            "living",
            "unswept",
        ),
        _axis(
            "arguments",
            "memo",
            "Do calls with equal arguments of different types share a result?",
            "equal",
            "typed",
        ),
        _axis(
            "failures",
            "memo",
            "Is a call that raised repeated when it is made again?",
            "repeated",
            "kept",
        ),
    )
    roles: ClassVar[tuple[Role, ...]] = (
        Role(id="queue", kind="class", about="the store that gives way by arrival"),
        Role(id="recent", kind="class", about="the store that gives way by last use"),
        Role(
            id="tally", kind="class", about="the store that gives way by number of uses"
        ),
        Role(
            id="timed",
            kind="class",
            about="the store by last use whose values die of age",
        ),
        Role(id="memo", kind="function", about="keeps a function's results in a store"),
        Role(
            id="absent", kind="error", about="raised for what is not there; a KeyError"
        ),
        _method("put", "puts a value under a key"),
        _method("read", "returns a key's value or raises"),
        _method("find", "returns a key's value or a default"),
        _method("has", "says whether a key is held"),
        _method("keep", "returns a key's value, or puts the one given"),
        _method("take", "removes a key and returns its value"),
        _method("drop", "removes a key"),
        _method("evict", "makes one key give way"),
        _method("pairs", "returns all pairs"),
        _method("count", "returns the number of keys"),
        _method("load", "returns the sum of weights"),
        _method("clear", "removes everything"),
        _method("sweep", "removes what has died"),
        _method("stats", "returns a memo's hits and misses"),
        _method("reset", "empties a memo"),
    )

    def head(self, draw: Draw) -> str:
        """Return the helper that turns errors into plain data."""
        return _HEAD.format(absent=draw.names["absent"])

    def probes(self, draw: Draw, rng: random.Random) -> Iterator[Probe]:
        """Yield probes of each kind in turn."""
        return all_probes(draw.names, rng)


FAMILY = BoundedMappings()
