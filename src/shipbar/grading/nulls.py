"""Packages without behaviour, made from a reference's public names alone.

A suite that gives them points asks too little: names, shapes, or questions whose
answer is the same whatever was asked.
"""

import ast
from collections.abc import Callable, Mapping, Sequence

Files = Mapping[str, bytes]


def nulls(reference: Files) -> dict[str, Files]:
    """Return packages with the right names and no behaviour, by name."""
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


def hollow(reference: Files) -> Files:
    """Return the package whose functions do nothing."""
    return _without_behaviour(reference, _hollow)


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
