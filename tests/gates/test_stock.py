"""The suite runs under pytest as it is, in the sandbox, with one package importable."""

import shutil

import attrs
import pytest

from shipbar.gates import stock as module
from shipbar.gates.stock import Stock, pytest_folder, suite_of
from shipbar.gates.worlds import copy_program, room
from shipbar.grading.tasks import load_task
from tests.repository import ROOT

TASK = ROOT / "examples" / "check-character-36"
SUITE = "grader/tests/test_tavrick.py"
PACKAGE = "grader/reference"


@pytest.fixture
def folder(tmp_path):
    """A task to change."""
    return shutil.copytree(TASK, tmp_path / "task")


@pytest.fixture
def run(folder, sandbox, settings):
    """Run the suite of the changed task with its reference."""
    with room(settings.work) as place:
        program = copy_program("stock", place / "program")

        def with_reference(task=None):
            return Stock(
                task=task or load_task(folder),
                sandbox=sandbox,
                program=program,
                tools=pytest_folder(settings.cache),
                work=place,
            ).run(PACKAGE)

        yield with_reference


def in_reference(folder, text):
    path = folder / PACKAGE / "tavrick" / "__init__.py"
    path.write_text(path.read_text("utf-8") + text, "utf-8")


def test_ids_are_those_of_the_lifted_cases_in_their_order(run, folder):
    ran = run()
    assert list(ran.outcomes) == [case.id for case in load_task(folder).suite.cases]
    assert len(ran.passed) == 30
    assert not ran.lost


def test_a_package_that_cannot_be_imported_passes_nothing_and_pytest_says_why(
    run, folder
):
    in_reference(folder, "raise RuntimeError('not today')\n")
    ran = run()
    assert (ran.outcomes, ran.lost) == ({}, "")
    assert "not today" in ran.words
    assert run() == ran, "nothing of place or time is in it"


def test_the_host_is_not_there(run, folder, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("host", "utf-8")
    in_reference(
        folder,
        f"try:\n    open({str(secret)!r})\nexcept OSError:\n    pass\nelse:\n    raise RuntimeError\n",
    )
    assert len(run().passed) == 30


def test_no_plugin_of_this_environment_is_loaded(run, folder):
    in_reference(
        folder,
        "import sys\nassert 'pytest' in sys.modules and not {'pytest_randomly', 'xdist', 'pytest_timeout'} & set(sys.modules)\n",
    )
    assert len(run().passed) == 30


def test_the_standard_library_comes_before_the_package(run, folder):
    (folder / PACKAGE / "json.py").write_text("raise RuntimeError\n", "utf-8")
    in_reference(folder, "import json\n")
    assert len(run().passed) == 30


def test_a_hang_ends_the_run_and_is_told(run, folder, monkeypatch):
    monkeypatch.setattr(module, "SPARE_S", 0.3)
    path = folder / PACKAGE / "tavrick" / "_audit.py"
    path.write_text(
        path.read_text("utf-8") + "def audit(texts):\n    while True: pass\n"
    )
    task = load_task(folder)
    grader = attrs.evolve(
        task.contract.grader,
        limits=attrs.evolve(task.contract.grader.limits, case_wall_s=0.3),
    )
    ran = run(attrs.evolve(task, contract=attrs.evolve(task.contract, grader=grader)))
    assert ran.lost.startswith(f"it hung after {SUITE}::")
    assert 0 < len(ran.passed) < 30


def test_what_pytest_heeds_above_the_suite_is_brought_along(folder):
    for name in ("conftest.py", "grader/conftest.py", "grader/pytest.ini"):
        (folder / name).write_text("", "utf-8")
    for name in ("notes.py", "grader/reference/conftest.py", "solver/pytest.ini"):
        (folder / name).write_text("", "utf-8")
    (folder / "solver" / "pytest.ini").unlink()
    assert sorted(suite_of(load_task(folder))) == [
        *("conftest.py", "grader/conftest.py", "grader/pytest.ini"),
        SUITE,
    ]


def test_a_folder_with_pytest_is_made_once(settings):
    made = pytest_folder(settings.cache)
    assert (made / "_pytest" / "__init__.py").is_file()
    assert pytest_folder(settings.cache) == made
