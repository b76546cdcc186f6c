"""A source's fingerprint as a file, so that it is read once a task and not once a grade.

The head says by which metric and which grammars it was made. Another metric counts
other things and other grammars name nodes otherwise, so an index of either is refused,
and to be made anew. The same source gives the same bytes.

It holds the sources' streams, which show how they are built: it belongs to the held-out
half, and is never given away.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from shipbar.errors import UserError
from shipbar.similarity.base import Base
from shipbar.similarity.fingerprints import METRIC, Fingerprint, FunctionPrint, Grams
from shipbar.similarity.languages import grammar_versions
from shipbar.similarity.streams import WIDTH, Stream

FORMAT = 2
_SIZE = 8


@attrs.frozen(kw_only=True)
class Index:
    """Sources of a task, and the base material between them and candidates."""

    sources: tuple[Fingerprint, ...]
    """They can be compared with; their text is not in it."""
    base: Base
    """What counts nowhere."""
    missing: tuple[str, ...] = ()
    """Names of sources that could not be had."""
    held_out: Mapping[str, str] = attrs.field(factory=dict)
    """Paths of the task's other packages, by the digest of their content."""


def render_index(index: Index) -> bytes:
    """Return ``index`` as bytes, the same for the same content."""
    record = {
        "format": FORMAT,
        "metric": METRIC,
        "grammars": grammar_versions(),
        "sources": [_source(it) for it in index.sources],
        "base": {
            "grams": _packed(index.base.grams),
            "tokens": _packed(index.base.tokens),
            "learned": list(index.base.learned),
            "set_aside": list(index.base.set_aside),
        },
        "missing": list(index.missing),
        "held_out": dict(index.held_out),
    }
    return (json.dumps(record, sort_keys=True, separators=(",", ":")) + "\n").encode()


def digest_of(data: bytes) -> str:
    """Return `sha256:…` of an index, for a verdict to name it by."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def parse_index(data: bytes, where: str) -> Index:
    """Read an index.

    Raises:
        UserError: it is none, or was made by another metric or with other grammars.
    """
    try:
        record = json.loads(data)
        found = {name: record[name] for name in ("format", "metric", "grammars")}
        wanted = {"format": FORMAT, "metric": METRIC, "grammars": grammar_versions()}
        if found != wanted:
            raise UserError(
                f"{where}: expected an index of {_told(wanted)}, got one of {_told(found)}; make it anew"
            )
        return Index(
            sources=tuple(map(_fingerprint, record["sources"])),
            base=Base(
                grams=_unpacked(record["base"]["grams"]),
                tokens=_unpacked(record["base"]["tokens"]),
                learned=tuple(record["base"]["learned"]),
                set_aside=tuple(record["base"]["set_aside"]),
            ),
            missing=tuple(record["missing"]),
            held_out=dict(record["held_out"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as cause:
        raise UserError(
            f"{where}: expected an index of the copy guard, and it is damaged ({cause!r}); make it anew"
        ) from cause


def read_index(path: Path) -> Index:
    """Read the index in ``path``; see `parse_index` for what it raises."""
    try:
        data = path.read_bytes()
    except OSError as cause:
        raise UserError(f"{path}: cannot read the index: {cause.strerror}") from cause
    return parse_index(data, str(path))


def _told(head: dict[str, Any]) -> str:
    grammars = " ".join(f"{name} {it}" for name, it in sorted(head["grammars"].items()))
    return f"format {head['format']}, metric {head['metric']}, {grammars}"


def _source(it: Fingerprint) -> dict[str, Any]:
    return {
        "name": it.name,
        "grams": _packed(it.grams),
        "inner": _packed(it.inner),
        "large": _packed(it.large),
        "tokens": _packed(it.tokens),
        "functions": [
            {
                **attrs.asdict(one, filter=lambda field, _: field.name != "grams"),
                "grams": _packed(one.grams),
            }
            for one in it.functions
        ],
        "languages": list(it.languages),
        "calibrated": it.calibrated,
        "remarks": list(it.remarks),
        "unread": list(it.unread),
        "streams": [_stream(one) for one in it.streams],
        "token_streams": [_stream(one) for one in it.token_streams],
    }


def _fingerprint(record: dict[str, Any]) -> Fingerprint:
    return Fingerprint(
        name=record["name"],
        grams=_unpacked(record["grams"]),
        inner=_unpacked(record["inner"]),
        large=_unpacked(record["large"]),
        tokens=_unpacked(record["tokens"]),
        functions=tuple(
            FunctionPrint(**{**one, "grams": _unpacked(one["grams"])})
            for one in record["functions"]
        ),
        languages=tuple(record["languages"]),
        calibrated=record["calibrated"],
        remarks=tuple(record["remarks"]),
        unread=tuple(record["unread"]),
        streams=tuple(map(_listed, record["streams"])),
        token_streams=tuple(map(_listed, record["token_streams"])),
    )


def _stream(it: Stream) -> dict[str, Any]:
    codes = base64.b64encode(it.codes).decode()
    return {"path": it.path, "codes": codes, "lines": list(it.lines)}


def _listed(record: dict[str, Any]) -> Stream:
    codes = base64.b64decode(record["codes"], validate=True)
    if len(codes) != WIDTH * len(record["lines"]):
        raise ValueError("a stream is cut short")
    return Stream(path=record["path"], codes=codes, lines=tuple(record["lines"]))


def _packed(grams: Grams) -> str:
    return base64.b64encode(b"".join(sorted(grams))).decode()


def _unpacked(text: str) -> Grams:
    data = base64.b64decode(text, validate=True)
    if len(data) % _SIZE:
        raise ValueError("a set of grams is cut short")
    return frozenset(data[at : at + _SIZE] for at in range(0, len(data), _SIZE))
