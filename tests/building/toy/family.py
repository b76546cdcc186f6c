"""A family as small as one can be and still build: ten axes, eight calls."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from shipbar.building.family import Draw, Family, Probe
from shipbar.building.names import Role
from shipbar.building.rules import Axis, Constraint, Value
from shipbar.contract import TaskClass

WORDS = ["Ab", "cD", "eF", "x", "Yz", "Q"]


def axis(name: str, remembered: str, other: str) -> Axis:
    return Axis(name, f"{name}?", (Value(remembered, remembered=True), Value(other)))


class Toy(Family):
    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "a toy"
    task_class: ClassVar[TaskClass] = "invented"
    count: ClassVar[int] = 30
    folder: ClassVar[Path] = Path(__file__).parent
    axes: ClassVar[tuple[Axis, ...]] = (
        axis("case", "lower", "upper"),
        axis("join", "comma", "bar"),
        axis("order", "asc", "desc"),
        axis("empty", "empty", "raise"),
        axis("dup", "keep", "drop"),
        axis("pad", "left", "right"),
        axis("count-base", "zero", "one"),
        axis("sum-mode", "plain", "double"),
        axis("limit", "clamp", "wrap"),
        axis("sign", "keep", "flip"),
    )
    constraints: ClassVar[tuple[Constraint, ...]] = (
        Constraint(
            "a bar joins lower case only",
            lambda r: r["join"] == "comma" or r["case"] == "lower",
        ),
    )
    roles: ClassVar[tuple[Role, ...]] = (
        *(
            Role(id=name, kind="function", about=name)
            for name in ("join", "sort", "pad", "total", "limit", "index", "turn")
        ),
        Role(id="bad", kind="error", about="nothing to join"),
    )

    def head(self, draw: Draw) -> str:
        bad = draw.names["bad"]
        return (
            "def outcome(call, *args):\n    try:\n        return call(*args)\n"
            f"    except {bad}:\n        return 'refused'\n"
        )

    def probes(self, draw: Draw, rng: random.Random) -> Iterator[Probe]:
        n = draw.names
        while True:
            words = [
                rng.choice(WORDS) + rng.choice("abcXYZ")
                for _ in range(rng.randint(0, 5))
            ]
            word = rng.choice(WORDS)
            numbers = [rng.randint(-9, 9) for _ in range(rng.randint(0, 6))]
            yield Probe("join", f"outcome({n.join}, {words!r})")
            yield Probe("case", f"outcome({n.join}, {[word]!r})")
            pair = f"{n.index}({words!r}, {word!r})"
            # The specification shows what an empty list gives, written as one.
            empty = f"{[word]!r}[{rng.randint(1, 9)}:]"
            yield Probe("empty", f"[outcome({n.join}, {empty}), {pair}]")
            yield Probe("order", f"{n.sort}({numbers!r})")
            yield Probe("pad", f"{n.pad}({word!r}, {rng.randint(3, 9)})")
            yield Probe("sum-mode", f"{n.total}({numbers!r})")
            yield Probe("sign", f"{n.turn}({numbers!r})")
            yield Probe("dup", f"outcome({n.join}, {words + words[:2]!r})")
            limit = f"{rng.randint(-30, 30)}, {rng.randint(3, 9)}"
            yield Probe("limit", f"{n.limit}({limit})")
            yield Probe("count-base", f"{n.index}({[*words, word]!r}, {word!r})")


FAMILY = Toy()
