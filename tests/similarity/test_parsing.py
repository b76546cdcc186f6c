"""No text takes more time or memory than it may, whatever a grammar makes of it."""

import resource
import time

import pytest

from shipbar.similarity import fingerprint, package_of
from shipbar.similarity.confined import confined
from shipbar.similarity.languages import BY_SUFFIX
from shipbar.similarity.parsing import MOST_PARSED, MOST_STEPS, Room, read_files
from shipbar.similarity.reading import MOST_BYTES, SourceFile

SECONDS = 8.0
"""Of the processor, for what takes one or two here: far from what it would take unbounded."""
MIB = 600

HOSTILE = {
    "rounds": (".py", b"not as ", MOST_PARSED),
    "brackets": (".py", b"x=[", MOST_PARSED),
    "parentheses": (".py", b"(", MOST_PARSED),
    "format": (".py", b'f"{', MOST_PARSED),
    "assignments": (".py", b"x += ", MOST_PARSED),
    "errors": (".py", b"def ) x ( : = ", MOST_PARSED),
    "runs": (".py", b"a" * 39 + b" ", MOST_BYTES),
    "quotes": (".txt2", b'"""', MOST_BYTES),
    "punycode": (".py", b"# coding: punycode\n", 1 << 16),
}
TANGLED = {
    "c-sharp": (".cs", b"a<b<", MOST_PARSED),
    "java": (".java", b"a<b<", MOST_PARSED),
    "typescript": (".ts", b"a<b<", MOST_PARSED),
    "c++": (".cpp", b"template<", MOST_PARSED),
}


def text(piece: bytes, size: int) -> bytes:
    return (piece * (size // len(piece) + 1))[:size]


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "piece", "size"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_bounded_and_named(suffix, piece, size):
    files = {f"a{n}{suffix}": text(piece, size) for n in range(4)}
    start = time.process_time()
    found = fingerprint(package_of(files))
    assert time.process_time() - start < SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < MIB * 1024
    if suffix == ".py" and piece != b"x += ":
        assert len({remark.partition(":")[0] for remark in found.remarks}) == 4


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "piece", "size"), TANGLED.values(), ids=TANGLED)
def test_a_grammar_that_runs_out_of_memory_takes_nobody_with_it(suffix, piece, size):
    start = time.monotonic()
    found = fingerprint(package_of({f"a{suffix}": text(piece, size)}))
    assert time.monotonic() - start < 50
    assert found.remarks
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < MIB * 1024


def test_what_is_too_tangled_is_compared_by_tokens():
    file = SourceFile(
        path="a.py", data=text(b"not as ", 20_000), language=BY_SUFFIX[".py"]
    )
    [found] = read_files([file])
    assert found.tree is None
    assert found.tokens is not None
    assert "too tangled to parse" in found.remark


def test_the_room_is_of_all_files_together():
    room = Room(steps=MOST_STEPS // 2)
    file = SourceFile(
        path="a.py", data=b"x = f(a, [b, c])\n" * 2000, language=BY_SUFFIX[".py"]
    )
    reads = read_files([file] * 9, room=room)
    assert reads[0].tree is not None
    assert reads[-1].tree is None
    room = Room(symbols=100)
    assert [read.cut for read in read_files([file] * 2, room=room)] == [True, True]


def test_many_files_are_cut_where_there_is_no_more_room_and_that_is_told():
    files = {f"a{n:04}.xyz": b"a b ( c . d, " * 300 for n in range(300)}
    found = fingerprint(package_of(files))
    assert 0 < len(found.unread) < 300
    assert sum(map(len, found.token_streams)) <= Room().symbols


def test_the_confined_answer_or_none():
    assert confined(lambda: b"x" * 1_000_000) == b"x" * 1_000_000
    assert confined(lambda: bytes(1 << 40)) is None
    assert confined(lambda: 1 // 0) is None  # type: ignore[arg-type, return-value]  # it dies


@pytest.mark.parametrize("suffix", [".js", ".go", ".cs"])
def test_a_confined_grammar_gives_streams_with_functions(suffix):
    pieces = {
        ".js": "function f(a) { return g(a) + 1; }\n",
        ".go": "package a\nfunc f(a int) int { return g(a) + 1 }\n",
        ".cs": "class A { int F(int a) { return G(a) + 1; } }\n",
    }
    found = fingerprint(package_of({f"a{suffix}": pieces[suffix].encode()}))
    assert [it.name.lower() for it in found.functions] == ["f"]
    assert len(found.streams[0]) > 5
