"""Parses a file of probes: what a suite asks, without the answers.

    from tavrick import issue, read

    def probe_writing_001():
        tag = issue("ketch")        # arrange: any statements, none of which asserts
        return tag.text             # what to ask

Its head is a suite's head, its arrange parts are a suite's arrange parts, and
the last statement of each probe is `return EXPR`. `ERRORS` may stand in it and
means nothing: it is the reference that says what its exceptions derive from.
The file is read and never imported.
"""

import ast
import re

import attrs

from shipbar.sealed.literals import LiteralError
from shipbar.sealed.shape import (
    PREFIX,
    Problem,
    Shape,
    body_of,
    check_signature,
    first_line,
    source_of,
)

NAME = re.compile(r"probe_[a-z0-9]+(?:_[a-z0-9]+)*_[0-9]+")


@attrs.frozen(kw_only=True)
class Probe:
    """Arrange lines and an expression."""

    name: str
    """Its function's: `probe_<rule>_<number>`."""
    line: int
    """Where its function starts, from one."""
    source: str
    """What is sent: a function `case` that arranges and returns one that evaluates."""
    function: ast.FunctionDef
    """As it was parsed."""
    arrange: tuple[ast.stmt, ...]
    """What stands before the question."""
    expression: ast.expr
    """What to ask."""

    @property
    def test(self) -> str:
        """The name of the test that it becomes."""
        return "test_" + self.name.removeprefix(PREFIX["probe"])


@attrs.frozen(kw_only=True)
class Probes:
    """A parsed file of probes."""

    path: str
    """The file, as given."""
    text: str
    """Its text, with plain newlines."""
    head: str
    """What is sent once a subject: imports, bindings and helpers."""
    shape: Shape
    """How its head was read."""
    probes: tuple[Probe, ...]
    """In the order of the file."""
    problems: tuple[Problem, ...]
    """Why a probe or the head cannot be used; the rest is complete only when there are none."""


def parse_probes(path: str, text: str, package: str) -> Probes:
    """Parse a file of probes.

    Args:
        path: the file, as problems name it.
        text: what it holds.
        package: the import name of the package under test.
    """
    text = text.replace("\r\n", "\n")
    shape = Shape(path, package, "probe")
    probes = []
    for function in shape.parse(text):
        try:
            probes.append(_probe(function, shape))
        except LiteralError as cause:
            shape.problem(function, f"{function.name}: {cause}")
    _check_helpers(shape)
    if not probes and not shape.problems:
        shape.problem(
            ast.Module(body=[], type_ignores=[]),
            "it holds no probe; a probe is a function `probe_<rule>_<number>` that ends with `return EXPR`",
        )
    return Probes(
        path=path,
        text=text,
        head=ast.unparse(ast.Module(body=shape.head, type_ignores=[])),
        shape=shape,
        probes=tuple(probes),
        problems=tuple(sorted(shape.problems, key=lambda problem: problem.line)),
    )


def _probe(function: ast.FunctionDef, shape: Shape) -> Probe:
    if not NAME.fullmatch(function.name):
        raise LiteralError(
            "expected a name `probe_<rule>_<number>` in lower case, such as probe_reading_001"
        )
    check_signature(function)
    body = body_of(function)
    last = body[-1] if body else function.body[-1]
    if not isinstance(last, ast.Return) or last.value is None:
        raise LiteralError(
            f"its last statement is `{first_line(last)}`; end it with `return EXPR`, where EXPR is what to ask"
        )
    arrange = tuple(body[:-1])
    for statement in arrange:
        shape.check_arrange(statement)
    shape.check_sent(last.value)
    return Probe(
        name=function.name,
        line=function.lineno,
        source=source_of(arrange, last.value),
        function=function,
        arrange=arrange,
        expression=last.value,
    )


def _check_helpers(shape: Shape) -> None:
    """A helper must not look like a test once it stands in a suite."""
    for statement in shape.head:
        if isinstance(statement, ast.FunctionDef) and statement.name.startswith("test"):
            shape.problem(
                statement,
                f"{statement.name}: in a suite this helper would be a test; rename it, or make it a probe",
            )
