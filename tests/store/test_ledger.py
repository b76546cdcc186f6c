"""What a ledger keeps, and what it refuses, in a file and on a server."""

import errno
import os
import re
from pathlib import Path

import attrs
import pytest

from shipbar.errors import AttestationError, SeamError, UserError
from shipbar.store import export
from shipbar.store.ledger import Changes, Ledger
from tests.store.samples import (
    MANIFEST,
    delivered,
    entry,
    kept,
    mended,
    report,
    reviewed,
    signed,
)

TALLY, STRIPS = entry("tally"), entry("strips", "aaaaaa")


def refusal(call, *words, **facts) -> str:
    with pytest.raises(UserError) as caught:
        call(*words, **facts)
    return str(caught.value)


def test_what_is_recorded_is_there_for_whoever_opens_it_next(ledger, place):
    changes = ledger.record(STRIPS, [kept(STRIPS)], [reviewed(STRIPS)])
    assert changes == Changes(task=True, receipts=1, reviews=1)
    there = Ledger.open(place)
    task = there.task("strips-1")
    assert there.task(STRIPS.digest) == task
    assert (task.package, task.family, task.rules) == ("strips", "strips", STRIPS.rules)
    assert task.names == ("strips", "stripsfault", "stripsread")
    assert task.digests == {STRIPS.digest: STRIPS.fingerprint}
    assert task.client == ""
    (receipt,) = there.receipts(STRIPS.digest)
    assert (receipt.gate, receipt.status) == ("G1", "passed")
    assert receipt.signed.payload == kept(STRIPS).signed.payload
    (review,) = there.reviews()
    assert (review.name, review.approves) == ("Ada the senior", True)


def test_the_same_again_changes_nothing(ledger, tmp_path):
    facts = (STRIPS, [kept(STRIPS)], [reviewed(STRIPS)])
    ledger.record(*facts)
    ledger.export(tmp_path / "before")
    assert ledger.record(*facts) == Changes()
    ledger.export(tmp_path / "after")
    assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes()


def test_a_task_keeps_its_earlier_digests(ledger):
    later = mended(TALLY, "mended")
    assert ledger.record_task(TALLY)
    assert ledger.record_task(later)
    assert ledger.task("tally-1").digests.keys() == {TALLY.digest, later.digest}


# -- what collides


def test_an_id_is_used_once(ledger):
    ledger.record_task(TALLY)
    other = attrs.evolve(entry("other"), task_id="tally-1")
    told = refusal(ledger.record_task, other)
    assert "package: the ledger has 'tally', here is 'other'" in told
    assert "shipbar ledger forget tally-1" in told
    assert [it.package for it in ledger.tasks()] == ["tally"]


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({"package": "tally"}, "tally"),
        ({"names": ("tallyread",)}, "tallyread"),
        ({"names": ("TALLYFAULT",)}, "tallyfault"),
        ({"package": "tallyread"}, "tallyread"),
    ],
    ids=["package", "function", "case", "roles"],
)
def test_a_name_is_used_once(ledger, facts, name):
    ledger.record_task(TALLY)
    told = refusal(ledger.record_task, entry("other", **facts))
    assert f"name {name}: tally-1 has it" in told


def test_a_task_under_another_name_is_the_same_task(ledger):
    delivered(ledger, "acme", TALLY)
    again = entry("other", fingerprint=TALLY.fingerprint)
    told = refusal(ledger.reserve_delivery, "brook", [again])
    assert "it is tally-1 under another name, which acme has" in told
    assert [it.client for it in ledger.deliveries()] == ["acme"]


@pytest.mark.parametrize(
    ("values", "split", "fits"),
    [
        ("bbaaaa", "train", False),
        ("bbbaaa", "train", True),
        ("bbbaaa", "eval", False),
        ("bbbbaa", "eval", True),
    ],
)
def test_variants_of_a_family_lie_apart(ledger, values, split, fits):
    ledger.record_task(STRIPS)
    other = entry("other", values, split=split)
    if fits:
        assert ledger.record_task(other)
    else:
        told = refusal(ledger.record_task, other)
        least, axes = (3, "2 axes") if split == "train" else (4, "3 axes")
        assert re.search(rf"differs from strips-1.* in {axes} \(brackets, case", told)
        assert f"at least {least} are wanted" in told


def test_variants_of_two_families_may_be_alike(ledger):
    ledger.record_task(STRIPS)
    assert ledger.record_task(entry("other", "aaaaaa", family="rows"))


def test_all_that_collides_is_told_at_once(ledger):
    ledger.record_task(STRIPS)
    told = refusal(ledger.record_task, entry("other", "aaaaab", names=("stripsread",)))
    assert "name stripsread: strips-1 has it" in told
    assert "in 1 axes (signs)" in told


def test_a_task_that_went_to_nobody_can_be_forgotten(ledger):
    ledger.record(STRIPS, [kept(STRIPS)], [reviewed(STRIPS)])
    ledger.forget("strips-1")
    assert (ledger.tasks(), ledger.receipts(), ledger.reviews()) == ([], [], [])
    assert ledger.record_task(entry("other", "aaaaaa", names=STRIPS.names))


def test_a_task_of_a_client_stays(ledger):
    delivered(ledger, "acme", TALLY)
    assert "delivered, or about to be, to acme" in refusal(ledger.forget, "tally-1")
    assert "no task 'nobody'" in refusal(ledger.forget, "nobody")


# -- receipts and reviews


def test_a_receipt_of_an_unknown_state_is_refused(ledger):
    ledger.record_task(TALLY)
    told = refusal(ledger.record_receipts, [kept(TALLY), kept(mended(TALLY, "later"))])
    assert "shipbar ledger record" in told
    assert ledger.receipts() == []


def test_a_receipt_by_nobody_who_is_trusted_is_refused(ledger):
    with pytest.raises(AttestationError, match="none of which is a key that you trust"):
        ledger.record(TALLY, [attrs.evolve(kept(TALLY), signers=())])
    assert ledger.tasks() == []


def test_a_receipt_of_another_task_is_refused(ledger):
    ledger.record_task(TALLY)
    stray = kept(attrs.evolve(entry("other"), digest=TALLY.digest))
    assert "is tally-1, as the ledger has it" in refusal(
        ledger.record_receipts, [stray]
    )


def test_a_review_under_another_signature_is_refused(ledger):
    ledger.record_task(TALLY)
    senior, _ = reviewed(TALLY)
    _, by_another = reviewed(TALLY, "breaker")
    with pytest.raises(AttestationError, match="expected the signature of"):
        ledger.record_review(senior, by_another)


def test_receipts_come_by_gate(ledger):
    made = [kept(TALLY, gate) for gate in ("G10", "G2", "G1")]
    ledger.record(TALLY, made)
    assert [it.gate for it in ledger.receipts(TALLY.digest)] == ["G1", "G2", "G10"]
    assert ledger.receipts(client="acme") == []


# -- deliveries


def test_each_delivery_names_the_one_before_it(ledger):
    first = delivered(ledger, "acme", TALLY)
    between = delivered(ledger, "brook", entry("other"))
    second = delivered(ledger, "acme", STRIPS)
    assert [it.serial for it in (first, between, second)] == [1, 2, 3]
    assert (first.previous, between.previous) == ("", "")
    assert second.previous == first.manifest
    assert ledger.deliveries("acme") == [first, second]
    assert ledger.task("tally-1").client == "acme"
    assert [it.task_id for it in ledger.tasks("brook")] == ["other-1"]


def test_no_task_goes_to_two_clients(ledger):
    delivered(ledger, "acme", TALLY)
    told = refusal(ledger.reserve_delivery, "brook", [STRIPS, mended(TALLY, "new")])
    assert "tally-1: acme has it, by delivery 1" in told
    assert ledger.task("tally-1").digests.keys() == {TALLY.digest}
    assert [it.task_id for it in ledger.tasks()] == ["tally-1"]


def test_a_client_may_have_a_task_again(ledger):
    delivered(ledger, "acme", TALLY)
    assert delivered(ledger, "acme", mended(TALLY, "mended")).serial == 2


def test_who_was_stopped_is_given_the_same_reservation(ledger, place):
    begun = ledger.reserve_delivery("acme", [TALLY, STRIPS], date="2026-11-30")
    again = Ledger.open(place).reserve_delivery(
        "acme", [STRIPS, TALLY], date="2026-12-01"
    )
    assert (begun.resumed, again.resumed) == (False, True)
    assert again.delivery == begun.delivery
    assert again.delivery.date == "2026-11-30"


def test_other_tasks_wait_until_a_reservation_is_settled(ledger):
    ledger.reserve_delivery("acme", [TALLY])
    told = refusal(ledger.reserve_delivery, "acme", [STRIPS])
    assert "shipbar ledger withdraw 1" in told
    assert ledger.reserve_delivery("brook", [STRIPS]).serial == 2


def test_what_is_finished_is_told_and_not_reserved_twice(ledger):
    first = delivered(ledger, "acme", TALLY)
    again = ledger.reserve_delivery("acme", [TALLY])
    assert (again.finished, again.delivery) == (True, first)
    another = ledger.reserve_delivery("acme", [TALLY], again=True)
    assert (another.serial, another.previous) == (2, first.manifest)


def test_finishing_twice_is_the_same_and_otherwise_is_refused(ledger):
    ledger.reserve_delivery("acme", [TALLY])
    first = ledger.finish_delivery(1, MANIFEST)
    assert ledger.finish_delivery(1, MANIFEST) == first
    other = "sha256:" + "0" * 64
    assert MANIFEST in refusal(ledger.finish_delivery, 1, other)
    assert "expected sha256:" in refusal(ledger.finish_delivery, 1, "0" * 64)
    assert "no delivery 2" in refusal(ledger.finish_delivery, 2, MANIFEST)


def test_what_is_withdrawn_is_free_and_its_number_is_not(ledger):
    ledger.reserve_delivery("acme", [TALLY, STRIPS])
    gone = ledger.withdraw_delivery(1)
    assert (gone.state, gone.tasks) == ("withdrawn", ())
    assert ledger.withdraw_delivery(1) == gone
    assert "is withdrawn" in refusal(ledger.finish_delivery, 1, MANIFEST)
    assert delivered(ledger, "brook", TALLY).serial == 2


def test_withdrawing_leaves_what_a_client_has_otherwise(ledger):
    delivered(ledger, "acme", TALLY)
    ledger.reserve_delivery("acme", [TALLY, STRIPS])
    ledger.withdraw_delivery(2)
    clients = {it.task_id: it.client for it in ledger.tasks()}
    assert clients == {"tally-1": "acme", "strips-1": ""}


def test_what_is_finished_cannot_be_withdrawn(ledger):
    delivered(ledger, "acme", TALLY)
    assert "what a client received stays theirs" in refusal(ledger.withdraw_delivery, 1)


@pytest.mark.parametrize(
    "name", ["", "Acme", "acme labs", "acme--labs", "-acme", "a" * 65, "acmé", "a\n"]
)
def test_a_client_that_is_none_is_refused(ledger, name):
    assert "lower-case letters" in refusal(ledger.reserve_delivery, name, [TALLY])
    assert ledger.tasks() == []


def test_a_delivery_holds_tasks_and_each_once(ledger):
    assert "got none" in refusal(ledger.reserve_delivery, "acme", [])
    assert "more of tally-1" in refusal(ledger.reserve_delivery, "acme", [TALLY] * 2)


# -- acceptance


def test_a_report_is_recorded_once(ledger):
    record = report(delivered(ledger, "acme", TALLY, STRIPS), rejected=["tally-1"])
    assert ledger.record_acceptance(record, signed(record))
    assert not ledger.record_acceptance(record, signed(record))
    (found,) = ledger.acceptance("acme")
    assert (found.number, found.record) == (1, record)
    assert found.signed.payload == signed(record).payload
    assert ledger.acceptance("brook") == []


def test_reports_on_one_delivery_are_numbered(ledger):
    delivery = delivered(ledger, "acme", TALLY)
    for seconds in (1.0, 2.0):
        record = report(delivery, seconds=seconds)
        ledger.record_acceptance(record, signed(record))
    found = ledger.acceptance(serial=1)
    assert [(it.number, it.record.seconds) for it in found] == [(1, 1.0), (2, 2.0)]


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"client": "brook"}, "delivery 1 went to acme"),
        ({"manifest": MANIFEST}, "delivered was sha256:"),
        ({"serial": 2}, "no delivery 2"),
        ({"serial": 3}, "delivery 3 is reserved"),
    ],
)
def test_a_report_on_something_else_is_refused(ledger, facts, why):
    delivery = delivered(ledger, "acme", TALLY)
    ledger.withdraw_delivery(ledger.reserve_delivery("acme", [STRIPS]).serial)
    ledger.reserve_delivery("acme", [STRIPS])
    if facts == {"serial": 2}:
        facts, why = {"serial": 4}, "no delivery 4"
    record = report(delivery, **facts)
    assert why in refusal(ledger.record_acceptance, record, signed(record))
    assert ledger.acceptance() == []


def test_a_report_of_a_task_at_another_digest_is_refused(ledger):
    delivery = delivered(ledger, "acme", TALLY)
    record = report(
        attrs.evolve(
            delivery,
            tasks=(attrs.evolve(delivery.tasks[0], digest=STRIPS.digest),),
        )
    )
    assert f"tally-1 at {STRIPS.digest} is not in that delivery" in refusal(
        ledger.record_acceptance, record, signed(record)
    )


def test_a_rejected_task_without_a_digest_is_recorded_at_the_delivered_one(ledger):
    delivery = delivered(ledger, "acme", TALLY, STRIPS)
    known = report(delivery, rejected=["tally-1"])
    hidden = tuple(
        attrs.evolve(it, digest="") if it.task_id == "tally-1" else it
        for it in known.tasks
    )
    record = attrs.evolve(known, tasks=hidden)
    assert ledger.record_acceptance(record, signed(record))
    (found,) = ledger.acceptance()
    assert found.record == known
    assert found.signed.payload == signed(record).payload


def test_a_task_without_a_digest_that_was_not_delivered_is_refused(ledger):
    delivery = delivered(ledger, "acme", TALLY)
    foreign = attrs.evolve(delivery.tasks[0], task_id="strips-1", digest="")
    record = report(attrs.evolve(delivery, tasks=(foreign,)), rejected=["strips-1"])
    assert "strips-1 at a digest that nobody can tell is not in that delivery" in (
        refusal(ledger.record_acceptance, record, signed(record))
    )
    assert ledger.acceptance() == []


# -- export


def test_equal_contents_give_equal_bytes(new_place, tmp_path):
    facts = [(it, [kept(it)], [reviewed(it)]) for it in (TALLY, STRIPS, entry("rows"))]
    for number, order in enumerate((facts, facts[::-1])):
        ledger = Ledger.open(new_place())
        for it in order:
            ledger.record(*it)
        delivery = delivered(ledger, "acme", *(it[0] for it in order))
        record = report(delivery)
        ledger.record_acceptance(record, signed(record))
        ledger.export(tmp_path / str(number))
    assert (tmp_path / "0").read_bytes() == (tmp_path / "1").read_bytes()


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir], ids=["pipe", "folder"])
def test_an_export_does_not_take_the_place_of_what_is_no_file(ledger, tmp_path, make):
    place = tmp_path / "out"
    make(place)
    kind = place.stat().st_mode
    assert "expected a file, or nothing there yet" in refusal(ledger.export, place)
    assert place.stat().st_mode == kind
    assert [it.name for it in tmp_path.glob("*out*")] == ["out"]


def test_a_full_disk_is_told_and_leaves_what_was_there(ledger, tmp_path, monkeypatch):
    place = tmp_path / "out.jsonl"
    place.write_text("before")

    def full(_connection):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(export, "lines", full)
    with pytest.raises(SeamError, match=r"No space left on device.*make room"):
        ledger.export(place)
    assert place.read_text() == "before"
    assert list(tmp_path.glob(".ledger-*")) == []
