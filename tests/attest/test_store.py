"""What is found is what was put there for just that question, or nothing."""

import threading

import attrs
import pytest

from shipbar.attest import envelope, store
from shipbar.attest.statement import statement_of
from shipbar.attest.store import Store
from shipbar.errors import AttestationError, UserError
from shipbar.verdict import sha256
from tests.attest.samples import QUESTION, RECEIPT, came_out, signer

ADA = signer("ada")
SIGNED = envelope.sign(statement_of(RECEIPT), ADA)


@pytest.fixture
def kept(tmp_path):
    found = Store(folder=tmp_path / "receipts", keys=(ADA.public_key,))
    found.keep(RECEIPT, SIGNED)
    return found


def file_of(kept: Store):
    (path,) = kept.folder.iterdir()
    return path


def test_a_receipt_is_found_by_its_question(kept):
    found = kept.find(QUESTION)
    assert found.receipt == RECEIPT
    assert found.signed.payload == SIGNED.payload


def test_another_question_finds_nothing(kept):
    assert kept.find(attrs.evolve(QUESTION, version=2)) is None


def test_a_changed_receipt_is_as_if_it_were_not_there(kept):
    forged = envelope.sign(statement_of(came_out("failed")), signer("brook"))
    forged = attrs.evolve(SIGNED, payload=forged.payload)
    file_of(kept).write_bytes(envelope.render(forged))
    assert kept.find(QUESTION) is None


def test_somebody_else_s_receipt_is_as_if_it_were_not_there(kept):
    stranger = envelope.sign(statement_of(RECEIPT), signer("brook"))
    file_of(kept).write_bytes(envelope.render(stranger))
    assert kept.find(QUESTION) is None


def test_a_torn_file_is_as_if_it_were_not_there(kept):
    file_of(kept).write_bytes(envelope.render(SIGNED)[:100])
    assert kept.find(QUESTION) is None
    kept.keep(RECEIPT, SIGNED)
    assert kept.find(QUESTION).receipt == RECEIPT


def test_a_good_receipt_in_another_one_s_place_is_not_taken(kept):
    other = attrs.evolve(QUESTION, depends={"upstream": sha256(b"newer")})
    kept.keep(attrs.evolve(RECEIPT, question=other), SIGNED)
    assert kept.find(other) is None


def test_many_writers_leave_one_whole_file(kept):
    start, seen = threading.Barrier(4), []

    def write():
        start.wait(timeout=10)
        for _ in range(20):
            kept.keep(RECEIPT, SIGNED)
            seen.append(kept.find(QUESTION))

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert len(seen) == 80
    assert all(found is not None for found in seen)
    assert len(list(kept.folder.iterdir())) == 1


def test_a_folder_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        store.write(tmp_path / "file" / "x.dsse.json", SIGNED)


def test_opening_a_receipt_tells_what_is_wrong_with_it(tmp_path):
    path = tmp_path / "x.dsse.json"
    with pytest.raises(UserError, match="cannot be read"):
        store.open_receipt(path, [ADA.public_key])
    store.write(path, envelope.sign(b'{"a": 1}', ADA))
    with pytest.raises(AttestationError, match="no in-toto statement"):
        store.open_receipt(path, [ADA.public_key])


def test_a_copy_lies_where_a_person_looks(tmp_path):
    where = store.copy_path(tmp_path, RECEIPT)
    assert where.relative_to(tmp_path).as_posix() == "strips/G2.dsse.json"
