"""Changes of loops, conditions and texts that keep what a module does.

Like those in `rewrites`, each takes a tree, which it may change in place, and a
`random.Random`. A place where a change might be seen from outside is left as it is.
"""

import ast
from collections import Counter
from collections.abc import Iterable
from random import Random

from bench.rewrites import parameters

Body = list[ast.stmt]


def load(name: str) -> ast.Name:
    """Return ``name`` as it is read."""
    return ast.Name(id=name, ctx=ast.Load())


def store(name: str) -> ast.Name:
    """Return ``name`` as it is bound."""
    return ast.Name(id=name, ctx=ast.Store())


def ids(node: ast.AST) -> Counter[str]:
    """Return how often each name stands below ``node``."""
    return Counter(it.id for it in ast.walk(node) if isinstance(it, ast.Name))


def functions(tree: ast.Module) -> Iterable[tuple[str, ast.FunctionDef]]:
    """Yield functions of the module and methods of its classes, with what they lie in."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield "", node
        elif isinstance(node, ast.ClassDef):
            for it in node.body:
                if isinstance(it, ast.FunctionDef):
                    yield node.name, it


# -- loops and conditions


class _Unfolder(ast.NodeTransformer):
    """Makes loops of comprehensions that are assigned or returned."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self._all = ids(function)
        self._taken = {
            it.arg
            for inner in ast.walk(function)
            if isinstance(inner, ast.arguments)
            for it in parameters(inner)
        }
        self._count = 0

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | Body:
        return self._unfolded(node)

    def visit_Return(self, node: ast.Return) -> ast.stmt | Body:
        return self._unfolded(node)

    def _unfolded(self, node: ast.Assign | ast.Return) -> ast.stmt | Body:
        value = node.value
        if not isinstance(value, ast.ListComp | ast.SetComp | ast.DictComp):
            return node
        if len(value.generators) != 1 or not self._safe(value):
            return node
        (part,) = value.generators
        self._count += 1
        name = f"made_{self._count}"
        start, add = _collector(name, value)
        inner: ast.stmt = add
        for test in reversed(part.ifs):
            inner = ast.If(test=test, body=[inner], orelse=[])
        loop = ast.For(target=part.target, iter=part.iter, body=[inner], orelse=[])
        node.value = load(name)
        return [start, loop, node]

    def _safe(self, value: ast.ListComp | ast.SetComp | ast.DictComp) -> bool:
        part = value.generators[0]
        inside = ids(value)
        targets = set(ids(part.target))
        alone = all(self._all[it] == inside[it] for it in targets)
        closed = any(
            isinstance(it, ast.Lambda | ast.NamedExpr | ast.Await)
            for it in ast.walk(value)
        )
        return alone and not closed and not part.is_async and not targets & self._taken


def _collector(
    name: str, value: ast.ListComp | ast.SetComp | ast.DictComp
) -> tuple[ast.stmt, ast.stmt]:
    """Return what begins a collection, and what adds to it."""
    if isinstance(value, ast.DictComp):
        start: ast.expr = ast.Dict(keys=[], values=[])
        target = ast.Subscript(value=load(name), slice=value.key, ctx=ast.Store())
        add: ast.stmt = ast.Assign(targets=[target], value=value.value)
    else:
        listed = isinstance(value, ast.ListComp)
        start = ast.parse("[]" if listed else "set()", mode="eval").body
        method = "append" if listed else "add"
        door = ast.Attribute(value=load(name), attr=method, ctx=ast.Load())
        add = ast.Expr(value=ast.Call(func=door, args=[value.elt], keywords=[]))
    return ast.Assign(targets=[store(name)], value=start), add


def unfolded(tree: ast.Module, _rng: Random) -> ast.Module:
    """Make loops of comprehensions."""
    for _, function in functions(tree):
        if not any(isinstance(it, ast.Global) for it in ast.walk(function)):
            _Unfolder(function).generic_visit(function)
    return tree


class _Conditions(ast.NodeTransformer):
    """Says conditions the other way round; only where nothing but their truth counts."""

    def _turned(self, test: ast.expr) -> ast.expr:
        if isinstance(test, ast.BoolOp):
            op = ast.Or() if isinstance(test.op, ast.And) else ast.And()
            values: list[ast.expr] = [
                ast.UnaryOp(op=ast.Not(), operand=it) for it in test.values
            ]
            inner = ast.BoolOp(op=op, values=values)
            return ast.UnaryOp(op=ast.Not(), operand=inner)
        return test

    def visit_If(self, node: ast.If) -> ast.If:
        self.generic_visit(node)
        node.test = self._turned(node.test)
        if not node.orelse:
            negated = ast.UnaryOp(op=ast.Not(), operand=node.test)
            return ast.If(test=negated, body=[ast.Pass()], orelse=node.body)
        return node

    def visit_While(self, node: ast.While) -> ast.While:
        self.generic_visit(node)
        node.test = self._turned(node.test)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        self.generic_visit(node)
        negated = ast.UnaryOp(op=ast.Not(), operand=node.test)
        return ast.IfExp(test=negated, body=node.orelse, orelse=node.body)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        middle, *more = node.comparators
        if len(more) != 1 or not isinstance(middle, ast.Name | ast.Constant):
            return node
        parts: list[ast.expr] = [
            ast.Compare(left=node.left, ops=node.ops[:1], comparators=[middle]),
            ast.Compare(left=middle, ops=node.ops[1:], comparators=more),
        ]
        return ast.BoolOp(op=ast.And(), values=parts)


def turned_conditions(tree: ast.Module, _rng: Random) -> ast.Module:
    """Turn conditions round by De Morgan's rules, swap choices, part chained comparisons."""
    return _Conditions().visit(tree)  # type: ignore[no-any-return]  # a visitor's result is untyped


_MOST_NESTED = 12


def nested(tree: ast.Module, _rng: Random) -> ast.Module:
    """Put what follows a guard into its else."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = _nested(node.body, _MOST_NESTED)
    return tree


def _nested(body: Body, most: int) -> Body:
    for place, node in enumerate(body[:-1]):
        guard = isinstance(node, ast.If) and not node.orelse
        if not guard or not isinstance(node, ast.If):
            continue
        if most and isinstance(node.body[-1], ast.Return | ast.Raise):
            node.orelse = _nested(body[place + 1 :], most - 1)
            return body[: place + 1]
    return body


class _Formats(ast.NodeTransformer):
    """Writes texts with values in them by `str.format`."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        self.generic_visit(node)
        text, values = "", []
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += str(part.value).replace("{", "{{").replace("}", "}}")
            elif isinstance(part, ast.FormattedValue):
                spec = _written(part.format_spec)
                if spec is None:
                    return node
                sign = f"!{chr(part.conversion)}" if part.conversion > 0 else ""
                text += "{" + sign + (f":{spec}" if spec else "") + "}"
                values.append(part.value)
        door = ast.Attribute(
            value=ast.Constant(value=text), attr="format", ctx=ast.Load()
        )
        return ast.Call(func=door, args=values, keywords=[])

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.FormattedValue:
        node.value = self.visit(node.value)
        return node

    def visit_TemplateStr(self, node: ast.expr) -> ast.expr:
        return node


def _written(spec: ast.expr | None) -> str | None:
    """Return a format as it is written; None if it holds values."""
    if spec is None:
        return ""
    if not isinstance(spec, ast.JoinedStr):
        return None
    parts = [it.value for it in spec.values if isinstance(it, ast.Constant)]
    if len(parts) != len(spec.values) or any("{" in str(it) for it in parts):
        return None
    return "".join(map(str, parts))


def formatted(tree: ast.Module, _rng: Random) -> ast.Module:
    """Write texts with values in them by `str.format`."""
    return _Formats().visit(tree)  # type: ignore[no-any-return]  # a visitor's result is untyped


def hinted(tree: ast.Module, _rng: Random) -> ast.Module:
    """Give functions annotations where they have none."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:
            node.returns = node.returns or load("object")
            for it in parameters(node.args):
                it.annotation = it.annotation or load("object")
    return tree
