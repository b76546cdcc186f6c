"""From the bytes of ``task.toml`` to a `Contract`, or to all that is wrong with it.

- All problems of a file are reported at once, in the order of the file, each with
  its line. Only where the file is no TOML is there one problem alone.
- Nothing but `ContractError` comes out, whatever the bytes are.
- The rules of single fields are in ``values``; the rules between fields are here.
- Nothing here looks at a file system: that a path exists, and that no link leads out
  of the task, is for those who open it.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from shipbar.contract.lines import MOST_PARTS, Lines, Path, locate
from shipbar.contract.rules import Report, label, shown
from shipbar.contract.values import CONTRACT, NEEDS_UPSTREAM, Contract
from shipbar.errors import ContractError

MOST_BYTES = 65_536
"""The largest file that is read; a contract takes one or two thousand."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PLACE = re.compile(r" \(at line (\d+), (column \d+)\)$")
# Python makes no integer of more than 4300 digits.
_DIGITS = re.compile(r"[0-9_]{4300}")

_HOMES = {
    name: f"the table [{label(path)}]" if path else "the top, above every table"
    for path, table in CONTRACT.tables().items()
    for name in table.fields()
}


def parse_contract(data: bytes, *, where: str = "task.toml") -> Contract:
    """Read a contract; ``where`` is the file's name in messages.

    Raises:
        ContractError: the file breaks a rule; it lists every problem with its line.
    """
    text = _text(data, where)
    lines = locate(text)
    fields = _fields(text, lines, where)
    report = Report(where=where, lines=lines, homes=_HOMES)
    values = CONTRACT.read(fields, (), report) or {}
    _check_upstream(values, report)
    _check_limits(values, report)
    _check_paths(values, report)
    if report.found:
        raise ContractError(report.problems())
    contract: Contract = CONTRACT.build(values | {"raw": data})
    return contract


def check_count(contract: Contract, lifted: int, where: str = "task.toml") -> None:
    """Compare ``grader.min_passed`` with the number of cases lifted from the suite.

    Raises:
        ContractError: the two differ; it names the line.
    """
    if contract.grader.min_passed == lifted:
        return
    text = contract.raw.decode("utf-8", "replace").replace("\r\n", "\n")
    report = Report(where=where, lines=locate(text))
    report.add(
        ("grader", "min_passed"),
        expected=f"{lifted}, the number of cases lifted from pytest_paths",
        got=str(contract.grader.min_passed),
        do="run `shipbar suite regenerate`, or correct the number",
    )
    raise ContractError(report.problems())


def _text(data: bytes, where: str) -> str:
    """Decode a file, with its line ends made plain newlines."""

    def fault(at: int, expected: str, got: str, do: str) -> ContractError:
        line = data.count(b"\n", 0, at) + 1
        return ContractError(
            [f"{where}:{line}: file: expected {expected}, got {got}; {do}"]
        )

    if len(data) > MOST_BYTES:
        expected, do = f"at most {MOST_BYTES} bytes", "shorten it"
        raise fault(0, expected, f"{len(data)} bytes", do)
    if data.startswith(_BYTE_ORDER_MARK):
        expected, do = "UTF-8 without a byte order mark", "save it without the mark"
        raise fault(0, expected, "a byte order mark", do)
    if (at := data.find(b"\0")) >= 0:
        raise fault(at, "text", "a NUL byte", "remove it, or save the file as UTF-8")
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        got = f"the byte 0x{data[error.start]:02x} (byte {error.start} of the file)"
        raise fault(error.start, "UTF-8", got, "save the file as UTF-8") from error


def _fields(text: str, lines: Lines, where: str) -> dict[str, Any]:
    """Read TOML into plain data."""
    line, do = lines.reached, "correct the line"
    try:
        if not lines.too_deep:
            return tomllib.loads(text)
        got, do = "a key of very many parts", f"use at most {MOST_PARTS}"
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        # Without a line the text ended too early: whatever is open began at the line
        # that the locator reached.
        if place := _PLACE.search(message):
            line, message = int(place[1]), f"{message[: place.start()]}, {place[2]}"
        got = f"a syntax error ({message})"
    except ValueError:
        got = "a number of too many digits"
        digits = _DIGITS.search(text)
        line = text.count("\n", 0, digits.start() if digits else 0) + 1
    except RecursionError:
        got, do = "brackets nested too deep to read", "remove them"
    raise ContractError([f"{where}:{line}: file: expected TOML, got {got}; {do}"])


def _check_upstream(values: Mapping[str, Any], report: Report) -> None:
    """A mutated task names its upstream; an invented one has none."""
    task_class, path = values.get("task_class"), ("upstream_sdist",)
    if task_class is None:
        return
    present, needed = "upstream_sdist" in values, task_class == NEEDS_UPSTREAM
    if needed and not present:
        expected = f"a table for a task of class {task_class}"
        do = "add [upstream_sdist], or correct task_class"
        report.add(path, expected=expected, got="nothing", do=do)
    if present and not needed:
        expected = f"no such table for a task of class {task_class}"
        do = "remove [upstream_sdist], or correct task_class"
        report.add(path, expected=expected, got="a table", do=do)


def _check_limits(values: Mapping[str, Any], report: Report) -> None:
    """One case may not have more time than the whole grade."""
    grader = values.get("grader") or {}
    limits = grader.get("limits") or {}
    case, whole = limits.get("case_wall_s"), limits.get("wall_s")
    if case is not None and whole is not None and case > whole:
        report.add(
            ("grader", "limits", "case_wall_s"),
            expected=f"at most wall_s, which is {whole}",
            got=shown(case),
            do="lower it, or raise wall_s",
        )


def _check_paths(values: Mapping[str, Any], report: Report) -> None:
    """No two paths are the same or one inside the other.

    A suite inside what is installed could be read by the code it tests; a reference
    inside the suite would be collected as tests.
    """
    places: dict[str, Path] = {}
    for place, text in _paths(values):
        # A repeat within one list is the list's own problem, and already reported.
        if text not in places:
            places[text] = place
        elif places[text][:-1] != place[:-1] or len(place) == 1:
            _report_overlap(place, text, places[text], report)
    for text, place in places.items():
        parts = text.split("/")
        for length in range(1, len(parts)):
            outer = places.get("/".join(parts[:length]))
            if outer is not None:
                _report_overlap(place, text, outer, report)


def _report_overlap(place: Path, text: str, other: Path, report: Report) -> None:
    line = report.lines.of(other)
    report.add(
        place,
        expected=f"a path apart from {label(other)} (line {line})",
        got=f"{shown(text)}, which is the same or inside it",
        do="give each its own folder",
    )


def _paths(values: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Every path of a contract that is fit by itself, and where it stands."""
    grader = values.get("grader") or {}
    reference = values.get("reference_install")
    if reference is not None:
        yield ("reference_install",), reference
    lists: dict[Path, Any] = {
        ("known_bad_install",): values.get("known_bad_install"),
        ("grader", "pytest_paths"): grader.get("pytest_paths"),
    }
    for path, texts in lists.items():
        for index, text in enumerate(texts or ()):
            if text is not None:
                yield (*path, index), text
