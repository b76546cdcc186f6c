"""The tasks that are measured: the example, and the same grown to 150 assertions."""

import re
import shutil
from pathlib import Path

from shipbar.grading.tasks import Task, load_task

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "check-character-36"
BUILD = ROOT / "build" / "bench"


def task_of(assertions: int) -> Task:
    """Return a task with that many assertions, a multiple of the example's thirty.

    The example's own tests stand in it several times under other names, so that
    the mix of what is asked is the same at every size.
    """
    small = load_task(EXAMPLE)
    times, rest = divmod(assertions, len(small.suite.cases))
    if rest:
        raise ValueError(f"{assertions} is no multiple of {len(small.suite.cases)}")
    if times == 1:
        return small
    folder = BUILD / f"task-{assertions}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(
        EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__", ".*_cache")
    )
    (suite,) = (folder / "grader" / "tests").glob("test_*.py")
    _repeat(suite, times)
    contract = folder / "task.toml"
    text = re.sub(
        r"(?m)^min_passed = \d+$", f"min_passed = {assertions}", contract.read_text()
    )
    contract.write_text(text)
    return load_task(folder)


def _repeat(suite: Path, times: int) -> None:
    text = suite.read_text()
    start = text.index("\ndef test_")
    head, tests = text[:start], text[start:]
    copies = [
        re.sub(r"(?m)^def (test_\w+?)_(\d+)\(", rf"def \1_{n}\2(", tests)
        for n in range(1, times)
    ]
    suite.write_text(head + tests + "".join(copies))
