"""Renders a family's templates: a package for any selection of rules, a specification for one.

Packages come out formatted, and as if written by hand: a template leaves no
trace. The same draw gives the same bytes.
"""

import ast
import functools
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import jinja2

from shipbar.building.family import Draw, Family
from shipbar.building.rules import Rules
from shipbar.errors import GraderFault

REFERENCE, SPECIFICATION, ADAPTER = "reference.py.j2", "spec.md.j2", "adapter.py.j2"


class _Dotted:
    """A mapping read as attributes; an unknown name is an error, not emptiness."""

    def __init__(self, what: str, values: Mapping[str, object]) -> None:
        self._what = what
        self._values = {key.replace("-", "_"): value for key, value in values.items()}

    def __getattr__(self, name: str) -> object:
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise GraderFault(
                f"a template asks for {self._what} {name!r}; known: {', '.join(self._values)}"
            ) from None


def render_package(
    family: Family,
    draw: Draw,
    rules: Rules | None = None,
    *,
    deep: Rules | None = None,
    template: str = REFERENCE,
    tidy: bool = True,
) -> dict[str, bytes]:
    """Return the files of the package for ``rules``, under ``draw``'s names.

    Args:
        family: whose template.
        draw: names and parameters, and the rules unless others are given.
        rules: another selection, for a wrong implementation.
        deep: the selection at the rules' consequences, if it is another one.
        template: which template.
        tidy: whether to lay it out for a reader; what is only judged needs none.
    """
    text = _render(
        family, template, draw, rules or draw.rules, deep or rules or draw.rules
    )
    laid_out = formatted(text) if tidy else text
    return {f"{draw.names['package']}/__init__.py": laid_out.encode()}


def render_specification(
    family: Family, draw: Draw, example: Callable[[str], str]
) -> str:
    """Return the specification's text; ``example`` says what an expression gives."""
    text = _render(family, SPECIFICATION, draw, draw.rules, draw.rules, example)
    text = "\n".join(line.rstrip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _render(
    family: Family,
    template: str,
    draw: Draw,
    rules: Rules,
    deep: Rules,
    example: Callable[[str], str] | None = None,
) -> str:
    try:
        return (
            _environment(family.folder)
            .get_template(template)
            .render(
                r=_Dotted("a rule", rules),
                deep=_Dotted("a rule", deep),
                n=_Dotted("a role", draw.names),
                p=_Dotted("a parameter", draw.parameters),
                example=example,
            )
        )
    except jinja2.TemplateError as cause:
        raise GraderFault(
            f"family {family.name}: {template}: {type(cause).__name__}: {cause}"
        ) from cause


@functools.lru_cache(maxsize=64)
def _environment(folder: Path) -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  # Python and Markdown, from our own templates
    )


def formatted(source: str) -> str:
    """Return Python source as the formatter writes it.

    Raises:
        GraderFault: it is no Python; the message shows the line.
    """
    try:
        ast.parse(source)
    except SyntaxError as cause:
        lines = source.splitlines()
        shown = (
            lines[cause.lineno - 1]
            if cause.lineno and cause.lineno <= len(lines)
            else ""
        )
        raise GraderFault(
            f"a template renders no Python: line {cause.lineno}: {cause.msg}: {shown}"
        ) from cause
    # Imports that no rule of the selection needs go, the rest is sorted.
    tidy = _tool(
        "check",
        "--fix-only",
        "--exit-zero",
        "--quiet",
        "--select",
        "F401,I001",
        text=source,
    )
    return _tool("format", "--line-length", "88", text=tidy)


def _tool(*words: str, text: str) -> str:
    done = subprocess.run(  # noqa: S603  # our own program, over standard input
        [_ruff(), *words[:1], "--isolated", *words[1:], "-"],
        input=text.encode(),
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise GraderFault(f"ruff {words[0]}: {done.stderr.decode()}")
    return done.stdout.decode()


@functools.cache
def _ruff() -> str:
    beside = Path(sys.executable).with_name("ruff")
    found = str(beside) if beside.exists() else shutil.which("ruff")
    if found is None:
        raise GraderFault(
            "ruff is not installed; it formats rendered packages (pip install shipbar brings it)"
        )
    return found
