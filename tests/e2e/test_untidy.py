"""Untidy honest submissions score what they deserve: what the tidy one scores."""

import io
import os
import tarfile
from pathlib import Path

import attrs
import pytest

import shipbar
from tests.e2e.honest import EXAMPLES, grader
from tests.e2e.untidy import (
    FILES,
    PYPROJECT,
    SETUP_PY,
    SOURCES,
    Tree,
    below,
)
from tests.grading.packing import tar_of, wheel_of, write

TASK = EXAMPLES / "check-character-36"


def tree_of(folder: Path) -> Tree:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


REFERENCE = tree_of(TASK / "grader" / "reference")
PARTIAL = tree_of(EXAMPLES / "submissions" / "check-character-36" / "partial")
METADATA = (
    b"Metadata-Version: 2.4\nName: tavrick\nVersion: 1.0\nRequires-Python: >=3.11\n"
)


@pytest.fixture(scope="module")
def opened():
    with grader(TASK) as open_one:
        yield open_one


@pytest.fixture(scope="module")
def tidy(opened, tmp_path_factory) -> dict[str, dict[str, str]]:
    """How the tidy submissions go, case by case."""
    place = tmp_path_factory.mktemp("tidy")
    return {
        name: how(opened.grade(write(place / name, tree)))
        for name, tree in {"reference": REFERENCE, "partial": PARTIAL}.items()
    }


def how(verdict) -> dict[str, str]:
    assert verdict.structure.ok, (verdict.structure, verdict.run.trace)
    return {case.id: str(case.outcome) for case in verdict.cases}


def failed(verdict) -> dict[str, str]:
    return {name: word for name, word in how(verdict).items() if word != "passed"}


def test_the_tidy_ones_are_worth_what_the_untidy_ones_should_be(tidy):
    assert set(tidy["reference"].values()) == {"passed"}
    words = list(tidy["partial"].values())
    assert 0 < words.count("passed") < len(words)


@pytest.mark.parametrize("name", FILES)
def test_untidy_files_change_nothing(name, opened, tidy, tmp_path):
    for kind, tree in {"reference": REFERENCE, "partial": PARTIAL}.items():
        verdict = opened.grade(write(tmp_path / kind, FILES[name](tree)))
        assert how(verdict) == tidy[kind]
        assert verdict.install == "tree"


# The sandbox names a locale, C.UTF-8, and holds none of its files.
@pytest.mark.parametrize("name", SOURCES)
def test_untidy_code_that_does_the_work_ships(name, opened, tmp_path):
    verdict = opened.grade(write(tmp_path / "mine", SOURCES[name](REFERENCE)))
    assert failed(verdict) == {}
    assert verdict.shipped
    assert verdict.run.subjects == 1


def test_all_untidy_files_together_change_nothing(opened, tmp_path):
    tree = REFERENCE
    for name in (
        "own tests",
        "caches",
        "papers",
        "BOM and CRLF",
        "stubs",
        "unicode names",
    ):
        tree = FILES[name](tree)
    verdict = opened.grade(write(tmp_path / "mine", FILES["setuptools and src"](tree)))
    assert verdict.shipped
    assert any(".venv" in word for word in verdict.run.left_out)


def test_modes_times_and_links_change_nothing(opened, tmp_path):
    folder = write(tmp_path / "mine", {**REFERENCE, "docs/README.md": b"# Hi\n"})
    (folder / "README.md").symlink_to("docs/README.md")
    (folder / "tavrick/_copy.py").symlink_to("_marks.py")
    for number, path in enumerate(sorted(folder.rglob("*.py"))):
        os.utime(path, (number, number))
        path.chmod((0o444, 0o755, 0o600)[number % 3])
    assert opened.grade(folder).shipped


@pytest.mark.parametrize("kind", ["tar", "gzip", "wrapped", "src"])
def test_a_tar_of_it_is_worth_the_same(kind, opened, tmp_path):
    tree = {**REFERENCE, "pyproject.toml": PYPROJECT, "README.md": b""}
    data = tar_of(
        below("src")(REFERENCE) if kind == "src" else tree,
        "tavrick-1.0/" if kind in {"wrapped", "src"} else "",
    )
    path = tmp_path / "handed-in.tar"
    if kind == "gzip":
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
            archive.add(write(tmp_path / "tree", tree), arcname=".")
        data = buffer.getvalue()
    path.write_bytes(data)
    assert opened.grade(path).shipped


def test_a_wheel_of_it_is_worth_the_same(opened, tmp_path):
    path = tmp_path / "tavrick-1.0-py3-none-any.whl"
    path.write_bytes(wheel_of(REFERENCE, METADATA))
    assert opened.grade(path).shipped
    path.write_bytes(wheel_of(PARTIAL, METADATA))
    assert not opened.grade(path).shipped


# -- what is built with pip ----------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "extra",
    [
        {"setup.py": SETUP_PY},
        {
            "pyproject.toml": PYPROJECT
            + b'\n[tool.setuptools.packages.find]\nwhere = ["lib"]\n'
        },
    ],
    ids=["setup.py", "pyproject"],
)
def test_what_has_a_build_step_is_built_in_the_sandbox(extra, opened, tidy, tmp_path):
    for kind, tree in {"reference": REFERENCE, "partial": PARTIAL}.items():
        verdict = opened.grade(write(tmp_path / kind, {**below("lib")(tree), **extra}))
        assert how(verdict) == tidy[kind], verdict.run.trace
        assert verdict.install == "pip"


@pytest.mark.slow
def test_a_build_that_fails_is_told_in_its_own_words(opened, tmp_path):
    tree = {**REFERENCE, "setup.py": b"raise RuntimeError('cannot be built here')\n"}
    verdict = opened.grade(write(tmp_path / "mine", tree))
    assert verdict.structure.why == "not installed"
    assert verdict.score == 0
    assert "cannot be built here" in verdict.run.trace


@pytest.mark.slow
def test_a_plain_tree_is_worth_the_same_when_pip_builds_it(opened, tmp_path):
    tree = {**below("src")(REFERENCE), "pyproject.toml": PYPROJECT}
    path = write(tmp_path / "mine", tree)
    built = opened.grade(path, shipbar.Install.PIP)
    assert built.shipped, built.run.trace
    assert built.install == "pip"
    assert attrs.evolve(built, install="tree") == opened.grade(path)
