"""A task's content, whatever its names are: the same library under another name is the same task.

What a task asks is what its reference does. So the fingerprint is over the reference's
syntax trees, in which every name that the package itself gives (to a module, a class, a
function, a variable, an attribute) is replaced by the number of its first occurrence, in
strings as well where it names a definition. Comments, docstrings, layout and `__all__`
do not count. What the language or the standard library calls something stays, and so
does every number and text: other rules or parameters are another task.

It is the same in every Python, since it is kept for years and by many machines.
Somebody who rewrites the reference gets another fingerprint; likeness is what the gates
look for, this is for what is the same.
"""

import ast
import itertools
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from shipbar.verdict import canonical, sha256

METHOD = 1
"""Version of what is digested; fingerprints of two methods are not comparable."""
_SKIPPED = ("ctx", "kind", "type_comment", "type_ignores")
_WORD = re.compile(r"[^\W\d]\w*")
_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
Rename = Callable[[str], str]


def fingerprint(files: Mapping[str, bytes], names: Collection[str]) -> str:
    """Return ``sha256:…`` over a package without its names.

    Args:
        files: contents by POSIX path.
        names: the names that the contract gives to the package and its symbols.
    """
    trees = {path: _parsed(path, data) for path, data in files.items()}
    defined, bound = set(names), set(names)
    for path, tree in trees.items():
        bound |= {PurePosixPath(path).stem, *PurePosixPath(path).parts[:-1]}
        if tree is not None:
            defined |= {it.name for it in ast.walk(tree) if isinstance(it, _DEFINED)}
            bound |= set(_bound(tree))
    bound = {name for name in bound | defined if not _special(name)}
    defined &= bound
    # Files are compared as a set, since their order is that of names.
    told = sorted(
        sha256(canonical({"file": _told_file(trees[path], data, bound, defined)}))
        for path, data in files.items()
    )
    return sha256(canonical({"method": METHOD, "files": told}))


def _parsed(path: str, data: bytes) -> ast.Module | None:
    if not path.endswith(".py"):
        return None
    try:
        return ast.parse(data)
    except (SyntaxError, ValueError):
        return None


def _special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _bound(tree: ast.Module) -> Iterator[str]:
    """Yield every name that a module gives to something."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Name(ctx=ast.Store()):
                yield node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr
            case ast.arg():
                yield node.arg
            case ast.alias(asname=str(name)):
                yield name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield name
            case _:
                pass


def _told_file(
    tree: ast.Module | None, data: bytes, bound: Collection[str], defined: set[str]
) -> Any:  # noqa: ANN401  # JSON values
    """Return one file as JSON values, its names numbered as they come."""
    numbers: dict[str, str] = {}

    def rename(word: str, among: Collection[str] = bound) -> str:
        if word not in among:
            return word
        return numbers.setdefault(word, f"«{len(numbers)}»")

    def in_text(text: str) -> str:
        return _WORD.sub(lambda found: rename(found[0], defined), text)

    if tree is None:
        return in_text(data.decode("utf-8", "backslashreplace"))
    return _told(tree, rename, in_text)


def _told(node: Any, rename: Rename, in_text: Rename) -> Any:  # noqa: ANN401  # nodes have fields of any type
    match node:
        case ast.Constant(value=value):
            if isinstance(value, str):
                return ["text", in_text(value)]
            return ["constant", repr(value)]
        case ast.JoinedStr():
            return ["joined", *(_told(it, rename, in_text) for it in _pieces(node))]
        case ast.AST():
            # Python 3.12 and later have fields that are empty in older programs.
            return [
                type(node).__name__,
                *(
                    [name, _told(value, rename, in_text)]
                    for name, value in ast.iter_fields(node)
                    if name not in _SKIPPED and value is not None and value != []
                ),
            ]
        case list():
            return [_told(it, rename, in_text) for it in node if not _ignored(it)]
        case _:
            # Names, which a module's may have dots in, and small numbers.
            named = isinstance(node, str)
            return ".".join(map(rename, node.split("."))) if named else repr(node)


def _pieces(node: ast.JoinedStr) -> Iterator[ast.expr]:
    """Yield the pieces of an f-string; some Pythons cut its plain text into several."""
    for plain, pieces in itertools.groupby(node.values, _is_plain):
        if not plain:
            yield from pieces
        elif text := "".join(ast.literal_eval(piece) for piece in pieces):
            yield ast.Constant(value=text)


def _is_plain(piece: ast.expr) -> bool:
    return isinstance(piece, ast.Constant)


def _ignored(node: object) -> bool:
    """Whether a statement says nothing: a docstring, or the listing of names in `__all__`."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
        case _:
            return False
