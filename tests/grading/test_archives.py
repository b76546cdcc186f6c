import gzip
import io
import lzma
import shutil
import subprocess
import sys
import tarfile
import time
import tracemalloc
import zlib

import pytest

from shipbar.errors import IntakeError
from shipbar.grading.intake import Caps, take_in
from tests.grading.packing import COMPRESSORS, TREE, member, tar, tar_of, write

MIB = 1024 * 1024
LINK, HARD, FOLDER = tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE


@pytest.fixture
def intake(tmp_path):
    def run(data, **caps):
        path = tmp_path / "submission"
        path.write_bytes(data)
        return take_in(path, caps=Caps(**caps))

    return run


@pytest.fixture
def refused(intake):
    def run(data, match, **caps):
        with pytest.raises(IntakeError, match=match) as caught:
            intake(data, **caps)
        assert str(caught.value).isprintable()

    return run


# -- honest tars ---------------------------------------------------------------------


@pytest.mark.parametrize("compress", COMPRESSORS.values(), ids=COMPRESSORS)
@pytest.mark.parametrize(
    "dialect", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]
)
def test_every_dialect_is_read(intake, compress, dialect):
    deep = "roman/" + "/".join(["a" * 60] * 3) + "/x.py"
    files = {**TREE, deep: b"x" * 1000}
    if dialect != tarfile.USTAR_FORMAT:
        files["roman/größe-" + "n" * 120 + ".py"] = b"y"
    data = tar(*(member(n, d) for n, d in files.items()), dialect=dialect)
    assert intake(compress(data)).files == {**files}


@pytest.mark.parametrize("dialect", ["v7", "ustar", "gnu", "posix"])
@pytest.mark.skipif(not shutil.which("tar"), reason="needs tar")
def test_what_tar_writes_is_read(tmp_path, dialect):
    folder = write(tmp_path / "work", TREE)
    (folder / "roman/twin.py").symlink_to("__init__.py")
    out = tmp_path / "out.tar"
    names = ["roman/__init__.py", "roman/data.json", "roman/py.typed", "roman/twin.py"]
    command = ["tar", "-C", folder, f"--format={dialect}", "-cf", out, "./roman", "."]
    subprocess.run([*command[:-2], *names], check=True)
    taken = take_in(out)
    assert taken.files == {**TREE, "roman/twin.py": TREE["roman/__init__.py"]}


def test_streams_that_follow_each_other_are_one(intake):
    data = tar_of(TREE)
    halves = gzip.compress(data[:1000]) + gzip.compress(data[1000:])
    assert intake(halves + bytes(64)).files == TREE


def test_a_git_archive_is_read(intake):
    buffer = io.BytesIO()
    with tarfile.open(
        fileobj=buffer,
        mode="w",
        format=tarfile.PAX_FORMAT,
        pax_headers={"comment": "0" * 40},
    ) as archive:
        for info, data in (member("r-1/" + n, d) for n, d in TREE.items()):
            archive.addfile(info, io.BytesIO(data))
    assert intake(buffer.getvalue()).files == TREE


@pytest.mark.parametrize("name", ["PKG-INFO", "PK", "BZh9.py"])
def test_a_tar_is_no_other_archive_for_its_first_name(intake, name):
    assert intake(tar_of({name: b"", "roman.py": b""})).kind == "tar"


def test_an_archiver_s_records_are_left_out(intake):
    extra = {
        "._solution": b"\0\5\x16\7",
        "solution/._roman": b"",
        "solution/.DS_Store": b"",
    }
    data = tar_of({**{f"solution/{n}": d for n, d in TREE.items()}, **extra})
    taken = intake(data)
    assert taken.files == TREE
    assert taken.left_out == (
        ".DS_Store: an archiver's records",
        "._roman: an archiver's records",
        "._solution: an archiver's records",
    )


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["w/roman/__init__.py"], ["roman/__init__.py"]),
        (["roman/__init__.py", "roman/x.py"], ["roman/__init__.py", "roman/x.py"]),
        (["w/__init__.py", "w/pyproject.toml"], ["__init__.py", "pyproject.toml"]),
        (["w/setup.py", "w/roman.py"], ["roman.py", "setup.py"]),
        (["w/a.py", "x/b.py"], ["w/a.py", "x/b.py"]),
        (["w/a.py", "README"], ["README", "w/a.py"]),
        (["w/x/a.py"], ["x/a.py"]),
    ],
)
def test_a_wrapping_folder_is_dropped(intake, files, expected):
    assert list(intake(tar_of(dict.fromkeys(files, b""))).files) == expected


def test_environments_inside_are_passed_over(intake):
    deep = "/".join("abcdefghijklmnopqrstuvwxyz")
    data = tar(
        *(member(name, body) for name, body in TREE.items()),
        member(f"roman/.venv/{deep}.py", b"x" * 5000),
        member("roman/.venv/bin/python", type=LINK, linkname="/usr/bin/python3"),
    )
    taken = intake(data, file_bytes=1000)
    assert taken.files == TREE
    assert taken.left_out == ("roman/.venv: a virtual environment",)


def test_links_to_files_before_them_are_copies(intake):
    data = tar(
        member("a/one.py", b"1"),
        member("a/b/soft.py", type=LINK, linkname="../one.py"),
        member("a/hard.py", type=HARD, linkname="a/one.py"),
        member("other.py", b""),
    )
    taken = intake(data)
    assert taken.files["a/b/soft.py"] == taken.files["a/hard.py"] == b"1"


# -- hostile tars --------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../evil.py",
        "a/../../evil.py",
        "a/..",
        "..",
        "C:/evil.py",
        "./c:evil.py",
        "a\\..\\evil.py",
        "a\nb.py",
        "a\x1b[2J.py",
        "a\x7fb",
        "a\x85b",
        "a\u2028b",
        "a" * 5000,
        "a" * 256,
        "a/" * 16 + "b",
    ],
    ids=range(16),
)
@pytest.mark.parametrize("kind", [tarfile.REGTYPE, FOLDER], ids=["file", "folder"])
def test_h08_hostile_names_are_refused(refused, name, kind):
    refused(tar(member("ok.py", b""), member(name, type=kind)), "submission: '")


def test_h08_a_nul_in_a_pax_path_is_refused(refused):
    data = tar(member("ok.py", b""), member("a.py", pax_headers={"path": "a.py\0.txt"}))
    refused(data, "control")


def test_names_that_are_not_utf_8_are_refused(refused):
    data = bytearray(tar_of({"abc_.py": b""}))
    data[3] = 0xE9
    data[148:156] = b"%06o\0 " % (sum(data[:148]) + 8 * 32 + sum(data[156:512]))
    refused(bytes(data), "names are UTF-8")


@pytest.mark.parametrize("kind", [LINK, HARD], ids=["soft", "hard"])
@pytest.mark.parametrize(
    "target",
    [
        "/etc/passwd",
        "../secret",
        "a/../../secret",
        "later.py",
        "folder",
        "",
        "link",
        "x\n" * 99,
    ],
    ids=range(8),
)
def test_h01_links_to_anything_else_are_refused(refused, kind, target):
    data = tar(
        member("ok.py", b""),
        member("folder", type=FOLDER),
        member("link", type=kind, linkname=target),
        member("later.py", b""),
    )
    refused(data, "'link': a link ")


def test_h01_a_file_is_never_written_through_a_link(refused):
    data = tar(
        member("dir", type=LINK, linkname="/tmp"),
        member("dir/evil.py", b""),
    )
    refused(data, "'dir': a link out of the submission")


@pytest.mark.parametrize("kind", [*b"346SVMDXANZ?", 0xFF])
def test_h08_devices_and_oddities_are_refused(refused, kind):
    data = tar(member("odd", type=bytes([kind])), member("ok.py", b""))
    refused(data, "'odd': not a regular file, folder or link")


def test_sparse_files_are_refused(refused):
    headers = {"GNU.sparse.major": "1", "GNU.sparse.realsize": "99999999999"}
    refused(tar(member("big", b"x", pax_headers=headers)), "sparse")


@pytest.mark.parametrize(
    "members",
    [
        [member("a.py", b"1"), member("a.py", b"2")],
        [member("a.py", b"1"), member("./a.py", b"2")],
        [member("a.py", b"1"), member("a.py", type=HARD, linkname="a.py")],
        [member("\u00e9.py", b"1"), member("e\u0301.py", b"2")],
    ],
    ids=["same", "dot", "link", "normal"],
)
def test_duplicates_are_refused(refused, members):
    refused(tar(*members), "is there twice")


@pytest.mark.parametrize(
    "members",
    [
        [member("a", b"1"), member("a/b.py", b"2")],
        [member("a/b.py", b"1"), member("a", b"2")],
        [member("a", b"1"), member("a", type=FOLDER)],
        [member("a", type=FOLDER), member("a", b"1")],
    ],
    ids=["file-first", "inside-first", "file-folder", "folder-file"],
)
def test_a_file_that_is_also_a_folder_is_refused(refused, members):
    refused(tar(*members), "is both a file and a folder")


def test_links_and_folders_have_no_content(refused):
    for kind in (LINK, FOLDER):
        data = tar(member("x", b"content", type=kind), member("ok.py", b""))
        refused(data, "only a regular file has content")


@pytest.mark.parametrize(
    "record",
    [b"99 path=x\n", b"x path=y\n", b"10 path=xyz", b"0 a=b\n", b"9 path=x\n\0", b"8 pathxx\n",
     b"-1 a=b\n", b"  9 a=b\n"],
    ids=range(8),
)  # fmt: skip
def test_damaged_pax_headers_are_refused(refused, record):
    data = tar(member("pax", record, type=b"x"), member("a.py", b""))
    refused(data, "a damaged pax header")


@pytest.mark.parametrize("size", ["-1", "1e3", "9" * 30, "", "0x10", "٣"])
def test_damaged_pax_sizes_are_refused(refused, size):
    refused(tar(member("a.py", b"", pax_headers={"size": size})), "a damaged size")


def test_a_pax_size_is_what_is_read(refused):
    data = tar(member("a.py", b"1234", pax_headers={"size": "99999999"}))
    refused(data, "'a.py': larger than")


@pytest.mark.parametrize("key", ["path", "size", "linkpath"])
def test_global_headers_name_nothing(refused, key):
    record = f"{len(key) + 6:02} {key}=1\n".encode()
    assert len(record) == len(key) + 6
    refused(tar(member("g", record, type=b"g"), member("a.py", b"")), "global header")


def test_pax_bombs_are_refused(refused):
    refused(
        tar(member("a.py", b"", pax_headers={"comment": "x" * 70_000})), "over 65536"
    )
    headers = [member("x", b"9 k=vvvv\n", type=b"x")] * 8
    refused(tar(*headers, member("a.py", b"")), "8 extension headers in a row")
    refused(tar(member("L", b"n" * 70_000, type=b"L"), member("a", b"")), "over 65536")


def test_negative_and_endless_sizes_are_refused(refused):
    for field in (b"\xff" * 12, b"\x80" + b"\xff" * 11, b"-0000000001\0", b"9" * 12):
        data = bytearray(tar_of({"a.py": b"", "b.py": b""}))
        data[124:136] = field
        data[148:156] = b"%06o\0 " % (sum(data[:148]) + 8 * 32 + sum(data[156:512]))
        refused(bytes(data), "damaged size|larger than")


@pytest.mark.parametrize("compress", COMPRESSORS.values(), ids=COMPRESSORS)
def test_a_truncated_archive_is_refused_wherever_it_is_cut(refused, compress):
    data = compress(tar_of({"roman.py": b"x" * 700, "b.py": b"y"})[: 512 * 6])
    for end in range(1, len(data), 37 if len(data) > 1000 else 7):
        refused(data[:end], "end early|ends early|expected a folder|damaged")


@pytest.mark.parametrize("compress", COMPRESSORS.values(), ids=COMPRESSORS)
def test_what_follows_the_end_is_refused(refused, compress):
    refused(
        compress(tar_of(TREE) + tar_of({"evil.py": b""})), "after the archive's end"
    )


def test_garbage_after_the_compressed_stream_is_refused(refused):
    for name in ("gzip", "bzip2", "xz"):
        refused(COMPRESSORS[name](tar_of(TREE)) + b"garbage!" * 8, "damaged")


def test_a_damaged_checksum_is_noticed(refused):
    for name in ("gzip", "bzip2", "xz"):
        data = bytearray(COMPRESSORS[name](tar_of(TREE)))
        data[-6] ^= 0xFF
        refused(bytes(data), "damaged|ends early")


@pytest.mark.parametrize(
    ("caps", "why"),
    [
        ({"files": 2}, "more than 2 files"),
        ({"total_bytes": 40}, "more than 40 bytes in all"),
        ({"file_bytes": 30}, "larger than 30 bytes"),
        ({"depth": 1}, "more than 1 names deep"),
        ({"path_bytes": 14}, "longer than 14 bytes"),
        ({"archive_bytes": 5000}, "larger than 5000 bytes"),
        ({"stream_bytes": 5000}, "more than 5000 bytes after decompression"),
    ],
)
def test_caps_hold_for_tars(refused, caps, why):
    refused(tar_of(TREE), why, **caps)


def test_members_of_all_kinds_are_capped(refused):
    members = [member(".git/x", b"")] * 40
    refused(tar(*members), "too many members", files=2)


def test_copies_by_link_are_counted(refused):
    links = [member(f"l{n}", type=HARD, linkname="big") for n in range(10)]
    refused(tar(member("big", b"x" * 1000), *links), "in all", total_bytes=5000)


# -- bombs ---------------------------------------------------------------------------


def zeros_gz(gigabytes):
    """Make a gzip stream of zeros without making the zeros."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = bytes(MIB)
    blocks = [squeeze.compress(piece) for _ in range(64)]
    blocks.append(squeeze.flush())
    return b"".join(blocks) * (gigabytes * 1024 // 64)


def within(megabytes, seconds, run):
    """Run, and hold it to a peak of memory and processor time."""
    tracemalloc.start()
    began = time.process_time()
    try:
        run()
        took = time.process_time() - began
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < megabytes * MIB
    assert took < seconds


def test_h08_ten_gigabytes_of_zeros_are_stopped_early(refused):
    big, _ = member("big", b"")
    big.size = 10 << 30
    header = gzip.compress(big.tobuf(tarfile.GNU_FORMAT))
    bomb = header + zeros_gz(10)
    within(8, 5, lambda: refused(bomb, "'big': larger than", archive_bytes=64 * MIB))
    # The same, where nothing but the length of the stream gives it away.
    name, _ = member(".git/big", b"")
    name.size = 10 << 30
    bomb = gzip.compress(name.tobuf(tarfile.GNU_FORMAT)) + zeros_gz(10)
    within(8, 5, lambda: refused(bomb, "bytes after decompression"))


def test_zeros_after_the_end_are_stopped_as_well(refused):
    bomb = gzip.compress(tar_of(TREE)) + zeros_gz(1)
    within(8, 5, lambda: refused(bomb, "bytes after decompression"))


def test_many_tiny_streams_are_stopped(refused):
    within(
        8, 5, lambda: refused(gzip.compress(b"") * 100_000, "more than 4096 streams")
    )


def test_compression_inside_compression_is_not_opened(intake):
    inner = zeros_gz(1)
    taken = intake(gzip.compress(tar_of({"a.py": b"", "inner.gz": inner})))
    assert taken.files["inner.gz"] == inner


def test_xz_that_asks_for_a_gigabyte_is_refused(tmp_path):
    block = lzma.compress(
        tar_of(TREE), filters=[{"id": lzma.FILTER_LZMA2, "preset": 0}]
    )
    assert block[12:16] == b"\x02\x00\x21\x01"  # sizes, flags, LZMA2, one property
    # Making one the honest way takes 10 GiB, so only its header is rewritten.
    head = bytearray(block[12:20])
    head[4] = 36  # dictionary of 1 GiB
    data = block[:12] + head + zlib.crc32(head).to_bytes(4, "little") + block[24:]
    assert lzma.LZMADecompressor().decompress(data[:24]) == b""
    path = tmp_path / "bomb.tar.xz"
    path.write_bytes(data)
    code = (
        "import resource, sys, shipbar.grading.intake as i, shipbar.errors as e\n"
        "resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))\n"
        "try: i.take_in(sys.argv[1])\n"
        "except e.IntakeError as error: sys.exit(str(error))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, path], check=False, capture_output=True, text=True
    )
    assert "Memory usage limit exceeded" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_xz_at_its_strongest_preset_is_read(intake):
    assert intake(lzma.compress(tar_of(TREE), preset=9)).files == TREE
