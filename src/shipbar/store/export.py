"""All of a ledger as one file: canonical JSON, one record a line.

The first line says the form. Then come tasks, receipts, reviews, deliveries and buyers'
reports, each in an order of its own. Two ledgers with the same content give the same
bytes, whatever database holds them and in whatever order it was written.
"""

from collections.abc import Iterator
from typing import Any

import attrs
import sqlalchemy as sa

from shipbar.attest import envelope
from shipbar.attest.envelope import Signed
from shipbar.attest.plain import read_object
from shipbar.store import queries
from shipbar.verdict import canonical

FORM = 1
"""Version of the form of an export."""


def lines(connection: sa.Connection) -> Iterator[bytes]:
    """Yield the lines of an export, each with its newline."""
    yield _line("ledger", {"form": FORM})
    for task in queries.tasks(connection):
        yield _line("task", as_json(task))
    for receipt in queries.receipts(connection):
        yield _line("receipt", as_json(receipt))
    for review in queries.reviews(connection):
        yield _line("review", as_json(review))
    for delivery in queries.deliveries(connection):
        yield _line("delivery", as_json(delivery))
    for report in queries.acceptance(connection):
        facts = as_json(report)
        yield _line("acceptance", facts | facts.pop("record"))


def as_json(facts: attrs.AttrsInstance) -> dict[str, Any]:
    """Return what was recorded as JSON values; signed bytes as the envelope that holds them."""
    told = attrs.asdict(
        facts, recurse=False, filter=lambda _, value: not isinstance(value, Signed)
    )
    signed = getattr(facts, "signed", None)
    if isinstance(signed, Signed):
        told["envelope"] = read_object(envelope.render(signed))
    return {name: _plain(value) for name, value in told.items()}


def _plain(value: Any) -> Any:  # noqa: ANN401  # fields are of any type
    if attrs.has(type(value)):
        return as_json(value)
    if isinstance(value, tuple):
        return [_plain(it) for it in value]
    return value


def _line(kind: str, facts: dict[str, Any]) -> bytes:
    return canonical({"kind": kind, **facts}) + b"\n"
