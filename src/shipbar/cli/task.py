"""`shipbar task`: check a task folder."""

import json
import sys
from pathlib import Path

import click

from shipbar import config, wiring
from shipbar.cli.options import JSON, SANDBOX, TASK
from shipbar.cli.text import printable
from shipbar.errors import UserError
from shipbar.grading.checks import PackageReport, TaskReport, check_task

Row = tuple[str, str, str, str, str]


@click.group()
def task() -> None:
    """Check a task folder."""


@task.command()
@TASK
@JSON
@SANDBOX
def check(task: str, *, as_json: bool, sandbox: str) -> None:
    """Check TASK: contract, layout, suite, reference and known-bads.

    The reference must ship; every known-bad must install, clear the structural
    check and not ship, the first with a score of at most recall_ceiling. Exits
    with 0 when all is in order, 2 with all problems otherwise, 3 for the machine's.
    """
    settings = config.current()
    report = check_task(Path(task), wiring.sandbox(sandbox, settings), settings.work)
    click.echo(json.dumps(report.as_json(), indent=2) if as_json else told(report))
    if not report.ok:
        sys.exit(UserError.exit_code)


def told(report: TaskReport) -> str:
    """Return a task's report in words."""
    name = report.contract.task_id if report.contract else "task"
    count = len(report.problems)
    state = "in order" if report.ok else f"{count} problem{'s' * (count != 1)}"
    lines = [f"{name}: {state}"]
    lines += [f"  problem: {printable(item)}" for item in report.problems]
    if report.suite is not None:
        lines += [f"  warning: {printable(item)}" for item in report.suite.warnings]
        lines.append(
            f"  suite: {report.suite.count} assertions, {len(report.suite.rules)} rules"
        )
    return "\n".join(lines + _table(report.packages))


def _table(packages: tuple[PackageReport, ...]) -> list[str]:
    if not packages:
        return []
    rows: list[Row] = [("package", "role", "passed", "score", ""), *map(_row, packages)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def _row(package: PackageReport) -> Row:
    verdict, name = package.verdict, package.path.rpartition("/")[2]
    state = "problem" if package.problem else "as it should be"
    if verdict is None:
        return name, package.role, "-", "-", state
    passed = f"{verdict.passed}/{verdict.total}"
    return name, package.role, passed, f"{verdict.score:.4f}", state
