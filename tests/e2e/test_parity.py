"""Two readings of one suite: stock pytest and the sealed judge pass the same tests."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import shipbar
from shipbar.grading.intake import find_import_root, take_in, write_tree
from tests.e2e.honest import ALL, Honest, grader


def passed_by_pytest(honest: Honest, place: Path) -> set[str]:
    """Run stock pytest as a process of its own on copies of suite and package."""
    task = shipbar.load_task(honest.task)
    submission = take_in(honest.path)
    root = find_import_root(submission.files, task.contract.import_name)
    package, suite = place / "package", place / "task"
    for folder in (package, suite):
        folder.mkdir()
    if root is not None:
        write_tree(submission.files, package, root, world_readable=False)
    for name in task.contract.grader.pytest_paths:
        source = honest.task / name
        copy = shutil.copytree if source.is_dir() else shutil.copyfile
        (suite / name).parent.mkdir(parents=True, exist_ok=True)
        copy(source, suite / name)
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-rA", "--tb=no", "--no-header"),
            *("-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist"),
            *("-c", os.devnull, "--rootdir", str(suite)),
            *task.contract.grader.pytest_paths,
        ],
        cwd=suite,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(package),
            "PYTHONHASHSEED": "0",
            "TZ": "UTC",
        },
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert ran.returncode in {0, 1, 2}, ran.stdout + ran.stderr
    return {
        line.removeprefix("PASSED ").strip()
        for line in ran.stdout.splitlines()
        if line.startswith("PASSED ")
    }


@pytest.mark.slow
@pytest.mark.parametrize("honest", ALL, ids=lambda honest: honest.name)
def test_stock_pytest_and_the_judge_pass_the_same_tests(honest, tmp_path):
    with grader(honest.task) as opened:
        verdict = opened.grade(honest.path)
    by_judge = {case.id for case in verdict.cases if case.outcome == "passed"}
    assert by_judge == passed_by_pytest(honest, tmp_path)


def test_the_honest_submissions_are_of_every_kind():
    """A proof over nothing, or over what passes all, would prove nothing."""
    names = {honest.path.name for honest in ALL}
    assert {"reference", "second", "partial", "hollow"} <= names
