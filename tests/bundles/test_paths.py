import pytest

from shipbar.bundles import paths
from shipbar.errors import UserError

TASK_PATHS = [
    "task.toml",
    "TASK.md",
    "grader/tests/test_a.py",
    "grader/variant.json",
    "grader/reference/a/__init__.py",
    "grader/tests/as-built/x",
    "notes/more.txt",
]


@pytest.mark.parametrize("path", TASK_PATHS)
def test_every_file_of_a_task_has_one_place_and_finds_back(path):
    there = paths.in_grader("ab-1", path)
    assert there.startswith("tasks/ab-1/")
    assert paths.in_task(there.removeprefix("tasks/ab-1/")) == path


def test_no_two_files_of_a_task_have_one_place():
    assert len({paths.in_grader("ab-1", it) for it in TASK_PATHS}) == len(TASK_PATHS)


@pytest.mark.parametrize(
    "name", ["TASK.md", "task.toml", "reference.patch", "as-built/x"]
)
def test_a_grader_file_whose_place_is_taken_is_refused(name):
    with pytest.raises(UserError, match="rename it"):
        paths.in_grader("ab-1", f"grader/{name}")


@pytest.mark.parametrize("path", ["TASK.md", "reference.patch"])
def test_what_is_made_for_the_buyer_is_no_part_of_a_task(path):
    assert paths.in_task(path) is None


@pytest.mark.parametrize(
    ("path", "task"),
    [
        ("tasks/ab-1/SPEC.md", "ab-1"),
        ("receipts/ab-1/G1.dsse.json", "ab-1"),
        ("reviews/ab-1/senior.dsse.json", "ab-1"),
        ("sealed/ab-1.tar.age", "ab-1"),
        ("index.jsonl", ""),
        ("images/oci-layout", ""),
        ("LICENSES/MIT.txt", ""),
    ],
)
def test_a_file_is_of_its_task(path, task):
    assert paths.task_of(path) == task


@pytest.mark.parametrize(
    "name", ["", "North", "a_b", "../x", "a--b", "-a", "a/b", "a\n", "ä", "a" * 65]
)
def test_what_is_no_name_is_refused(name):
    with pytest.raises(UserError, match="client"):
        paths.slug(name, "client")


def test_a_name_is_taken():
    assert paths.slug("north-lab-2", "client") == "north-lab-2"


@pytest.mark.parametrize("path", ["", "/a", "a//b", "../a", "a/../b", "./a", "a\\b"])
def test_a_path_that_leads_elsewhere_is_not_safe(path):
    assert not paths.is_safe(path)
