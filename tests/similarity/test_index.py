"""An index says what it is, gives back what went in, and refuses what another version made."""

import json
import subprocess
import sys

import pytest

from shipbar.errors import UserError
from shipbar.similarity import Index, compare, digest_of, parse_index, render_index
from shipbar.similarity.base import Base
from shipbar.similarity.index import read_index
from tests.similarity.samples import LIBRARY, OTHER, printed

SOURCE = printed(LIBRARY, "library.py", as_source=True)
INDEX = Index(
    sources=(SOURCE,), base=Base(grams=printed(OTHER).grams, learned=("other",))
)


def test_a_comparison_with_an_index_is_the_same_as_with_the_source(tmp_path):
    path = tmp_path / "index.json"
    path.write_bytes(render_index(INDEX))
    found = read_index(path)
    assert found.base == INDEX.base
    candidate = printed(LIBRARY)
    assert compare(candidate, found.sources[0], found.base) == compare(
        candidate, SOURCE, INDEX.base
    )


@pytest.mark.parametrize(
    "change",
    [{"metric": 0}, {"format": 99}, {"grammars": {"tree-sitter": "0.0"}}],
    ids=["metric", "format", "grammars"],
)
def test_what_another_version_made_is_refused(change):
    record = json.loads(render_index(INDEX)) | change
    with pytest.raises(UserError, match="make it anew"):
        parse_index(json.dumps(record).encode(), "index.json")


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff", b'{"format": 1}'])
def test_what_is_no_index_is_refused(data):
    with pytest.raises(UserError, match="index"):
        parse_index(data, "index.json")


def test_a_set_that_was_cut_short_is_refused():
    record = json.loads(render_index(INDEX))
    record["sources"][0]["grams"] = "AAAA"
    with pytest.raises(UserError, match="damaged"):
        parse_index(json.dumps(record).encode(), "index.json")


def test_a_missing_index_is_told(tmp_path):
    with pytest.raises(UserError, match="cannot read"):
        read_index(tmp_path / "none")


@pytest.mark.slow
def test_the_bytes_do_not_hang_on_the_hash_seed():
    program = (
        "from tests.similarity.test_index import INDEX\n"
        "from shipbar.similarity import digest_of, render_index\n"
        "print(digest_of(render_index(INDEX)))"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
            timeout=50,
        ).stdout.strip()
        for seed in ("0", "1")
    }
    assert digests == {digest_of(render_index(INDEX))}
