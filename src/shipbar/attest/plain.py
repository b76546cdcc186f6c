"""JSON values, read without leniency: what is signed must mean one thing to everybody."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from shipbar.errors import GraderFault


def plain(value: Any) -> Any:  # noqa: ANN401  # JSON values are of any type
    """Return ``value`` as it is once it has been written as JSON and read again.

    Raises:
        GraderFault: it cannot be written as JSON, or holds what is no number.
    """
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError) as cause:
        raise GraderFault(
            f"figures must be JSON values to be put into a receipt: {cause}"
        ) from cause


def read_object(data: bytes | str) -> dict[str, Any]:
    """Read a JSON object in which no name stands twice.

    Raises:
        ValueError: it is none.
    """
    try:
        found = json.loads(
            data, object_pairs_hook=_once, parse_constant=_no_such_number
        )
    except RecursionError as cause:
        raise ValueError("nested too deeply") from cause
    if not isinstance(found, dict):
        raise ValueError(f"expected a JSON object, got {type(found).__name__}")  # noqa: TRY004  # one error for bad data
    return found


def _once(pairs: Sequence[tuple[str, Any]]) -> Mapping[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"stands twice in one object: {', '.join(twice)}")
    return found


def _no_such_number(word: str) -> None:
    raise ValueError(f"{word} is no JSON number")
