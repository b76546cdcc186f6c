"""Canaries inside compressed data, archives, and archives in archives."""

import bz2
import gzip
import io
import lzma
import random
import struct
import tarfile
import zipfile
import zlib

import pytest
import zstandard

from shipbar.canary import Bounds
from tests.canary.samples import (
    CANARY,
    LINE,
    UUID,
    canaries,
    found,
    looked,
    tarred,
    zipped,
)

PACKERS = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zlib": zlib.compress,
    "zstd": zstandard.ZstdCompressor(write_checksum=True).compress,
}
SMALL = Bounds(least=1 << 20, times=1)


def save(folder, data, name="data"):
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_compressed_text_is_read_with_lines_and_offsets(tmp_path, pack):
    text = b"one\n" * 100_000 + LINE
    (it,) = found(save(tmp_path, pack(text)))
    assert (it.canary, it.line, it.offset) == (CANARY, 100_001, 400_007)
    assert it.member == ""


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_streams_in_a_row_are_one_text(tmp_path, pack):
    data = pack(LINE[:30]) + pack(LINE[30:]) + bytes(100) + pack(LINE)
    assert canaries(save(tmp_path, data)) == [CANARY, CANARY]


def test_ten_thousand_streams_in_a_row_take_a_moment(tmp_path):
    data = gzip.compress(b"") * 10_000 + gzip.compress(LINE)
    assert canaries(save(tmp_path, data)) == [CANARY]


@pytest.mark.parametrize(
    "form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT]
)
@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_names_its_member(tmp_path, mode, form):
    name = "long/" * 18 + "rows.jsonl"
    data = tarred({"empty": b"", "a.txt": b"x" * 513, name: b"\n" + LINE}, mode, form)
    (it,) = found(save(tmp_path, data))
    assert (it.member, it.line, it.offset) == (name, 2, 8)
    assert it.where == f"{tmp_path}/data!{name}"


def test_a_tar_s_names_links_and_headers_are_looked_at(tmp_path):
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as tar:
        tar.addfile(tarfile.TarInfo(f"{CANARY}.txt"))
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, UUID
        tar.addfile(link)
        said = tarfile.TarInfo("said")
        said.pax_headers = {"comment": CANARY}
        tar.addfile(said)
        device = tarfile.TarInfo("device")
        device.type = tarfile.CHRTYPE
        tar.addfile(device)
    got = [
        (it.member, it.canary, it.line, it.offset)
        for it in found(save(tmp_path, held.getvalue()))
    ]
    assert got == [
        (f"{CANARY}.txt", CANARY, 0, -1),
        ("link", UUID, 0, -1),
        ("said", CANARY, 0, -1),
    ]


def test_tars_that_follow_each_other_are_all_read(tmp_path):
    data = tarred({"a": b"nothing"}) + tarred({"b": LINE})
    assert [it.member for it in found(save(tmp_path, data))] == ["b"]


def test_a_sparse_member_is_read(tmp_path):
    # The old form of GNU's tar: a header, one block more of its map, then the data.
    tar = tarfile.TarInfo("sparse")
    tar.type, tar.size = tarfile.GNUTYPE_SPARSE, 512
    head = bytearray(tar.tobuf(tarfile.GNU_FORMAT))
    head[482] = 1
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    data = bytes(head) + bytes(512) + LINE.ljust(512, b"\0") + tarred({"b": LINE})
    assert [it.member for it in found(save(tmp_path, data))] == ["sparse", "b"]


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2]
)
def test_a_zip_names_its_member(tmp_path, method):
    data = zipped({"empty": b"", "pkg/a.py": b"#\n" + LINE, "b": UUID.encode()}, method)
    got = [(it.member, it.line, it.canary) for it in found(save(tmp_path, data))]
    assert got == [("pkg/a.py", 2, CANARY), ("b", 1, UUID)]


def test_a_zip_with_much_in_its_directory_is_read(tmp_path):
    files = {f"{number:04}{'x' * 200}": b"" for number in range(1000)}
    data = zipped({**files, "last": LINE})
    assert [it.member for it in found(save(tmp_path, data))] == ["last"]


def test_a_zip_of_64_bits_is_read(tmp_path):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        with archive.open("wide", "w", force_zip64=True) as member:
            member.write(LINE)
        archive.writestr("next", LINE)
    data = held.getvalue()
    end = len(data) - 22
    count, size, start = struct.unpack_from("<HII", data, end + 10)
    # The second entry's place moves to the extra field, the directory's to the long end.
    last = data.rindex(b"PK\1\2")
    entry = bytearray(data[last:end])
    extra = struct.pack("<HHQ", 1, 8, *struct.unpack_from("<I", entry, 42))
    entry[42:46], entry[30:32] = b"\xff" * 4, struct.pack("<H", len(extra))
    size += len(extra)
    wide = struct.pack(
        "<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, start
    )
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, start + size, 1)
    tail = struct.pack("<4s4H2IH", b"PK\5\6", *[0xFFFF] * 4, *[0xFFFFFFFF] * 2, 0)
    data = data[:last] + bytes(entry) + extra + wide + locator + tail
    assert zipfile.ZipFile(io.BytesIO(data)).read("next") == LINE
    assert [it.member for it in found(save(tmp_path, data))] == ["wide", "next"]


def test_a_program_in_front_of_a_zip_hides_nothing(tmp_path):
    data = b"#!/usr/bin/env python\n" + LINE + zipped({"__main__.py": LINE})
    assert [it.member for it in found(save(tmp_path, data))] == ["", "__main__.py"]


def test_archives_in_archives_are_read_and_named(tmp_path):
    data = LINE
    for depth in range(4):
        files = {f"{depth}": data}
        data = zipped(files) if depth % 2 else tarred(files)
        data = zlib.compress(data) if depth == 1 else data
    (it,) = found(save(tmp_path, data))
    assert it.member == "3!2!1!0"


def test_what_is_packed_too_deep_is_named(tmp_path):
    data = LINE
    for _ in range(9):
        data = gzip.compress(data)
    result = looked(save(tmp_path, data))
    assert result.found == ()
    assert ["packed over 8 deep" in it.why for it in result.unread] == [True]


# -- bombs -------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_a_bomb_ends_at_its_bound_and_what_came_before_counts(tmp_path, pack):
    data = pack(LINE + bytes(1 << 24))
    result = looked(save(tmp_path, data), bounds=SMALL)
    assert [it.canary for it in result.found] == [CANARY]
    assert ["unpacks to over 1048576 bytes" in it.why for it in result.unread] == [True]


def test_a_zip_whose_entries_share_their_data_ends_at_its_bound(tmp_path):
    data = zipped({"a": bytes(1 << 19)})
    start = data.rindex(b"PK\1\2")
    end = data.rindex(b"PK\5\6")
    many = data[start:end] * 1000
    tail = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 1000, 1000, len(many), start, 0)
    result = looked(save(tmp_path, data[:start] + many + tail), bounds=SMALL)
    assert ["unpacks to over" in it.why for it in result.unread] == [True]


def test_a_bomb_of_bombs_ends_at_its_bound(tmp_path):
    data = zipped(
        {str(n): zipped({str(m): bytes(1 << 18) for m in range(9)}) for n in range(9)}
    )
    result = looked(save(tmp_path, data), bounds=SMALL)
    assert ["unpacks to over" in it.why for it in result.unread] == [True]


def test_a_decoder_that_asks_for_too_much_memory_is_named(tmp_path):
    data = lzma.compress(
        LINE,
        filters=[
            {
                "id": lzma.FILTER_LZMA2,
                "dict_size": 96 << 20,
                "mf": lzma.MF_HC3,
                "mode": lzma.MODE_FAST,
            }
        ],
    )
    result = looked(save(tmp_path, data))
    assert ["Memory usage limit" in it.why for it in result.unread] == [True]


def test_a_zstd_frame_that_unpacks_to_much_is_bounded(tmp_path):
    result = looked(save(tmp_path, zstandard.compress(bytes(1 << 24))), bounds=SMALL)
    assert ["unpacks to over" in it.why for it in result.unread] == [True]


def test_a_zstd_frame_that_asks_for_too_much_memory_is_named(tmp_path):
    wide = zstandard.ZstdCompressionParameters(window_log=28, enable_ldm=True)
    packer = zstandard.ZstdCompressor(compression_params=wide).compressobj()
    data = packer.compress(LINE * 1000) + packer.flush()
    result = looked(save(tmp_path, data))
    assert [it.why for it in result.unread if "too much memory" in it.why] != []


# -- what cannot be read -----------------------------------------------------------------


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_damaged_and_cut_data_are_named_and_the_rest_counts(tmp_path, pack):
    noise = random.Random(1).randbytes(400_000)
    # bzip2 gives out whole blocks, and these are its smallest.
    whole = (
        bz2.compress(LINE + noise, 1) if pack is bz2.compress else pack(LINE + noise)
    )
    broken = bytearray(whole)
    broken[-3000:-2000] = bytes(1000)
    for data, says in ((bytes(broken), "damaged"), (whole[:-100], "early")):
        result = looked(save(tmp_path, data))
        assert [it.canary for it in result.found] == [CANARY]
        assert len(result.unread) == 1
        assert says in result.unread[0].why


def test_a_damaged_member_is_named_and_the_others_count(tmp_path):
    data = tarred({"a.gz": gzip.compress(LINE)[:-9], "b": LINE})
    result = looked(save(tmp_path, data))
    assert [it.member for it in result.found] == ["a.gz", "b"]
    assert [it.path for it in result.unread] == [f"{tmp_path}/data!a.gz"]


def test_an_encrypted_a_mislabelled_and_an_unknown_entry_are_named(tmp_path):
    data = bytearray(zipped(dict.fromkeys("abcd", LINE)))
    places = [at for at in range(len(data)) if data.startswith(b"PK\1\2", at)]
    data[places[0] + 8] |= 1
    data[places[1] + 10] = 93
    data[places[2] + 16] ^= 1
    result = looked(save(tmp_path, bytes(data)))
    assert [it.member for it in result.found] == ["c", "d"]
    assert [(it.path[-1], it.why.partition(";")[0]) for it in result.unread] == [
        ("a", "it is encrypted"),
        ("b", "it is packed by Zstandard"),
        ("c", "its content is not what its checksum says"),
    ]


@pytest.mark.parametrize("cut", [30, 100, 400])
def test_a_part_of_a_zip_is_named(tmp_path, cut):
    data = zipped({str(number): LINE for number in range(9)})
    result = looked(save(tmp_path, data[:-cut]))
    assert ["damaged, or only a part" in it.why for it in result.unread] == [True]


def test_a_tar_with_something_else_behind_it_is_named(tmp_path):
    result = looked(save(tmp_path, tarred({"a": LINE}) + b"x" * 512))
    assert len(result.found) == 1
    assert ["comes after the tar's end" in it.why for it in result.unread] == [True]


def test_a_tar_whose_header_claims_gigabytes_costs_none(tmp_path):
    head = tarfile.TarInfo("h")
    head.type, head.size = tarfile.XHDTYPE, 1 << 34
    result = looked(save(tmp_path, head.tobuf(tarfile.GNU_FORMAT) + bytes(512)))
    assert ["extension header" in it.why for it in result.unread] == [True]


OPAQUE = {
    "Parquet": b"PAR1",
    "7-Zip": b"7z\xbc\xaf\x27\x1c",
    "PDF": b"%PDF-1.7\n",
    "a pack of git's": b"PACK\0\0\0\2",
}


@pytest.mark.parametrize("name", OPAQUE)
def test_what_cannot_be_taken_apart_is_searched_by_bytes_and_named(tmp_path, name):
    data = OPAQUE[name] + b"\0\1" + LINE
    for held, member in ((data, ""), (tarred({"in": data}), "!in")):
        result = looked(save(tmp_path, held))
        assert [it.canary for it in result.found] == [CANARY]
        (unread,) = result.unread
        assert unread.path == f"{tmp_path}/data{member}"
        assert unread.why.startswith(f"{name}: searched by its bytes")


@pytest.mark.parametrize(
    "text", [b"x^2 + y\n", b"BZh\n", b"PK\n", b"x\x9c is no stream"]
)
def test_text_that_begins_like_something_packed_is_text(tmp_path, text):
    assert canaries(save(tmp_path, text + LINE)) == [CANARY]


@pytest.mark.parametrize("seed", range(60))
def test_whatever_is_changed_in_an_archive_ends_in_words(tmp_path, seed):
    chance = random.Random(seed)
    makers = (
        lambda: zipped({"a": LINE, "b": tarred({"c": LINE})}),
        lambda: tarred({"a": LINE, "z": zipped({"b": LINE})}, "w:gz"),
        lambda: tarred({"a": LINE, "z": zipped({"b": LINE})}),
    )
    data = bytearray(makers[seed % 3]())
    for _ in range(chance.randrange(1, 20)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    result = looked(
        save(
            tmp_path,
            bytes(data[: chance.choice([len(data), chance.randrange(len(data))])]),
        ),
        bounds=SMALL,
    )
    assert all(it.why for it in result.unread)
    assert {it.canary[:15] for it in result.found} <= {"shipbar-canary-"}
