"""The tar writer: what it writes anyone can read, and only content decides its bytes."""

import io
import os
import stat
import tarfile
from pathlib import Path

import pytest

from shipbar.errors import UserError
from shipbar.oci.tars import (
    EPOCH,
    Entry,
    Hashing,
    canonical,
    entries_in,
    tar,
    tree,
    write_tar,
)
from tests.oci.places import members

DEEP = "/".join(["a" * 30] * 6)
PATHS = [
    "short",
    "a/b/c",
    DEEP,  # fits into name and prefix
    "b" * 150,  # has no place to be divided at
    "c" * 99 + "/" + "d" * 100,
    "e" * 100 + "/" + "f" * 100,
    "g" * 155 + "/" + "h" * 100,
    "g" * 156 + "/" + "h" * 100,
    "naïve/größe.txt",
    " leading and trailing ",
    "undecodable-\udcff",
]


def written(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "layer"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("path", PATHS)
def test_any_path_is_read_back(path: str):
    found = members(tar([Entry(path=path, content=b"content")]))
    assert found[path].size == 7
    assert found[path].isreg()


def test_contents_from_everywhere_are_read_back(tmp_path: Path):
    (tmp_path / "file").write_bytes(b"x" * 3_000_000)
    first = written(tmp_path, tar([Entry(path="a", content=tmp_path / "file")]))
    again = tar(entries_in(first))
    assert again == first.read_bytes()
    with tarfile.open(fileobj=io.BytesIO(again)) as archive:
        file = archive.extractfile("a")
        assert file is not None
        assert file.read() == b"x" * 3_000_000


def test_links_and_rights_are_read_back():
    found = members(
        tar(
            [
                Entry(path="run", content=b"", mode=0o755),
                Entry(path="soft", kind="link", target="x" * 120),
                Entry(path="hard", kind="hard link", target="run"),
                Entry(path="tmp", kind="folder", mode=0o1777),
            ]
        )
    )
    assert found["run"].mode == 0o755
    assert (found["soft"].issym(), found["soft"].linkname) == (True, "x" * 120)
    assert (found["hard"].islnk(), found["hard"].linkname) == (True, "run")
    assert (found["tmp"].isdir(), found["tmp"].mode) == (True, 0o1777)


def test_all_that_is_ours_has_one_time_and_numbers_for_owners():
    for it in members(tar([Entry(path=path, content=b"1") for path in PATHS])).values():
        assert (it.mtime, it.uid, it.gid, it.uname, it.gname) == (EPOCH, 0, 0, "", "")


def test_order_and_repetition_do_not_show():
    entries = [
        Entry(path=path, content=path.encode("utf-8", "surrogateescape"))
        for path in PATHS
    ]
    assert tar(entries) == tar(reversed(entries)) == tar(entries * 2)


def test_a_folder_comes_right_before_what_it_holds():
    names = list(
        members(tar([Entry(path=it) for it in ("a.b", "a/z/y", "a/b", "a-b")]))
    )
    assert names == ["a", "a/b", "a/z", "a/z/y", "a-b", "a.b"]


def test_nothing_follows_the_end():
    data = tar([Entry(path="a", content=b"1")])
    assert len(data) == 512 * 4
    assert data.endswith(bytes(1024))


@pytest.mark.parametrize("path", ["", "/a", "a/", "a//b", "../a", "a/../b", "./a", "."])
def test_a_path_that_is_not_below_the_root_is_refused(path: str):
    with pytest.raises(UserError, match="expected a path below the root"):
        tar([Entry(path=path)])


def test_two_contents_under_one_path_are_refused():
    with pytest.raises(UserError, match="there are two of that path"):
        tar([Entry(path="a", content=b"1"), Entry(path="a", content=b"2")])


def test_what_lies_below_a_file_is_refused():
    with pytest.raises(UserError, match="a is a file"):
        tar([Entry(path="a", content=b"1"), Entry(path="a/b")])


def test_a_size_that_does_not_fit_is_refused(tmp_path: Path):
    huge = tmp_path / "huge"
    with huge.open("wb") as file:
        file.truncate(8 << 30)
    with pytest.raises(UserError, match="8 GiB are too many"):
        write_tar([Entry(path="a", content=huge)], Hashing())


def test_the_digest_is_of_what_was_written():
    out, hashing = io.BytesIO(), Hashing()
    entries = [Entry(path="a", content=b"1")]
    write_tar(entries, out)
    write_tar(entries, hashing)
    assert hashing.size == len(out.getvalue())
    assert (
        hashing.digest
        == "sha256:" + __import__("hashlib").sha256(out.getvalue()).hexdigest()
    )


# -- a tree of files -------------------------------------------------------------------


def test_a_tree_is_the_same_whatever_its_times_and_umask(tmp_path: Path):
    made = []
    for name, umask, time in (("one", 0o022, 1), ("two", 0o077, 2_000_000_000)):
        before = os.umask(umask)
        try:
            root = tmp_path / name
            (root / "bin").mkdir(parents=True)
            (root / "bin" / "run").write_text("x")
            (root / "bin" / "run").chmod(0o777 & ~umask)
            (root / "text").write_text("y")
            (root / "link").symlink_to("text")
            (root / "cache").mkdir()
            os.utime(root / "text", (time, time))
        finally:
            os.umask(before)
        made.append(tar(tree(root, "at", leave_out=["cache"])))
    assert made[0] == made[1]
    found = members(made[0])
    assert {name: it.mode for name, it in found.items()} == {
        "at": 0o755,
        "at/bin": 0o755,
        "at/bin/run": 0o755,
        "at/link": 0o777,
        "at/text": 0o644,
    }


def test_a_pipe_does_not_go_into_a_tree(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    with pytest.raises(UserError, match="expected a file, a folder or a link"):
        list(tree(tmp_path))


# -- canonical -------------------------------------------------------------------------


def by_library(**facts: object) -> bytes:
    """A layer as the standard library writes it, with facts about its one member."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        it = tarfile.TarInfo("a")
        it.mtime, it.mode, it.size = EPOCH, 0o644, 1
        for name, value in facts.items():
            setattr(it, name, value)
        archive.addfile(it, io.BytesIO(b"1"))
    return out.getvalue()


OURS = tar([Entry(path="a", content=b"1"), Entry(path="b", content=b"2")])
ODD = {
    "bytes behind the end": OURS + b"hidden" + bytes(506),
    "more zeros than there are": OURS + bytes(512),
    "cut short": OURS[:-512],
    "bytes between entries": OURS[:520] + b"hidden" + OURS[526:],
    "other order": OURS[1024:2048] + OURS[:1024] + OURS[2048:],
    "library's padding": by_library(),
    "owner's name": by_library(uname="ada"),
    "comment": by_library(pax_headers={"comment": "see the suite"}),
    "no tar": b"no tar at all" * 100,
    "empty file": b"",
}


@pytest.mark.parametrize("data", ODD.values(), ids=ODD.keys())
def test_what_our_writer_does_not_write_is_not_canonical(tmp_path: Path, data: bytes):
    assert not canonical(written(tmp_path, data), ours=True)
    assert not canonical(written(tmp_path, data), ours=False)


FOREIGN = {
    "time": Entry(path="a", time=1),
    "owner": Entry(path="a", owner=(1000, 1000)),
    "anybody may write": Entry(path="a", mode=0o666),
    "runs as its owner": Entry(path="a", mode=0o4755),
    "attribute": Entry(path="a", attributes={"SCHILY.xattr.user.note": "hidden"}),
}


@pytest.mark.parametrize("entry", FOREIGN.values(), ids=FOREIGN.keys())
def test_a_base_may_have_owners_and_times_that_ours_may_not(
    tmp_path: Path, entry: Entry
):
    path = written(tmp_path, tar([entry]))
    assert canonical(path, ours=False)
    assert not canonical(path, ours=True)


def test_what_we_write_is_canonical(tmp_path: Path):
    entries = [Entry(path=path, content=b"1") for path in PATHS]
    assert canonical(written(tmp_path, tar(entries)), ours=True)
    assert canonical(written(tmp_path, OURS), ours=True)
