import errno
import os
import subprocess
import sys

import pytest

from shipbar.delivery.place import Place, is_free
from shipbar.errors import SeamError, UserError


def test_nothing_is_at_the_place_before_all_of_it(tmp_path):
    target = tmp_path / "new" / "out"
    with Place(target) as place:
        place.write("a/b.txt", b"x")
        assert not target.exists()
        place.finish()
    assert (target / "a" / "b.txt").read_bytes() == b"x"
    assert [it.name for it in target.parent.iterdir()] == ["out"]


def test_nothing_is_left_of_what_was_not_finished(tmp_path):
    with Place(tmp_path / "out") as place:
        place.write("a", b"x")
        assert place.partial.is_dir()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_is_cleared(tmp_path):
    left = tmp_path / ".out.partial"
    (left / "deep").mkdir(parents=True)
    (left / "deep" / "old").write_text("old")
    (left / "link").symlink_to(tmp_path)
    with Place(tmp_path / "out") as place:
        place.write("new", b"x")
        place.finish()
    assert [it.name for it in (tmp_path / "out").iterdir()] == ["new"]


def test_two_runs_do_not_mix(tmp_path):
    with (
        Place(tmp_path / "out") as first,
        pytest.raises(UserError, match="another process is writing"),
        Place(tmp_path / "out"),
    ):
        pass
    assert not first.partial.exists()


def test_a_lock_ends_with_its_process(tmp_path):
    code = "import sys,os\nfrom pathlib import Path\nfrom shipbar.delivery.place import Place\nPlace(Path(sys.argv[1])).__enter__()\nos._exit(9)"
    target = tmp_path / "out"
    subprocess.run([sys.executable, "-c", code, target], check=False, timeout=30)
    assert (tmp_path / ".out.partial").is_dir()
    with Place(target) as place:
        place.finish()
    assert target.is_dir()


@pytest.mark.parametrize("make", ["file", "folder with a file", "link"])
def test_what_is_there_is_not_replaced(tmp_path, make):
    target = tmp_path / "out"
    if make == "file":
        target.write_text("mine")
    elif make == "link":
        target.symlink_to(tmp_path / "elsewhere")
    else:
        target.mkdir()
        (target / "mine").write_text("mine")
    assert not is_free(target)
    if make != "link":
        with (
            pytest.raises(UserError, match="something else is there"),
            Place(target) as place,
        ):
            place.finish()
        assert target.exists()


def test_an_empty_folder_is_free(tmp_path):
    (tmp_path / "out").mkdir()
    assert is_free(tmp_path / "out")
    with Place(tmp_path / "out") as place:
        place.write("a", b"x")
        place.finish()
    assert (tmp_path / "out" / "a").is_file()


def test_a_full_disk_is_told_and_leaves_nothing(tmp_path, monkeypatch):
    def full(self, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with (
        pytest.raises(SeamError, match="No space left") as caught,
        Place(tmp_path / "out") as place,
    ):
        place.write("a", b"x")
    assert "make room there" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_place_below_a_file_is_told(tmp_path):
    (tmp_path / "file").write_text("x")
    with (
        pytest.raises(UserError, match="name a folder that can be written"),
        Place(tmp_path / "file" / "out"),
    ):
        pass
