"""A buyer's signed report, read."""

import json
from pathlib import Path

import attrs
import pytest

from shipbar.acceptance import record
from shipbar.attest import envelope
from shipbar.attest.keys import Own
from shipbar.errors import AttestationError
from shipbar.store.acceptance import payload_of, read_report, record_of
from shipbar.store.values import Delivered, Delivery
from shipbar.verdict import canonical
from tests.attest.samples import signer
from tests.store.samples import MANIFEST, entry, report, signed

TASKS = ("rows", "strips", "tally")
DELIVERY = Delivery(
    serial=3,
    client="acme",
    date="",
    state="finished",
    previous="",
    manifest=MANIFEST,
    tasks=tuple(Delivered(task_id=f"{it}-1", digest=entry(it).digest) for it in TASKS),
)
RECORD = report(DELIVERY, rejected=["tally-1"], rate=2 / 3)
KEY = signer("buyer").public_key


def test_what_was_signed_is_read_back():
    data = envelope.render(signed(RECORD))
    found, kept = read_report(data, [signer("other").public_key, KEY], "report")
    assert found == RECORD
    assert kept.payload == payload_of(RECORD)
    assert payload_of(found) == kept.payload


def test_what_the_buyers_side_signs_is_read():
    results = [attrs.evolve(it) for it in RECORD.tasks]
    written = record.signed(
        results,  # type: ignore[arg-type]  # of a result it takes just these fields
        manifest=DELIVERY,  # type: ignore[arg-type]  # and of a manifest client and serial
        digest=MANIFEST,
        own=Own(signer=signer("buyer"), path=Path("buyer")),
        target=RECORD.target,
        seconds=RECORD.seconds,
    )
    assert written is not None
    found, _ = read_report(envelope.render(written), [KEY], "report")
    assert found == RECORD


def test_a_rejected_task_whose_digest_nobody_can_tell_is_named_without_one():
    record = record_of(changed("tasks", 2, "digest", to=""), "report")
    assert [it.digest for it in record.tasks] == [
        entry("rows").digest,
        entry("strips").digest,
        "",
    ]
    assert record.rate == 2 / 3


def test_a_report_by_a_stranger_is_refused():
    data = envelope.render(signed(RECORD))
    with pytest.raises(AttestationError, match="none of which is a key that you trust"):
        read_report(data, [signer("other").public_key], "report")


def test_a_report_that_was_changed_is_refused():
    other = payload_of(attrs.evolve(RECORD, seconds=1.0))
    data = envelope.render(attrs.evolve(signed(RECORD), payload=other))
    with pytest.raises(AttestationError, match="was changed after it was signed"):
        read_report(data, [KEY], "report")


def test_a_report_that_names_another_key_is_refused():
    data = envelope.render(signed(RECORD, by="other"))
    with pytest.raises(AttestationError, match="expected the signature of the buyer's"):
        read_report(data, [KEY, signer("other").public_key], "report")


def changed(*path, to):
    said = json.loads(payload_of(RECORD))
    at = said
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = to
    return canonical(said)


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (b"[]", "expected a JSON object"),
        (b"{", "Expecting property name"),
        (changed("more", to=1), "a report: expected buyer, delivery"),
        (changed("delivery", "more", to=1), "delivery: expected client, manifest"),
        (changed("delivery", to=3), "delivery: expected client, manifest"),
        (changed("delivery", "client", to="Acme!"), "lower-case letters"),
        (changed("delivery", "serial", to=0), "serial: expected a whole number"),
        (changed("delivery", "serial", to=True), "serial: expected a whole number"),
        (changed("delivery", "manifest", to="0" * 64), "manifest: expected sha256:"),
        (changed("tasks", to=[]), "tasks: expected at least one"),
        (changed("tasks", to=7), "not iterable"),
        (changed("tasks", 0, "task_id", to="strips-1"), "each once"),
        (changed("tasks", 0, "task_id", to="zebra-1"), "in the order of their ids"),
        (changed("tasks", 0, "outcome", to="fine"), "accepted or rejected"),
        (changed("tasks", 0, "reason", to="why not"), "expected a reason where"),
        (changed("tasks", 2, "reason", to=" "), "expected a reason where"),
        (changed("tasks", 0, "digest", to="x"), "digest: expected sha256:"),
        (changed("tasks", 0, "digest", to=""), "digest: expected sha256:"),
        (changed("tasks", 2, "digest", to="x"), "digest: expected sha256:"),
        (changed("tasks", 2, "digest", to=None), "digest: expected a text"),
        (changed("rate", to=1.0), "2 of 3 are accepted"),
        (changed("rate", to=2), "rate: expected a number from 0 to 1"),
        (changed("target", to="0.9"), "target: expected a number"),
        (changed("seconds", to=-1), "seconds: expected a number"),
        (
            payload_of(RECORD).replace(b'"seconds":812.5', b'"seconds":1e999'),
            "seconds: expected a number",
        ),
        (changed("buyer", to=None), "buyer: expected a text"),
        (
            changed("tasks", 2, "reason", to="G7\0"),
            "reason: expected a text without NUL",
        ),
        (
            changed("tasks", 2, "reason", to="G7?").replace(b"G7?", b"G7\\ud800"),
            "reason: expected a text without NUL",
        ),
    ],
)
def test_what_is_no_report_is_refused(payload, why):
    with pytest.raises(AttestationError, match="no acceptance report") as caught:
        record_of(payload, "report")
    assert why in str(caught.value)
