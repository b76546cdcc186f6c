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
import sys
from collections.abc import Iterable, Mapping, Sequence

import attrs

from shipbar.sealed.compare import Approx, Equals, Expectation, Is, Raises, lineages
from shipbar.sealed.literals import LiteralError, Reader

PYTEST_NAMES = {"raises": "pytest.raises", "approx": "pytest.approx"}
ERRORS = "ERRORS"
APPROX = ("value", "rel", "abs")


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
class Problem:
    """Why a test, or a file's head, cannot be lifted."""

    path: str
    """The file, as given."""
    line: int
    """From one."""
    why: str
    """What was found, what is expected and how to reshape it."""

    def __str__(self) -> str:
        """`FILE:LINE: why`."""
        return f"{self.path}:{self.line}: {self.why}"


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
        name: tuple(_qualified(item) for item in above)
        for name, above in expected.items()
    }


def _qualified(name: str) -> str:
    """`ValueError` as the subject says it: `builtins.ValueError`."""
    return f"builtins.{name}" if hasattr(builtins, name) else name


def _library_ancestors(origin: str) -> tuple[str, ...]:
    """The names above an exception class of the standard library."""
    cls = library_class(origin)
    return tuple(f"{base.__module__}.{base.__qualname__}" for base in cls.__mro__[1:])


def library_class(origin: str) -> type[BaseException]:
    """Return the standard library's exception class of that origin.

    Raises:
        LookupError: there is none.
    """
    module, _, name = origin.rpartition(".")
    if (
        module not in sys.modules
        and module.partition(".")[0] not in sys.stdlib_module_names
    ):
        raise LookupError(origin)
    try:
        cls = getattr(__import__(module, fromlist=[name]), name)
    except (ImportError, AttributeError) as cause:
        raise LookupError(origin) from cause
    if not (isinstance(cls, type) and issubclass(cls, BaseException)):
        raise LookupError(origin)  # noqa: TRY004  # a wrong name, whatever it names
    return cls


class _File:
    """Reads one test file."""

    def __init__(self, path: str, package: str, symbols: frozenset[str]) -> None:
        self.path, self._package, self._symbols = path, package, symbols
        self.head = ""
        self.tests: list[_Test] = []
        self.errors: dict[str, tuple[str, ...]] = {}
        self.problems: list[Problem] = []
        self._origins: dict[str, str] = {}
        self._reader = Reader(self._origin, package)

    def read(self, text: str) -> None:
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError) as cause:
            line = getattr(cause, "lineno", None) or 1
            self.problems.append(
                Problem(path=self.path, line=line, why=f"not Python: {cause}")
            )
            return
        head: list[ast.stmt] = []
        tests: list[ast.FunctionDef] = []
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef) and statement.name.startswith(
                "test"
            ):
                tests.append(statement)
            elif self._belongs_to_head(statement):
                head.append(statement)
        self.head = ast.unparse(ast.Module(body=head, type_ignores=[]))
        self._read_tests(tests)

    def _read_tests(self, tests: Sequence[ast.FunctionDef]) -> None:
        seen: dict[str, int] = {}
        for test in tests:
            if test.name in seen:
                self._problem(
                    test,
                    f"{test.name} stands at line {seen[test.name]} too; rename one, Python keeps only the last",
                )
                continue
            seen[test.name] = test.lineno
            try:
                self.tests.append(self._test(test))
            except LiteralError as cause:
                self._problem(test, f"not liftable: {cause}")

    def _problem(self, node: ast.AST, why: str) -> None:
        self.problems.append(
            Problem(path=self.path, line=getattr(node, "lineno", 1), why=why)
        )

    # -- a file's head

    def _belongs_to_head(self, node: ast.stmt) -> bool:
        """Whether a module-level statement is sent as part of the head; notes what cannot be."""
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                return False
            case ast.Import() | ast.ImportFrom():
                return self._import(node)
            case (
                ast.Assign(targets=[ast.Name(id=name)])
                | ast.AnnAssign(target=ast.Name(id=name))
            ) if name == ERRORS:
                self._read_errors(node)
                return False
            case ast.Assign() | ast.AnnAssign():
                return self._plain(node, "a name bound at the head")
            case ast.FunctionDef(decorator_list=[]):
                return self._plain(node, "a helper")
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._problem(
                    node,
                    f"{node.name}: decorators, fixtures and async functions cannot be lifted; write a plain helper and call it in each test",
                )
            case ast.ClassDef():
                self._problem(
                    node,
                    f"class {node.name} cannot be lifted; write its tests as functions of the module",
                )
            case _:
                self._problem(
                    node,
                    f"`{_first_line(node)}` cannot stand at the head; only imports, bindings and helpers can",
                )
        return False

    def _plain(self, node: ast.stmt, what: str) -> bool:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Assert) or (
                isinstance(inner, ast.expr) and self._is_pytest(inner)
            ):
                self._problem(
                    inner,
                    f"{what} may neither assert nor use pytest, which a subject does not have",
                )
                return False
        return True

    def _is_pytest(self, node: ast.expr) -> bool:
        return (self._origin(node) or "").partition(".")[0] == "pytest"

    def _import(self, node: ast.Import | ast.ImportFrom) -> bool:
        if isinstance(node, ast.ImportFrom):
            modules = [node.module or ""]
            if node.level or any(alias.name == "*" for alias in node.names):
                self._problem(
                    node,
                    "relative and star imports cannot be lifted; import names from the package or the standard library",
                )
                return False
        else:
            modules = [alias.name for alias in node.names]
        tops = {module.partition(".")[0] for module in modules}
        strangers = tops - sys.stdlib_module_names - {self._package, "pytest"}
        if strangers:
            self._problem(
                node,
                f"imports {', '.join(sorted(strangers))}; a subject has only {self._package} and the standard library",
            )
            return False
        self._note_origins(node)
        if "pytest" in tops:
            if tops != {"pytest"}:
                self._problem(
                    node, "import pytest in a statement of its own; it is not sent"
                )
            return False
        return "__future__" not in tops

    def _note_origins(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if isinstance(node, ast.ImportFrom):
                self._origins[alias.asname or alias.name] = (
                    f"{node.module}.{alias.name}"
                )
            elif alias.asname:
                self._origins[alias.asname] = alias.name
            else:
                top = alias.name.partition(".")[0]
                self._origins[top] = top

    def _origin(self, node: ast.expr) -> str | None:
        """Where a name or dotted name comes from."""
        if isinstance(node, ast.Name):
            if node.id in self._origins:
                return self._origins[node.id]
            return f"builtins.{node.id}" if hasattr(builtins, node.id) else None
        if isinstance(node, ast.Attribute):
            owner = self._origin(node.value)
            return None if owner is None else f"{owner}.{node.attr}"
        return None

    def _read_errors(self, node: ast.Assign | ast.AnnAssign) -> None:
        try:
            value = self._reader.read(node.value) if node.value is not None else None
        except LiteralError as cause:
            self._problem(node, f"{ERRORS}: {cause}")
            return
        if not isinstance(value, dict) or not all(
            isinstance(name, str)
            and isinstance(above, tuple)
            and all(isinstance(item, str) for item in above)
            for name, above in value.items()
        ):
            self._problem(
                node,
                f"{ERRORS} maps each exception's name to a tuple of its ancestors' names",
            )
            return
        self.errors = value

    # -- a test

    def _test(self, test: ast.FunctionDef) -> _Test:
        _check_signature(test)
        body = list(test.body)
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            del body[0]
        if not body:
            raise LiteralError("it asserts nothing; end it with one assertion")
        *arrange, last = body
        for statement in arrange:
            self._check_arrange(statement)
        kept: Equals | Is | Approx | str
        match last:
            case ast.Assert():
                expression, kept = self._assertion(last)
            case ast.With():
                expression, kept = self._raises(last)
            case _:
                raise LiteralError(
                    f"its last statement is `{_first_line(last)}`; end it with one assertion"
                )
        self._check_sent(expression)
        return _Test(
            name=test.name,
            line=test.lineno,
            source=_source(arrange, expression),
            expectation=kept,
        )

    def _check_arrange(self, statement: ast.stmt) -> None:
        """The arrange part is sent: it may hold nothing that judges, and must reach its end."""
        for node in ast.walk(statement):
            if isinstance(node, ast.Assert):
                raise LiteralError(
                    "it asserts more than once; split it, one assertion a test"
                )
            if isinstance(node, ast.Global | ast.Nonlocal):
                raise LiteralError(
                    "`global` ties tests together; each must stand alone"
                )
            if isinstance(node, ast.expr):
                self._check_sent(node)
        for node in _outside_functions(statement):
            if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom | ast.Await):
                raise LiteralError(
                    "a return or yield before the assertion would end the test without it"
                )

    def _check_sent(self, expression: ast.expr) -> None:
        for node in ast.walk(expression):
            if isinstance(node, ast.expr) and self._is_pytest(node):
                raise LiteralError(
                    f"`{ast.unparse(node)}`: pytest may only make the assertion; a subject does not have it"
                )
            if isinstance(node, ast.Name) and node.id == ERRORS:
                raise LiteralError(
                    f"{ERRORS} is the judge's; a subject does not have it"
                )
            if isinstance(node, ast.Yield | ast.YieldFrom | ast.Await):
                raise LiteralError(
                    "a test that yields or awaits cannot be lifted; run the coroutine with asyncio.run"
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
            "value" not in names
            or set(names) - set(APPROX)
            or len(call.args) > len(APPROX)
        ):
            raise LiteralError("approx takes a literal, and rel and abs")
        read = {str(name): self._reader.read(node) for name, node in names.items()}
        return Approx(value=read["value"], rel=read.get("rel"), abs=read.get("abs"))

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


def _check_signature(test: ast.FunctionDef) -> None:
    if test.decorator_list:
        raise LiteralError(
            "it has a decorator; write one function a case instead of parametrize, and no marks"
        )
    arguments = test.args
    if (
        arguments.args
        or arguments.posonlyargs
        or arguments.kwonlyargs
        or arguments.vararg
        or arguments.kwarg
    ):
        raise LiteralError(
            "it takes a fixture; build what it needs in its own arrange lines or in a helper"
        )


def _outside_functions(node: ast.AST) -> Iterable[ast.AST]:
    """Walk ``node`` without the insides of functions and classes defined in it."""
    yield node
    if isinstance(
        node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
    ):
        return
    for child in ast.iter_child_nodes(node):
        yield from _outside_functions(child)


def _reshaped(test: ast.expr) -> str:
    return f"write `assert ({ast.unparse(test)}) is True`, or better compare a value that only a right answer has"


def _first_line(node: ast.stmt) -> str:
    return ast.unparse(node).partition("\n")[0][:80]


def _source(arrange: Sequence[ast.stmt], expression: ast.expr) -> str:
    """The function that is sent: arranges, then returns what evaluates."""
    nothing = ast.arguments(
        posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    evaluate = ast.Return(value=ast.Lambda(args=nothing, body=expression))
    case = ast.FunctionDef(
        name="case", args=nothing, body=[*arrange, evaluate], decorator_list=[]
    )
    return ast.unparse(ast.fix_missing_locations(case))
