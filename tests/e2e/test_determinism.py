"""The same verdict, digest for digest, however often and wherever it is graded.

Twenty grades of each honest submission: ten plain, in one process, and ten each in a
process of its own where everything that should not matter is different: the judge's
and the subject's hash seed, the working folder, the locale, the zone, the load of the
machine, and where task and submission lie.
"""

import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.e2e.honest import Honest, grader, submissions, tasks
from tests.repository import ROOT

PLAIN = CHANGED = 10
ZONES = ("Pacific/Kiritimati", "America/St_Johns", "UTC", "Asia/Kathmandu", "XXX+5:17")
LOCALES = ("C", "C.UTF-8", "POSIX", "tr_TR.UTF-8", "de_DE.ISO-8859-1")
# Runs in the changed process: its words are a task and submissions, its answer digests.
SCRIPT = """
import json, sys
from pathlib import Path
from tests.e2e.honest import grader
task, surroundings, *paths = sys.argv[1:]
with grader(Path(task), json.loads(surroundings)) as opened:
    print(json.dumps([opened.grade(path).digest for path in paths]))
"""


def digests(task: Path, found: list[Honest]) -> list[str]:
    with grader(task) as opened:
        return [opened.grade(honest.path).digest for honest in found]


def changed_digests(number: int, task: Path, found: list[Honest], place: Path):
    """Grade copies of all, far from where they were, in another kind of process."""
    elsewhere = place / f"n° {number}" / "a b"
    shutil.copytree(task, elsewhere / "task")
    paths = []
    for index, honest in enumerate(found):
        paths.append(elsewhere / f"solution-{index}")
        shutil.copytree(honest.path, paths[-1])
        for path in paths[-1].rglob("*"):
            os.utime(path, (number * 1e8, number * 1e8))
    zone = ZONES[number % len(ZONES)]
    language = LOCALES[number % len(LOCALES)]
    surroundings = {
        "PYTHONHASHSEED": str(number * 7919 + 1),
        "TZ": zone,
        "LANG": language,
        "LC_ALL": language,
    }
    ran = subprocess.run(
        [
            *(sys.executable, "-c", SCRIPT, str(elsewhere / "task")),
            *(json.dumps(surroundings), *map(str, paths)),
        ],
        cwd=elsewhere,
        env={
            "PATH": os.environ["PATH"],
            "HOME": os.environ.get("HOME", "/"),
            "PYTHONPATH": str(ROOT),
            "PYTHONHASHSEED": str(number * 104_729 + 2),
            "TZ": zone,
            "LC_ALL": language,
        },
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.fixture
def load():
    """Keep one processor busy while the test runs."""
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    yield
    busy.kill()
    busy.wait(10)


@pytest.mark.slow
@pytest.mark.parametrize("task", tasks(), ids=lambda path: path.name)
def test_ten_grades_in_one_process_have_one_digest(task):
    found = submissions(task)
    seen = defaultdict(set)
    with grader(task) as opened:
        for _ in range(PLAIN):
            for honest in found:
                seen[honest.name].add(opened.grade(honest.path).digest)
    assert {name: len(values) for name, values in seen.items()} == dict.fromkeys(
        seen, 1
    )
    assert len(set().union(*seen.values())) == len(found)  # and each has its own


@pytest.mark.slow
@pytest.mark.parametrize("number", range(CHANGED))
@pytest.mark.parametrize("task", tasks(), ids=lambda path: path.name)
def test_a_grade_elsewhere_and_otherwise_has_the_same_digest(
    task, number, load, tmp_path
):
    found = submissions(task)
    assert changed_digests(number, task, found, tmp_path) == digests(task, found)


def test_the_changes_are_no_words_only():
    """What a changed process is told does reach it."""
    script = (
        "import time, sys; print(time.tzname, hash('a'), sys.flags.hash_randomization)"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"TZ": zone, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            check=True,
            timeout=20,
        ).stdout
        for seed, zone in enumerate(ZONES[:3], start=1)
    }
    assert len(said) == 3
