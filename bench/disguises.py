"""Disguises: what a copyist does to Python source so that it looks like another's.

Each disguise takes the files of a package, contents by path, and a `random.Random`,
and returns files that do the same. They are the positives of the copy guard's corpus:
a new one is a function and a line in `DISGUISES`.

That they keep the meaning is what makes them fair; it is tried on packages that have
a suite. What a disguise cannot do safely it leaves as it was.
"""

import ast
from collections.abc import Callable, Mapping
from random import Random

from bench import rewrites

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
    """Move the module to a file of its own, which the package takes all from."""
    out = {}
    for path, text in files.items():
        folder, _, name = path.rpartition("/")
        if name != "__init__.py":
            out[path] = text
            continue
        body = ast.parse(text).body
        docs = [it for it in body if isinstance(it, ast.ImportFrom) and it.level]
        if docs:
            out[path] = text
            continue
        half = _cut(body)
        out[f"{folder}/_first.py".lstrip("/")] = _module(body[:half])
        second = [_all_of("_first", body[:half]), *_imports(body[:half]), *body[half:]]
        out[f"{folder}/_second.py".lstrip("/")] = _module(second)
        out[path] = _module(
            [_all_of("_first", body[:half]), _all_of("_second", body[half:])]
        )
    return out


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
    parts = [it for text in files.values() for it in _parts(ast.parse(text))]
    rng.shuffle(parts)
    wanted = share * sum(map(_lines, parts))
    taken: list[ast.stmt] = []
    while parts and sum(map(_lines, taken)) < wanted:
        taken.append(parts.pop())
    out = dict(others)
    first = min(out)
    out[first] = f"{out[first]}\n\n{_module(taken)}"
    return out


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


def _lines(node: ast.stmt) -> int:
    inner = node.body[0] if isinstance(node, ast.ClassDef) else node
    return (inner.end_lineno or inner.lineno) - inner.lineno + 1


def chain(*disguises: Disguise) -> Disguise:
    """Make one disguise of several, one after the other."""

    def all_of(files: Files, rng: Random) -> dict[str, str]:
        out = dict(files)
        for disguise in disguises:
            out = disguise(out, rng)
        return out

    return all_of


rename = _each(rewrites.renamed)
reorder = _each(rewrites.reordered)
rewrite = _each(rewrites.rewritten)
strip = chain(_each(rewrites.without_docs), _each(rewrites.without_hints))
constants = _each(rewrites.hoisted)
temporaries = _each(rewrites.with_temporaries)
dead_code = _each(rewrites.with_dead_code)
outline = _each(rewrites.outlined)
unnest = _each(rewrites.unnested)

DISGUISES: dict[str, Disguise] = {
    "exact": exact,
    "round trip": _each(rewrites.unchanged),
    "reformat and strip": strip,
    "rename": rename,
    "reorder": reorder,
    "split": split,
    "rewrite": rewrite,
    "constants": constants,
    "temporaries": temporaries,
    "unnested calls": unnest,
    "dead code": dead_code,
    "outline": outline,
    "light chain": chain(strip, rename, reorder),
    "middle chain": chain(rename, reorder, rewrite, constants),
    "hard chain": chain(rename, reorder, rewrite, constants, temporaries, dead_code),
    "harder chain": chain(
        rename, unnest, reorder, rewrite, constants, dead_code, outline
    ),
}
"""Every disguise of a whole package by its name."""
