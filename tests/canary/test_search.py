"""A canary is found however the stream is cut and however it was written."""

import json
import random

import pytest

from shipbar.canary.known import Owner, known_of
from shipbar.canary.search import PIECE, Hit, Searcher
from tests.canary.samples import CANARY, UUID, escaped


def search(pieces, needles=None, **options):
    hits: list[Hit] = []
    searcher = Searcher(needles or {}, hits.append, **options)
    for piece in pieces:
        searcher.feed(piece)
    searcher.finish()
    return hits


def one(data: bytes):
    (hit,) = search([data])
    return hit


@pytest.mark.parametrize("text", [CANARY, UUID])
def test_a_canary_is_found_where_it_stands(text):
    hit = one(f"one\ntwo\nand {text}.\n".encode())
    assert (hit.canary, hit.line, hit.offset, hit.exact) == (text, 3, 12, True)


@pytest.mark.parametrize("size", [1, 7, 4096, 300_001])
def test_each_is_told_once_however_the_stream_is_cut(size):
    chance = random.Random(size)
    data, places = bytearray(), []
    total = 3 * PIECE if size > 1000 else 20_000
    while len(data) < total:
        data += b"word\n" * chance.randrange(1, total // 50)
        places.append(len(data))
        data += CANARY.encode()
    hits = search(data[at : at + size] for at in range(0, len(data), size))
    assert [hit.offset for hit in hits] == places
    assert [hit.line for hit in hits] == [
        data.count(b"\n", 0, place) + 1 for place in places
    ]


@pytest.mark.parametrize("shift", range(-60, 61, 4))
def test_one_across_the_border_of_a_piece_is_found_once(shift):
    place = PIECE + shift
    data = b"x" * (place - 1) + b" " + CANARY.encode() + b" " * 100
    hits = search([data[:PIECE], data[PIECE:]])
    assert [hit.offset for hit in hits] == [place]


DISGUISES = {
    "upper case": CANARY.upper(),
    "title": CANARY.title(),
    "first letter escaped": "\\u0073" + CANARY[1:],
    "all escaped": escaped(CANARY),
    "capitals escaped": escaped(CANARY.upper()),
    "escaped twice": json.dumps(json.dumps(escaped(CANARY))),
    "one letter a word": CANARY.replace("i", "\\u0069").replace("a", "\\u0061"),
    "hyphens escaped": CANARY.replace("-", "\\u002D"),
    "digits escaped": CANARY[:15] + escaped(CANARY[15:]),
    "broken at a hyphen": CANARY.replace("-c", "-\n    c"),
    "broken in the digits": CANARY[:24] + "\r\n" + CANARY[24:],
    "broken in the word": CANARY[:10] + "\n" + CANARY[10:],
    "quoted-printable": CANARY[:30] + "=\n" + CANARY[30:],
    "line break in JSON": json.dumps(CANARY[:30] + "\n" + CANARY[30:]),
    "soft hyphen": CANARY[:20] + "\u00ad" + CANARY[20:],
    "no width": "shipbar\u200b-\u200bcanary-" + "\u200b".join(CANARY[15:]),
    "no width in JSON": json.dumps(CANARY[:9] + "\u200b" + CANARY[9:]),
    "typographer's hyphens": CANARY.replace("-", "\u2011"),
    "underlines": CANARY.replace("-", "_"),
}


@pytest.mark.parametrize("name", DISGUISES)
def test_it_is_found_in_disguise_and_told_as_its_maker_wrote_it(name):
    hit = one(f"before {DISGUISES[name]} after".encode())
    assert hit.canary == CANARY
    assert not hit.exact


@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_it_is_found_in_utf_16(coding):
    assert one(f"a text with {UUID} in it".encode(coding)).canary == UUID


@pytest.mark.parametrize(
    "text",
    [
        CANARY[:-1] + " and more",
        CANARY[:-1] + "g",
        "shipbar-canary- and " + CANARY[15:],
        "shipbar canaries sing",
        "from shipbar.canary import scan",
        escaped("shipbar-canary-") + "xyz",
        "\\u0073" * 5000,
        "\\" * 5000,
        "shipbar" * 5000,
    ],
)
def test_what_is_none_is_not_told(text):
    assert search([text.encode()]) == []


def test_two_side_by_side_are_two():
    hits = search([(CANARY + UUID).encode()])
    assert [hit.canary for hit in hits] == [CANARY, UUID]


def test_a_canary_of_another_form_is_found_where_its_task_is_named():
    text = "Wörter, die sonst nirgends stehen 𝄞"
    known = known_of([(text, Owner(task_id="own"))])
    data = f"{text}\n{json.dumps(text)}\n{json.dumps(text).upper()}".encode()
    hits = search([data], known.needles())
    assert [(hit.canary, hit.line) for hit in hits] == [(text, n) for n in (1, 2, 3)]
    assert [hit.exact for hit in hits] == [True, False, False]
    assert search([data]) == []


def test_many_in_one_piece_take_a_moment():
    hits = search([(CANARY + "\n").encode() * 20_000])
    assert len(hits) == 20_000
    assert hits[-1].line == 20_000


def test_nothing_reaches_across_a_hole():
    hits: list[Hit] = []
    searcher = Searcher({}, hits.append)
    searcher.feed(CANARY[:20].encode())
    searcher.skip_to(1 << 40)
    searcher.feed(f"{CANARY[20:]} {CANARY}".encode())
    searcher.finish()
    assert [hit.offset for hit in hits] == [(1 << 40) + len(CANARY) - 20 + 1]
