"""Knows a requirement when it sees one, and refuses it: nothing is ever resolved (I05).

- A submission is handed in as a path. What reads as a requirement, a URL or an option
  for an installer is refused by name of the rule.
- A submission declares no dependency but modules of the standard library. Declared is
  what an installer would have to bring: pyproject.toml's `[project] dependencies` and
  `[tool.poetry.dependencies]`, setup.cfg's `install_requires`, `Requires-Dist` in the
  records of an sdist or a wheel. Extras, dependency groups, build requirements,
  requirements files and lock files are not: nothing here acts on them.
- Environment markers are not evaluated, so that a submission is accepted everywhere or
  nowhere. Only a dependency that needs an extra counts as optional.
- What a build declares (`dynamic`, setup.py) is known when it is built:
  `check_metadata` looks at the outcome.
- These files are hostile too. Parsers that can be made slow are given short input.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from shipbar.errors import IntakeError, RequirementError
from shipbar.grading.admission import quoted

if TYPE_CHECKING:
    from packaging.markers import Marker
    from packaging.requirements import Requirement

RULE = (
    "a submission is handed in as a path to a folder, a tar or a wheel; "
    "names are never resolved and nothing is downloaded"
)

# Bytes of a project file, and characters and brackets of one requirement.
_LONGEST_FILE = 128 * 1024
_LONGEST_REQUIREMENT, _MAX_BRACKETS = 1000, 20
# tomllib spends the square of the parts of a dotted key, in time and in memory.
_MAX_DOTS = 100

_ARCHIVES = (".tar", ".tgz", ".gz", ".tbz", ".bz2", ".txz", ".xz", ".whl", ".zip")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/|(git|hg|svn|bzr|file|https?)[+:]")
_REMOTE = re.compile(r"[\w.-]+@[\w.-]+:")  # git@host:owner/name
_OPTION = re.compile(r"(^|\s)--?[A-Za-z]")
_SPECIFIED = re.compile(r"[A-Za-z0-9][\w.-]*\s*(\[[^\]]*\])?\s*([=<>!~;]|@\s)")
_DELIMITER = re.compile("[=:]")
_LINE_END = re.compile(r"\r\n|\r|\n")


def reads_as_requirement(text: str) -> bool:
    """Say whether text that is no path here asks for something to be fetched."""
    if any(p.match(text) for p in (_URL, _REMOTE, _SPECIFIED)) or _OPTION.search(text):
        return True
    if "/" in text or text.startswith((".", "~")) or text.lower().endswith(_ARCHIVES):
        return False
    return _parsed(text) is not None


def check_declared(files: Mapping[str, bytes], where: str) -> None:
    """Refuse a source tree that declares dependencies.

    Raises RequirementError naming the file and the dependency, and IntakeError for a
    project file that cannot be read.
    """
    for name, declared in _DECLARING.items():
        if name in files:
            _refuse_any(declared(files[name], f"{where}: {name}"), f"{where}: {name}")


def check_metadata(
    files: Mapping[str, bytes], where: str = "the built package"
) -> None:
    """Refuse a built tree whose `*.dist-info/METADATA` declares dependencies.

    `files` maps paths to contents; others than METADATA at the top are not looked at.
    Raises RequirementError naming the file and the dependency.
    """
    for path, data in files.items():
        folder, _, name = path.partition("/")
        if name == "METADATA" and folder.endswith(".dist-info"):
            at = f"{where}: {path}"
            _refuse_any(_in_metadata(data, at), at)


def _refuse_any(declared: Iterable[str], where: str) -> None:
    """Refuse the first dependency that must be installed."""
    for text in declared:
        requirement = _parsed(text)
        if requirement is None or not _is_optional_or_standard(requirement):
            raise RequirementError(
                f"{where}: depends on {quoted(text)}; a submission uses the standard "
                "library only: dependencies are refused, not resolved. Remove it"
            )


def _parsed(text: str) -> "Requirement | None":
    """Parse a requirement, or say None; its grammar recurses, so brackets are few."""
    if len(text) > _LONGEST_REQUIREMENT or text.count("(") > _MAX_BRACKETS:
        return None
    # Slower to import than a submission is to read; most declare nothing at all.
    from packaging.requirements import (  # noqa: PLC0415  # see above
        InvalidRequirement,
        Requirement,
    )

    try:
        return Requirement(text.strip())
    except InvalidRequirement:
        return None


def _is_optional_or_standard(requirement: "Requirement") -> bool:
    name = requirement.name.replace("-", "_")
    if name in sys.stdlib_module_names and not requirement.url:
        return True
    return requirement.marker is not None and _needs_extra(requirement.marker)


def _needs_extra(condition: "Marker") -> bool:
    """Say whether a marker can hold only where an extra is asked for.

    Markers are Python expressions but for two operators, which do not matter here;
    a value with a quote in it would, so nothing is read into one that has it.
    """
    try:
        marker = str(condition)
    except ValueError:  # a value with both kinds of quote
        return False
    if "'" in marker or "\\" in marker:
        return False
    expression = re.sub(r"~=|===", "==", marker)
    return not _may_hold(ast.parse(expression, mode="eval").body)


def _may_hold(node: ast.expr) -> bool:
    """Say whether an expression may be true with no extra, in some environment."""
    if isinstance(node, ast.BoolOp):
        hold = (_may_hold(value) for value in node.values)
        return all(hold) if isinstance(node.op, ast.And) else any(hold)
    match node:
        case ast.Compare(ast.Name("extra"), [ast.Eq()], [ast.Constant(str(value))]):
            return not value
        case ast.Compare(ast.Constant(str(value)), [ast.Eq()], [ast.Name("extra")]):
            return not value
        case _:
            return True


# -- where dependencies are declared -------------------------------------------------


def _text(data: bytes, where: str) -> str:
    """Decode a project file; a BOM is tolerated."""
    if len(data) > _LONGEST_FILE:
        raise IntakeError(f"{where}: longer than {_LONGEST_FILE} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise IntakeError(f"{where}:{line}: not UTF-8") from None


def _in_pyproject(data: bytes, where: str) -> Iterator[str]:
    """Yield what `[project]` and Poetry's table declare."""
    text = _text(data, where)
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > _MAX_DOTS:
            raise IntakeError(f"{where}:{number}: more than {_MAX_DOTS} dots in a line")
    try:
        document = tomllib.loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        raise IntakeError(f"{where}: not valid TOML: {error}") from None
    declared = _at(document, where, "project").get("dependencies", [])
    if not isinstance(declared, list) or not all(isinstance(d, str) for d in declared):
        _wrong(where, "project.dependencies", "a list of strings")
    yield from declared
    poetry = _at(document, where, "tool", "poetry", "dependencies")
    for name, wanted in poetry.items():
        optional = isinstance(wanted, dict) and wanted.get("optional") is True
        if name.lower() != "python" and not optional:
            yield name


def _at(document: dict[str, Any], where: str, *keys: str) -> dict[str, Any]:
    """Return a table of a TOML document, empty if absent."""
    table = document
    for index, key in enumerate(keys, start=1):
        table = table.get(key, {})
        if not isinstance(table, dict):
            _wrong(where, ".".join(keys[:index]), "a table")
    return table


def _wrong(where: str, key: str, expected: str) -> NoReturn:
    raise IntakeError(f"{where}: {key} is {expected}")


def _in_setup_cfg(data: bytes, where: str) -> Iterator[str]:
    """Yield `[options] install_requires`; setuptools takes DEFAULT's as well."""
    for section, key, value in _settings(_text(data, where)):
        if section in {"options", "DEFAULT"} and key == "install_requires":
            yield value


def _settings(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield section, key and each line of each value of an ini file.

    Read by us: configparser spends more than the square of a line's length.
    """
    section, key, level = "", "", 0
    for line in text.split("\n"):
        value = line.strip()
        if not value or value.startswith(("#", ";")):
            continue
        indent = len(line) - len(line.lstrip())
        if not key or indent <= level:  # not a further line of the value before it
            level = indent
            if value.startswith("[") and "]" in value:
                section, key = value[1 : value.rindex("]")], ""
                continue
            name, *values = _DELIMITER.split(value, maxsplit=1)
            key = name.strip().lower().replace("-", "_")
            value = values[0].strip() if values else ""
        if value:
            yield section, key, value


def _in_metadata(data: bytes, where: str) -> Iterator[str]:
    """Yield the `Requires-Dist` fields of PKG-INFO or METADATA."""
    text = _LINE_END.sub("\n", data.decode("utf-8-sig", "replace"))
    headers = text.partition("\n\n")[0]  # what follows is the description
    if len(headers) > _LONGEST_FILE:
        raise IntakeError(f"{where}: headers longer than {_LONGEST_FILE} characters")
    for line in _unfolded(headers):
        field, _, value = line.partition(":")
        if field.strip().lower() == "requires-dist":
            yield value.strip()


def _unfolded(headers: str) -> list[str]:
    """Join continuation lines, which begin with a space, to their field."""
    return re.sub(r"\n[ \t]+", " ", headers).split("\n")


_DECLARING = {
    "pyproject.toml": _in_pyproject,
    "setup.cfg": _in_setup_cfg,
    "PKG-INFO": _in_metadata,
}
DECLARING = frozenset(_DECLARING)
"""The files, at the root of a tree, in which dependencies are declared."""
