"""The wrong packages that a task is measured by.

Rule packages are rendered from the same templates as the reference, so that they
are wrong in just the way that they are meant to be. Code mutants are the reference
with one small slip each.
"""

import ast
import copy
import random
from collections.abc import Callable, Iterator, Mapping

from shipbar.building.family import Draw, Family
from shipbar.building.render import formatted, render_package
from shipbar.building.rules import Rules
from shipbar.grading.nulls import hollow

Files = Mapping[str, bytes]

REMEMBERED, HEADLINE, OVER, HOLLOW = (
    "remembered",
    "headline-reader",
    "over-inverter",
    "hollow",
)
FLIP_BACK = "flip-back-"


def known_bads(family: Family, draw: Draw, reference: Files) -> dict[str, Files]:
    """Return every known-bad by name; the package written from memory comes first."""
    space = family.space
    inverted = space.inverted(draw.rules)
    packages: dict[str, Files] = {
        REMEMBERED: render_package(family, draw, space.memory)
    }
    for axis in inverted:
        packages[FLIP_BACK + axis] = render_package(
            family, draw, space.flipped(draw.rules, axis)
        )
    headline = render_package(family, draw, deep=space.flipped(draw.rules, *inverted))
    if headline != dict(reference):
        packages[HEADLINE] = headline
    over = over_inverted(family, draw.rules)
    if over != dict(draw.rules):
        packages[OVER] = render_package(family, draw, over)
    packages[HOLLOW] = {
        path: formatted(data.decode()).encode()
        for path, data in hollow(reference).items()
    }
    return packages


def ladder(family: Family, draw: Draw) -> dict[str, Files]:
    """Return partial implementations by name: one rule right and the rest as remembered, then two, and so on."""
    inverted = family.space.inverted(draw.rules)
    return {
        f"{right:02}-of-{len(inverted):02}": render_package(
            family, draw, family.space.flipped(draw.rules, *inverted[right:])
        )
        for right in range(1, len(inverted))
    }


def over_inverted(family: Family, rules: Rules) -> dict[str, str]:
    """``rules`` with the axes left ordinary turned away too, as far as that is coherent."""
    over = dict(rules)
    for axis in family.axes:
        if over[axis.id] == axis.remembered:
            for value in axis.others:
                turned = {**over, axis.id: value}
                if family.space.broken(turned) is None:
                    over = turned
                    break
    return over


def ordinary_turned(family: Family, rules: Rules) -> dict[str, dict[str, str]]:
    """For each axis left ordinary, ``rules`` with that one turned away, where that is coherent."""
    turned = {}
    for axis in family.axes:
        if rules[axis.id] == axis.remembered:
            for value in axis.others:
                changed = {**rules, axis.id: value}
                if family.space.broken(changed) is None:
                    turned[axis.id] = changed
                    break
    return turned


# -- slips

_SWAPS: Mapping[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


def slips(reference: Files, rng: random.Random, most: int) -> list[Files]:
    """Return up to ``most`` packages that are the reference with one small slip each."""
    (path, data), *rest = reference.items()
    tree = ast.parse(data.decode())
    changes = list(_changes(tree))
    rng.shuffle(changes)
    found: list[Files] = []
    for change in changes[:most]:
        changed = copy.deepcopy(tree)
        change(changed)
        text = ast.unparse(ast.fix_missing_locations(changed))
        found.append({path: text.encode(), **dict(rest)})
    return found


def _changes(tree: ast.Module) -> Iterator[Callable[[ast.Module], None]]:
    """Yield functions that make one slip each in a copy of ``tree``."""
    for number, node in enumerate(ast.walk(tree)):
        for field in ("op", "ops"):
            operator = getattr(node, field, None)
            first = operator[0] if isinstance(operator, list) and operator else operator
            if isinstance(first, ast.AST) and type(first) in _SWAPS:
                yield _swap(number, field)
        if isinstance(node, ast.Constant) and type(node.value) is int:
            yield _bump(number)
        if isinstance(node, ast.Constant) and type(node.value) is bool:
            yield _negate(number)


def _at(tree: ast.Module, number: int) -> ast.AST:
    return next(node for place, node in enumerate(ast.walk(tree)) if place == number)


def _swap(number: int, field: str) -> Callable[[ast.Module], None]:
    def change(tree: ast.Module) -> None:
        node = _at(tree, number)
        operator = getattr(node, field)
        if isinstance(operator, list):
            operator[0] = _SWAPS[type(operator[0])]()
        else:
            setattr(node, field, _SWAPS[type(operator)]())

    return change


def _bump(number: int) -> Callable[[ast.Module], None]:
    def change(tree: ast.Module) -> None:
        node = _at(tree, number)
        node.value += 1  # type: ignore[attr-defined]  # an integer constant, by _changes

    return change


def _negate(number: int) -> Callable[[ast.Module], None]:
    def change(tree: ast.Module) -> None:
        node = _at(tree, number)
        node.value = not node.value  # type: ignore[attr-defined]  # a Boolean constant, by _changes

    return change
