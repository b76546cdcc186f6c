"""Disguises: what a copyist does to Python source so that it looks like another's.

Each disguise takes the files of a package, contents by path, and a `random.Random`,
and returns files that do the same. They are the positives of the copy guard's corpus:
a new one is a function and a line in `DISGUISES`.

That they keep the meaning is what makes them fair; it is tried on packages that have
a suite. What a disguise cannot do safely it leaves as it was.
"""

import ast
from collections.abc import Callable, Mapping
from graphlib import TopologicalSorter
from random import Random

from bench import copies_regroup, copies_reshapes, rewrites

Files = Mapping[str, str]
Disguise = Callable[[Files, Random], dict[str, str]]


def _each(
    change: Callable[[ast.Module, Random], ast.Module],
) -> Disguise:
    """Make a disguise of a change of one module's tree."""

    def disguise(files: Files, rng: Random) -> dict[str, str]:
        return {
            path: ast.unparse(ast.fix_missing_locations(change(ast.parse(text), rng)))
            + "\n"
            for path, text in files.items()
        }

    return disguise


def exact(files: Files, _rng: Random) -> dict[str, str]:
    """Change nothing."""
    return dict(files)


# -- what moves whole files


def split(files: Files, _rng: Random) -> dict[str, str]:
    """Move half of each module to a file of its own; a lone module becomes a package first."""
    if len(files) == 1 and "/" not in (only := next(iter(files))):
        name = only.removesuffix(".py")
        files = {f"{name}/__init__.py": files[only]}
    out = {}
    for path, text in files.items():
        folder, _, name = path.rpartition("/")
        body = ast.parse(text).body
        half = _cut(body)
        stem = name.removesuffix(".py").strip("_")
        told = any(isinstance(it, ast.Global) for it in ast.walk(ast.parse(text)))
        if told or not folder or not _bindings(body[half:]) or not stem.isidentifier():
            out[path] = text
            continue
        first = f"_{stem}_first"
        out[f"{folder}/{first}.py"] = _module(body[:half])
        future = [it for it in body[:half] if _is_future(it)]
        rest = [it for it in _imports(body[:half]) if not _is_future(it)]
        out[path] = _module([*future, _all_of(first, body[:half]), *rest, *body[half:]])
    return out


def merge(files: Files, _rng: Random) -> dict[str, str]:
    """Make one file of a package whose modules take from each other by name alone."""
    roots = [path for path in files if path.endswith("__init__.py")]
    if len(roots) != 1 or len(files) == 1:
        return dict(files)
    folder = roots[0].rpartition("/")[0]
    modules = {
        path.removeprefix(f"{folder}/").removesuffix(".py"): ast.parse(text).body
        for path, text in files.items()
    }
    if any("/" in it or it == "__main__" for it in modules):
        return dict(files)
    try:
        order = _order(modules)
    except ValueError:
        return dict(files)
    body: list[ast.stmt] = []
    bound: dict[str, str] = {}
    for name in order:
        for node in modules[name]:
            if _from_sibling(node, modules) is None:
                body.append(node)
                if _clash(node, bound):
                    return dict(files)
    futures = [it for it in body if _is_future(it)]
    rest = [it for it in body if not _is_future(it) and not rewrites.is_text(it)]
    return {roots[0]: _module([*futures[:1], *rest])}


def _order(modules: Mapping[str, list[ast.stmt]]) -> list[str]:
    """Return the modules so that each comes after those it takes from.

    Raises:
        ValueError: one takes from another in a way that is not seen here.
    """
    takes: dict[str, set[str]] = {}
    for name, body in modules.items():
        found = [_from_sibling(node, modules) for node in body]
        takes[name] = {other for other in found if other is not None}
        for node in body:
            for it in ast.walk(node):
                if isinstance(it, ast.ImportFrom) and it.level and it is not node:
                    raise ValueError("not at the top")
            relative = isinstance(node, ast.ImportFrom) and node.level
            if relative and _from_sibling(node, modules) is None:
                raise ValueError("a module as a whole")
    return list(TopologicalSorter(takes).static_order())


def _from_sibling(node: ast.AST, modules: Mapping[str, object]) -> str | None:
    """Return the module of the package that an import takes names from, as they are."""
    if not isinstance(node, ast.ImportFrom) or node.level != 1:
        return None
    if node.module not in modules or any(it.asname for it in node.names):
        return None
    return node.module


def _clash(node: ast.stmt, bound: dict[str, str]) -> bool:
    """Whether a statement binds what another module binds to something else."""
    text = ast.unparse(node)
    for name in _bound(node) if not _is_future(node) else ():
        if name != "__all__" and bound.setdefault(name, text) != text:
            return not isinstance(node, ast.Assign | ast.If | ast.Try)
    return False


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _bindings(body: list[ast.stmt]) -> list[ast.stmt]:
    return [it for it in body if isinstance(it, rewrites.Scopes)]


def _cut(body: list[ast.stmt]) -> int:
    """Return a place after the constants behind which nothing before it is needed earlier."""
    defined: dict[str, int] = {}
    for place, node in enumerate(body):
        for name in _bound(node):
            defined[name] = place
    for place in range(len(body) // 2, len(body)):
        needed = {
            defined[it.id]
            for node in body[:place]
            for it in ast.walk(node)
            if isinstance(it, ast.Name) and it.id in defined
        }
        if all(where < place for where in needed):
            return place
    return len(body)


def _bound(node: ast.stmt) -> list[str]:
    if isinstance(node, rewrites.Scopes):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(it.asname or it.name).partition(".")[0] for it in node.names]
    return sorted(
        {
            it.id
            for it in ast.walk(node)
            if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store)
        }
    )


def _imports(body: list[ast.stmt]) -> list[ast.stmt]:
    return [it for it in body if isinstance(it, ast.Import | ast.ImportFrom)]


def _all_of(module: str, body: list[ast.stmt]) -> ast.stmt:
    names = sorted({name for node in body for name in _bound(node)} - {"annotations"})
    return ast.ImportFrom(
        module=module,
        names=[ast.alias(name=it) for it in names or ["__doc__"]],
        level=1,
    )


def _module(body: list[ast.stmt]) -> str:
    tree = ast.Module(body=body, type_ignores=[])
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


# -- what mixes with other code


def mixed(files: Files, others: Files, share: float, rng: Random) -> dict[str, str]:
    """Put ``share`` of the code of ``files`` among all of ``others``: part of a library, copied."""
    taken = _taken(files, share, rng)
    out = dict(others)
    first = min(out)
    out[first] = f"{out[first]}\n\n{_module(taken)}"
    return out


def vendored(files: Files, others: Files, share: float, rng: Random) -> dict[str, str]:
    """Put ``share`` of the code of ``files`` among so much of ``others`` that it is about that share there too."""
    taken = _taken(files, share, rng)
    wanted = sum(map(_size, taken)) * (1 - share) / share
    whole = sum(map(_size, _all_parts(others)))
    own = _taken(others, min(1.0, wanted / max(whole, 1)), rng)
    body = [*taken, *own]
    rng.shuffle(body)
    return {"vendored.py": _module(body)}


def _all_parts(files: Files) -> list[ast.stmt]:
    return [it for text in files.values() for it in _parts(ast.parse(text))]


def _taken(files: Files, share: float, rng: Random) -> list[ast.stmt]:
    """Return functions that are together ``share`` of the code of all functions."""
    parts = _all_parts(files)
    rng.shuffle(parts)
    wanted = share * sum(map(_size, parts))
    taken: list[ast.stmt] = []
    while parts and sum(map(_size, taken)) < wanted:
        taken.append(parts.pop())
    return taken


def _parts(tree: ast.Module) -> list[ast.stmt]:
    """Return functions, and each method as a class of its own."""
    parts: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            parts += [
                ast.ClassDef(
                    name=f"{node.name}{number}",
                    bases=[],
                    keywords=[],
                    body=[it],
                    decorator_list=[],
                )
                for number, it in enumerate(node.body)
                if isinstance(it, ast.FunctionDef)
            ]
        elif isinstance(node, ast.FunctionDef):
            parts.append(node)
    return parts


def _size(node: ast.stmt) -> int:
    """Return how many nodes of a tree a statement is, its docstrings left out."""
    texts = [it for it in ast.walk(node) if isinstance(it, ast.stmt)]
    return sum(1 for _ in ast.walk(node)) - 2 * sum(map(rewrites.is_text, texts))


def chain(*disguises: Disguise) -> Disguise:
    """Make one disguise of several, one after the other."""

    def all_of(files: Files, rng: Random) -> dict[str, str]:
        out = dict(files)
        for disguise in disguises:
            out = disguise(out, rng)
        return out

    return all_of


def rename(files: Files, rng: Random) -> dict[str, str]:
    """Rename what nothing outside its module asks for by name."""
    trees = [ast.parse(text) for text in files.values()]
    kept = frozenset(
        it.name
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for it in node.names
    )
    return _each(lambda tree, inner: rewrites.renamed(tree, inner, kept))(files, rng)


reorder = _each(rewrites.reordered)
rewrite = _each(rewrites.rewritten)
strip = chain(_each(rewrites.without_docs), _each(rewrites.without_hints))
constants = _each(rewrites.hoisted)
temporaries = _each(rewrites.with_temporaries)
dead_code = _each(rewrites.with_dead_code)
outline = _each(rewrites.outlined)
unnest = _each(rewrites.unnested)
comprehensions = _each(copies_reshapes.unfolded)
conditions = _each(copies_reshapes.turned_conditions)
guards = _each(copies_reshapes.nested)
formats = _each(copies_reshapes.formatted)
hints = _each(copies_reshapes.hinted)
helpers = _each(copies_regroup.extracted)
inlined = _each(copies_regroup.inlined)
to_classes = _each(copies_regroup.as_classes)
to_functions = _each(copies_regroup.as_functions)
mixins = _each(copies_regroup.mixed_in)
hard = chain(rename, reorder, rewrite, constants, temporaries, dead_code)

SINGLE: dict[str, Disguise] = {
    "round trip": _each(rewrites.unchanged),
    "reformat and strip": strip,
    "hints": hints,
    "rename": rename,
    "reorder": reorder,
    "split": split,
    "merge": merge,
    "mixins": mixins,
    "functions to classes": to_classes,
    "classes to functions": to_functions,
    "rewrite": rewrite,
    "comprehensions": comprehensions,
    "conditions": conditions,
    "guards": guards,
    "formats": formats,
    "constants": constants,
    "temporaries": temporaries,
    "unnested calls": unnest,
    "helpers": helpers,
    "inlined helpers": inlined,
    "outline": outline,
    "dead code": dead_code,
}
"""What a copyist does in one go, by its name."""


def three(files: Files, rng: Random) -> dict[str, str]:
    """Chain three disguises, drawn anew for each package."""
    return chain(*rng.sample(list(SINGLE.values()), 3))(files, rng)


DISGUISES: dict[str, Disguise] = {
    "exact": exact,
    **SINGLE,
    "light chain": chain(strip, rename, reorder),
    "middle chain": chain(rename, reorder, rewrite, constants),
    "hard chain": hard,
    "harder chain": chain(
        rename, unnest, reorder, rewrite, constants, dead_code, outline
    ),
    "three at random": three,
}
"""Every disguise of a whole package by its name, of which none may hide a copy."""

EXTREME: dict[str, Disguise] = {
    "extreme chain": chain(hard, helpers),
    "extreme chain, other order": chain(helpers, comprehensions, conditions, hard),
}
"""Chains so long that little is left: a copy of a small package may come to a review only."""


PARTIAL: dict[str, tuple[float, Disguise]] = {
    "half among own": (0.5, exact),
    "half among own, renamed": (0.5, rename),
    "half among own, middle chain": (0.5, DISGUISES["middle chain"]),
    "third among own": (0.3, exact),
    "third among own, renamed": (0.3, rename),
    "fifth among own": (0.2, exact),
    "fifth among own, renamed": (0.2, rename),
}
"""Disguises that take a share of a package and put it among another's code."""
