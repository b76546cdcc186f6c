"""Finds the worked examples of a specification: what is said to come out of what.

- In a line: `` `f(1)` is `2` `` or `` `f(0)` raises `Refusal` ``; `gives`, `returns`
  and `equals` say the same as `is`.
- In a block of Python: an expression with its value behind it, `f(1)  # 2` or
  `f(0)  # raises Refusal`; what stands above it in the block prepares it.
- In an interpreter's session: `>>> f(1)` and what is printed below. What a session
  binds or imports holds for the sessions below it.
- In a table with a column `raises` or `value`: a row whose first cell is an
  expression. A column `attributes` tells what the exception has: `` `count` is 2 ``.

A text is taken for an example only if it can be run by itself: it uses nothing but the
package's public names, builtins, imported names and what its own block binds. So
`` `name(text)` is `None` `` is prose where `text` is nothing.
"""

import ast
import builtins
import doctest
import itertools
import re
from collections.abc import Iterator, Sequence

import attrs

_FENCE = re.compile(
    r"^(```+|~~~+)[ \t]*(\w*)[^\n]*\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL
)
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_SAYS = re.compile(r"\s+(is|gives|returns|equals|raises)\s+")
_ATTRIBUTE = re.compile(r"\0(\d+)\0 is (?:\0(\d+)\0|(\S+?))(?=[,.;]|\s|$)")
_PYTHON = frozenset({"", "python", "py", "pycon"})
_VALUES = frozenset({"value", "answer", "result", "is", "gives", "returns", "equals"})
_IMPORT = re.compile(r"(from [\w.]+ import [\w, *]+|import [\w.]+)")


@attrs.frozen(kw_only=True)
class Worked:
    """One worked example."""

    line: int
    """Where it begins in the specification."""
    expression: str
    """What is asked."""
    arrange: str = ""
    """What prepares it."""
    value: str | None = None
    """What it is, as an expression; None if it raises."""
    raises: str = ""
    """The name of the exception that it raises."""


@attrs.frozen(kw_only=True)
class Text:
    """What a specification holds."""

    examples: tuple[Worked, ...]
    """Its examples, in the order of the text."""
    imports: tuple[str, ...]
    """Import statements that it shows, other than of the package."""
    code: str
    """All that is set as code, one piece a line."""


def read_specification(text: str, package: str, symbols: Sequence[str]) -> Text:
    """Find the examples of a specification.

    Args:
        text: Markdown.
        package: the import name.
        symbols: its public symbols.
    """
    text = text.replace("\r\n", "\n")
    prose = _FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), text)
    spans = [span[2].strip() for span in _SPAN.finditer(prose)]
    imports = [
        line
        for span in spans
        for line in _IMPORT.findall(span)
        if not re.search(rf"\b{re.escape(package)}\b", line)
    ]
    known = {*symbols, *dir(builtins), *_bound(ast.parse("\n".join(imports)))}
    blocks = [
        (text.count("\n", 0, fence.start(3)) + 1, fence[3])
        for fence in _FENCE.finditer(text)
        if fence[2].lower() in _PYTHON
    ]
    found = [
        *_lines(prose),
        *_tables(prose),
        *_sessions([it for it in blocks if ">>>" in it[1]]),
        *(
            example
            for line, block in blocks
            if ">>>" not in block
            for example in _block(line, block)
        ),
    ]
    return Text(
        examples=tuple(
            sorted((it for it in found if _runs(it, known)), key=lambda it: it.line)
        ),
        imports=tuple(dict.fromkeys(imports)),
        code="\n".join([*spans, *(fence[3] for fence in _FENCE.finditer(text))]),
    )


def _lines(prose: str) -> Iterator[Worked]:
    spans = list(_SPAN.finditer(prose))
    for asked, told in itertools.pairwise(spans):
        says = _SAYS.fullmatch(prose, asked.end(), told.start())
        if says and "\n\n" not in says[0]:
            line = prose.count("\n", 0, asked.start()) + 1
            yield _worked(line, asked[2], told[2], raises=says[1] == "raises")


def _worked(line: int, asked: str, told: str, *, raises: bool) -> Worked:
    asked, told = asked.strip(), told.strip()
    if raises:
        return Worked(line=line, expression=asked, raises=told)
    return Worked(line=line, expression=asked, value=told)


def _tables(prose: str) -> Iterator[Worked]:
    head: list[str] = []
    for number, text in enumerate(prose.splitlines(), start=1):
        if not text.lstrip().startswith("|"):
            head = []
            continue
        spans: list[str] = []

        def keep(span: "re.Match[str]", into: list[str] = spans) -> str:
            into.append(span[2].strip())
            return f"\0{len(into) - 1}\0"

        cells = [
            cell.strip() for cell in _SPAN.sub(keep, text.strip().strip("|")).split("|")
        ]
        if not head:
            head = [cell.lower() for cell in cells]
        elif len(cells) == len(head):
            yield from _row(
                number, dict(zip(head, cells, strict=True)), cells[0], spans
            )


def _row(
    line: int, row: dict[str, str], first: str, spans: list[str]
) -> Iterator[Worked]:
    if not (asked := _span_of(first, spans)):
        return
    for title, cell in row.items():
        told = _span_of(cell, spans)
        if title == "raises" and told:
            yield _worked(line, asked, told, raises=True)
        elif title in _VALUES and told:
            yield _worked(line, asked, told, raises=False)
        elif title in ("attribute", "attributes"):
            for name, span, bare in _ATTRIBUTE.findall(cell):
                yield Worked(
                    line=line,
                    arrange=f"try:\n    {asked}\nexcept Exception as error:\n    fault = error",
                    expression=f"fault.{spans[int(name)]}",
                    value=spans[int(span)] if span else bare,
                )


def _span_of(cell: str, spans: list[str]) -> str:
    """The code of a cell that is nothing else."""
    whole = re.fullmatch(r"\0(\d+)\0", cell)
    return spans[int(whole[1])] if whole else ""


def _sessions(blocks: list[tuple[int, str]]) -> Iterator[Worked]:
    before: list[str] = []
    for line, block in blocks:
        for example in doctest.DocTestParser().get_examples(block):
            source, want = example.source.strip(), example.want.strip()
            asked = _expression(source)
            if asked is None or not want:
                before.append(source)
            elif example.exc_msg is not None:
                name = example.exc_msg.partition(":")[0].strip().rpartition(".")[2]
                yield Worked(
                    line=line + example.lineno,
                    arrange="\n".join(before),
                    expression=source,
                    raises=name,
                )
            else:
                yield Worked(
                    line=line + example.lineno,
                    arrange="\n".join(before),
                    expression=f"repr({ast.unparse(asked)})",
                    value=repr(want),
                )


def _block(line: int, block: str) -> Iterator[Worked]:
    try:
        body = ast.parse(block).body
    except SyntaxError:
        return
    lines = block.splitlines()
    before: list[str] = []
    for statement in body:
        last = statement.end_lineno or statement.lineno
        tail = (
            lines[last - 1].encode()[statement.end_col_offset or 0 :].decode().strip()
        )
        said = tail.removeprefix("#").strip()
        source = ast.unparse(statement)
        raises = said.startswith("raises ")
        if isinstance(statement, ast.Expr) and tail.startswith("#"):
            told = said.removeprefix("raises ").strip("`. ")
            if raises or _expression(said) is not None:
                yield attrs.evolve(
                    _worked(
                        line + statement.lineno - 1,
                        source,
                        told if raises else said,
                        raises=raises,
                    ),
                    arrange="\n".join(before),
                )
        if not raises:
            before.append(source)


def _runs(example: Worked, known: set[str]) -> bool:
    """Whether it can be run by itself, and asks something."""
    asked = _expression(example.expression)
    told = _expression(example.value if example.value is not None else example.raises)
    if asked is None or told is None:
        return False
    arranged = ast.parse(example.arrange)
    names = {*known, *_bound(arranged)}
    return isinstance(
        asked,
        ast.Call
        | ast.Subscript
        | ast.BinOp
        | ast.BoolOp
        | ast.Compare
        | ast.Attribute
        | ast.List
        | ast.Tuple
        | ast.UnaryOp
        | ast.ListComp,
    ) and all(_free(tree) <= names for tree in (asked, told, arranged))


def _expression(source: str) -> ast.expr | None:
    try:
        return ast.parse(source, mode="eval").body
    except SyntaxError:
        return None


def _bound(tree: ast.AST) -> set[str]:
    """Names that a piece of code binds or imports."""
    bound: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(ctx=ast.Store()):
                bound.add(node.id)
            case ast.alias():
                bound.add((node.asname or node.name).partition(".")[0])
            case ast.FunctionDef() | ast.ClassDef():
                bound.add(node.name)
            case ast.arg():
                bound.add(node.arg)
            case ast.ExceptHandler(name=str(name)):
                bound.add(name)
            case _:
                pass
    return bound


def _free(tree: ast.AST) -> set[str]:
    used = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    return used - _bound(tree)
