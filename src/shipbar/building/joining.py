"""Asks several things in one assertion.

What no turned axis touches has few assertions to itself, and much of a library lies
there. So a calibration item may ask two or three things at once, `[one, other]`, where
that notices slips which nothing else does. Items that a turned axis decides stay single:
one rule, one assertion.
"""

import ast
from collections.abc import Sequence

import attrs

from shipbar.building.family import Probe

WIDTH = 3
"""Most that one assertion asks."""
LONGEST = 300
"""Characters that the expression of a joined item may have."""
AND = "-and-"
"""Joins the rules of an item that is for several."""


def join(probes: Sequence[Probe]) -> Probe:
    """Return one probe that asks all of ``probes``; tagged as the first one.

    What their arrange lines bind is renamed where two bind the same.
    """
    taken: set[str] = set()
    arranged: list[str] = []
    asked: list[str] = []
    for number, probe in enumerate(probes, 1):
        tree = ast.parse(probe.arrange)
        bound = _bound(tree)
        names = {name: f"{name}_{number}" for name in bound & taken}
        taken |= bound | set(names.values())
        arranged += _renamed(tree, probe.arrange, names)
        asked += _renamed(ast.parse(probe.expression), probe.expression, names)
    first = probes[0]
    return attrs.evolve(
        first, arrange="\n".join(arranged), expression=f"[{', '.join(asked)}]"
    )


def _renamed(tree: ast.Module, text: str, names: dict[str, str]) -> list[str]:
    """The text with names exchanged; as it was written where there is nothing to exchange."""
    if not names or not text.strip():
        return [text.strip("\n")] if text.strip() else []
    return [ast.unparse(_Renamer(names).visit(tree))]


def _bound(tree: ast.Module) -> set[str]:
    """The names that arrange lines bind."""
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    } | {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }


class _Renamer(ast.NodeTransformer):
    """Exchanges names."""

    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:  # as ast calls it
        node.id = self._names.get(node.id, node.id)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:  # likewise
        node.name = self._names.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:  # likewise
        node.name = self._names.get(node.name, node.name)
        return self.generic_visit(node)
