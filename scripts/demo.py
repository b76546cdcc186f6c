"""Grades the example task's submissions, builds the reference tranche, and takes it through four gates.

Whatever does not come out as it must be is told, and ends in an exit code of its own.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

import shipbar

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
TASK = EXAMPLES / "check-character-36"
SUBMISSIONS = EXAMPLES / "submissions" / "check-character-36"
OUT = EXAMPLES.parent / "build" / "demo"
TRANCHE, REPORT = OUT / "tranche", OUT / "report.html"
GATES = ("G1", "G2", "G3", "G4")


def rows(
    task: shipbar.Task,
) -> list[tuple[str, Path, Callable[[shipbar.Verdict], bool]]]:
    """What is graded, where it lies, and what its verdict must satisfy."""
    bad = [TASK / path for path in task.contract.known_bad_install]
    return [
        ("reference", TASK / task.contract.reference_install, lambda v: v.shipped),
        ("second implementation", SUBMISSIONS / "second", lambda v: v.shipped),
        ("partial", SUBMISSIONS / "partial", lambda v: 0 < v.passed < v.total),
        *(
            (f"known-bad {path.name}", path, lambda v: v.structure.ok and not v.shipped)
            for path in bad
        ),
    ]


def graded(console: Console) -> int:
    """Print what the example's submissions score; return 1 if a score is not what it must be."""
    task = shipbar.load_task(TASK)
    table = Table(
        "submission",
        "passed",
        "score",
        "shipped",
        "first failure",
        title=f"{task.contract.task_id}, graded sealed",
    )
    wrong = []
    with shipbar.open_grader(task) as grader:
        for name, path, holds in rows(task):
            verdict = grader.grade(path)
            failed = next(
                (case.rule for case in verdict.cases if case.outcome != "passed"), ""
            )
            score = f"{verdict.score:.4f}"
            table.add_row(
                name,
                f"{verdict.passed}/{verdict.total}",
                score,
                "yes" if verdict.shipped else "no",
                failed,
            )
            wrong += [] if holds(verdict) else [name]
        try:
            grader.grade("roman==3.3")
            wrong.append("a bare name was graded")
        except shipbar.RequirementError as refusal:
            table.add_row("roman==3.3", "", "", "refused", "")
            console.print(table)
            console.print(f"refused: {refusal}", highlight=False)
    console.print(
        f"sandbox: {verdict.run.sandbox}; task {task.digest}", highlight=False
    )
    if wrong:
        console.print(f"not as it must be: {', '.join(wrong)}")
    return 1 if wrong else 0


def proven(console: Console) -> int:
    """Build the tranche, take it through the gates; return the worst exit code."""
    jobs = str(len(os.sched_getaffinity(0)))
    console.rule("the reference tranche")
    # Without a package index, what needs the genuine libraries is told as not run.
    shipbar_("upstream", "fetch")
    shutil.rmtree(TRANCHE, ignore_errors=True)
    built = shipbar_("build", "reference", "-o", str(TRANCHE), "--jobs", jobs)
    if built:
        return built
    chosen = [word for gate in GATES for word in ("--gate", gate)]
    words = [str(TRANCHE), *chosen, "--jobs", jobs, "--html", str(REPORT)]
    return shipbar_("verify", *words)


def shipbar_(*words: str) -> int:
    """Run a command of ours as a user does; return its exit code."""
    return subprocess.run(
        [sys.executable, "-m", "shipbar", *words], check=False
    ).returncode


HALVES: dict[str, Callable[[Console], int]] = {"grade": graded, "prove": proven}


def main(halves: list[str]) -> int:
    """Run both halves, or the named ones; return the first exit code that is not 0."""
    console = Console()
    codes = (HALVES[half](console) for half in halves or HALVES)
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
