"""Writes a suite from probes and frozen answers.

The head and the arrange parts keep the author's own lines and comments. Each
`return EXPR` becomes one assertion, `ERRORS` is what the reference has, and what
the literals need is imported. The same probes and answers give the same bytes.
"""

import ast
from collections.abc import Iterable, Mapping, Sequence

import attrs

from shipbar.grading.layout import STEP, WIDTH, Layout
from shipbar.grading.probes import Probe, Probes
from shipbar.sealed.literals import LiteralError
from shipbar.sealed.shape import ERRORS

BY_MODULE = frozenset({"datetime", "pytest"})
"""Imported whole, by custom; from other modules names are imported."""


@attrs.frozen(kw_only=True)
class Value:
    """A probe's expression has this value."""

    value: object
    """Plain data."""


@attrs.frozen(kw_only=True)
class Raised:
    """A probe's expression raises this exception."""

    module: str
    """The package under test, or a module of the standard library."""
    name: str
    """The class's name in it."""


Frozen = Value | Raised


class UnwritableError(ValueError):
    """A probe or its answer cannot be written as a test; the text says why."""


def suite_text(
    probes: Probes,
    answers: Sequence[Frozen],
    errors: Mapping[str, tuple[str, ...]],
    package: str,
) -> str:
    """Return the text of a suite file.

    Args:
        probes: without problems.
        answers: one for each probe.
        errors: what `ERRORS` is to be; empty for none.
        package: the import name of the package under test.

    Raises:
        UnwritableError: it names the probe.
    """
    names = _Names(probes, package)
    lines = probes.text.split("\n")
    tests = {}
    for probe, frozen in zip(probes.probes, answers, strict=True):
        names.roots.clear()
        try:
            tests[probe.line] = _test(probe, frozen, names, lines)
        except LiteralError as cause:
            raise UnwritableError(
                f"{probes.path}:{probe.line}: {probe.name}: {cause}"
            ) from cause
    head = _Head(probes, package, names.needed)
    return head.around(tests, errors_text(errors) if errors else "")


def errors_text(errors: Mapping[str, tuple[str, ...]]) -> str:
    """Return the line, or lines, that bind `ERRORS`."""
    lead = f"{ERRORS} = "
    return lead + Layout("", lambda _, name: name).lay(
        dict(sorted(errors.items())), 0, len(lead)
    )


# -- names


class _Names:
    """How what a literal needs is called in this file, and what must be imported for it."""

    def __init__(self, probes: Probes, package: str) -> None:
        self.needed: set[tuple[str, str]] = set()
        """Module and name to import; an empty name is the module itself."""
        self.roots: set[str] = set()
        """First parts of the names used since this was last cleared."""
        self.layout = Layout(package, self.of)
        self._origins = dict(probes.shape.origins)
        self._bound = set(self._origins) | _bound(probes.shape.head)

    def of(self, module: str, name: str) -> str:
        origin = f"{module}.{name}"
        for known, from_where in self._origins.items():
            if from_where == origin:
                return self._used(known)
        for known, from_where in self._origins.items():
            if from_where == module:
                return f"{self._used(known)}.{name}"
        whole = (module, "", module, f"{module}.{name}")
        single = (module, name, name, name)
        for home, item, root, text in (
            (whole, single) if module in BY_MODULE else (single, whole)
        ):
            if root.partition(".")[0] not in self._bound:
                self.needed.add((home, item))
                self._used(root)
                return text
        raise LiteralError(
            f"its literal needs {origin}, but the head binds both `{name}` and `{module}` to something else; rename one"
        )

    def _used(self, name: str) -> str:
        self.roots.add(name.partition(".")[0])
        return name


def _bound(statements: Iterable[ast.stmt]) -> set[str]:
    """The names that statements bind, functions that they define included."""
    found = set()
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.alias):
                found.add(node.asname or node.name.partition(".")[0])
            elif isinstance(node, ast.ExceptHandler) and node.name:
                found.add(node.name)
    return found


# -- one test


def _test(probe: Probe, frozen: Frozen, names: _Names, lines: Sequence[str]) -> str:
    """Return the lines of one test."""
    question = probe.function.body[-1]
    asked = _segment(lines, question).removeprefix("return")
    if isinstance(frozen, Raised):
        last = _raising(probe, asked.strip(), frozen, names)
    else:
        last = _asserting(probe, asked.strip(), frozen.value, names)
    shadowed = names.roots & _bound(probe.arrange)
    if shadowed:
        raise LiteralError(
            f"its arrange part binds `{min(shadowed)}`, which its literal needs; rename it there"
        )
    lead = f"def {probe.test}() -> None:\n"
    after = lines[(question.end_lineno or 0) - 1].encode()[
        question.end_col_offset or 0 :
    ]
    comment = after.decode().strip()
    if comment.startswith("#"):
        last = f"    {comment}\n{last}"
    own = lines[probe.line : question.lineno - 1]
    kept = lead + "".join(f"{line}\n" for line in own) + last
    return kept if _same(kept, probe) else lead + _plain(probe) + last


def _segment(lines: Sequence[str], node: ast.stmt) -> str:
    """The text of a statement, from a file that was split into lines once.

    `ast.get_source_segment` splits the whole file for each call.
    """
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    own = [line.encode() for line in lines[first : last + 1]]
    own[-1] = own[-1][: node.end_col_offset]  # columns count bytes
    own[0] = own[0][node.col_offset :]
    return b"\n".join(own).decode()


def _same(text: str, probe: Probe) -> bool:
    """Whether a test's arrange part is the probe's."""
    try:
        function = ast.parse(text).body[0]
    except SyntaxError:
        return False
    if not isinstance(function, ast.FunctionDef):
        return False
    return _dumped(function.body[:-1]) == _dumped(probe.function.body[:-1])


def _plain(probe: Probe) -> str:
    """The arrange part in Python's own layout, for lines that cannot be kept."""
    lines = [line for item in probe.arrange for line in ast.unparse(item).splitlines()]
    return "".join(f"    {line}\n" for line in lines)


def _dumped(nodes: Iterable[ast.AST]) -> list[str]:
    return [ast.dump(node) for node in nodes]


def _asserting(probe: Probe, asked: str, value: object, names: _Names) -> str:
    operator = "is" if value is None or isinstance(value, bool) else "=="
    # As written if that stands before `==`; else in brackets; else as Python has it.
    own = ast.unparse(probe.expression)
    for left in (asked, f"({asked})", own, f"({own})"):
        if _stands_before_operator(left, probe.expression):
            break
    else:
        raise LiteralError(f"`{own}` cannot be compared; bind it to a name first")
    layout, lead = names.layout, f"    assert {left} {operator} "
    used = len(lead.rpartition("\n")[2])
    flat = layout.write(value)
    fits = used + len(flat) <= WIDTH or (
        layout.opens(value) and used + len("[") <= WIDTH
    )
    if not fits and "\n" not in left:
        bare = (
            left.removeprefix("(").removesuffix(")") if left == f"({asked})" else left
        )
        lead = f"    assert (\n        {bare}\n    ) {operator} "
        used = len(lead.rpartition("\n")[2])
    return lead + layout.lay(value, STEP, used) + "\n"


def _stands_before_operator(left: str, expression: ast.expr) -> bool:
    try:
        (statement,) = ast.parse(f"def f():\n    assert {left} == 0").body
    except (SyntaxError, ValueError):
        return False
    node = statement.body[0] if isinstance(statement, ast.FunctionDef) else statement
    return (
        isinstance(node, ast.Assert)
        and isinstance(node.test, ast.Compare)
        and len(node.test.ops) == 1
        and ast.dump(node.test.left) == ast.dump(expression)
    )


def _raising(probe: Probe, asked: str, raised: Raised, names: _Names) -> str:
    cls = names.of(raised.module, raised.name)
    lead = f"    with {names.of('pytest', 'raises')}({cls}):\n"
    moved = asked.replace("\n", "\n" + " " * STEP)
    for text in (moved, ast.unparse(probe.expression)):
        try:
            (statement,) = ast.parse(f"if x:\n        {text}").body
        except (SyntaxError, ValueError):
            continue
        inner = statement.body if isinstance(statement, ast.If) else []
        if (
            len(inner) == 1
            and isinstance(inner[0], ast.Expr)
            and ast.dump(inner[0].value) == ast.dump(probe.expression)
        ):
            return f"{lead}        {text}\n"
    raise LiteralError(f"`{ast.unparse(probe.expression)}` cannot stand in a `with`")


# -- the lines around the tests


class _Head:
    """Puts tests, imports and `ERRORS` between the author's own lines."""

    def __init__(
        self, probes: Probes, package: str, needed: Iterable[tuple[str, str]]
    ) -> None:
        self._path = probes.path
        self._package = package
        self._needed = sorted(needed)
        self._body = ast.parse(probes.text).body
        self._lines = probes.text.split("\n")
        # What is to stand before a line, and which lines go; both count from one.
        self._before: dict[int, list[str]] = {}
        self._gone: set[int] = set()

    def around(self, tests: Mapping[int, str], errors: str) -> str:
        self._place_imports()
        self._place_errors(errors)
        for node in self._body:
            if isinstance(node, ast.FunctionDef) and node.lineno in tests:
                self._put(node.lineno, tests[node.lineno].rstrip("\n"))
                self._drop(node)
        kept = [
            f"# Written by `shipbar suite regenerate` from {self._path}; change that instead."
        ]
        for number, line in enumerate(self._lines, start=1):
            kept += self._before.get(number, [])
            if number not in self._gone:
                kept.append(line.rstrip() if not line.strip() else line)
        return "\n".join(kept).rstrip("\n") + "\n"

    def _put(self, line: int, text: str) -> None:
        self._before.setdefault(line, []).append(text)

    def _drop(self, node: ast.stmt) -> None:
        self._gone.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))

    def _place_imports(self) -> None:
        imports = [
            node
            for node in self._body
            if isinstance(node, ast.Import | ast.ImportFrom)
            and getattr(node, "module", None) != "__future__"
        ]
        last = imports[-1].end_lineno or 0 if imports else self._start()
        under_test = [node.lineno for node in imports if self._package in _tops(node)]
        own = min(under_test, default=last + 1)
        first = imports[0].lineno if imports else own
        standard = [item for item in self._needed if not self._beside_package(item)]
        others = [item for item in self._needed if self._beside_package(item)]
        lines = _import_lines(standard)
        if lines:
            self._put(first, "\n".join(lines) + ("\n" if first == own else ""))
        for line in _import_lines(others):
            self._put(own, line)

    def _beside_package(self, item: tuple[str, str]) -> bool:
        return item[0] in ("pytest", self._package)

    def _start(self) -> int:
        """The line after which a file without imports has them: the docstring's last."""
        first = self._body[0]
        documented = isinstance(first, ast.Expr)
        return (first.end_lineno or 0) if documented else 0

    def _place_errors(self, errors: str) -> None:
        for node in self._body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            if isinstance(node, ast.AnnAssign):
                targets = [node.target]
            if any(
                isinstance(item, ast.Name) and item.id == ERRORS for item in targets
            ):
                self._drop(node)
                if errors:
                    self._put(node.lineno, errors)
                return
        if errors:
            heads = [
                node.end_lineno or 0
                for node in self._body
                if isinstance(node, ast.Import | ast.ImportFrom)
            ]
            self._put(max(heads, default=self._start()) + 1, f"\n{errors}")


def _tops(node: ast.Import | ast.ImportFrom) -> set[str]:
    names = (
        [node.module or ""]
        if isinstance(node, ast.ImportFrom)
        else [alias.name for alias in node.names]
    )
    return {name.partition(".")[0] for name in names}


def _import_lines(needed: Sequence[tuple[str, str]]) -> list[str]:
    whole = [f"import {module}" for module, name in needed if not name]
    modules = sorted({module for module, name in needed if name})
    return whole + [
        f"from {module} import {', '.join(name for home, name in needed if name and home == module)}"
        for module in modules
    ]
