"""`shipbar canary scan`."""

import json

import pytest

from tests.canary.samples import CANARY, LINE, row, tarred
from tests.cli import tiny
from tests.cli.tiny import Command, command

TALLY = "shipbar-canary-5b8f3c1e-0f6c-4d29-9a43-7c1f0f2e9d11"


@pytest.fixture
def shipbar(capsys) -> Command:
    return command(capsys)


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(row("clean") + row(TALLY))
    (folder / "b.txt").write_text("clean\n")
    return folder


def test_a_find_is_told_with_its_place_and_its_task(shipbar, corpus, tmp_path):
    tiny.task(tmp_path / "tasks" / "tally")
    said = shipbar("canary", "scan", str(corpus), "--tasks", str(tmp_path / "tasks"))
    assert said.code == 1
    assert said.out.splitlines() == [
        f"{corpus}/a.jsonl:2: byte 28: {TALLY}, task tally",
        "1 canary in 2 files, 0.0 MB; canaries known: 1",
    ]


def test_a_canary_of_no_known_task_is_told_too(shipbar, corpus):
    said = shipbar("canary", "scan", str(corpus))
    assert said.code == 1
    assert f"{TALLY}, of no task that was named" in said.out


def test_an_index_says_whose_copy_it_is(shipbar, corpus, tmp_path):
    index = tmp_path / "index.jsonl"
    index.write_text(json.dumps({"task_id": "t", "client": "acme", "canary": TALLY}))
    said = shipbar("canary", "scan", str(corpus), "--index", str(index))
    assert said.out.splitlines()[0].endswith(f"{TALLY}, task t, delivered to acme")


def test_nothing_found_is_success(shipbar, corpus):
    said = shipbar("canary", "scan", str(corpus / "b.txt"))
    assert (said.code, said.out) == (0, "no canaries in 1 files, 0.0 MB\n")


def test_what_was_not_read_is_never_success(shipbar, corpus):
    (corpus / "a.jsonl").write_bytes(b"\x04\x22\x4d\x18 packed")
    said = shipbar("canary", "scan", str(corpus))
    assert said.code == 3
    assert f"not read: {corpus}/a.jsonl: LZ4" in said.err
    assert said.out == "no canaries in 2 files, 0.0 MB; not read: 1\n"


def test_a_find_outweighs_what_was_not_read(shipbar, corpus):
    (corpus / "c").symlink_to("gone")
    assert shipbar("canary", "scan", str(corpus)).code == 1


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_json_is_all_there_is_on_standard_output(shipbar, corpus, jobs):
    (corpus / "t.tar").write_bytes(tarred({"in": LINE.upper()}))
    (corpus / "z").symlink_to("gone")
    (corpus / "loop").symlink_to(".")
    said = shipbar("canary", "scan", str(corpus), "--json", "--jobs", jobs)
    told = json.loads(said.out)
    assert said.code == 1
    assert (told["canaries"], told["complete"]) == (2, False)
    assert [it["path"] for it in told["unread"]] == [f"{corpus}/z"]
    assert len(told["remarks"]) == 1
    assert told["found"][1] == {
        "path": f"{corpus}/t.tar",
        "member": "in",
        "line": 1,
        "offset": 7,
        "canary": CANARY,
        "exact": False,
        "owners": [],
    }


def test_names_cannot_write_on_the_terminal(shipbar, corpus):
    (corpus / "\x1b[2J").write_bytes(LINE)
    said = shipbar("canary", "scan", str(corpus))
    assert "\x1b" not in said.out
    assert "\\x1b[2J" in said.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["gone"], "gone: not there"),
        ([".", "--tasks", ".", "--index", "i"], "give one of them"),
        ([".", "--index", "gone"], "cannot be read as an index"),
        ([".", "--tasks", "gone"], "gone: no task here"),
        ([".", "--jobs", "0"], "--jobs"),
        ([], "PATH"),
    ],
    ids=["path", "both", "index", "tasks", "jobs", "none"],
)
def test_a_mistake_says_what_to_do(shipbar, tmp_path, monkeypatch, words, says):
    monkeypatch.chdir(tmp_path)
    said = shipbar("canary", "scan", *words)
    assert said.code == 2
    assert says in said.err
