import os
import subprocess
import sys

import pytest

from shipbar import api
from tests.cli.tiny import Command, command


@pytest.fixture
def shipbar(capsys) -> Command:
    return command(capsys)


@pytest.mark.parametrize("options", [[], ["--mutated"]], ids=["invented", "mutated"])
def test_a_new_task_passes_its_own_checks(shipbar, tmp_path, monkeypatch, options):
    monkeypatch.chdir(tmp_path)
    assert shipbar("new", "36-strips", *options).out == "made: 36-strips\n"
    said = shipbar("task", "check", "36-strips")
    assert said.code == 0
    assert "warning" not in said.out
    assert shipbar("suite", "regenerate", "36-strips", "--check").code == 0


def test_its_suite_runs_under_stock_pytest_with_the_same_outcomes(shipbar, tmp_path):
    folder = tmp_path / "task"
    shipbar("new", "strips", "-o", folder)
    for package in ("reference", "known_bad/remembered"):
        path = folder / "grader" / package
        verdict = api.grade(folder, path)
        ran = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-rA",
                "-p",
                "no:cacheprovider",
                "grader/tests",
            ],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(path), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        passed = {
            line.removeprefix("PASSED ")
            for line in ran.stdout.splitlines()
            if line.startswith("PASSED ")
        }
        assert passed == {case.id for case in verdict.cases if case.outcome == "passed"}
        assert len(passed) == (12 if package == "reference" else 3)


def test_a_folder_that_is_there_is_refused(shipbar, tmp_path):
    said = shipbar("new", "strips", "-o", tmp_path)
    assert (said.code, said.out) == (2, "")
    assert "expected nothing there" in said.err
    assert list(tmp_path.iterdir()) == []


def test_the_examples_of_its_specification_hold_and_are_not_the_suites(
    shipbar, tmp_path
):
    folder = tmp_path / "task"
    shipbar("new", "strips", "-o", folder)
    spec = (folder / "solver/SPEC.md").read_text()
    scope: dict[str, object] = {}
    exec((folder / "grader/reference/strips/__init__.py").read_text(), scope)
    examples = [
        (eval('count("|\'|")', scope), 15),
        (eval("count(\"'''.|\")", scope), 16),
        (eval("count(\"''..'\")", scope), 19),
        (eval("cut(16)", scope), "||''"),
    ]
    assert all(found == told for found, told in examples)
    suite = (folder / "grader/tests/test_strips.py").read_text()
    for strip in ('"|\'|"', "\"'''.|\"", "\"''..'\"", '"\'|?"'):
        assert f"`count({strip})`" in spec
        assert strip not in suite
