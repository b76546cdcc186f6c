"""Bases that are made: of what a tool wrote, and of this machine's Python."""

import io
import os
import sys
import tarfile
from pathlib import Path

import pytest

from shipbar import oci
from shipbar.config import Config
from shipbar.errors import SeamError, UserError
from shipbar.oci import making
from shipbar.oci.making import normalised
from shipbar.oci.minimal import minimal_entries
from shipbar.oci.tars import EPOCH, Hashing, canonical, tar, write_tar
from shipbar.sandboxes.runtime import runtime
from tests.oci.places import members


def rootfs(path: Path, *, older: bool) -> Path:
    """A root file system as one tool writes it, or as an older one does."""
    its = [
        "./",
        "./usr/",
        "./usr/bin/",
        "./usr/bin/tool",
        "./dev/",
        "./dev/null",
        "./bin",
    ]
    with tarfile.open(
        path, "w", format=tarfile.GNU_FORMAT if older else tarfile.PAX_FORMAT
    ) as archive:
        for name in its if older else sorted(its, reverse=True):
            it = tarfile.TarInfo(name.removeprefix("./") or ".")
            it.mtime = 1_000_000_000 if name.endswith("tool") else EPOCH + older
            it.mode, it.uid, it.gid = 0o755, 0, 42
            it.uname, it.gname = ("root", "shadow") if older else ("", "")
            if name.endswith("/"):
                it.type = tarfile.DIRTYPE
            elif name == "./dev/null":
                it.type = tarfile.CHRTYPE
            elif name == "./bin":
                it.type, it.linkname = tarfile.SYMTYPE, "usr/bin"
            else:
                it.size = 4
            archive.addfile(it, io.BytesIO(b"tool"))
    return path


def test_two_tools_generations_come_to_the_same(tmp_path: Path):
    one = tar(normalised(rootfs(tmp_path / "one", older=True)))
    two = tar(normalised(rootfs(tmp_path / "two", older=False)))
    assert one == two
    found = members(one)
    assert list(found) == ["bin", "dev", "usr", "usr/bin", "usr/bin/tool"]
    assert found["usr/bin/tool"].mtime == 1_000_000_000
    assert found["usr"].mtime == EPOCH
    assert found["usr"].gid == 42
    (tmp_path / "layer").write_bytes(one)
    assert canonical(tmp_path / "layer", ours=False)


def test_a_tar_that_is_none_is_refused(tmp_path: Path):
    (tmp_path / "file").write_text("no tar")
    with pytest.raises(UserError, match="expected an uncompressed tar"):
        list(normalised(tmp_path / "file"))


def tool(folder: Path, script: str, monkeypatch) -> None:
    folder.mkdir()
    path = folder / "mmdebstrap"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.defpath}")


def test_debians_packages_go_through_mmdebstrap(tmp_path: Path, monkeypatch):
    made = rootfs(tmp_path / "made", older=True)
    words = tmp_path / "words"
    script = (
        f'printf "%s\\n" "$SOURCE_DATE_EPOCH" "$@" > {words}\n'
        f'for it; do case "$it" in */root.tar) cp {made} "$it";; esac; done'
    )
    tool(tmp_path / "bin", script, monkeypatch)
    line = "deb [trusted=yes] copy:/pool ./"
    layout = making.debian(tmp_path / "base", suite="bookworm", sources=[line])
    said = words.read_text().splitlines()
    assert said[0] == str(EPOCH)
    assert said[-1] == line
    assert "bookworm" in said
    assert any(it.startswith("--include=python3,") for it in said)
    assert any("resolv.conf" in it for it in said)
    assert layout.problems() == []
    base = oci.open_base(layout.path)
    assert {"usr/bin/tool", "bin"} <= base.paths()
    assert not [it for it in base.paths() if it.startswith("dev/")]


def test_what_mmdebstrap_says_is_told(tmp_path: Path, monkeypatch):
    tool(tmp_path / "bin", "echo 'E: no such suite' >&2; exit 25", monkeypatch)
    with pytest.raises(
        SeamError, match="could not make sid from its own mirror: E: no such"
    ):
        making.debian(tmp_path / "base", suite="sid", sources=[])
    assert not (tmp_path / "base").exists()


def test_without_mmdebstrap_it_is_told_what_to_install(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SeamError, match="apt install mmdebstrap"):
        making.debian(tmp_path / "base", suite="bookworm", sources=[])


@pytest.mark.slow
def test_the_least_base_is_the_same_twice_and_runs(tmp_path: Path):
    digests = []
    for name in ("one", "two"):
        made = runtime(Config(cache=tmp_path / name, work=tmp_path, inherited={}).cache)
        entries = minimal_entries(
            made.root, python=made.python, stdlib=made.stdlib, libraries=made.libraries
        )
        out = Hashing()
        write_tar(entries, out)
        digests.append(out.digest)
        paths = {it.path for it in entries}
        assert {"usr/bin/ldd", "usr/bin/python3", "etc/passwd", "tmp"} <= paths
        assert f"{made.stdlib}/os.py".lstrip("/") in paths
        assert not {"shipbar", "candidate", "dev/null"} & paths
        compiled = [
            it
            for it in entries
            if it.path.endswith(f"/os.{sys.implementation.cache_tag}.pyc")
        ]
        for it in compiled:
            assert isinstance(it.content, bytes)
            assert it.content[8:12] == EPOCH.to_bytes(4, "little")
            assert str(tmp_path).encode() not in it.content
    assert digests[0] == digests[1]
