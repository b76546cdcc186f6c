"""Thousands of hostile archives: each is refused with an IntakeError, or is harmless."""

import gzip
import os
import re
import struct
import tarfile
import time
import tracemalloc
import zipfile
from collections import Counter
from contextlib import contextmanager
from random import Random

import pytest

from shipbar.errors import IntakeError
from shipbar.grading.intake import Caps, take_in
from tests.grading.packing import (
    COMPRESSORS,
    METADATA,
    TREE,
    member,
    tar,
    tar_of,
    wheel_of,
    zip_of,
)

CAPS = Caps(
    files=40,
    total_bytes=100_000,
    file_bytes=50_000,
    depth=6,
    path_bytes=100,
    archive_bytes=200_000,
    stream_bytes=400_000,
)
NAMES = [
    "a.py", "roman/__init__.py", "roman/x.py", "roman", "/etc/passwd", "../../x", "a/../b",
    "C:\\x", "a\\b", "a\nb", "", ".", "./", "..", "x/" * 9, "n" * 300, "\u202e.py", "\u00e9",
    "e\u0301", "a.so", ".git/config", "__pycache__/x.pyc", "r-1.dist-info/METADATA",
    "r-1.data/purelib/a.py", "r-1.data/scripts/x", "pyproject.toml", "setup.cfg", "PKG-INFO",
]  # fmt: skip
BODIES = [
    b"", b"x = 1\n", bytes(3000), b"\x7fELF", b"PK\3\4", b"[project]\ndependencies=['a']",
    b"[[[[", b"[options]\ninstall_requires=a", b"Requires-Dist: a\n\n", gzip.compress(bytes(9**6)),
]  # fmt: skip
KINDS = [tarfile.REGTYPE, b"\0", *(bytes([kind]) for kind in b"1123455567LKxgSVMD?")]
NUMBERS = [0, 1, 5, 511, 512, 513, 70_000, 2**31, 2**32 - 1, 2**33, 2**62]
PAX = ["path", "linkpath", "size", "comment", "GNU.sparse.major", "hdrcharset"]


# -- makers: each returns the bytes of one hostile archive ---------------------------


def strange_tar(rng):
    """Make a tar of members that no archiver would write."""
    members = []
    for _ in range(rng.randrange(1, 12)):
        data = rng.choice(BODIES)
        info, _ = member(rng.choice(NAMES), data)
        info.type = rng.choice(KINDS) if rng.random() < 0.5 else tarfile.REGTYPE
        info.linkname = rng.choice(NAMES)
        if rng.random() < 0.2:
            value = rng.choice(NAMES + [str(n) for n in NUMBERS]).replace("\0", "")
            info.pax_headers = {rng.choice(PAX): value}
        members.append((info, data))
    dialect = rng.choice([tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
    return tar(*members, dialect=dialect)


def patched_tar(rng):
    """Overwrite header fields of a tar, and repair the checksum behind them."""
    data = bytearray(rng.choice([strange_tar(rng), tar_of(TREE)]))
    for _ in range(rng.randrange(1, 4)):
        block = rng.randrange(len(data) // 512) * 512
        start, end = rng.choice(
            [(0, 100), (124, 136), (156, 157), (157, 257), (257, 265), (345, 500)]
        )
        patch = rng.choice(
            [
                rng.randbytes(end - start),
                b"\xff" * 12,
                b"\x80" + b"\xff" * 11,
                b"7" * 12,
                b"\0" * 12,
            ]
        )[: end - start]
        data[block + start : block + start + len(patch)] = patch
        head = data[block : block + 512]
        total = sum(head[:148]) + 8 * 32 + sum(head[156:])
        data[block + 148 : block + 156] = b"%06o\0 " % total
    return bytes(data)


def chained_tar(rng):
    """Make chains and rings of links."""
    count = rng.randrange(2, 60)
    kind = rng.choice([tarfile.SYMTYPE, tarfile.LNKTYPE])
    start = [member("l0", rng.choice(BODIES))] if rng.random() < 0.7 else []
    step = rng.choice([-1, -1, 1, 0])
    links = [
        member(f"l{n}", type=kind, linkname=f"l{n + step}") for n in range(1, count)
    ]
    return tar(*start, *links)


def pax_bomb(rng):
    """Make headers that are long, many, or disagree with each other."""
    record = rng.choice(
        [
            b"99999999 path=x\n",
            b"9 path=x\n" * 50,
            b"11 size=999\n",
            b"1" * 9000,
            b" " * 600,
        ]
    )
    heads = [member("h", record, type=rng.choice([b"x", b"g", b"L", b"K"]))]
    return tar(*heads * rng.randrange(1, 12), member("a.py", b"x"))


def bomb(rng):
    """Make much out of little, and pack it once more or not."""
    data = tar_of(
        {"a.py": b"", "z" * rng.randrange(1, 40): bytes(rng.choice([10**4, 10**6]))}
    )
    data += bytes(rng.choice([0, 10**6]))
    for _ in range(rng.randrange(1, 3)):
        data = COMPRESSORS[rng.choice(["gzip", "bzip2", "xz"])](data)
    return data * rng.choice([1, 1, 2])


def strange_zip(rng):
    """Make a wheel of members that no builder would write."""
    files: list[tuple[str | zipfile.ZipInfo, bytes]]
    files = [("r-1.dist-info/METADATA", METADATA)] if rng.random() < 0.8 else []
    for _ in range(rng.randrange(1, 10)):
        info = zipfile.ZipInfo(rng.choice([*NAMES, "x"]) or "y")
        info.create_system = 3
        mode = rng.choice([0, 0o100644, 0o100644, 0o120777, 0o010644, 0o040755])
        info.external_attr = mode << 16
        files.append((info, rng.choice(BODIES)))
    return zip_of(files, rng.choice([0, 8, 8, 8, 12, 14]))


def patched_zip(rng):
    """Overwrite fields of a wheel's local headers, directory or end record."""
    data = bytearray(rng.choice([wheel_of(TREE), strange_zip(rng)]))
    for _ in range(rng.randrange(1, 4)):
        sign = rng.choice([b"PK\1\2", b"PK\1\2", b"PK\3\4", b"PK\5\6"])
        places = [n for n in range(len(data)) if data.startswith(sign, n)]
        if not places:
            break
        at = rng.choice(places) + rng.randrange(4, 44, 2)
        value = rng.choice([*NUMBERS, rng.randrange(len(data))]) & 0xFFFFFFFF
        patch = struct.pack("<L", value)[: rng.choice([2, 4])]
        data[at : at + len(patch)] = patch[: max(0, len(data) - at)]
    return bytes(data)


def damaged(rng):
    """Damage the bytes of any archive: flip, cut, repeat, splice, insert."""
    other = rng.choice([tar_of(TREE), wheel_of(TREE)])
    data = bytearray(rng.choice([strange_tar, strange_zip, bomb, lambda _: other])(rng))
    if rng.random() < 0.4:
        data = bytearray(COMPRESSORS[rng.choice(list(COMPRESSORS))](bytes(data)))
    at = rng.randrange(len(data))
    match rng.randrange(5):
        case 0:
            for _ in range(rng.randrange(1, 20)):
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        case 1:
            del data[at:]
        case 2:
            data[at:at] = data[at : at + 600]
        case 3:
            data[at:] = other[at:]
        case _:
            data[at:at] = rng.randbytes(rng.randrange(1, 600))
    return bytes(data)


MAKERS = [
    strange_tar, patched_tar, chained_tar, pax_bomb, bomb, strange_zip, patched_zip, damaged,
]  # fmt: skip
PLAIN = {strange_tar, patched_tar, chained_tar, pax_bomb}
FORBIDDEN = [
    "mkdir", "makedirs", "link", "symlink", "mkfifo", "mknod", "rename", "replace", "unlink",
    "remove", "chmod", "system", "execv", "fork", "posix_spawn", "write",
]  # fmt: skip
ROUNDS = 320  # of each maker: 2,560 archives


@contextmanager
def hands_off():
    """Let nothing be written, linked, run or opened by the ways that could."""
    open_it = os.open

    def reading(path, flags, *args, **kwargs):
        assert not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        return open_it(path, flags, *args, **kwargs)

    def never(*args, **kwargs):
        raise AssertionError(f"intake must not do this: {args}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "open", reading)
        for name in FORBIDDEN:
            patch.setattr(os, name, never)
        yield


def check(taken):
    """Hold what came in to what was promised of it."""
    assert 0 < len(taken.files) <= CAPS.files
    assert sum(map(len, taken.files.values())) <= CAPS.total_bytes
    assert list(taken.files) == sorted(taken.files)
    for path, data in taken.files.items():
        parts = path.split("/")
        assert len(parts) <= CAPS.depth
        assert len(path.encode()) <= CAPS.path_bytes
        assert not {"", ".", "..", ".git", "__pycache__"} & set(parts)
        assert "\\" not in path
        assert not any(ord(letter) < 32 for letter in path)
        assert not path.endswith((".so", ".pyc"))
        assert not data.startswith((b"\x7fELF", b"PK\3\4"))


def corpus_of(maker, rounds):
    """Make the same archives every time; half of the tars are compressed."""
    rng = Random(f"intake {maker.__name__}")
    for _ in range(rounds):
        data = maker(rng)
        if maker in PLAIN and rng.random() < 0.5:
            data = COMPRESSORS[rng.choice(list(COMPRESSORS))](data)
        yield data


def outcome(path):
    """Take in, and say how it ended: the reason, or `taken`."""
    try:
        check(take_in(path, caps=CAPS))
    except IntakeError as error:
        text = str(error)
    else:
        return "taken"
    assert text.isprintable()
    assert len(text) < 600
    return re.sub(r"[0-9]+|'.*'|\".*\"", "_", text)


def storm(maker, rounds, path):
    """Hold every archive of a maker to the promises; return the outcomes."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    seen: Counter[str] = Counter()
    for data in list(corpus_of(maker, rounds)):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, data, 0)
        with hands_off():
            tracemalloc.start()
            began = time.process_time()
            seen[outcome(path)] += 1
            took = time.process_time() - began
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        assert took < 2.0
        assert peak < 12 * 1024 * 1024  # xz's usual dictionary is 8
    os.close(descriptor)
    assert [found.name for found in path.parent.iterdir()] == [path.name]
    return seen


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_hostile_archives_are_refused_or_harmless(maker, tmp_path):
    seen = storm(maker, 40, tmp_path / "submission")
    assert seen.total() == 40


@pytest.mark.slow
@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_thousands_of_hostile_archives(maker, tmp_path):
    seen = storm(maker, ROUNDS, tmp_path / "submission")
    assert seen.total() == ROUNDS
    # A maker whose archives all end the same way has stopped reaching anything.
    assert len(seen) >= 4, seen


def test_the_corpus_is_large_and_the_same_every_time():
    assert len(MAKERS) * ROUNDS >= 2000
    for maker in MAKERS:
        assert [maker(Random(7)) for _ in range(3)] == [maker(Random(7))] * 3
