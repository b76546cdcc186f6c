"""A layout is there whole or not at all, and blobs are there once."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from shipbar import oci
from shipbar.errors import SeamError, UserError
from shipbar.oci import Entry, Plan, Writer
from shipbar.oci.tars import Hashing
from shipbar.oci.values import CREATED
from tests.oci.places import blob, flip


def plan(out: Writer, base: oci.Base, **facts: object) -> Plan:
    layer = out.layer([Entry(path="work/SPEC.md", content=b"spec")], made_by="a test")
    said = {"kind": "solver", "task": "strips", "base": base, "layers": (layer,)}
    return Plan(**{**said, **facts})  # type: ignore[arg-type]  # each test its own fields


def listed(folder: Path) -> list[str]:
    return sorted(it.name for it in folder.iterdir())


def test_nothing_is_there_before_the_end(tmp_path: Path, base: oci.Base):
    with Writer(tmp_path / "out") as out:
        out.base(base)
        out.add(plan(out, base))
        assert not (tmp_path / "out").exists()
        layout = out.finish()
    assert layout.problems() == []
    assert listed(tmp_path) == ["base", "out"]


def test_leaving_early_leaves_nothing(tmp_path: Path, base: oci.Base):
    def interrupted() -> None:
        with Writer(tmp_path / "out") as out:
            out.base(base)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert listed(tmp_path) == ["base"]


def test_a_full_disk_leaves_nothing(tmp_path: Path, base: oci.Base, monkeypatch):
    written = Hashing.write

    def full(self: Hashing, data: bytes) -> None:
        if self.size > 1024:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written(self, data)

    monkeypatch.setattr(Hashing, "write", full)
    told = "No space left on device; make room there"
    with pytest.raises(SeamError, match=told), Writer(tmp_path / "out") as out:
        out.layer([Entry(path="a", content=bytes(5000))], made_by="a test")
    assert listed(tmp_path) == ["base"]


def test_a_file_that_may_not_grow_leaves_nothing(tmp_path: Path, base: oci.Base):
    """The kernel's own refusal, in a process of its own."""
    script = (
        "import resource, sys\n"
        "from shipbar import oci\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))\n"
        "with oci.Writer(sys.argv[1]) as out:\n"
        "    out.layer([oci.Entry(path='a', content=bytes(5000))], made_by='a test')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "out")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "SeamError: cannot write images at" in done.stderr
    assert "File too large" in done.stderr
    assert listed(tmp_path) == ["base"]


KILLED = """
import os, signal, sys
from shipbar import oci
with oci.Writer(sys.argv[1]) as out:
    out.layer([oci.Entry(path="a", content=bytes(5000))], made_by="a test")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_writer_left_is_removed_by_the_next(
    tmp_path: Path, base: oci.Base
):
    out = tmp_path / "out"
    command = [sys.executable, "-c", KILLED, str(out)]
    subprocess.run(command, capture_output=True, check=False)
    [left] = [it for it in tmp_path.iterdir() if "making" in it.name]
    assert not out.exists()
    other = tmp_path / ".other.making-1"
    other.mkdir()
    with Writer(out) as one, Writer(out) as two:
        assert not left.exists()
        assert one.store.folder.is_dir()
        assert two.store.folder.is_dir()
    assert listed(tmp_path) == [".other.making-1", "base"]


def test_a_place_that_is_taken_is_refused(tmp_path: Path, base: oci.Base):
    (tmp_path / "out").mkdir()
    with pytest.raises(UserError, match="is there already"):
        Writer(tmp_path / "out")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(UserError, match="is there already"):
        Writer(tmp_path / "link")


def test_a_place_that_is_taken_meanwhile_is_left_alone(tmp_path: Path, base: oci.Base):
    with Writer(tmp_path / "out") as out:
        out.base(base)
        out.add(plan(out, base))
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "file").write_text("somebody's")
        with pytest.raises(UserError, match="made by somebody else meanwhile"):
            out.finish()
    assert listed(tmp_path) == ["base", "out"]
    assert listed(tmp_path / "out") == ["file"]


def test_a_folder_that_is_not_there_is_the_machines(tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(SeamError, match="cannot write images at"), Writer(file / "out"):
        pass


def test_an_empty_layout_is_refused(tmp_path: Path):
    with (
        pytest.raises(UserError, match="no image was added"),
        Writer(tmp_path / "out") as out,
    ):
        out.finish()


def test_two_images_of_one_name_are_refused(tmp_path: Path, base: oci.Base):
    with Writer(tmp_path / "out") as out:
        out.base(base)
        out.add(plan(out, base))
        with pytest.raises(UserError, match="two images 'solver-strips'"):
            out.add(plan(out, base, labels={"a": "b"}))


@pytest.mark.parametrize("task", ["Strips", "a b", "a/b", "", "-a", "a" * 130])
def test_a_name_that_some_engine_refuses_is_refused(
    tmp_path: Path, base: oci.Base, task: str
):
    with Writer(tmp_path / "out") as out, pytest.raises(UserError, match="image name"):
        out.add(plan(out, base, task=task))


def test_labels_are_kept_and_ours_are_not_the_callers(tmp_path: Path, base: oci.Base):
    with Writer(tmp_path / "out") as out:
        out.base(base)
        out.add(plan(out, base, labels={"org.example.canary": "c-1"}))
        with pytest.raises(UserError, match=r"labels in dev\.shipbar\.\* are set by"):
            out.add(plan(out, base, task="b", labels={"dev.shipbar.task": "x"}))
        layout = out.finish()
    assert layout.images[0].labels["org.example.canary"] == "c-1"
    assert layout.config(layout.images[0])["created"] == CREATED


def test_a_base_that_is_not_what_it_says_is_refused(tmp_path: Path, base: oci.Base):
    layout = oci.Layout.open(base.path)
    flip(blob(layout, base.layers[0].digest))
    with (
        pytest.raises(UserError, match="the base is damaged, get it again"),
        Writer(tmp_path / "out") as out,
    ):
        out.base(base)
    assert listed(tmp_path) == ["base"]


def test_a_shared_layer_lies_there_once(layout: oci.Layout):
    blobs = listed(layout.path / "blobs" / "sha256")
    one, other = layout.images
    assert one.layers[0] == other.layers[0]
    assert len(blobs) == 1 + 2 * 3
