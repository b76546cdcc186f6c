"""Amounts in the units of an invented system: exact, until a rule rounds or snaps them.

No library stands behind this family: what is marked as remembered is the tempting
reading, which a solver takes who has not read the rule.
"""

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from shipbar.building.family import Draw, Family, Probe
from shipbar.building.names import Role
from shipbar.building.rules import Axis, Rules, Value
from shipbar.contract import TaskClass
from shipbar.families.invented.unit_amounts.edges import Edges
from shipbar.families.invented.unit_amounts.system import draw_system

_ROUNDS = 80
"""Rounds of probes; each asks about every axis."""


def _axis(id_: str, question: str, feature: str, tempting: str, *others: str) -> Axis:
    values = (Value(tempting, remembered=True), *map(Value, others))
    return Axis(id_, question, values, feature)


def _function(id_: str, about: str) -> Role:
    return Role(id=id_, kind="function", about=about)


class UnitAmounts(Family):
    """Spine: an amount from a number and a unit, `pair` back; no axis touches either."""

    name = "unit-amounts"
    title = "amounts in units that are read, converted, rounded and split"
    task_class: ClassVar[TaskClass] = "invented"
    count = 96
    folder = Path(__file__).parent
    axes: ClassVar[tuple[Axis, ...]] = (
        _axis(
            "sign-reach",
            "How far does a minus sign reach in a text of several terms?",
            "texts",
            "whole",
            "term",
        ),
        _axis(
            "term-order",
            "In which order may a text have its units, and how often?",
            "texts",
            "any",
            "falling",
            "no-repeat",
        ),
        _axis(
            "bare-number",
            "What is a number without a unit?",
            "texts",
            "base",
            "smallest",
            "refused",
        ),
        _axis(
            "plural",
            "Which numbers give a unit's name an s?",
            "texts",
            "not-one",
            "above-one",
            "never",
        ),
        _axis(
            "tie",
            "Which whole number is nearest to a half?",
            "rounding",
            "away",
            "even",
            "odd",
            "toward-zero",
        ),
        _axis(
            "vanish",
            "What is an amount coerced to that would come out as zero but is not?",
            "converting",
            "zero",
            "one",
            "unchanged",
        ),
        _axis(
            "snap",
            "Which amounts are so small that they snap to zero?",
            "rounding",
            "below",
            "at-most",
            "by-number",
        ),
        _axis(
            "best",
            "Which unit suits an amount best?",
            "converting",
            "one",
            "half",
            "whole",
        ),
        _axis(
            "sum-unit",
            "Which unit does a sum have?",
            "sums",
            "first",
            "smaller",
            "larger",
        ),
        _axis(
            "alike",
            "Are amounts of one size in two units the same?",
            "comparing",
            "size",
            "unit",
            "unit-but-zero",
        ),
        _axis(
            "tolerance",
            "How far apart may two amounts be for a tolerance?",
            "comparing",
            "at-most",
            "below",
            "half",
        ),
        _axis(
            "split-last",
            "How does the last part of a split become whole?",
            "splitting",
            "carried",
            "cut",
            "left",
        ),
        _axis(
            "split-zero",
            "Which parts of zero does a split list?",
            "splitting",
            "kept",
            "dropped",
            "leading",
        ),
    )
    roles: ClassVar[tuple[Role, ...]] = (
        Role(id="amount", kind="class", about="a number of a unit"),
        Role(id="pair", kind="method", about="its number and unit", public=False),
        _function("read", "makes an amount from a text"),
        _function("write", "writes an amount in its unit"),
        _function("spell", "writes an amount in several units"),
        _function("convert", "the same amount in another unit"),
        _function("coerce", "a whole number of another unit"),
        _function("best", "the same amount in the unit that suits it"),
        _function("rounded", "the nearest multiple of a step"),
        _function("snap", "zero for what is negligible"),
        _function("plus", "a sum of two"),
        _function("minus", "a difference"),
        _function("total", "a sum of many"),
        _function("scale", "a multiple"),
        _function("ratio", "a quotient of two"),
        _function("compare", "which of two is larger"),
        _function("same", "whether two are the same"),
        _function("distinct", "leaves out repeats"),
        _function("near", "whether two differ by little"),
        _function("groups", "puts neighbours together"),
        _function("split", "whole numbers of several units"),
        Role(id="malformed", kind="error", about="a text cannot be read"),
        Role(id="unknown", kind="error", about="no unit has that name"),
    )

    def parameters(self, rules: Rules, rng: random.Random) -> Mapping[str, object]:
        """Draw the units' names, the ratios between neighbours, and the grain."""
        del rules
        system = draw_system(rng)
        return {
            "units": system.units,
            "ratios": system.ratios,
            "sizes": system.sizes,
            "grain": system.grain,
        }

    def head(self, draw: Draw) -> str:
        """Return `plain`, which makes plain data of amounts, and `outcome`, of errors too."""
        n = draw.names
        return f"""\
from fractions import Fraction


def plain(answer):
    if isinstance(answer, {n.amount}):
        return answer.{n.pair}()
    return [plain(item) for item in answer] if isinstance(answer, list) else answer


def outcome(call, *arguments):
    try:
        return plain(call(*arguments))
    except {n.malformed}:
        return "malformed"
    except {n.unknown}:
        return "unknown"
    except ZeroDivisionError:
        return "by zero"
    except ValueError:
        return "refused"
"""

    def probes(self, draw: Draw, rng: random.Random) -> Iterator[Probe]:
        """Yield rounds that ask about every axis in turn; corner cases stand in the first ones."""
        inputs = Edges(draw, rng)
        for number in range(_ROUNDS):
            yield from inputs.turn(number)
            yield from inputs.edges(number)


FAMILY = UnitAmounts()
