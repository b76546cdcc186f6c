import errno
import hashlib
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from shipbar.building.family import Upstream
from shipbar.building.upstream import fetch
from shipbar.errors import SeamError

DATA = b"an sdist"
PIN = Upstream(
    name="moru",
    version="1.0",
    file="moru-1.0.tar.gz",
    size=len(DATA),
    sha256=hashlib.sha256(DATA).hexdigest(),
    licence="MIT",
    packages=("moru",),
)


@pytest.fixture
def pip(monkeypatch):
    """What pip does; it brings the right file unless told otherwise."""
    state = SimpleNamespace(data=DATA, stderr="", code=0)

    def run(words, **_):
        if state.data is not None:
            Path(words[words.index("-d") + 1], PIN.file).write_bytes(state.data)
        return SimpleNamespace(returncode=state.code, stderr=state.stderr)

    monkeypatch.setattr(subprocess, "run", run)
    return state


def test_it_comes_into_the_cache_and_nothing_beside_it(pip, tmp_path):
    path = fetch(PIN, tmp_path, {})
    assert path.read_bytes() == DATA
    assert list(path.parent.iterdir()) == [path]


def test_another_file_is_refused_and_not_kept(pip, tmp_path):
    pip.data = b"a sdist!"
    with pytest.raises(SeamError, match=r"expected 8 bytes .*; refused"):
        fetch(PIN, tmp_path, {})
    assert list((tmp_path / "upstream").iterdir()) == []


def test_a_disk_that_fills_up_leaves_nothing_half_written(pip, tmp_path, monkeypatch):
    write = Path.write_bytes

    def full(path, data):
        if path.is_relative_to(tmp_path):
            write(path, data[:3])
            raise OSError(errno.ENOSPC, "x", str(path))
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(SeamError, match=r"cannot be kept: .*No space left.*make room"):
        fetch(PIN, tmp_path, {})
    assert list((tmp_path / "upstream").iterdir()) == []


def test_a_cache_that_is_no_folder_is_told(pip, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(SeamError, match=r"cannot be kept: .*file.*SHIPBAR_CACHE"):
        fetch(PIN, tmp_path / "file", {})


def test_without_an_index_the_reason_is_told_and_not_each_retry(pip, tmp_path):
    pip.data, pip.code = None, 1
    pip.stderr = "WARNING: Retrying\nWARNING: Retrying\nERROR: No matching one\n"
    with pytest.raises(SeamError, match="cannot be fetched: No matching one; see that"):
        fetch(PIN, tmp_path, {})
