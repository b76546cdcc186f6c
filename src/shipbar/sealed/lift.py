"""Lifts a pytest suite into cases: what is sent to the subject, and what is kept.

A test function holds one assertion, its last statement:

    assert EXPR == LITERAL          assert EXPR is True | False | None
    assert EXPR == approx(LITERAL)  with raises(ERROR): EXPR

What stands before it is its *arrange* part. A file's head may import the
package and the standard library, bind names and define helpers. Whatever has
another shape is a problem of the task, named with file and line and with the
way to reshape it; it is never run in some other way.

Only a case's arrange part and EXPR are ever sent, in one shape for all: a
function that arranges and returns another that evaluates. Expectations, test
names and the kind of assertion stay here (D3, N08).

The names that exceptions are judged by are frozen in the suite as well: a file
that expects an exception of the package binds

    ERRORS = {"Malformed": ("StampError", "ValueError"), …}

to each class's ancestors below Exception, in MRO order. It is read here, not sent.
"""

import ast
import builtins
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

import attrs

from shipbar.sealed.compare import (
    NUMBERS,
    Approx,
    Equals,
    Expectation,
    Is,
    Raises,
    lineages,
)
from shipbar.sealed.literals import LiteralError
from shipbar.sealed.shape import (
    ERRORS,
    Problem,
    Shape,
    body_of,
    check_signature,
    first_line,
    library_class,
    source_of,
)

__all__ = ["Case", "Lifted", "Problem", "Suite", "library_class", "lift"]

APPROX = ("expected", "rel", "abs")


@attrs.frozen(kw_only=True)
class Case:
    """One assertion: a probe with its expectation."""

    id: str
    """As pytest names it: `path::function`."""
    file: int
    """Which of `Suite.heads` it needs."""
    line: int
    """Where its function starts."""
    source: str
    """What is sent: a function `case` that arranges and returns one that evaluates."""
    expectation: Expectation
    """What is kept."""

    @property
    def rule(self) -> str:
        """The rule that it exercises, by the convention `test_<rule>_<number>`."""
        name = self.id.rpartition("::")[2].removeprefix("test_")
        rule, _, number = name.rpartition("_")
        return rule if rule and number.isdigit() else name


@attrs.frozen(kw_only=True)
class Suite:
    """A lifted suite."""

    heads: tuple[str, ...]
    """For each file, the imports and helpers that are sent once a subject."""
    cases: tuple[Case, ...]
    """In suite order: files by path, tests by line."""


@attrs.frozen(kw_only=True)
class Lifted:
    """What lifting found: a suite of everything that has the shape, and all that has not."""

    suite: Suite
    """Complete only when there are no problems."""
    problems: tuple[Problem, ...]
    """In the order of the files."""


def lift(files: Mapping[str, str], package: str, symbols: Iterable[str] = ()) -> Lifted:
    """Lift a suite.

    Args:
        files: each test file's path and text.
        package: the import name of the package under test.
        symbols: its public symbols; an expected exception must be one of them.
    """
    heads, cases, problems = [], [], []
    parsed: list[_File] = []
    for path in sorted(files):
        file = _File(path, package, frozenset(symbols))
        file.read(files[path])
        parsed.append(file)
        problems += file.problems
    ancestors = _ancestors(parsed, problems)
    for number, file in enumerate(parsed):
        heads.append(file.head)
        cases += [_case(test, number, file, ancestors) for test in file.tests]
    suite = Suite(heads=tuple(heads), cases=tuple(cases))
    return Lifted(
        suite=suite, problems=tuple(sorted(problems, key=lambda p: (p.path, p.line)))
    )


@attrs.frozen(kw_only=True)
class _Test:
    """A test that has the shape; an exception's lineages are not known yet."""

    name: str
    line: int
    source: str
    expectation: Equals | Is | Approx | str
    """A string is the name of an expected exception."""


def _case(
    test: _Test, number: int, file: "_File", ancestors: Mapping[str, Sequence[str]]
) -> Case:
    kept = test.expectation
    expectation: Expectation
    if isinstance(kept, str):
        expectation = Raises(
            error=kept,
            lineages=lineages(kept, ancestors),
            known=frozenset(ancestors),
        )
    else:
        expectation = kept
    return Case(
        id=f"{file.path}::{test.name}",
        file=number,
        line=test.line,
        source=test.source,
        expectation=expectation,
    )


def _ancestors(
    files: Sequence["_File"], problems: list[Problem]
) -> dict[str, tuple[str, ...]]:
    """For every exception that the suite expects anywhere, the names above it."""
    declared: dict[str, tuple[str, ...]] = {}
    for file in files:
        for name, above in file.errors.items():
            if declared.setdefault(name, above) != above:
                problems.append(
                    Problem(
                        path=file.path,
                        line=1,
                        why=f"{ERRORS} says another lineage of {name} than an earlier file",
                    )
                )
    expected: dict[str, tuple[str, ...]] = {}
    for file in files:
        for test in file.tests:
            if not isinstance(test.expectation, str) or test.expectation in expected:
                continue
            name = test.expectation
            if "." in name:
                expected[name] = _library_ancestors(name)
            elif name in declared:
                expected[name] = declared[name]
            else:
                why = (
                    f"{ERRORS} has no entry for {name}; bind {ERRORS} = {{{name!r}: (…its ancestors below Exception…)}} "
                    "at the head of the file (`shipbar suite check` prints what the reference has)"
                )
                problems.append(Problem(path=file.path, line=test.line, why=why))
    return {
        name: above if "." in name else _whole(above, frozenset(expected))
        for name, above in expected.items()
    }


def _whole(above: Sequence[str], known: frozenset[str]) -> tuple[str, ...]:
    """Complete what `ERRORS` says of one of the package's classes, in the subject's words.

    `ValueError` is `builtins.ValueError`, unless the package's own class of that name
    is expected; and what it need not say, that every exception is an Exception, holds.
    """
    said = {
        f"builtins.{name}" if name not in known and hasattr(builtins, name) else name
        for name in above
    }
    roots = {"builtins.BaseException"}
    if "builtins.BaseException" not in said:
        roots.add("builtins.Exception")
    return tuple(sorted(said | roots))


def _library_ancestors(origin: str) -> tuple[str, ...]:
    """The names above an exception class of the standard library."""
    cls = library_class(origin)
    return tuple(f"{base.__module__}.{base.__qualname__}" for base in cls.__mro__[1:])


class _File:
    """Reads one test file."""

    def __init__(self, path: str, package: str, symbols: frozenset[str]) -> None:
        self.path, self._package, self._symbols = path, package, symbols
        self.head = ""
        self.tests: list[_Test] = []
        self._shape = Shape(path, package, "test", symbols or None)
        self._origin, self._reader = self._shape.origin, self._shape.reader

    @property
    def errors(self) -> dict[str, tuple[str, ...]]:
        return self._shape.errors

    @property
    def problems(self) -> list[Problem]:
        return self._shape.problems

    def read(self, text: str) -> None:
        tests: list[ast.FunctionDef] = []
        try:
            tests = self._shape.parse(text)
            self.head = ast.unparse(ast.Module(body=self._shape.head, type_ignores=[]))
        except (ValueError, RecursionError) as cause:  # what ast cannot write again
            self._shape.problem(
                ast.Pass(), f"its head cannot be lifted: {cause}; write it more simply"
            )
        for test in tests:
            try:
                self.tests.append(self._test(test))
            except (
                ValueError,
                RecursionError,
            ) as cause:  # LiteralError is a ValueError
                self._shape.problem(test, f"not liftable: {cause}")

    # -- a test

    def _test(self, test: ast.FunctionDef) -> _Test:
        check_signature(test)
        body = body_of(test)
        if not body:
            raise LiteralError("it asserts nothing; end it with one assertion")
        *arrange, last = body
        for statement in arrange:
            self._shape.check_arrange(statement)
        kept: Equals | Is | Approx | str
        match last:
            case ast.Assert():
                expression, kept = self._assertion(last)
            case ast.With():
                expression, kept = self._raises(last)
            case _:
                raise LiteralError(
                    f"its last statement is `{first_line(last)}`; end it with one assertion"
                )
        self._shape.check_sent(expression)
        return _Test(
            name=test.name,
            line=test.lineno,
            source=source_of(arrange, expression),
            expectation=kept,
        )

    def _assertion(self, node: ast.Assert) -> tuple[ast.expr, Equals | Is | Approx]:
        test = node.test
        if not isinstance(test, ast.Compare):
            raise LiteralError(
                f"`assert {ast.unparse(test)}` compares with nothing; {_reshaped(test)}"
            )
        if len(test.ops) != 1:
            raise LiteralError(
                "a chained comparison; split it, or compare a list of values with a literal list"
            )
        operator, right = test.ops[0], test.comparators[0]
        if isinstance(operator, ast.Is) and isinstance(right, ast.Constant):
            if right.value is None or isinstance(right.value, bool):
                return test.left, Is(value=right.value)
            raise LiteralError(
                "`is` compares with True, False or None only; write `==`"
            )
        if not isinstance(operator, ast.Eq):
            raise LiteralError(
                f"`assert {ast.unparse(test)}` is no equality with a literal; {_reshaped(test)}"
            )
        if isinstance(right, ast.Call) and self._origin(right.func) == "pytest.approx":
            return test.left, self._approx(right)
        return test.left, Equals(value=self._reader.read(right))

    def _approx(self, call: ast.Call) -> Approx:
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        names = dict(zip(APPROX, call.args, strict=False)) | named
        if (
            "expected" not in names
            or set(names) - set(APPROX)
            or len(names) != len(call.args) + len(call.keywords)
        ):
            raise LiteralError("approx takes a literal, and rel and abs")
        read = {str(name): self._reader.read(node) for name, node in names.items()}
        for tolerance in (read.get("rel"), read.get("abs")):
            if tolerance is not None and not _is_tolerance(tolerance):
                raise LiteralError("a tolerance of approx is a number, not below zero")
        if not _is_approximable(read["expected"]):
            raise LiteralError(
                "approx takes a number, or a list, tuple or dict of numbers, not nested"
            )
        return Approx(value=read["expected"], rel=read.get("rel"), abs=read.get("abs"))

    def _raises(self, node: ast.With) -> tuple[ast.expr, str]:
        if len(node.items) != 1 or not isinstance(node.items[0].context_expr, ast.Call):
            raise LiteralError("a `with` that ends a test is `with raises(ERROR):`")
        item = node.items[0]
        call = item.context_expr
        if not isinstance(call, ast.Call) or self._origin(call.func) != "pytest.raises":
            raise LiteralError("a `with` that ends a test is `with raises(ERROR):`")
        if item.optional_vars is not None or call.keywords or len(call.args) != 1:
            raise LiteralError(
                "raises takes one class and nothing else: errors are specified by class, never by wording"
            )
        if len(node.body) != 1 or not isinstance(node.body[0], ast.Expr):
            raise LiteralError(
                "the body of raises is one expression; move what prepares it before the `with`, "
                "and write a statement as a call (operator.setitem, operator.delitem, setattr, list)"
            )
        return node.body[0].value, self._error(call.args[0])

    def _error(self, node: ast.expr) -> str:
        """The name that an expected exception goes by: the public symbol, or the library's own."""
        origin = self._origin(node)
        if origin is None:
            raise LiteralError(f"`{ast.unparse(node)}` is no imported exception class")
        top, _, rest = origin.partition(".")
        if top == self._package:
            if rest not in self._symbols:
                raise LiteralError(
                    f"{rest} is none of the contract's public_symbols; an expected exception must be"
                )
            return rest
        try:
            cls = library_class(origin)
        except LookupError:
            raise LiteralError(f"`{ast.unparse(node)}` is no exception class") from None
        return f"{cls.__module__}.{cls.__qualname__}"


def _is_approximable(value: object) -> bool:
    if isinstance(value, dict):
        return all(_is_number(item) for item in value.values())
    if isinstance(value, list | tuple):
        return all(_is_number(item) for item in value)
    return _is_number(value)


def _is_number(value: object) -> bool:
    return isinstance(value, NUMBERS) and not isinstance(value, bool)


def _is_tolerance(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and _is_number(value) and value >= 0


def _reshaped(test: ast.expr) -> str:
    return f"write `assert ({ast.unparse(test)}) is True`, or better compare a value that only a right answer has"
