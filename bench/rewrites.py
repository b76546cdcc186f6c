"""Changes of a module's syntax tree that keep what it does; `disguises` makes disguises of them.

Each takes a tree, which it may change in place, and a `random.Random`.
"""

import ast
from collections.abc import Mapping
from random import Random
from typing import ClassVar, TypeVar

# -- what changes no structure


def unchanged(tree: ast.Module, _rng: Random) -> ast.Module:
    """Change nothing; the round trip does."""
    return tree


def without_docs(tree: ast.Module, _rng: Random) -> ast.Module:
    """Drop docstrings and, by the round trip, comments and layout."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and isinstance(node, ast.Module | Scopes):
            kept = [it for it in body if not is_text(it)]
            node.body = kept or [ast.Pass()]
    return tree


Scopes = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Captures = TypeVar("Captures", ast.MatchAs, ast.MatchStar, ast.ExceptHandler)


def is_text(node: ast.stmt) -> bool:
    """Whether a statement is nothing but a text."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def without_hints(tree: ast.Module, _rng: Random) -> ast.Module:
    """Drop annotations of functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
    return tree


class _Renamer(ast.NodeTransformer):
    """Renames what a function binds, and private names of the module."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = [dict(names)]

    def _now(self, name: str) -> str:
        for names in reversed(self._names):
            if name in names:
                return names[name]
        return name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._now(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self._now(node.arg)
        self.generic_visit(node)
        return node

    def visit_MatchAs(self, node: ast.MatchAs) -> ast.MatchAs:
        return self._captured(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> ast.MatchStar:
        return self._captured(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        return self._captured(node)

    def _captured(self, node: Captures) -> Captures:
        """What a pattern or a handler binds has its name as a text."""
        node.name = None if node.name is None else self._now(node.name)
        self.generic_visit(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.name = self._now(node.name)
        # Methods are asked for by name, whatever of the module is called the same.
        methods = [(it, it.name) for it in node.body if isinstance(it, Scopes)]
        self.generic_visit(node)
        for method, name in methods:
            method.name = name
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name = self._now(node.name)
        # Parameters keep their names: callers may use them.
        kept = {
            it.arg
            for inner in ast.walk(node)
            if isinstance(inner, ast.arguments)
            for it in parameters(inner)
        }
        kept |= {
            name
            for inner in ast.walk(node)
            if isinstance(inner, ast.Global | ast.Nonlocal)
            for name in inner.names
        }
        bound = sorted(
            {
                inner.id
                for inner in ast.walk(node)
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
            }
            - kept
        )
        self._names.append(
            {name: name for name in kept}
            | {name: f"w{number}" for number, name in enumerate(bound)}
        )
        self.generic_visit(node)
        self._names.pop()
        return node


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """Return all parameters of a function, in their order."""
    rest = [it for it in (arguments.vararg, arguments.kwarg) if it is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *rest]


def renamed(
    tree: ast.Module, rng: Random, kept: frozenset[str] = frozenset()
) -> ast.Module:
    """Rename private names of the module and all that functions bind; parameters stay.

    Args:
        tree: of the module.
        rng: orders the new names.
        kept: names that other modules ask for.
    """
    named = {node.name for node in tree.body if isinstance(node, Scopes)} | {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    private = sorted(
        it for it in named - kept if it.startswith("_") and not it.startswith("__")
    )
    rng.shuffle(private)
    names = {name: f"_z{number}" for number, name in enumerate(private)}
    return _Renamer(names).visit(tree)  # type: ignore[no-any-return]  # a visitor's result is untyped


# -- what moves parts


def reordered(tree: ast.Module, rng: Random) -> ast.Module:
    """Shuffle top-level functions, and the methods of classes."""
    _shuffle(tree.body, rng)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            _shuffle(node.body, rng)
    return tree


def _shuffle(body: list[ast.stmt], rng: Random) -> None:
    """Shuffle runs of neighbouring plain functions; what is used at import stays before its use."""
    places = [
        place
        for place, node in enumerate(body)
        if isinstance(node, ast.FunctionDef) and not node.decorator_list
    ]
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    for run in runs:
        nodes = [body[place] for place in run]
        rng.shuffle(nodes)
        for place, node in zip(run, nodes, strict=True):
            body[place] = node


# -- what rewrites statements


class _Rewriter(ast.NodeTransformer):
    """Turns comparisons round, swaps branches, writes out augmented assignments."""

    _FLIPPED: ClassVar = {
        ast.Lt: ast.Gt,
        ast.Gt: ast.Lt,
        ast.LtE: ast.GtE,
        ast.GtE: ast.LtE,
    }

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        flip = self._FLIPPED.get(type(node.ops[0]))
        simple = all(
            isinstance(it, ast.Name | ast.Constant)
            for it in (node.left, *node.comparators)
        )
        if len(node.ops) != 1 or flip is None or not simple:
            return node
        return ast.Compare(
            left=node.comparators[0], ops=[flip()], comparators=[node.left]
        )

    def visit_If(self, node: ast.If) -> ast.stmt:
        self.generic_visit(node)
        if node.orelse and not isinstance(node.orelse[0], ast.If):
            negated = ast.UnaryOp(op=ast.Not(), operand=node.test)
            return ast.If(test=negated, body=node.orelse, orelse=node.body)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        # Only of plain names and numbers: a list's += is another thing.
        self.generic_visit(node)
        if isinstance(node.target, ast.Name) and isinstance(node.value, ast.Constant):
            left = ast.Name(id=node.target.id, ctx=ast.Load())
            value = ast.BinOp(left=left, op=node.op, right=node.value)
            return ast.Assign(targets=[node.target], value=value)
        return node

    def visit_For(self, node: ast.For) -> ast.stmt | list[ast.stmt]:
        """`for x in y` becomes a loop that asks an iterator."""
        self.generic_visit(node)
        jumps = any(isinstance(it, ast.Continue | ast.Break) for it in ast.walk(node))
        if node.orelse or jumps or not isinstance(node.target, ast.Name):
            return node
        source = f"it_{node.target.id}_{node.lineno}"
        text = (
            f"{source} = iter(0)\nwhile True:\n    try:\n        {node.target.id} = next({source})\n"
            "    except StopIteration:\n        break\n"
        )
        start, loop = ast.parse(text).body
        start.value.args = [node.iter]  # type: ignore[attr-defined]  # an assignment of a call, as just written
        loop.body += node.body  # type: ignore[attr-defined]  # a loop
        return [start, loop]


def rewritten(tree: ast.Module, _rng: Random) -> ast.Module:
    """Turn comparisons round, swap branches, make loops ask iterators."""
    return _Rewriter().visit(tree)  # type: ignore[no-any-return]  # a visitor's result is untyped


class _DeadCode(ast.NodeTransformer):
    """Puts statements without effect before a third of all others."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        body: list[ast.stmt] = []
        for number, statement in enumerate(node.body):
            if number and self._rng.random() < 1 / 3:
                body += ast.parse(self._rng.choice(_DEAD)).body
            body.append(statement)
        node.body = body
        return node


_DEAD = (
    "spare_a = 0",
    "spare_b = [3]",
    "if False:\n    spare_c = str(1)",
    "spare_d = len('ab') + 2",
    "for spare_e in ():\n    pass",
)


def with_dead_code(tree: ast.Module, rng: Random) -> ast.Module:
    """Put statements without effect before a third of all others."""
    return _DeadCode(rng).visit(tree)  # type: ignore[no-any-return]  # a visitor's result is untyped


class _Temporaries(ast.NodeTransformer):
    """Gives what is returned, and what is assigned from a call, a name first."""

    def visit_Return(self, node: ast.Return) -> ast.stmt | list[ast.stmt]:
        if node.value is None or isinstance(node.value, ast.Name | ast.Constant):
            return node
        name = f"out_{node.lineno}"
        return [
            ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=node.value),
            ast.Return(value=ast.Name(id=name, ctx=ast.Load())),
        ]

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node


def with_temporaries(tree: ast.Module, _rng: Random) -> ast.Module:
    """Give what is returned a name first."""
    return _Temporaries().visit(tree)  # type: ignore[no-any-return]  # a visitor's result is untyped


class _Unnester(ast.NodeTransformer):
    """Gives each call that is an argument of another a name first."""

    def __init__(self) -> None:
        self._count = 0

    def _simple(self, node: ast.stmt) -> ast.stmt | list[ast.stmt]:
        call = getattr(node, "value", None)
        plain = isinstance(call, ast.Call) and not call.keywords
        if not plain or not isinstance(call, ast.Call):
            return node
        if any(isinstance(it, ast.Starred | ast.GeneratorExp) for it in call.args):
            return node
        before: list[ast.stmt] = []
        for place, argument in enumerate(call.args):
            if isinstance(argument, ast.Name | ast.Constant):
                continue
            self._count += 1
            name = f"step_{self._count}"
            stored = ast.Name(id=name, ctx=ast.Store())
            before.append(ast.Assign(targets=[stored], value=argument))
            call.args[place] = ast.Name(id=name, ctx=ast.Load())
        return [*before, node]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        return self._simple(node)

    def visit_Return(self, node: ast.Return) -> ast.stmt | list[ast.stmt]:
        return self._simple(node)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        return self._simple(node)


def unnested(tree: ast.Module, _rng: Random) -> ast.Module:
    """Give arguments of calls names first."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            _Unnester().visit(node)
    return tree


class _Hoister(ast.NodeTransformer):
    """Replaces numbers and texts inside functions by module constants."""

    def __init__(self) -> None:
        self.named: dict[str, ast.Constant] = {}
        self._inside = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        before, self._inside = self._inside, True
        node.body = [it if is_text(it) else self.visit(it) for it in node.body]
        self._inside = before
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.JoinedStr:
        return node

    def visit_Match(self, node: ast.Match) -> ast.Match:
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not self._inside or not isinstance(node.value, int | str):
            return node
        if isinstance(node.value, bool):
            return node
        for name, known in self.named.items():
            if type(known.value) is type(node.value) and known.value == node.value:
                return ast.Name(id=name, ctx=ast.Load())
        name = f"K{len(self.named)}"
        self.named[name] = node
        return ast.Name(id=name, ctx=ast.Load())


def hoisted(tree: ast.Module, _rng: Random) -> ast.Module:
    """Make numbers and texts in functions constants of the module."""
    hoister = _Hoister()
    tree = hoister.visit(tree)
    constants: list[ast.stmt] = [
        ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=value)
        for name, value in hoister.named.items()
    ]
    head = 0
    for place, node in enumerate(tree.body):
        if is_text(node) or (
            isinstance(node, ast.ImportFrom) and node.module == "__future__"
        ):
            head = place + 1
    tree.body[head:head] = constants
    return tree


def outlined(tree: ast.Module, _rng: Random) -> ast.Module:
    """Turn each function of the module into a door to another that does the work."""
    body: list[ast.stmt] = []
    for node in tree.body:
        plain = isinstance(node, ast.FunctionDef) and not node.decorator_list
        if not plain or not isinstance(node, ast.FunctionDef) or node.args.vararg:
            body.append(node)
            continue
        names = [it.arg for it in parameters(node.args)]
        if node.args.kwarg or any(isinstance(it, ast.Yield) for it in ast.walk(node)):
            body.append(node)
            continue
        inner = f"_do_{node.name}"
        work = ast.parse(f"def {inner}({', '.join(names)}): pass").body[0]
        work.body = node.body  # type: ignore[attr-defined]  # a function, as just written
        call = ast.parse(f"return {inner}({', '.join(names)})").body
        node.body = call
        body += [work, node]
    tree.body = body
    return tree
