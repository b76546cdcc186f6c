"""The shape of a file of tests or of probes, as far as the two share it.

A file's head may import the package and the standard library, bind names and
define helpers; it is what a subject runs once. Each test or probe is a function
that takes nothing and ends with one statement of its kind; what stands before is
its *arrange* part, which is sent with the expression. So neither a head nor an
arrange part may assert or use pytest, which a subject does not have.

Whatever has another shape is a problem, named with file and line.
"""

import ast
import builtins
import re
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import attrs

from shipbar.sealed.literals import LiteralError, Reader

ERRORS = "ERRORS"
"""The name that a file's exceptions and their ancestors are bound to."""

Kind = Literal["test", "probe"]

PREFIX: Mapping[Kind, str] = {"test": "test", "probe": "probe_"}
"""How a function of that kind is called."""

_HOOKS = re.compile(
    r"(setup|teardown)_(module|function)|(setUp|tearDown)Module|pytest\w*|__test__"
    r"|collect_ignore(_glob)?"
)
"""Names in a file to which pytest gives a meaning that a judge does not."""

_ASSERTS: Mapping[Kind, str] = {
    "test": "it asserts more than once; split it, one assertion a test",
    "probe": "a probe asserts nothing; return what to ask, the reference has the answer",
}
_ENDS_EARLY: Mapping[Kind, str] = {
    "test": "a return or yield before the assertion would end the test without it",
    "probe": "a return or yield before the last one would end the probe without it",
}
_OTHERS: Mapping[Kind, str] = {
    "test": "write its tests as functions of the module",
    "probe": "write its probes as functions of the module",
}


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


def library_class(origin: str) -> type[BaseException]:
    """Return the standard library's exception class of that origin.

    Raises:
        LookupError: there is none.
    """
    module, _, name = origin.rpartition(".")
    # Never what else is loaded here: a subject would not have it.
    if module.partition(".")[0] not in sys.stdlib_module_names:
        raise LookupError(origin)
    try:
        cls = getattr(__import__(module, fromlist=[name]), name)
    except (ImportError, AttributeError) as cause:
        raise LookupError(origin) from cause
    if not (isinstance(cls, type) and issubclass(cls, BaseException)):
        raise LookupError(origin)  # noqa: TRY004  # a wrong name, whatever it names
    return cls


class Shape:
    """Reads what a file of tests and a file of probes share."""

    def __init__(
        self,
        path: str,
        package: str,
        kind: Kind,
        symbols: frozenset[str] | None = None,
    ) -> None:
        """Prepare to read.

        Args:
            path: the file, as problems name it.
            package: the import name of the package under test.
            kind: what the file holds.
            symbols: the package's public symbols, as `Reader` takes them.
        """
        self.path = path
        self.head: list[ast.stmt] = []
        """What is sent once a subject."""
        self.errors: dict[str, tuple[str, ...]] = {}
        """What `ERRORS` is bound to."""
        self.origins: dict[str, str] = {}
        """For each imported name, where it comes from."""
        self.problems: list[Problem] = []
        """In no order."""
        self._package, self._kind = package, kind
        self.reader = Reader(self.origin, package, symbols)

    def parse(self, text: str) -> list[ast.FunctionDef]:
        """Read a file's text; return its tests or probes, whose insides are not checked yet."""
        try:
            tree = _parsed(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as cause:
            line = getattr(cause, "lineno", None) or 1
            why = str(cause) or "nested too deeply"
            self.problems.append(
                Problem(path=self.path, line=line, why=f"not Python: {why}")
            )
            return []
        found: list[ast.FunctionDef] = []
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef) and statement.name.startswith(
                PREFIX[self._kind]
            ):
                found.append(statement)
            elif self._belongs_to_head(statement):
                self.head.append(statement)
        return self._named_once(found)

    def _named_once(self, found: Sequence[ast.FunctionDef]) -> list[ast.FunctionDef]:
        seen: dict[str, int] = {}
        for function in found:
            if function.name in seen:
                self.problem(
                    function,
                    f"{function.name} stands at line {seen[function.name]} too; rename one, Python keeps only the last",
                )
            seen.setdefault(function.name, function.lineno)
        return [item for item in found if seen[item.name] == item.lineno]

    def problem(self, node: ast.AST, why: str) -> None:
        """Note what is wrong with ``node``."""
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
            case ast.FunctionDef(decorator_list=[]) if _HOOKS.fullmatch(node.name):
                self.problem(
                    node,
                    f"{node.name} is run by pytest around the tests, but by no judge; call a helper in each",
                )
            case ast.FunctionDef(decorator_list=[]):
                return self._plain(node, "a helper")
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.problem(
                    node,
                    f"{node.name}: decorators, fixtures and async functions cannot be lifted; write a plain helper and call it in each test",
                )
            case ast.ClassDef():
                self.problem(
                    node,
                    f"class {node.name} cannot be lifted; {_OTHERS[self._kind]}",
                )
            case _:
                self.problem(
                    node,
                    f"`{first_line(node)}` cannot stand at the head; only imports, bindings and helpers can",
                )
        return False

    def _plain(self, node: ast.stmt, what: str) -> bool:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Assert) or (
                isinstance(inner, ast.expr) and self.is_pytest(inner)
            ):
                self.problem(
                    inner,
                    f"{what} may neither assert nor use pytest, which a subject does not have",
                )
                return False
            try:
                self._check_node(inner)
            except LiteralError as cause:
                self.problem(inner, f"{what}: {cause}")
                return False
        return self._binds_freely(node, _names_bound(node))

    def _binds_freely(self, node: ast.stmt, names: Iterable[str]) -> bool:
        """Whether no name that a head binds means something to pytest or to the judge."""
        for name in names:
            if name == ERRORS:
                self.problem(
                    node, f"{ERRORS} is bound once, to a dict, and by nothing else"
                )
                return False
            if name.startswith("test") or _HOOKS.fullmatch(name):
                self.problem(
                    node,
                    f"{name}: pytest gives that name a meaning; bind another (`as` renames an import)",
                )
                return False
        return True

    def is_pytest(self, node: ast.expr) -> bool:
        """Whether a name or dotted name is pytest's."""
        return (self.origin(node) or "").partition(".")[0] == "pytest"

    def _import(self, node: ast.Import | ast.ImportFrom) -> bool:
        tops = _tops(node)
        if tops == {"pytest"} and not _is_relative_or_star(node):
            self._note_origins(node)
            return False
        try:
            self._check_import(node)
        except LiteralError as cause:
            self.problem(node, str(cause))
            return False
        self._note_origins(node)
        bound = [alias.asname or alias.name for alias in node.names]
        return self._binds_freely(node, bound)

    def _check_import(self, node: ast.Import | ast.ImportFrom) -> None:
        if _is_relative_or_star(node):
            raise LiteralError(
                "relative and star imports cannot be lifted; import names from the package or the standard library"
            )
        tops = _tops(node)
        if "pytest" in tops:
            raise LiteralError(
                "import pytest at the head, in a statement of its own; it is not sent"
            )
        strangers = tops - sys.stdlib_module_names - {self._package}
        if strangers:
            raise LiteralError(
                f"imports {', '.join(sorted(strangers))}; a subject has only {self._package} and the standard library"
            )

    def _note_origins(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if isinstance(node, ast.ImportFrom):
                self.origins[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            elif alias.asname:
                self.origins[alias.asname] = alias.name
            else:
                top = alias.name.partition(".")[0]
                self.origins[top] = top

    def origin(self, node: ast.expr) -> str | None:
        """Where a name or dotted name comes from."""
        if isinstance(node, ast.Name):
            if node.id in self.origins:
                return self.origins[node.id]
            return f"builtins.{node.id}" if hasattr(builtins, node.id) else None
        if isinstance(node, ast.Attribute):
            owner = self.origin(node.value)
            return None if owner is None else f"{owner}.{node.attr}"
        return None

    def _read_errors(self, node: ast.Assign | ast.AnnAssign) -> None:
        try:
            value = self.reader.read(node.value) if node.value is not None else None
        except LiteralError as cause:
            self.problem(node, f"{ERRORS}: {cause}")
            return
        if not isinstance(value, dict) or not all(
            isinstance(name, str)
            and isinstance(above, tuple)
            and all(isinstance(item, str) for item in above)
            for name, above in value.items()
        ):
            self.problem(
                node,
                f"{ERRORS} maps each exception's name to a tuple of its ancestors' names",
            )
            return
        self.errors = value

    # -- a test or probe

    def check_arrange(self, statement: ast.stmt) -> None:
        """Raise LiteralError if a statement of an arrange part judges, or ends it early."""
        for node in ast.walk(statement):
            if isinstance(node, ast.Assert):
                raise LiteralError(_ASSERTS[self._kind])
            if isinstance(node, ast.Global | ast.Nonlocal):
                raise LiteralError(
                    "`global` ties tests together; each must stand alone"
                )
            self._check_node(node)
        for node in _outside_functions(statement):
            if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom | ast.Await):
                raise LiteralError(_ENDS_EARLY[self._kind])

    def check_sent(self, expression: ast.expr) -> None:
        """Raise LiteralError if a subject could not evaluate it."""
        for node in ast.walk(expression):
            self._check_node(node)
            if isinstance(node, ast.Yield | ast.YieldFrom | ast.Await):
                raise LiteralError(
                    "a test that yields or awaits cannot be lifted; run the coroutine with asyncio.run"
                )
            if isinstance(node, ast.NamedExpr):
                raise LiteralError(
                    f"`{ast.unparse(node)}` binds a name; do that in a line before the last"
                )

    def _check_node(self, node: ast.AST) -> None:
        """Raise LiteralError for what a subject does not have."""
        if isinstance(node, ast.expr) and self.is_pytest(node):
            raise LiteralError(
                f"`{ast.unparse(node)}`: pytest may only make the assertion; a subject does not have it"
            )
        if isinstance(node, ast.Name) and node.id == ERRORS:
            raise LiteralError(f"{ERRORS} is the judge's; a subject does not have it")
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._check_import(node)


def check_signature(function: ast.FunctionDef) -> None:
    """Raise LiteralError unless the function takes nothing and stands by itself."""
    if function.decorator_list:
        raise LiteralError(
            "it has a decorator; write one function a case instead of parametrize, and no marks"
        )
    arguments = function.args
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


def _parsed(text: str) -> ast.Module:
    """Parse a file and make sure that it compiles, which finds a stray `await` or `return`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a suite's oddities are its author's to see
        compile(text, "suite", "exec", dont_inherit=True)
        return ast.parse(text)


def _tops(node: ast.Import | ast.ImportFrom) -> set[str]:
    """The top-level modules that an import names."""
    if isinstance(node, ast.ImportFrom):
        return {(node.module or "").partition(".")[0]}
    return {alias.name.partition(".")[0] for alias in node.names}


def _is_relative_or_star(node: ast.Import | ast.ImportFrom) -> bool:
    return isinstance(node, ast.ImportFrom) and (
        node.level > 0 or any(alias.name == "*" for alias in node.names)
    )


def _names_bound(node: ast.stmt) -> Iterable[str]:
    """The names that a binding or helper at the head gives to the module."""
    if isinstance(node, ast.FunctionDef):
        return [node.name] if node.name == ERRORS else []
    return [
        inner.id
        for inner in _outside_functions(node)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
    ]


def _outside_functions(node: ast.AST) -> Iterable[ast.AST]:
    """Walk ``node`` without the insides of functions and classes defined in it."""
    yield node
    if isinstance(
        node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
    ):
        return
    for child in ast.iter_child_nodes(node):
        yield from _outside_functions(child)


def first_line(node: ast.stmt) -> str:
    """Return how a statement begins, to be shown."""
    return ast.unparse(node).partition("\n")[0][:80]


def source_of(arrange: Sequence[ast.stmt], expression: ast.expr) -> str:
    """The function that is sent: arranges, then returns what evaluates."""
    nothing = ast.arguments(
        posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    evaluate = ast.Return(value=ast.Lambda(args=nothing, body=expression))
    case = ast.FunctionDef(
        name="case", args=nothing, body=[*arrange, evaluate], decorator_list=[]
    )
    return ast.unparse(ast.fix_missing_locations(case))


def body_of(function: ast.FunctionDef) -> list[ast.stmt]:
    """Return a function's statements without its docstring."""
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return function.body[1:] if documented else list(function.body)
