"""Mutants: a package with one small change each, made by mutmut's operators.

The operators are driven in memory, node by node; each mutant is the module's text with
the text of one node exchanged. Nothing is changed that has no behaviour: annotations,
docstrings, `__all__`, code for type checkers alone. A change that compiles to the same
code is dropped, and so is one that another mutant makes as well; keywords that are
asked for their truth alone, such as `strict`, count as the same whether false or None
or left out.

What the specification leaves free is *set aside*, with the reason: it is a mutant that
no suite may kill. It is decided from the source alone, and in doubt it is not decided:

- the wording of a message, where an exception keeps it only as text: errors are
  specified by class, never by wording;
- the spelling of a codec's name, where both spellings name the same codec.
"""

import ast
import codecs
import itertools
import marshal
import types
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

import attrs
import libcst as cst
from libcst.metadata import (
    CodeRange,
    MetadataWrapper,
    WhitespaceInclusivePositionProvider,
)
from mutmut.mutation.mutators import mutation_operators

from shipbar.grading.wording import Wording

Files = Mapping[str, bytes]

MESSAGE = "the wording of a message"
CODEC = "the same codec"
_FOR_CHECKERS = frozenset({"TypeVar", "ParamSpec", "NewType"})
"""Calls whose arguments are for type checkers."""
_UNSEEN_ARGUMENTS = frozenset({"lru_cache"})
"""Calls whose arguments change how long something takes and nothing else."""
_FALSE_UNLESS_SAID: Mapping[str, tuple[str, ...]] = {
    "zip": ("strict",),
    "dataclass": ("frozen", "order", "slots", "kw_only", "unsafe_hash"),
}
"""Keywords of calls that are asked for their truth, and are false if left out."""
_TRUE_UNLESS_SAID: Mapping[str, tuple[str, ...]] = {
    "dataclass": ("init", "repr", "eq"),
    "field": ("init", "repr"),
}
"""Likewise, and true if left out."""


@attrs.frozen(kw_only=True)
class Mutant:
    """The reference with one small change."""

    file: str
    """The module that is changed, by its path in the package's files."""
    line: int
    """Where the changed text begins, from one."""
    place: str
    """The function or method that it is in, with its classes; empty for the module."""
    before: str
    """The changed line, without what indents it."""
    after: str
    """What stands there in the mutant."""
    lines: range
    """The lines of the smallest statement around it."""
    imported: bool
    """Whether it runs at import, and not only when something is called."""
    aside: str = ""
    """Why no suite may kill it; empty for one that counts."""
    text: bytes = attrs.field(repr=False)
    """The changed module."""

    def of(self, files: Files) -> dict[str, bytes]:
        """Return the whole package with the change."""
        return {**files, self.file: self.text}


def mutants_of(files: Files, sources: Iterable[str] = ()) -> list[Mutant]:
    """Return every mutant of a package, by file and line.

    Args:
        files: the package; its Python files are changed.
        sources: code that looks at the package's exceptions, such as a suite's.
    """
    modules = {
        path: data.decode() for path, data in files.items() if path.endswith(".py")
    }
    wording = Wording(modules.values(), sources)
    aliases = _aliases(modules)
    return [
        mutant
        for path, text in sorted(modules.items())
        for mutant in _Mutator(path, text, _Finder(wording, aliases)).mutants()
    ]


def _aliases(modules: Mapping[str, str]) -> frozenset[str]:
    """Names of a package that it uses in annotations alone: aliases of types."""
    noted: set[str] = set()
    used: set[str] = set()
    for path, text in modules.items():
        tree = ast.parse(text)
        inside = {
            id(part)
            for node in ast.walk(tree)
            for field in ("annotation", "returns")
            if isinstance(getattr(node, field, None), ast.AST)
            for part in ast.walk(getattr(node, field))
        }
        for node in ast.walk(tree):
            match node:
                case ast.Name(id=name, ctx=ast.Load()):
                    (noted if id(node) in inside else used).add(name)
                case ast.Constant(value=str(text)):
                    used.add(text)  # as in `__all__`
                case ast.ImportFrom() if path.endswith("__init__.py"):
                    used |= {alias.name for alias in node.names}
                case _:
                    pass
    return frozenset(noted - used)


@attrs.frozen(kw_only=True)
class _Change:
    """A node that is exchanged for another."""

    node: cst.CSTNode
    new: cst.CSTNode
    place: str
    imported: bool
    statement: cst.CSTNode
    top: cst.CSTNode
    aside: str


class _Finder(cst.CSTVisitor):
    """Finds what the operators change, and where it stands."""

    def __init__(self, wording: Wording, aliases: frozenset[str]) -> None:
        self.changes: list[_Change] = []
        self._wording, self._aliases = wording, aliases | {"__all__"}
        self._names: list[str] = []
        self._functions = 0
        self._above: list[cst.CSTNode] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if self._without_behaviour(node):
            return False
        self._change(node)
        self._above.append(node)
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            self._names.append(node.name.value)
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if self._above and self._above[-1] is original_node:
            self._above.pop()
            if isinstance(original_node, cst.FunctionDef | cst.ClassDef):
                self._names.pop()

    def _without_behaviour(self, node: cst.CSTNode) -> bool:
        silent = False
        match node:
            case cst.Annotation() | cst.TypeAlias() | cst.TypeParameters():
                silent = True
            case cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString()):
                silent = True  # a docstring, or a comment that is written as one
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))]):
                silent = name in self._aliases
            case cst.If(test=cst.Name("TYPE_CHECKING")):
                silent = True
            case cst.Call(func=cst.Name(name)):
                silent = name in _FOR_CHECKERS or name in _UNSEEN_ARGUMENTS
            case cst.Call(func=cst.Attribute(attr=cst.Name(name))):
                silent = name in _UNSEEN_ARGUMENTS
            case _:
                silent = self._is_type(node)
        return silent

    def _is_type(self, node: cst.CSTNode) -> bool:
        """Whether it is the type that `cast` is given."""
        call = self._above[-1] if self._above else None
        return (
            isinstance(call, cst.Call)
            and isinstance(call.func, cst.Name)
            and call.func.value == "cast"
            and node is call.args[0]
        )

    def _change(self, node: cst.CSTNode) -> None:
        for kind, operator in mutation_operators:
            if isinstance(node, kind):
                for new in operator(node):
                    self.changes.append(self._found(node, new))

    def _found(self, node: cst.CSTNode, new: cst.CSTNode) -> _Change:
        chain = [*self._above, node]
        statements = [
            it
            for it in chain
            if isinstance(it, cst.SimpleStatementLine | cst.BaseCompoundStatement)
        ]
        return _Change(
            node=node,
            new=new,
            place=".".join(self._names),
            imported=not _in_body(chain),
            statement=statements[-1],
            top=statements[0],
            aside=self._aside(chain, new),
        )

    def _aside(self, chain: list[cst.CSTNode], new: cst.CSTNode) -> str:
        if self._wording.is_free(chain):
            return MESSAGE
        return CODEC if _same_codec(chain[-1], new) else ""


def _in_body(chain: list[cst.CSTNode]) -> bool:
    """Whether a node runs only when a function is called."""
    return any(
        isinstance(outer, cst.FunctionDef | cst.Lambda) and inner is outer.body
        for outer, inner in itertools.pairwise(chain)
    )


def _same_codec(old: cst.CSTNode, new: cst.CSTNode) -> bool:
    if not isinstance(old, cst.SimpleString) or not isinstance(new, cst.SimpleString):
        return False
    names = (old.evaluated_value, new.evaluated_value)
    try:
        one, other = (codecs.lookup(str(name)) for name in names)
    except LookupError:
        return False
    return one.name == other.name


class _Mutator:
    """Makes the mutants of one module."""

    def __init__(self, path: str, text: str, finder: _Finder) -> None:
        self._path, self._text, self._finder = path, text, finder
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        self._module = wrapper.module
        self._spans = cast(
            "Mapping[cst.CSTNode, CodeRange]",
            wrapper.resolve(WhitespaceInclusivePositionProvider),
        )
        self._starts = [0]
        for line in text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._code: dict[cst.CSTNode, bytes | None] = {}

    def mutants(self) -> Iterator[Mutant]:
        self._module.visit(self._finder)
        seen: set[tuple[int, bytes]] = set()
        for change in self._finder.changes:
            text = self._changed(change)
            start, end = self._span(change.top)
            code = _compiled(text[start : end + len(text) - len(self._text)])
            if change.top not in self._code:
                self._code[change.top] = _compiled(self._text[start:end])
            if code is None or code == self._code[change.top] or (start, code) in seen:
                continue
            seen.add((start, code))
            yield self._mutant(change, text)

    def _mutant(self, change: _Change, text: str) -> Mutant:
        start, end = self._span(change.node)
        line = self._text.count("\n", 0, start + _blank(self._text[start:end])) + 1
        grown = len(text) - len(self._text)
        return Mutant(
            file=self._path,
            line=line,
            place=change.place,
            before=_shown(self._text, start, end),
            after=_shown(text, start, end + grown),
            lines=self._lines(change.statement),
            imported=change.imported,
            aside=change.aside,
            text=text.encode(),
        )

    def _changed(self, change: _Change) -> str:
        start, end = self._span(change.node)
        if self._text[start:end] == self._module.code_for_node(change.node):
            new = self._module.code_for_node(change.new)
            return self._text[:start] + new + self._text[end:]
        # Blocks are written with an indentation that they do not hold themselves.
        changed = self._module.deep_replace(change.node, change.new)
        return cast("cst.Module", changed).code

    def _span(self, node: cst.CSTNode) -> tuple[int, int]:
        at = self._spans[node]
        return (
            self._starts[at.start.line - 1] + at.start.column,
            self._starts[at.end.line - 1] + at.end.column,
        )

    def _lines(self, statement: cst.CSTNode) -> range:
        """The lines of a statement, or of the head of one that has a block."""
        start, end = self._span(statement)
        start += _blank(self._text[start:end])
        body = getattr(statement, "body", None)
        if isinstance(body, cst.BaseSuite):
            end = self._span(body)[0]
        first = self._text.count("\n", 0, start) + 1
        return range(first, self._text.count("\n", 0, max(start, end - 1)) + 2)


def _blank(text: str) -> int:
    """How much of a text is blank or comment before it begins."""
    at = 0
    for line in text.splitlines(keepends=True):
        if line.strip() and not line.lstrip().startswith("#"):
            return at + len(line) - len(line.lstrip())
        at += len(line)
    return 0


def _shown(text: str, start: int, end: int) -> str:
    """The lines that hold a part of a text, on one line."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", max(start, end - 1))
    return " ".join(text[first : last if last >= 0 else None].split())


def _compiled(text: str) -> bytes | None:
    """What a statement compiles to, wherever it stands; None if it does not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = _Plain().visit(ast.parse(text))
            code = compile(tree, "", "exec", dont_inherit=True)
            return marshal.dumps(_placeless(code))
        except (SyntaxError, ValueError):
            return None


class _Plain(ast.NodeTransformer):
    """Leaves out keywords that say what holds anyhow."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        name = ast.unparse(node.func).rpartition(".")[2]
        usual = {
            **dict.fromkeys(_FALSE_UNLESS_SAID.get(name, ()), False),
            **dict.fromkeys(_TRUE_UNLESS_SAID.get(name, ()), True),
        }
        node.keywords = [
            word
            for word in node.keywords
            if not isinstance(word.value, ast.Constant)
            or word.arg not in usual
            or bool(word.value.value) is not usual[word.arg]
        ]
        return node


def _placeless(code: types.CodeType) -> types.CodeType:
    """Code without the lines that it came from."""
    consts = tuple(
        _placeless(it) if isinstance(it, types.CodeType) else it
        for it in code.co_consts
    )
    return code.replace(co_linetable=b"", co_firstlineno=1, co_consts=consts)
