"""The labelled corpus: what is pinned, and what of an archive is the library."""

import hashlib
import io
import tarfile
import tomllib

import pytest

from bench import corpus
from shipbar.errors import SeamError

TABLE = tomllib.loads(corpus.PINS.read_text("utf-8"))


def test_the_corpus_is_as_large_as_promised():
    python = TABLE["python"]
    groups = [it["group"] for it in python if it["group"] != corpus.OTHERS]
    assert len(set(groups)) >= 20
    assert len(python) - len(set(groups)) >= 40
    assert len(TABLE["javascript"]) >= 30


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_every_pin_is_whole_and_there_once(language):
    names = [it["name"] for it in TABLE[language]]
    assert len(set(names)) == len(names)
    for it in TABLE[language]:
        pin = corpus.Pinned(**it)
        assert len(pin.sha256) == 64, pin.name
        assert pin.size > 0
        assert "/" not in pin.file


def test_another_file_than_the_pinned_one_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("SHIPBAR_CACHE", str(tmp_path))
    folder = tmp_path / "upstream"
    folder.mkdir()
    (folder / "a.whl").write_bytes(b"other")
    pin = corpus.Pinned(
        group="g",
        name="a",
        version="1",
        file="a.whl",
        size=5,
        sha256=hashlib.sha256(b"right").hexdigest(),
    )
    with pytest.raises(SeamError, match=r"a\.whl: expected 5 bytes"):
        corpus._from_index(pin)


def test_tests_setup_and_tables_are_no_part_of_a_library():
    texts = {
        "src/lib/core.py": "def f():\n    return 1\n",
        "src/lib/table.py": "A = {1: 2}\n",
        "src/lib/old.py": "print 'x'\n",
        "src/lib/_vendor/six.py": "def g(): ...\n",
        "tests/test_core.py": "def test(): ...\n",
        "setup.py": "def h(): ...\n",
    }
    assert corpus._python(texts) == {"lib/core.py": texts["src/lib/core.py"]}


def test_one_build_of_a_script_is_taken():
    text = "function f() { return 1; }\n" * 60
    texts = {
        "index.js": text,
        "index.mjs": text,
        "dist/index.js": text,
        "dist/index.min.js": text,
        "test/index.js": text,
    }
    assert list(corpus._javascript(texts)) == ["index.js"]


def test_archives_are_opened_and_not_run(tmp_path):
    data = b"raise SystemExit('run')\n"
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        info = tarfile.TarInfo("a-1/setup.py")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    assert corpus._members(tmp_path / "a.tar.gz") == {"setup.py": data.decode()}
