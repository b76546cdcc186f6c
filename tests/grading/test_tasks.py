"""Loading a task: contract, layout and suite, with every problem told at once."""

import os
from pathlib import Path

import pytest

from shipbar.errors import ContractError, SuiteError, UserError
from shipbar.grading import tasks
from shipbar.grading.tasks import digest_of, load_task
from shipbar.sealed.lift import lift
from tests.cli import tiny


@pytest.fixture
def folder(tmp_path):
    return tiny.task(tmp_path / "task")


def test_a_task_is_its_contract_its_suite_and_a_digest(folder):
    task = load_task(str(folder))
    assert task.contract.task_id == "tally"
    assert [case.id for case in task.suite.cases] == [
        "grader/tests/test_tally.py::test_adding_001",
        "grader/tests/test_tally.py::test_adding_002",
        "grader/tests/test_tally.py::test_faults_001",
        "grader/tests/test_tally.py::test_names_001",
    ]
    assert task.digest == digest_of(folder)
    assert task.folder == folder


@pytest.mark.parametrize("name", ["nowhere", "solver"])
def test_a_folder_without_a_contract_is_no_task(folder, name):
    with pytest.raises(UserError, match=r"is no task: cannot read .*task\.toml"):
        load_task(folder / name)


@pytest.mark.parametrize(
    "gone",
    ["solver/SPEC.md", "TASK.md", "grader/tests/test_tally.py", "grader/reference/tally/__init__.py", "grader/known_bad/hollow/tally/__init__.py"],
)  # fmt: skip
def test_what_the_contract_names_has_to_be_there(folder, gone):
    path = folder / gone
    path.unlink()
    while path.parent != folder and not list(path.parent.iterdir()):
        path = path.parent
        path.rmdir()
    with pytest.raises(ContractError, match="expected by the contract, not there"):
        load_task(folder)


@pytest.mark.parametrize(
    "extra", ["solver/notes.md", "solver/a/b.py", "solver/.hidden"]
)
def test_solvers_see_one_file(folder, extra):
    tiny.write(folder, {extra: "the answer"})
    with pytest.raises(ContractError) as caught:
        load_task(folder)
    assert extra in str(caught.value)
    assert "nothing else" in str(caught.value)


def test_all_that_is_wrong_with_the_layout_is_told_at_once(folder):
    (folder / "TASK.md").unlink()
    (folder / "solver/SPEC.md").unlink()
    tiny.write(folder, {"solver/one": "", "solver/two": ""})
    with pytest.raises(ContractError) as caught:
        load_task(folder)
    assert len(caught.value.problems) == 4


def test_all_that_is_wrong_with_the_suite_is_told_at_once(folder):
    tiny.write(
        folder,
        {
            "grader/tests/conftest.py": "",
            "grader/tests/data.json": "{}",
            "grader/tests/__init__.py": "import os\n",
            "grader/tests/test_b.py": "def test_a():\n    pass\n\ndef test_b(x):\n    pass\n",
            "grader/tests/deep/test_c.py": "\u00e9 = (",
        },
    )
    (folder / "grader/tests/test_d.py").write_bytes(b"x = '\xff'\n")
    with pytest.raises(SuiteError) as caught:
        load_task(folder)
    told = [problem.split(": ")[0] for problem in caught.value.problems]
    assert sorted(told) == [
        "grader/tests/__init__.py:1",
        "grader/tests/conftest.py:1",
        "grader/tests/data.json:1",
        "grader/tests/deep/test_c.py:1",
        "grader/tests/test_b.py:1",
        "grader/tests/test_b.py:4",
        "grader/tests/test_d.py:1",
    ]


def test_an_empty_init_is_no_test(folder):
    tiny.write(folder, {"grader/tests/__init__.py": "\n"})
    assert len(load_task(folder).suite.cases) == 4


def test_the_bar_is_the_number_of_cases(folder):
    text = (folder / "task.toml").read_text()
    (folder / "task.toml").write_text(text.replace("min_passed = 4", "min_passed = 3"))
    with pytest.raises(ContractError, match="min_passed"):
        load_task(folder)


def test_an_expected_exception_is_a_public_symbol(folder):
    text = (folder / "task.toml").read_text()
    (folder / "task.toml").write_text(text.replace('"TallyError", ', ""))
    with pytest.raises(SuiteError, match="public_symbols"):
        load_task(folder)


def test_no_test_is_named_twice_by_the_contract(folder):
    text = (folder / "task.toml").read_text()
    (folder / "task.toml").write_text(
        text.replace(
            '["grader/tests"]', '["grader/tests", "grader/tests/test_tally.py"]'
        )
    )
    with pytest.raises(ContractError, match="give each its own folder"):
        load_task(folder)


# -- digests -------------------------------------------------------------------------


def test_the_digest_is_of_paths_and_contents_wherever_the_task_lies(folder, tmp_path):
    other = tiny.task(tmp_path / "elsewhere" / "deep")
    os.utime(other / "task.toml", (0, 0))
    (other / "TASK.md").chmod(0o600)
    tiny.write(other, {"grader/tests/__pycache__/x.pyc": "", ".pytest_cache/v": ""})
    assert digest_of(other) == digest_of(folder)


@pytest.mark.parametrize(
    "change",
    [{"TASK.md": "other"}, {"new.txt": ""}, {"grader/reference/tally/data.txt": "x"}],
)
def test_the_digest_tells_apart_what_differs(folder, change):
    before = digest_of(folder)
    tiny.write(folder, change)
    assert digest_of(folder) != before


def test_a_suite_is_lifted_once_for_each_content(folder, tmp_path, monkeypatch):
    lifted = []

    def counting(*arguments):
        lifted.append(arguments)
        return lift(*arguments)

    monkeypatch.setattr(tasks, "lift", counting)
    tasks._lift.cache_clear()
    first, second = load_task(folder), load_task(tiny.task(tmp_path / "other"))
    assert first.suite == second.suite
    assert len(lifted) == 1
    suite = folder / "grader/tests/test_tally.py"
    suite.write_text(suite.read_text().replace("== 3", "== 4"))
    assert load_task(folder).suite != first.suite
    assert len(lifted) == 2


def test_a_file_whose_name_is_no_text_is_named(tmp_path):
    (Path(os.fsdecode(bytes(tmp_path) + b"/a\xff.txt"))).write_text("")
    with pytest.raises(UserError, match=r"a\\udcff\.txt.*rename it"):
        digest_of(tmp_path)
