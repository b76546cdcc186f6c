"""A disguised package answers as before, and is changed in the way that its disguise says."""

import ast
import importlib
import re
import sys
from random import Random

import pytest

from bench.disguises import DISGUISES, EXTREME, PARTIAL, vendored
from tests.bench.samples import PACKAGE, answers

ALL = {**DISGUISES, **EXTREME}


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Write a package, import it and ask it; what it loaded is forgotten."""
    monkeypatch.syspath_prepend(tmp_path)

    def asked(files):
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(text)
        try:
            return answers(vars(importlib.import_module("notes")))
        finally:
            for name in [it for it in sys.modules if it.partition(".")[0] == "notes"]:
                del sys.modules[name]

    return asked


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plain")
    for path, text in PACKAGE.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    sys.path.insert(0, str(folder))
    try:
        return answers(vars(importlib.import_module("notes")))
    finally:
        sys.path.remove(str(folder))
        for name in [it for it in sys.modules if it.partition(".")[0] == "notes"]:
            del sys.modules[name]


@pytest.mark.parametrize("name", ALL)
def test_a_disguised_package_answers_as_before(name, ask, expected):
    assert "ValueError: expected one or more, got 0" in expected
    assert ask(ALL[name](PACKAGE, Random(name))) == expected


@pytest.mark.parametrize("seed", range(5))
def test_random_chains_answer_as_before(seed, ask, expected):
    assert ask(DISGUISES["three at random"](PACKAGE, Random(seed))) == expected


def changed(name):
    files = ALL[name](PACKAGE, Random(1))
    return files, "\n".join(files.values())


def kinds(text):
    return [type(node) for node in ast.walk(ast.parse(text))]


def test_every_disguise_but_exact_changes_something():
    plain = {path: ast.unparse(ast.parse(text)) for path, text in PACKAGE.items()}
    for name in set(ALL) - {"exact", "round trip"}:
        files = ALL[name](PACKAGE, Random(1))
        parsed = {path: ast.unparse(ast.parse(text)) for path, text in files.items()}
        assert parsed != plain, name
    assert ALL["exact"](PACKAGE, Random(1)) == dict(PACKAGE)


def test_files_are_split_and_merged():
    split, _ = changed("split")
    assert len(split) > len(PACKAGE)
    merged, text = changed("merge")
    assert list(merged) == ["notes/__init__.py"]
    assert "def summary" in text
    assert "def words" in text
    assert "from ." not in text


def test_a_package_whose_modules_are_taken_whole_is_not_merged():
    files = {**PACKAGE, "notes/__init__.py": "from . import reading, sums\n"}
    assert DISGUISES["merge"](files, Random(1)) == files


def test_a_lone_module_is_split_into_a_package():
    lone = {"notes.py": PACKAGE["notes/reading.py"]}
    assert sorted(DISGUISES["split"](lone, Random(1))) == [
        "notes/__init__.py",
        "notes/_init_first.py",
    ]


def test_comprehensions_become_loops():
    before = kinds("\n".join(PACKAGE.values()))
    after = kinds(changed("comprehensions")[1])
    assert after.count(ast.For) > before.count(ast.For)
    assert after.count(ast.ListComp) < before.count(ast.ListComp)


def test_texts_are_written_by_format():
    assert ast.JoinedStr not in kinds(changed("formats")[1])
    assert ".format(" in changed("formats")[1]


def test_chained_comparisons_are_parted():
    text = changed("conditions")[1]
    assert "low <= n <= high" not in text
    assert "low <= n and n <= high" in text


def test_guards_get_an_else():
    body = changed("guards")[0]["notes/sums.py"]
    function = ast.parse(body).body[-1]
    assert isinstance(function, ast.FunctionDef)
    assert isinstance(function.body[-1], ast.If)
    assert function.body[-1].orelse


def test_helpers_are_made_and_dissolved():
    assert "def _part_1(" in changed("helpers")[1]
    text = changed("inlined helpers")[1]
    assert len(re.findall(r"_rounded\(", text)) == 1  # where it is defined
    # An argument that is more than a name is not written twice.
    assert len(re.findall(r"_share\(", text)) == 2


def test_functions_and_classes_change_places():
    text = changed("functions to classes")[1]
    assert re.search(r"class _Held\d+:\n\n    @staticmethod\n", text)
    tree = ast.parse(changed("classes to functions")[0]["notes/reading.py"])
    (reader,) = (it for it in tree.body if isinstance(it, ast.ClassDef))
    # A property stays: its decorator is bound to its place.
    methods = [it.name for it in reader.body if isinstance(it, ast.FunctionDef)]
    assert methods == ["counts"]


def test_a_class_is_cut_into_mixins():
    tree = ast.parse(changed("mixins")[0]["notes/reading.py"])
    first, second = (it for it in tree.body if isinstance(it, ast.ClassDef))
    assert [ast.unparse(it) for it in second.bases] == [first.name]


def test_hints_are_added():
    assert "least: object" in changed("hints")[1]
    assert ") -> object:" in changed("hints")[1]


@pytest.mark.parametrize("share", [0.5, 0.2])
def test_a_part_is_about_that_share_of_both(share):
    other = {
        "other.py": "\n".join(
            f"def other{n}(a, b):\n    return [a, b, {n}, a + b * {n}, max(a, b)]\n"
            for n in range(60)
        )
    }
    (text,) = vendored(PACKAGE, other, share, Random(3)).values()
    body = ast.parse(text).body
    sizes = {True: 0, False: 0}
    for node in body:
        taken = "other" not in ast.unparse(node).partition("(")[0]
        sizes[taken] += sum(1 for _ in ast.walk(node))
    assert abs(sizes[True] / (sizes[True] + sizes[False]) - share) < 0.12


def test_there_are_as_many_disguises_as_promised():
    assert len(ALL) + len(PARTIAL) >= 23
