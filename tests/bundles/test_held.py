import base64
import gzip

import pytest

from shipbar.bundles.held import Held, Secret
from shipbar.gates.fragments import views

SUITE = b"""\
from quovel import Trenbar, fold_quovel

def test_folding_001():
    assert fold_quovel(Trenbar(first=3, second=4, third="west")) == {"sum": 7, "side": "west"}

def test_folding_002():
    assert fold_quovel(Trenbar(first=1, second=9, third="east")) == {"sum": 10, "side": "east"}
"""
COMMON = b"""\
def shared(alpha, beta, gamma, delta):
    return sorted(alpha + beta, key=lambda item: (gamma[item], delta.get(item, 0)))
"""
SPECIFICATION = b"""\
`fold_quovel(Trenbar(first=1, second=1, third="north"))` gives `{"sum": 2, "side": "north"}`,
and that is all there is to say about the package quovel and its function fold_quovel.
"""
SECRET = Secret(
    task_id="held-1",
    files={
        "grader/tests/test_quovel.py": SUITE,
        "grader/common.py": COMMON + b"# own\n",
    },
    specification=SPECIFICATION,
    names=["quovel", "Trenbar", "fold_quovel"],
    canary="shipbar-canary-1234",
)
HELD = Held.of([SECRET], shared=[b"x = 1\n" + COMMON])


@pytest.mark.parametrize(
    "data",
    [
        SUITE,
        b"before\n" + SUITE[60:170] + b"\nafter",
        SUITE.replace(b"\n", b"   \n\n"),
        b"x shipbar-canary-1234 y",
        gzip.compress(SUITE),
        base64.encodebytes(SUITE),
        gzip.compress(base64.b64encode(SUITE)),
        b"prefix/test_quovel.py\n" + SUITE,
        COMMON + b"# own\n",
        b"".join(b"+" + line for line in SUITE.splitlines(keepends=True)[:6]),
    ],
    ids=[
        "whole",
        "part",
        "laid out anew",
        "canary",
        "gzip",
        "base64",
        "both",
        "named",
        "other file",
        "patch",
    ],
)
def test_what_is_held_out_is_found(data):
    assert HELD.found(data, views)


@pytest.mark.parametrize(
    "data",
    [b"", SPECIFICATION, b"from quovel import fold_quovel\n", COMMON, b"\0" * 1000],
    ids=["nothing", "specification", "an import", "what families share", "zeros"],
)
def test_what_is_no_secret_is_not_found(data):
    assert HELD.found(data, views) == []


def test_what_is_found_is_told_with_its_file_and_its_task():
    (said,) = HELD.found(gzip.compress(SUITE), views)
    assert said == "the whole of grader/tests/test_quovel.py of held-1 gzipped"


def test_what_is_in_no_open_task_is_a_piece_also_without_a_name():
    held = Held.of([SECRET])
    (said,) = held.found(b"import this\n" + COMMON, views)
    assert said.startswith("a piece of grader/common.py of held-1: `")
    assert held.found(b"import this\n" + COMMON, views, foreign=True) == []
    assert held.found(b"import this\n" + SUITE, views, foreign=True)


def test_where_nothing_is_closed_nothing_is_held():
    assert not Held.of([])
    assert HELD
