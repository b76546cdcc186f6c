"""Grades every submission of the example task and holds the scores against what they must be."""

import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

import shipbar

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
TASK = EXAMPLES / "check-character-36"
SUBMISSIONS = EXAMPLES / "submissions" / "check-character-36"


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


def main() -> int:
    """Print the table; return 1 if a score is not what it must be."""
    console = Console()
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


if __name__ == "__main__":
    sys.exit(main())
