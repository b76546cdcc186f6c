"""The wrong packages that a task is measured by.

Rule packages are rendered from the same templates as the reference, so that they
are wrong in just the way that they are meant to be. Packages without behaviour
are made from the reference's public names alone. Code mutants are the reference
with one small slip each.
"""

import ast
import copy
import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from shipbar.building.family import Draw, Family
from shipbar.building.render import formatted, render_package
from shipbar.building.rules import Rules

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
    hollow = _without_behaviour(reference, _hollow)
    packages[HOLLOW] = {
        path: formatted(data.decode()).encode() for path, data in hollow.items()
    }
    return packages


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


def nulls(reference: Files) -> dict[str, Files]:
    """Packages with the right names and no behaviour, by name."""
    made = {
        f"constant {text}": _constant(text)
        for text in ("None", "True", "0", "''", "[]")
    }
    return {
        name: _without_behaviour(reference, body)
        for name, body in {
            "hollow": _hollow,
            "identity": _identity,
            "always raises": _raises,
            **made,
        }.items()
    }


Body = Callable[[ast.FunctionDef, Sequence[str]], list[ast.stmt]]


def _without_behaviour(reference: Files, body: Body) -> Files:
    """The reference with the body of each of its functions replaced."""
    return {
        path: _replaced(data.decode(), body).encode()
        for path, data in reference.items()
    }


def _replaced(source: str, body: Body) -> str:
    tree = ast.parse(source)
    errors = [
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        and any(
            "Error" in ast.unparse(b) or "Exception" in ast.unparse(b)
            for b in node.bases
        )
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body = body(node, errors)
    return ast.unparse(ast.fix_missing_locations(tree))


def _hollow(node: ast.FunctionDef, errors: Sequence[str]) -> list[ast.stmt]:
    del node, errors
    return [ast.Pass()]


def _constant(text: str) -> Body:
    def body(node: ast.FunctionDef, errors: Sequence[str]) -> list[ast.stmt]:
        del errors
        return (
            [ast.Pass()]
            if node.name == "__init__"
            else ast.parse(f"return {text}").body
        )

    return body


def _identity(node: ast.FunctionDef, errors: Sequence[str]) -> list[ast.stmt]:
    del errors
    names = [argument.arg for argument in [*node.args.posonlyargs, *node.args.args]]
    if node.name == "__init__":
        return [ast.Pass()]
    wanted = [name for name in names if name not in ("self", "cls")] or names
    return ast.parse(f"return {wanted[0] if wanted else None}").body


def _raises(node: ast.FunctionDef, errors: Sequence[str]) -> list[ast.stmt]:
    if node.name == "__init__" or not errors:
        return ast.parse("pass" if node.name == "__init__" else "raise ValueError").body
    return ast.parse(f"raise {errors[0]}").body


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
