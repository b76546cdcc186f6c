"""All of a ledger as one file."""

import json

import pytest

from shipbar.errors import UserError
from shipbar.store.ledger import Ledger
from tests.store.samples import delivered, entry, kept, report, reviewed, signed


def fill(ledger: Ledger) -> None:
    strips = entry("strips", "aaaaaa")
    ledger.record(strips, [kept(strips), kept(strips, "G2")], [reviewed(strips)])
    ledger.record_task(entry("tally"))
    record = report(delivered(ledger, "acme", strips))
    ledger.record_acceptance(record, signed(record))


def test_each_fact_is_a_line_of_canonical_json(tmp_path):
    ledger = Ledger.open(str(tmp_path / "ledger.db"))
    fill(ledger)
    ledger.export(tmp_path / "out")
    lines = (tmp_path / "out").read_text().splitlines()
    facts = [json.loads(line) for line in lines]
    assert [it["kind"] for it in facts] == [
        *("ledger", "task", "task", "receipt", "receipt"),
        *("review", "delivery", "acceptance"),
    ]
    again = [
        json.dumps(it, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        for it in facts
    ]
    assert again == lines
    assert facts[3]["envelope"]["payloadType"] == "application/vnd.in-toto+json"


@pytest.mark.slow
def test_a_server_and_a_file_give_the_same_bytes(server, tmp_path):
    for name, place in (("file", str(tmp_path / "a.db")), ("server", server.url())):
        ledger = Ledger.open(place)
        fill(ledger)
        ledger.export(tmp_path / name)
    assert (tmp_path / "file").read_bytes() == (tmp_path / "server").read_bytes()


def test_what_cannot_be_written_leaves_what_was_there(tmp_path):
    ledger = Ledger.open(str(tmp_path / "ledger.db"))
    with pytest.raises(UserError, match="cannot be written"):
        ledger.export(tmp_path / "none" / "out")
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError, match="left as it is"):
        ledger.export(tmp_path / "folder")
    assert sorted(it.name for it in tmp_path.iterdir()) == ["folder", "ledger.db"]
