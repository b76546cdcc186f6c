"""`shipbar similarity`."""

import json

import pytest

from tests.cli import tiny
from tests.cli.tiny import Command, command
from tests.similarity.samples import LIBRARY, OTHER


@pytest.fixture
def shipbar(capsys) -> Command:
    return command(capsys)


@pytest.fixture
def packages(tmp_path):
    texts = {
        "ada": LIBRARY,
        "bob": LIBRARY.replace("merged", "acc").replace("found", "out"),
        "cyd": OTHER,
    }
    for name, text in texts.items():
        (tmp_path / "batch" / name).mkdir(parents=True)
        (tmp_path / "batch" / name / "a.py").write_text(text)
    return tmp_path / "batch"


def test_a_copy_is_told_with_its_lines_side_by_side(shipbar, packages):
    said = shipbar("similarity", str(packages / "bob"), str(packages / "ada"))
    assert said.code == 0
    assert said.out.splitlines()[0].endswith("ada: copy")
    assert "100% of merge (a.py:" in said.out
    assert "region 1 of 1" in said.out
    assert any(" = " in it and "def parse" in it for it in said.out.splitlines())
    assert any(" ~ " in it and "acc" in it for it in said.out.splitlines())


def test_unlike_packages_are_clear(shipbar, packages):
    said = shipbar("similarity", str(packages / "cyd"), str(packages / "ada"))
    assert said.code == 0
    assert said.out.splitlines()[0].endswith("ada: clear")
    assert "region" not in said.out


def test_json_is_all_there_is_on_standard_output(shipbar, packages):
    said = shipbar("similarity", str(packages / "bob"), str(packages / "ada"), "--json")
    (found,) = json.loads(said.out)["comparisons"]
    assert found["flagged"] is True
    assert found["level"] == "copy"
    assert found["regions"][0]["source"]["path"] == "a.py"


def test_a_page_is_written_for_a_pair_and_for_a_batch(shipbar, packages, tmp_path):
    page = tmp_path / "page.html"
    said = shipbar(
        "similarity", str(packages / "bob"), str(packages / "ada"), "--html", str(page)
    )
    assert said.code == 0
    assert "def parse" in page.read_text()
    said = shipbar("similarity", "matrix", str(packages), "--html", str(page))
    assert said.code == 0
    assert "Heat map" in page.read_text()


def test_a_page_that_cannot_be_written_is_the_callers_mistake(shipbar, packages):
    said = shipbar(
        *("similarity", str(packages / "bob"), str(packages / "ada")),
        *("--html", str(packages / "none" / "page.html")),
    )
    assert said.code == 2
    assert "cannot be written" in said.err


def test_what_a_candidate_wrote_cannot_steer_the_terminal(shipbar, packages):
    text = LIBRARY.replace("    pairs = []", "    pairs = []\n    # \x1b[2J\x07")
    (packages / "bob" / "a.py").write_text(text)
    said = shipbar("similarity", str(packages / "bob"), str(packages / "ada"))
    assert "\x1b" not in said.out
    assert "\\x1b[2J" in said.out


def test_nothing_to_compare_with_is_told(shipbar, packages):
    said = shipbar("similarity", str(packages / "ada"))
    assert said.code == 2
    assert "--against" in said.err
    said = shipbar("similarity", str(packages / "ada"), str(packages / "none"))
    assert said.code == 2
    assert "nothing there" in said.err
    said = shipbar(
        *("similarity", str(packages / "ada"), str(packages / "bob")),
        *("--independent", str(packages / "cyd")),
    )
    assert said.code == 2
    assert "--against" in said.err


def test_a_task_is_compared_with_by_its_reference(shipbar, packages, tmp_path):
    task = tiny.task(tmp_path / "task")
    said = shipbar("similarity", str(packages / "ada"), "--against", str(task))
    assert said.code == 0
    assert said.out.splitlines()[0].endswith("reference: too small to judge")
    assert "learned from: specification" in said.out


def test_a_tasks_own_threshold_counts(shipbar, packages, tmp_path):
    contract = tiny.contract(("reference = 0.3", "reference = 1.0"))
    task = tiny.task(tmp_path / "task", contract=contract)
    tiny.write(task, {"grader/reference/tally/__init__.py": LIBRARY})
    half = LIBRARY[LIBRARY.index("def gaps") :] + OTHER
    (packages / "bob" / "a.py").write_text(half)
    words = ("similarity", str(packages / "bob"), "--against", str(task), "--json")
    (found,) = json.loads(shipbar(*words).out)["comparisons"]
    assert found["thresholds"]["copy"] == 1.0
    assert not found["flagged"]


def test_a_batch_is_told_with_clusters_and_a_heat_map(shipbar, packages):
    (packages / "bad.zip").write_bytes(b"PK\x03\x04 no archive")
    said = shipbar("similarity", "matrix", str(packages))
    assert said.code == 0
    assert said.out.splitlines()[0] == "3 submissions, 1 pairs alike, 1 clusters"
    assert "cluster 1: ada, bob" in said.out
    assert "ada \\@" in said.out
    assert "remark: bad.zip: not compared" in said.out


def test_a_batch_as_json(shipbar, packages):
    said = shipbar("similarity", "matrix", str(packages), "--json")
    found = json.loads(said.out)
    assert found["clusters"] == [["ada", "bob"]]
    assert found["pairs"][0]["score"] == 1.0


def test_help_shows_both_forms(shipbar):
    said = shipbar("similarity", "--help")
    assert said.code == 0
    assert "CANDIDATE [SOURCE]" in said.out
    assert "matrix DIR" in said.out
