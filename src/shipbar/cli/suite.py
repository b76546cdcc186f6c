"""`shipbar suite`: check a held-out suite, or make it anew from its probes."""

import difflib
import json
import sys
from pathlib import Path

import click

from shipbar import config, wiring
from shipbar.cli.options import JSON, SANDBOX, TASK
from shipbar.cli.text import indented, printable
from shipbar.errors import UserError
from shipbar.grading.checks import SuiteReport, check_suite
from shipbar.grading.regenerate import Regenerated, regenerate, write
from shipbar.grading.tasks import read_contract

DIFFERS = 1


@click.group()
def suite() -> None:
    """Check or regenerate a task's held-out suite."""


@suite.command()
@TASK
@JSON
@SANDBOX
def check(task: str, *, as_json: bool, sandbox: str) -> None:
    """Say what of TASK's suite cannot be lifted or does not fit its reference.

    Each problem says how to reshape the test. Warnings tell of tests that are
    worth little, and change no exit code: 0 without problems, 2 with.
    """
    settings = config.current()
    contract = read_contract(Path(task))
    report = check_suite(
        Path(task), contract, wiring.sandbox(sandbox, settings), settings.work
    )
    click.echo(json.dumps(report.as_json(), indent=2) if as_json else told(report))
    if not report.ok:
        sys.exit(UserError.exit_code)


@suite.command("regenerate")
@TASK
@click.option(
    "--check",
    "only_check",
    is_flag=True,
    help="Write nothing; exit with 1 if something would change.",
)
@click.option(
    "--set-count",
    is_flag=True,
    help="Also set min_passed in task.toml to the new number of cases.",
)
@SANDBOX
def regenerate_(task: str, *, only_check: bool, set_count: bool, sandbox: str) -> None:
    """Ask TASK's reference every probe, and write the suite with what it answers.

    Probes are the functions of grader/probes.py. The reference runs in the
    sandbox, twice; the same probes give the same bytes at every run.
    """
    settings = config.current()
    made = regenerate(Path(task), wiring.sandbox(sandbox, settings), settings.work)
    if only_check:
        click.echo(_difference(made) or f"unchanged: {made.path}, {made.count} cases")
        sys.exit(DIFFERS if made.changed or made.miscounted else 0)
    write(made, set_count=set_count)
    verb = "written" if made.changed else "unchanged"
    click.echo(f"{verb}: {made.path}, {made.count} cases, all passed by the reference")
    if made.miscounted:
        click.echo(f"written: {made.folder / 'task.toml'}, min_passed = {made.count}")


def _difference(made: Regenerated) -> str:
    """Return what would change."""
    if not made.changed:
        return made.miscounted
    old = made.path.read_text("utf-8", "replace") if made.path.is_file() else ""
    lines = difflib.unified_diff(
        old.splitlines(),
        made.text.splitlines(),
        str(made.path),
        "regenerated",
        lineterm="",
    )
    return "\n".join([*map(printable, lines), *filter(None, [made.miscounted])])


def told(report: SuiteReport) -> str:
    """Return a suite's report in words."""
    state = "in order" if report.ok else f"{len(report.problems)} problems"
    lines = [f"suite {state}: {report.count} assertions, {len(report.rules)} rules"]
    lines += [f"  problem: {printable(item)}" for item in report.problems]
    if any("ERRORS" in item for item in report.problems) and report.errors:
        lines += ["  the reference has, to be pasted:", indented(report.errors)]
    lines += [f"  warning: {printable(item)}" for item in report.warnings]
    return "\n".join(lines)
