"""A task's folder, as the ledger records it, and the receipts that are kept of it."""

import json

import attrs
import pytest

from shipbar.attest import envelope, reviews, store
from shipbar.attest.statement import statement_of
from shipbar.errors import UserError
from shipbar.grading.tasks import digest_of
from shipbar.store.entries import entry_of, kept_receipts, signed_reviews
from tests.attest.samples import QUESTION, RECEIPT, signer
from tests.cli import tiny
from tests.store.samples import entry, mended, reviewed

RECORD = {
    "family": "sums",
    "rules": {"order": "last"},
    "names": {"package": "tally", "add": "add", "names": "names"},
}


@pytest.fixture
def task(tmp_path):
    return tiny.task(tmp_path / "tally")


def with_record(task, text):
    (task / "grader/variant.json").write_text(text)
    return task


def test_a_task_that_was_written_by_hand(task):
    found = entry_of(task)
    assert (found.task_id, found.package, found.split) == ("tally", "tally", "train")
    assert found.digest == digest_of(task)
    assert (found.family, found.rules, found.names) == ("", {}, ())


def test_a_task_that_was_built(task):
    found = entry_of(with_record(task, json.dumps(RECORD)))
    assert (found.family, found.rules) == ("sums", {"order": "last"})
    assert found.names == ("add", "names", "tally")


def test_only_the_reference_makes_the_fingerprint(task):
    before = entry_of(task)
    (task / "TASK.md").write_text("Another card.\n")
    after = entry_of(with_record(task, json.dumps(RECORD)))
    assert (after.digest == before.digest, after.fingerprint) == (
        False,
        before.fingerprint,
    )


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "{}",
        json.dumps({**RECORD, "rules": ["order"]}),
        json.dumps({**RECORD, "rules": {"order": 1}}),
        json.dumps({**RECORD, "family": None}),
    ],
)
def test_a_record_that_is_damaged_is_told(task, text):
    with pytest.raises(UserError, match=r"variant\.json: expected what the task was"):
        entry_of(with_record(task, text))


def test_a_task_without_a_reference_is_told(task):
    (task / "grader/reference/tally/__init__.py").unlink()
    with pytest.raises(UserError, match="expected the reference, found no file"):
        entry_of(task)


def written(folder, name, digest, by="maker"):
    question = attrs.evolve(QUESTION, parts={"task": digest})
    signed = envelope.sign(
        statement_of(attrs.evolve(RECEIPT, question=question)), signer(by)
    )
    store.write(folder / f"{name}.dsse.json", signed)
    return signed


def test_receipts_are_found_by_what_they_are_of(tmp_path):
    tally, other = entry("tally").digest, entry("other").digest
    wanted = written(tmp_path / "deep", "a", tally)
    written(tmp_path, "b", other)
    written(tmp_path, "c", tally, by="stranger")
    (tmp_path / "torn.dsse.json").write_bytes(b'{"payload": "')
    changed = written(tmp_path, "d", tally)
    store.write(
        tmp_path / "d.dsse.json",
        attrs.evolve(changed, payload=changed.payload.replace(b"passed", b"failed")),
    )
    found = kept_receipts(tmp_path, [tally], [signer("maker").public_key])
    assert [it.signed for it in found[tally]] == [wanted]
    assert found.keys() == {tally}


def test_a_folder_that_is_not_there_holds_none(tmp_path):
    assert kept_receipts(tmp_path / "none", ["sha256:x"], []) == {"sha256:x": []}


def test_reviews_that_were_changed_do_not_count(task):
    for role in ("senior", "breaker"):
        reviews.write(task, *reviewed(entry("tally"), role))
    (path,) = reviews.folder_of(task).glob("senior-*")
    text = path.read_text()
    path.write_text(text.replace('"sig": "', '"sig": "AAAA'))
    found = list(signed_reviews(task, entry("tally").digest))
    assert [review.role for review, _ in found] == ["breaker"]


def test_reviews_of_an_earlier_state_are_none_of_the_task_as_it_is(task):
    reviews.write(task, *reviewed(mended(entry("tally"), "before"), "breaker"))
    reviews.write(task, *reviewed(entry("tally"), "senior"))
    found = list(signed_reviews(task, entry("tally").digest))
    assert [review.role for review, _ in found] == ["senior"]
