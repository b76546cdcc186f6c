"""One file: of any size, with holes, changing, or no file at all."""

import os
import socket
import sqlite3
import tracemalloc
from pathlib import Path

import pytest

from shipbar.canary import Bounds, Known, Owner, known_of
from shipbar.canary.look import MOST_FOUND, look
from tests.canary.samples import (
    CANARY,
    LINE,
    UUID,
    canaries,
    found,
    looked,
    row,
    tarred,
)


def ignore(count):
    del count


def test_a_find_says_where_and_whose(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(row("nothing") + row(f"so: {CANARY}") + row(UUID))
    known = known_of([(CANARY, Owner(task_id="task-1", client="acme"))])
    first, second = looked(path, known).found
    assert (first.where, first.line, first.offset) == (str(path), 2, 34)
    assert first.owners == (Owner(task_id="task-1", client="acme"),)
    assert (second.canary, second.line, second.owners) == (UUID, 3, ())


def test_an_empty_file_holds_nothing(tmp_path):
    path = tmp_path / "empty"
    path.touch()
    assert canaries(path) == []


def test_a_file_s_name_is_looked_at(tmp_path):
    path = tmp_path / f"{UUID}.log"
    path.touch()
    (it,) = found(path)
    assert (it.canary, it.line, it.offset) == (UUID, 0, -1)


def test_holes_are_passed_over(tmp_path):
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.write(LINE)
        file.seek(1 << 36)
        file.write(b"\n" + LINE)
        file.truncate(1 << 37)
    if path.stat().st_blocks > 1 << 20:
        pytest.skip("this file system has no holes")
    got = [(it.line, it.offset) for it in found(path)]
    assert got == [(1, 7), (3, (1 << 36) + 8)]


def test_the_holes_of_an_archive_belong_to_it(tmp_path):
    path = tmp_path / "sparse.tar"
    whole = tarred({"zeros": bytes(1 << 20), "b": LINE})
    with path.open("wb") as file:
        file.write(whole[:512])
        file.seek(512 + (1 << 20))
        file.write(whole[512 + (1 << 20) :])
    assert [it.member for it in found(path)] == ["b"]
    os.truncate(path, 1 << 40)
    assert ["nearly all hole" in it.why for it in looked(path).unread] == [True]


def test_memory_does_not_grow_with_the_file(tmp_path):
    path = tmp_path / "large"
    block = b"some words and no more of them\n" * 40_000
    with path.open("wb") as file:
        for _ in range(25):
            file.write(block)
        file.write(LINE)
    tracemalloc.start()
    result = look(str(path), Known(), Bounds(), ignore)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [(it.line, it.offset) for it in result.found] == [
        (1_000_001, len(block) * 25 + 7)
    ]
    assert peak < 8 << 20


def test_what_is_read_is_told_on_the_way(tmp_path):
    path = tmp_path / "large"
    path.write_bytes(b"x" * (5 << 20))
    counts: list[int] = []
    look(str(path), Known(), Bounds(), counts.append)
    assert sum(counts) == 5 << 20
    assert len(counts) >= 5


def test_finds_without_end_are_counted(tmp_path):
    path = tmp_path / "full"
    path.write_bytes(LINE * (MOST_FOUND + 5))
    result = looked(path)
    assert (len(result.found), result.more) == (MOST_FOUND, 5)


def test_sqlite_is_searched_by_bytes_with_a_remark(tmp_path):
    path = tmp_path / "rows.db"
    with sqlite3.connect(path) as db:
        db.execute("create table rows (text)")
        db.execute("insert into rows values (?)", (LINE.decode(),))
    db.close()
    result = looked(path)
    assert [it.canary for it in result.found] == [CANARY]
    assert result.unread == ()
    assert ["SQLite, searched by its bytes" in it for it in result.remarks] == [True]


def test_a_file_that_changes_meanwhile_is_named(tmp_path):
    path = tmp_path / "growing"
    path.write_bytes(LINE)

    def grow(count):
        del count
        with path.open("ab") as file:
            file.write(b"more\n")

    result = look(str(path), Known(), Bounds(), grow)
    assert [it.canary for it in result.found] == [CANARY]
    assert ["changed while it was read" in it.why for it in result.unread] == [True]


def test_a_file_that_is_cut_meanwhile_is_named(tmp_path):
    path = tmp_path / "shrinking"
    path.write_bytes(b"x" * (4 << 20))
    result = look(str(path), Known(), Bounds(), lambda _: os.truncate(path, 10))
    assert ["changed while it was read" in it.why for it in result.unread] == [True]


def test_a_kernel_s_file_that_says_it_is_empty_is_read():
    result = looked(Path("/proc/self/status"))
    assert result.size == 0
    assert result.unread == ()


def test_one_that_says_it_is_empty_and_does_not_end_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("shipbar.canary.look._MOST_UNSAID", 10)
    (unread,) = looked(Path("/proc/self/status")).unread
    assert "does not end" in unread.why


def test_what_is_no_file_is_named_and_holds_nobody_up(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        says = {
            str(tmp_path / "pipe"): "a pipe",
            str(tmp_path / "socket"): "No such device",
            "/dev/null": "a device",
            str(tmp_path): "a folder",
            str(tmp_path / "gone"): "not there",
        }
        for path, why in says.items():
            (unread,) = look(path, Known(), Bounds(), ignore).unread
            assert unread.path == path
            assert why in unread.why


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_named(tmp_path):
    path = tmp_path / "secret"
    path.touch(0)
    assert ["no permission" in it.why for it in looked(path).unread] == [True]
