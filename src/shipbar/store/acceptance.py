"""A buyer's signed report, read: what `shipbar accept` writes and the maker's ledger imports.

The file is a DSSE envelope (see `shipbar.attest.envelope`) around canonical JSON:

    {
      "buyer": "KEY ID",
      "delivery": {"client": "acme", "manifest": "sha256:…", "serial": 3},
      "rate": 0.9166666666666666,
      "seconds": 812.4,
      "target": 0.9,
      "tasks": [
        {"digest": "sha256:…", "outcome": "accepted", "reason": "", "task_id": "numerals-1"},
        {"digest": "sha256:…", "outcome": "rejected", "reason": "G7: …", "task_id": "recurrence-1"}
      ]
    }

- Every field is there, and no other. Tasks stand in the order of their ids, each once.
- `rate` is the accepted tasks divided by all that the report names, as a floating-point
  division gives it; a report that says otherwise is none.
- A rejected task has a reason, an accepted one has none.
- `digest` is the one that was delivered. It is empty where the buyer cannot tell it, since
  what is damaged is all that says it; such a task is rejected.
- `buyer` is the id of a key that signed.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from securesystemslib.signer import Key

from shipbar.attest import envelope
from shipbar.attest.envelope import Signed
from shipbar.attest.plain import read_object
from shipbar.attest.receipt import is_digest
from shipbar.errors import AttestationError, UserError
from shipbar.store.values import (
    ACCEPTED,
    MOST_SERIAL,
    OUTCOMES,
    REJECTED,
    AcceptanceRecord,
    TaskOutcome,
    client_name,
)
from shipbar.verdict import canonical

FIELDS = ("buyer", "delivery", "rate", "seconds", "target", "tasks")
DELIVERY_FIELDS = ("client", "manifest", "serial")
TASK_FIELDS = ("digest", "outcome", "reason", "task_id")
_KEPT = re.compile("[^\0\ud800-\udfff]*")
MOST_SECONDS = 1e9
"""A report that took longer is none."""


def payload_of(record: AcceptanceRecord) -> bytes:
    """Return the bytes to sign for a report."""
    return canonical(
        {
            "buyer": record.buyer,
            "delivery": {
                "client": record.client,
                "manifest": record.manifest,
                "serial": record.serial,
            },
            "rate": record.rate,
            "seconds": record.seconds,
            "target": record.target,
            "tasks": [
                {
                    "digest": it.digest,
                    "outcome": it.outcome,
                    "reason": it.reason,
                    "task_id": it.task_id,
                }
                for it in record.tasks
            ],
        }
    )


def read_report(
    data: bytes, keys: Sequence[Key], where: str
) -> tuple[AcceptanceRecord, Signed]:
    """Read a report and hold it to the buyer's signature.

    Args:
        data: the file.
        keys: the public keys that are trusted.
        where: names the file in messages.

    Raises:
        AttestationError: it is no report, was changed, or none of the keys signed it.
    """
    signed = envelope.parse(data, where)
    held = envelope.verify(signed, keys, where)
    record = record_of(signed.payload, where)
    if record.buyer not in held:
        raise AttestationError(
            f"{where}: expected the signature of the buyer's key {record.buyer}, which it names; held is that of {', '.join(held)}; "
            "give the buyer's public key with --key"
        )
    return record, signed


def record_of(payload: bytes, where: str) -> AcceptanceRecord:
    """Read a report from the bytes that were signed.

    Raises:
        AttestationError: it is none.
    """
    try:
        record = _record(read_object(payload))
        _check(record)
    except (KeyError, TypeError, ValueError, UserError) as cause:
        raise AttestationError(f"{where}: no acceptance report: {cause}") from cause
    return record


def _record(said: Mapping[str, Any]) -> AcceptanceRecord:
    _only(said, FIELDS, "a report")
    delivery = said["delivery"]
    _only(delivery, DELIVERY_FIELDS, "delivery")
    return AcceptanceRecord(
        client=client_name(_text(delivery, "client")),
        serial=_whole(delivery, "serial"),
        manifest=_digest(delivery, "manifest"),
        tasks=tuple(map(_outcome, said["tasks"])),
        buyer=_text(said, "buyer"),
        target=_number(said, "target", most=1.0),
        rate=_number(said, "rate", most=1.0),
        seconds=_number(said, "seconds"),
    )


def _outcome(said: Mapping[str, Any]) -> TaskOutcome:
    _only(said, TASK_FIELDS, "a task")
    outcome = _text(said, "outcome")
    if outcome not in OUTCOMES:
        raise ValueError(f"outcome: expected {' or '.join(OUTCOMES)}, got {outcome!r}")
    return TaskOutcome(
        task_id=_text(said, "task_id"),
        digest=_told_digest(said, outcome),
        outcome=outcome,
        reason=_text(said, "reason"),
    )


def _check(record: AcceptanceRecord) -> None:
    """Hold what a report says to itself."""
    ids = [it.task_id for it in record.tasks]
    if not ids or ids != sorted(set(ids)):
        raise ValueError(
            f"tasks: expected at least one, in the order of their ids and each once, got {', '.join(ids) or 'none'}"
        )
    for it in record.tasks:
        if (it.outcome == ACCEPTED) == bool(it.reason.strip()):
            raise ValueError(
                f"{it.task_id}: expected a reason where a task is rejected, and only there; got {it.outcome} and {it.reason!r}"
            )
    accepted = sum(it.outcome == ACCEPTED for it in record.tasks)
    if record.rate != accepted / len(ids):
        raise ValueError(
            f"rate: {accepted} of {len(ids)} are accepted, which is {accepted / len(ids)!r}; it says {record.rate!r}"
        )


def _only(said: object, fields: Sequence[str], what: str) -> None:
    if not isinstance(said, Mapping) or sorted(said) != sorted(fields):
        got = ", ".join(map(str, said)) if isinstance(said, Mapping) else repr(said)
        raise ValueError(f"{what}: expected {', '.join(fields)}, got {got}")


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said[name]
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a text, got {value!r}")
    if not _KEPT.fullmatch(value):
        # JSON can say what no database keeps.
        raise ValueError(
            f"{name}: expected a text without NUL and halves of characters, got {value!r:.80}"
        )
    return value


def _digest(said: Mapping[str, Any], name: str) -> str:
    value = _text(said, name)
    if not is_digest(value):
        raise ValueError(
            f"{name}: expected sha256: and 64 hexadecimal digits, got {value!r}"
        )
    return value


def _told_digest(said: Mapping[str, Any], outcome: str) -> str:
    """Return a task's digest; that of a rejected one may be hidden, and is empty then."""
    if outcome == REJECTED and _text(said, "digest") == "":
        return ""
    return _digest(said, "digest")


def _whole(said: Mapping[str, Any], name: str) -> int:
    value = said[name]
    if type(value) is not int or not 0 < value <= MOST_SERIAL:
        raise ValueError(f"{name}: expected a whole number from 1, got {value!r}")
    return value


def _number(said: Mapping[str, Any], name: str, most: float = MOST_SECONDS) -> float:
    value = said[name]
    if type(value) not in (int, float) or not 0 <= value <= most:
        raise ValueError(f"{name}: expected a number from 0 to {most}, got {value!r}")
    return float(value)
