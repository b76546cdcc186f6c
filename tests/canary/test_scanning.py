"""Many files: the same result from one process and from several."""

import os
import signal

import pytest

from shipbar.canary import Owner, known_of, scan, scanning, total
from tests.canary.samples import CANARY, LINE, tarred


@pytest.fixture
def folder(tmp_path):
    for number in range(150):
        (tmp_path / f"{number:03}").write_bytes(LINE if number % 50 == 7 else b"no\n")
    (tmp_path / "050.d").mkdir()
    (tmp_path / "050.d" / "a.tar").write_bytes(tarred({"a": LINE}))
    (tmp_path / "051.link").symlink_to("gone")
    (tmp_path / "052.loop").symlink_to(".")
    os.close(os.open(os.fsencode(tmp_path) + b"/060\xff", os.O_CREAT))
    return tmp_path


def test_several_processes_find_what_one_finds_in_the_same_order(folder):
    known = known_of([(CANARY, Owner(task_id="t"))])
    one = list(scan([folder], known))
    counts: list[int] = []
    two = list(scan([folder], known, jobs=2, advance=counts.append))
    assert two == one
    assert [it.path.rpartition("/")[2] for it in one if it.found] == [
        "007",
        "a.tar",
        "057",
        "107",
    ]
    assert sum(len(it.unread) for it in one) == 1
    assert sum(bool(it.remarks) for it in one) == 1
    assert sum(counts) == sum(it.size for it in one if it.size)


def test_a_process_that_dies_leaves_its_files_unread(folder, monkeypatch):
    monkeypatch.setattr(scanning, "_opened", killed)
    results = list(scan([folder], jobs=2))
    unread = [it for it in results if it.unread and "signal 9" in it.unread[0].why]
    assert len(unread) == 152
    assert all("search it again" in it.unread[0].why for it in unread)


def killed(*_asked):
    os.kill(os.getpid(), signal.SIGKILL)


def test_the_total_is_what_has_to_be_read(tmp_path):
    (tmp_path / "a").write_bytes(LINE * 1000)
    with (tmp_path / "b").open("wb") as file:
        file.truncate(1 << 40)
    assert len(LINE) * 1000 <= total([tmp_path]) < 1 << 20
