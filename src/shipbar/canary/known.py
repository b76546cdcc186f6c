"""Whose a canary is: the task, and the client whose copy carries it.

- From task folders come the tasks' own canaries; from the index of a delivery those of
  that delivery, each with its client where the line names one.
- A contract's canary may be any text. One that is not of our form is looked for as it
  stands, in either case, and as JSON escapes it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from shipbar.attest.plain import read_object
from shipbar.canary.forms import PREFIX, digits_of
from shipbar.errors import UserError
from shipbar.grading.tasks import read_contract

_NAMES = ("task_id", "id")
_CANARIES = ("canary", "canary_id", "client_canary", "canaries")
_CLIENT = "client"


@attrs.frozen(kw_only=True, order=True)
class Owner:
    """Whose a canary is."""

    task_id: str
    """The task's id."""
    client: str = ""
    """The client whose copy carries it; empty for the task's own."""


@attrs.frozen(kw_only=True)
class Known:
    """The canaries whose tasks are known."""

    owners: Mapping[str, tuple[Owner, ...]] = attrs.field(factory=dict)
    """Owners by the 32 digits of a canary, or by the whole text of another form."""

    def of(self, canary: str) -> tuple[Owner, ...]:
        """Return whose it is; empty for one that nobody named."""
        return self.owners.get(digits_of(canary) or canary, ())

    def needles(self) -> dict[bytes, str]:
        """Return what else to look for: lower-case bytes, each with the canary that they are of."""
        found = {}
        for text in self.owners:
            if not _is_digits(text):
                escaped = json.dumps(text)[1:-1]
                for form in (text, escaped):
                    # As a search does it: ASCII letters and no others.
                    found[form.encode("utf-8", "surrogatepass").lower()] = text
        return found


def known_of(pairs: Iterable[tuple[str, Owner]]) -> Known:
    """Return what pairs of a canary and its owner say together."""
    owners: dict[str, tuple[Owner, ...]] = {}
    for canary, owner in pairs:
        key = digits_of(canary) or canary
        owners[key] = tuple(sorted({*owners.get(key, ()), owner}))
    return Known(owners=owners)


def from_tasks(folder: Path) -> Known:
    """Return the canaries of the task in ``folder``, or of all tasks below it.

    Raises:
        UserError: there is none, or a contract cannot be read.
    """
    found = sorted(path.parent for path in folder.rglob("task.toml"))
    if not found:
        raise UserError(
            f"{folder}: no task here; name the folder of a task, or one that holds some"
        )
    contracts = [read_contract(task) for task in found]
    return known_of((it.canary, Owner(task_id=it.task_id)) for it in contracts)


def from_indexes(paths: Sequence[Path]) -> Known:
    """Return the canaries that the indexes of deliveries name, one object a line.

    Raises:
        UserError: a file cannot be read, a line is no object or names no task, or a file
            holds no canary at all.
    """
    pairs: list[tuple[str, Owner]] = []
    for path in paths:
        found = list(_index(path))
        if not found:
            raise UserError(
                f"{path}: no line holds a canary; take the index of a grader bundle, or --tasks"
            )
        pairs += found
    return known_of(pairs)


def _index(path: Path) -> Iterator[tuple[str, Owner]]:
    try:
        # A line ends where JSON lines do: other signs that end one may stand in a text.
        lines = path.read_text("utf-8").split("\n")
    except (OSError, ValueError) as cause:
        raise UserError(
            f"{path}: cannot be read as an index, which is UTF-8 with one JSON object a line: {cause}"
        ) from cause
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield from _line(line, f"{path}:{number}")


def _line(line: str, where: str) -> Iterator[tuple[str, Owner]]:
    try:
        fields = read_object(line)
    except ValueError as cause:
        raise UserError(f"{where}: expected one JSON object a line: {cause}") from cause
    contract = fields.get("contract")
    parts = [fields, contract] if isinstance(contract, dict) else [fields]
    names = [_text(part, name) for part in parts for name in _NAMES]
    task_id = next(filter(None, names), None)
    if task_id is None:
        raise UserError(f"{where}: expected the task's id under {' or '.join(_NAMES)}")
    owner = Owner(task_id=task_id, client=_text(fields, _CLIENT) or "")
    for part in parts:
        for name in _CANARIES:
            held = part.get(name)
            for text in held if isinstance(held, list) else [held]:
                if isinstance(text, str) and text.strip():
                    yield text, owner


def _text(fields: Mapping[str, Any], name: str) -> str | None:
    held = fields.get(name)
    return held if isinstance(held, str) and held else None


def _is_digits(text: str) -> bool:
    return digits_of(PREFIX + text) is not None
