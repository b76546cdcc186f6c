import stat
import struct
import tracemalloc
import zipfile
import zlib

import pytest

from shipbar.errors import IntakeError, RequirementError
from shipbar.grading.intake import Caps, take_in
from tests.grading.packing import METADATA, TREE, wheel_of, zip_of

RECORDS = {"roman-1.0.dist-info/METADATA": METADATA}


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


def entry(name, *, mode=0, system=3):
    info = zipfile.ZipInfo(name)
    info.create_system = system
    info.external_attr = mode << 16
    return info


def patched(data, name, offset, value, *, local=None):
    """Overwrite bytes of a member's directory entry, and of its local header."""
    data = bytearray(data)
    at = data.index(b"PK\1\2")
    while data[at + 46 : at + 46 + len(name)] != name:
        at = data.index(b"PK\1\2", at + 4)
    data[at + offset : at + offset + len(value)] = value
    if local is not None:
        (begin,) = struct.unpack_from("<L", data, at + 42)
        data[begin + local : begin + local + len(value)] = value
    return bytes(data)


# -- honest wheels -------------------------------------------------------------------


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_wheel_is_read_and_its_records_left_out(intake, method):
    taken = intake(zip_of({**TREE, **RECORDS}, method))
    assert taken.files == TREE
    assert taken.kind == "wheel"
    assert taken.left_out == ()


def test_a_wheel_is_laid_out_as_it_would_be_installed(intake):
    taken = intake(
        wheel_of(
            {
                "roman/__init__.py": b"1",
                "roman-1.0.data/purelib/extra/a.py": b"2",
                "roman-1.0.data/platlib/b.py": b"3",
                "roman-1.0.data/scripts/roman": b"#!python",
                "roman-1.0.data/scripts/other": b"#!python",
                "roman-1.0.data/data/etc/x": b"",
                "roman/fast.so": b"",
                "table.data": b"4",
            }
        )
    )
    assert taken.files == {
        "extra/a.py": b"2",
        "b.py": b"3",
        "roman/__init__.py": b"1",
        "table.data": b"4",
    }
    assert taken.left_out == (
        "roman-1.0.data/data: installed outside the package",
        "roman-1.0.data/scripts: installed outside the package",
        "roman-1.0.dist-info: packaging records",
        "roman/fast.so: compiled code: a submission is source",
    )


def test_folders_and_streamed_members_are_read(intake, tmp_path):
    path = tmp_path / "streamed"
    with path.open("wb") as out:

        class Unseekable:
            write, flush, close = out.write, out.flush, out.close

        with zipfile.ZipFile(Unseekable(), "w", zipfile.ZIP_DEFLATED) as archive:
            archive.mkdir("roman")
            for name, data in {**TREE, **RECORDS}.items():
                archive.writestr(name, data)
    assert intake(path.read_bytes()).files == TREE


def test_a_wheel_is_never_unwrapped(intake):
    assert list(intake(wheel_of({"ns/a.py": b""})).files) == ["ns/a.py"]


def test_an_optional_dependency_is_fine(intake):
    assert intake(wheel_of(TREE, METADATA + b"Requires-Dist: a; extra == 'x'\n"))


# -- hostile wheels ------------------------------------------------------------------


def test_i05_a_dependency_is_refused(intake):
    with pytest.raises(RequirementError, match="METADATA: depends on 'requests"):
        intake(wheel_of(TREE, METADATA + b"Requires-Dist: requests>=2\n"))


def test_a_zip_that_is_no_wheel_is_refused(refused):
    why = "a zip is accepted only as a wheel.*hand in a folder, a tar or a wheel"
    refused(zip_of(TREE), why)
    refused(zip_of({}), why)
    refused(zip_of({**TREE, "x/y.dist-info/METADATA": METADATA}), why)


def test_a_second_metadata_is_refused(refused):
    refused(wheel_of({"b-1.dist-info/METADATA": METADATA}), "a second METADATA")


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../evil.py", "a/../../b", "C:/x", "roman-1.0.data/purelib/C:/x", "a\nb", "a/" * 16 + "b", "n" * 256,
     "roman-1.0.data/purelib/../../../x", "roman-1.0.data/purelib//etc/../../x"],
    ids=range(10),
)  # fmt: skip
def test_h08_hostile_names_are_refused(refused, name):
    refused(wheel_of({name: b""}), "submission: '")


def test_h08_a_nul_or_a_backslash_in_a_name_is_refused(refused):
    for byte, why in ((b"\0", "control"), (b"\\", "backslash"), (b"\xff", "UTF-8")):
        data = wheel_of({"a_b.py": b""}).replace(b"a_b.py", b"a" + byte + b"b.py")
        refused(data, why)


@pytest.mark.parametrize(
    "kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK]
)
@pytest.mark.parametrize("system", [0, 3])
def test_h01_links_and_devices_are_refused(refused, kind, system):
    evil = entry("roman/link", mode=kind | 0o777, system=system)
    refused(repeating((evil, b"/etc/passwd")), "'roman/link': not a regular file")


def repeating(*pairs):
    return zip_of([*RECORDS.items(), *pairs])


def test_duplicates_are_refused(refused):
    refused(repeating(("a.py", b"1"), ("a.py", b"2")), "is there twice")
    moved = {"b.py": b"1", "roman-1.0.data/purelib/b.py": b"2"}
    refused(wheel_of(moved), "is there twice")
    refused(wheel_of({"a": b"1", "a/b.py": b"2"}), "both a file and a folder")


def test_encryption_and_rare_compression_are_refused(refused):
    data = wheel_of(TREE)
    name = b"roman/data.json"
    for flag in (0x1, 0x40, 0x2000):
        refused(patched(data, name, 8, struct.pack("<H", flag)), "encrypted")
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        refused(zip_of({**TREE, **RECORDS}, method), "other than by deflate")
    refused(patched(data, name, 10, struct.pack("<H", 99)), "other than by deflate")


@pytest.mark.parametrize("size", [0, 1, 8, 10, 5000, 0xFFFFFFFF])
def test_sizes_that_lie_are_refused(refused, size):
    lie = struct.pack("<L", size)
    data = patched(wheel_of(TREE), b"roman/data.json", 24, lie, local=22)
    refused(data, "other bytes than the archive declares|larger than")


def test_a_wrong_checksum_is_refused(refused):
    data = patched(wheel_of(TREE), b"roman/data.json", 16, b"\1\2\3\4", local=14)
    refused(data, "other bytes than the archive declares")


@pytest.mark.parametrize("packed", [0, 1, 5, 1 << 20, 0xFFFFFFFF])
def test_packed_sizes_that_lie_are_refused(refused, packed):
    lie = struct.pack("<L", packed)
    data = patched(wheel_of(TREE), b"roman/data.json", 20, lie, local=18)
    refused(data, "overlap|reaches into|other bytes|damaged")


def test_members_that_overlap_are_refused(refused):
    data = wheel_of(TREE)
    first = patched(data, b"roman/py.typed", 42, struct.pack("<L", 0))
    refused(first, "not where the directory says|overlap")
    # Two entries with one name and one place: a quoted-overlap bomb in small.
    bomb = repeating(("a.py", b"1" * 99), ("a.py", b"1" * 99))
    ends = [bomb.rindex(b"PK\1\2", 0, bomb.rindex(b"PK\1\2")), bomb.rindex(b"PK\1\2")]
    bomb = bytearray(bomb)
    bomb[ends[1] + 42 : ends[1] + 46] = bomb[ends[0] + 42 : ends[0] + 46]
    refused(bytes(bomb), "two members overlap")


def test_bytes_before_and_after_are_refused(refused):
    data = wheel_of(TREE)
    refused(data + b"x", "data after its end record")
    refused(data + data, "its directory is not where it should be")
    refused(data[:4] + data, "directory is not where it should be")


def test_another_number_of_members_is_refused(refused):
    data = bytearray(wheel_of(TREE))
    for count in (0, 4, 6, 0xFFFF):
        data[-14:-10] = struct.pack("<HH", count, count)
        refused(bytes(data), "number of members|cut short|too many members")


def test_a_wheel_cut_anywhere_is_refused(refused):
    data = wheel_of(TREE)
    for end in range(len(data)):
        refused(data[:end], "cut short|accepted only|expected a folder|not a plain zip")


@pytest.mark.parametrize(
    ("caps", "why"),
    [
        ({"files": 2}, "more than 2 files"),
        ({"total_bytes": 40}, "more than 40 bytes in all"),
        ({"file_bytes": 30}, "larger than 30 bytes"),
        ({"depth": 1}, "more than 1 names deep"),
        ({"path_bytes": 16}, "longer than 16 bytes"),
        ({"archive_bytes": 500}, "larger than 500 bytes"),
    ],
)
def test_caps_hold_for_wheels(refused, caps, why):
    refused(wheel_of(TREE), why, **caps)


def test_members_of_all_kinds_are_capped(refused):
    refused(
        wheel_of({f".git/{n}": b"" for n in range(40)}), "too many members", files=2
    )


def test_h08_a_bomb_is_inflated_no_further_than_declared(refused):
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = (
        b"".join(squeeze.compress(bytes(1 << 20)) for _ in range(100)) + squeeze.flush()
    )
    # The stored bytes are a deflate stream of 100 MiB; declare them so.
    data = zip_of({**RECORDS, "big.py": body}, zipfile.ZIP_STORED)
    data = patched(data, b"big.py", 10, struct.pack("<H", 8), local=8)
    data = patched(data, b"big.py", 24, struct.pack("<L", 1000), local=22)
    tracemalloc.start()
    refused(data, "other bytes than the archive declares")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 << 20
