"""Changes of what lies where inside a module: helpers made and dissolved, classes cut and joined.

Like those in `rewrites`, each takes a tree, which it may change in place, and a
`random.Random`. A place where a change might be seen from outside is left as it is.
"""

import ast
from collections.abc import Iterable, Sequence
from random import Random

from bench.copies_reshapes import Body, functions, ids, load, store
from bench.rewrites import Scopes, is_text, parameters


def plain(node: ast.stmt) -> bool:
    """Whether a statement is a function that may be moved to another place."""
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return False
    return not any(bound_to_place(it) for it in ast.walk(node))


def bound_to_place(node: ast.AST) -> bool:
    """Whether a node means something else elsewhere: `super()`, mangled names, own scopes."""
    if isinstance(node, ast.Attribute) and _mangled(node.attr):
        return True
    if isinstance(node, ast.Name):
        return _mangled(node.id) or node.id in {"super", "__class__", "locals", "vars"}
    return isinstance(node, ast.Global | ast.Nonlocal)


def _mangled(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


# -- helpers


_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr)
_LEAST_RUN, _MOST_RUN = 2, 6


def extracted(tree: ast.Module, _rng: Random) -> ast.Module:
    """Move runs of simple statements into helpers of the module."""
    helpers: Body = []
    taken = set(ids(tree))
    for _, function in list(functions(tree)):
        if any(isinstance(it, ast.Global | ast.Nonlocal) for it in ast.walk(function)):
            continue
        local = _local(function)
        for owner in ast.walk(function):
            for body in _bodies(owner):
                _extract(body, local, helpers, taken)
    places = [n for n, it in enumerate(tree.body) if isinstance(it, Scopes)]
    at = places[0] if places else len(tree.body)
    tree.body[at:at] = helpers
    return tree


def _local(function: ast.FunctionDef) -> set[str]:
    """Return all that a function, and what is nested in it, binds outside comprehensions."""
    found = {it.id for it in _names(function) if isinstance(it.ctx, ast.Store)}
    for node in ast.walk(function):
        if isinstance(node, ast.arguments):
            found |= {it.arg for it in parameters(node)}
        elif isinstance(node, Scopes):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(it.asname or it.name).partition(".")[0] for it in node.names}
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
            found |= {node.name} if node.name else set()
        elif isinstance(node, ast.MatchMapping):
            found |= {node.rest} if node.rest else set()
    return found


def _bodies(node: ast.AST) -> Iterable[Body]:
    if isinstance(node, ast.ClassDef | ast.Lambda):
        return
    for field in ("body", "orelse", "finalbody"):
        body = getattr(node, field, None)
        if isinstance(body, list) and body:
            yield body


def _extract(body: Body, local: set[str], helpers: Body, taken: set[str]) -> None:
    runs: list[list[int]] = [[]]
    for place, node in enumerate(body):
        movable = _movable(node, local)
        if movable and len(runs[-1]) < _MOST_RUN:
            runs[-1].append(place)
        else:
            runs.append([place] if movable else [])
    for run in reversed(runs):
        if len(run) < _LEAST_RUN:
            continue
        moved = body[run[0] : run[-1] + 1]
        name = f"_part_{len(helpers) + 1}"
        if name in taken:
            continue
        helper, call = _helper(name, moved, local)
        helpers.append(helper)
        body[run[0] : run[-1] + 1] = [call]


def _movable(node: ast.stmt, local: set[str]) -> bool:
    if not isinstance(node, _SIMPLE) or is_text(node) or _own(node) & local:
        return False
    return not any(
        isinstance(
            it, ast.Lambda | ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom
        )
        or bound_to_place(it)
        for it in ast.walk(node)
    )


def _helper(
    name: str, moved: Sequence[ast.stmt], local: set[str]
) -> tuple[ast.stmt, ast.stmt]:
    """Return the helper that does what ``moved`` does, and the call of it."""
    written: dict[str, None] = {}
    needed: dict[str, None] = {}
    for node in moved:
        stored = [it for it in _names(node) if isinstance(it.ctx, ast.Store)]
        loaded = {it.id for it in _names(node) if isinstance(it.ctx, ast.Load)}
        if isinstance(node, ast.AugAssign):
            loaded |= set(ids(node.target))
        for it in sorted(loaded & local):
            if it not in written:
                needed[it] = None
        written |= dict.fromkeys(it.id for it in stored)
    outs = [it for it in written if it in local]
    helper = ast.parse(f"def {name}({', '.join(needed)}): pass").body[0]
    assert isinstance(helper, ast.FunctionDef)
    call = f"{name}({', '.join(needed)})"
    back: Body = ast.parse(f"return ({', '.join(outs)},)").body if outs else []
    helper.body = [*moved, *back]
    text = f"({', '.join(outs)},) = {call}" if outs else call
    return helper, ast.parse(text).body[0]


def _own(node: ast.AST) -> set[str]:
    """Return the names that comprehensions bind for themselves."""
    parts = [it for it in ast.walk(node) if isinstance(it, ast.comprehension)]
    return {name for part in parts for name in ids(part.target)}


def _names(node: ast.AST) -> list[ast.Name]:
    """Return the names of ``node`` without those that comprehensions bind for themselves."""
    own = {
        id(it)
        for part in ast.walk(node)
        if isinstance(part, ast.comprehension)
        for it in ast.walk(part.target)
    }
    return [
        it for it in ast.walk(node) if isinstance(it, ast.Name) and id(it) not in own
    ]


class _Inliner(ast.NodeTransformer):
    """Puts the value of small functions in the place of their calls."""

    def __init__(self, small: dict[str, tuple[list[str], ast.expr]]) -> None:
        self._small = small
        self._shadowed: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        before = self._shadowed
        self._shadowed = before | {
            it.id
            for it in ast.walk(node)
            if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store)
        }
        for inner in ast.walk(node):
            if isinstance(inner, ast.arguments):
                self._shadowed = self._shadowed | {it.arg for it in parameters(inner)}
        self.generic_visit(node)
        self._shadowed = before
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.keywords:
            return node
        names, value = self._small.get(node.func.id, ([], None))
        if value is None or len(names) != len(node.args):
            return node
        simple = all(isinstance(it, ast.Name | ast.Constant) for it in node.args)
        free = set(ids(value)) - set(names)
        if not simple or free & self._shadowed or node.func.id in self._shadowed:
            return node
        given = dict(zip(names, node.args, strict=True))
        return _Filler(given).visit(_copy(value))  # type: ignore[no-any-return]  # a visitor's result is untyped


class _Filler(ast.NodeTransformer):
    def __init__(self, given: dict[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._given.get(node.id, node)


def _copy(value: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(value), mode="eval").body


def inlined(tree: ast.Module, _rng: Random) -> ast.Module:
    """Put the value of small functions in the place of their calls."""
    small: dict[str, tuple[list[str], ast.expr]] = {}
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or not plain(node):
            continue
        body = [it for it in node.body if not is_text(it)]
        arguments = node.args
        more = arguments.vararg or arguments.kwarg or arguments.kwonlyargs
        if len(body) != 1 or more or arguments.defaults:
            continue
        (only,) = body
        if not isinstance(only, ast.Return) or only.value is None:
            continue
        if any(isinstance(it, _SCOPED) for it in ast.walk(only)):
            continue
        names = [it.arg for it in parameters(arguments)]
        # What calls itself or another small one stays: one round is enough.
        if node.name not in ids(only):
            small[node.name] = (names, only.value)
    return _Inliner(small).visit(tree)  # type: ignore[no-any-return]  # a visitor's result is untyped


_SCOPED = (
    ast.Lambda,
    ast.comprehension,
    ast.NamedExpr,
    ast.Await,
    ast.Yield,
    ast.YieldFrom,
)


# -- functions and classes


def as_classes(tree: ast.Module, _rng: Random) -> ast.Module:
    """Make each function of the module a static method, with a door of the old name."""
    body: Body = []
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or not plain(node):
            body.append(node)
            continue
        held = f"_Held{len(body)}"
        door = ast.parse(f"{node.name} = {held}.run").body
        node.name = "run"
        node.decorator_list = [load("staticmethod")]
        holder = ast.ClassDef(
            name=held, bases=[], keywords=[], body=[node], decorator_list=[]
        )
        body += [holder, *door]
    tree.body = body
    return tree


def as_functions(tree: ast.Module, _rng: Random) -> ast.Module:
    """Move methods out of their classes, which take them in again by name."""
    body: Body = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            defaults = {it.id for inner in node.body for it in _defaults(inner)}
            inside = {
                name
                for inner in node.body
                for name in ([inner.name] if isinstance(inner, Scopes) else ids(inner))
            }
            if not defaults & inside:
                body += _moved_out(node)
        body.append(node)
    tree.body = body
    return tree


def _defaults(node: ast.stmt) -> list[ast.Name]:
    """Return names that a method's head reads inside its class."""
    if not isinstance(node, ast.FunctionDef):
        return []
    head = [node.args, *([node.returns] if node.returns else [])]
    return [it for part in head for it in ast.walk(part) if isinstance(it, ast.Name)]


def _moved_out(node: ast.ClassDef) -> Body:
    out: Body = []
    if node.bases or node.keywords or node.decorator_list:
        return out
    for place, inner in enumerate(node.body):
        if not isinstance(inner, ast.FunctionDef) or not plain(inner):
            continue
        name = f"_{node.name.lstrip('_')}_{inner.name.strip('_')}_{place}"
        node.body[place] = ast.Assign(targets=[store(inner.name)], value=load(name))
        inner.name = name
        out.append(inner)
    return out


def mixed_in(tree: ast.Module, _rng: Random) -> ast.Module:
    """Cut classes in two: half of the methods go to a class that the rest inherits."""
    body: Body = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not (
            node.bases or node.keywords or node.decorator_list
        ):
            movable = [
                it
                for it in node.body
                if isinstance(it, ast.FunctionDef)
                and plain(it)
                and not _special(it.name)
                and not _defaults(it)
            ]
            moved = movable[: (len(movable) + 1) // 2]
            if moved:
                half: Body = list(moved)
                base = f"_{node.name.lstrip('_')}First"
                body.append(
                    ast.ClassDef(
                        name=base, bases=[], keywords=[], body=half, decorator_list=[]
                    )
                )
                rest = [it for it in node.body if it not in moved]
                node.body = rest or [ast.Pass()]
                node.bases = [load(base)]
        body.append(node)
    tree.body = body
    return tree


def _special(name: str) -> bool:
    return name.startswith("__")
