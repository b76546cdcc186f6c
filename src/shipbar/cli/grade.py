"""`shipbar grade`: one submission, or many."""

import json
import sys
from pathlib import Path

import click

from shipbar import api
from shipbar.cli.options import COPY_GUARD, JSON, SANDBOX, TASK
from shipbar.cli.text import indented, printable
from shipbar.errors import UserError
from shipbar.grading.install import Install
from shipbar.verdict import (
    CaseOutcome,
    Copying,
    Level,
    Likeness,
    Outcome,
    Quirks,
    Verdict,
)

NOT_SHIPPED = 1
MOST_LINES, MOST_REMARKS = 40, 5
LONGEST_LINE = 400
"""How much of a candidate's words a reader is shown; all of it is in --json."""


@click.command()
@TASK
@click.argument("candidate", required=False, type=click.Path())
@JSON
@SANDBOX
@click.option(
    "--require-ship", is_flag=True, help="Exit with 1 unless every assertion passes."
)
@click.option(
    "--install",
    type=click.Choice([str(way) for way in Install]),
    default=str(Install.AUTO),
    show_default=True,
    help="Copy the tree, build it with pip in the sandbox, or decide by what it holds.",
)
@COPY_GUARD
@click.option(
    "--quirks",
    is_flag=True,
    help="Ask what no assertion asks, too: wordings, orders, reprs; told beside the verdict.",
)
@click.option(
    "--many",
    metavar="FILE|DIR",
    type=click.Path(),
    help="Grade each entry of a folder, or each path that a file lists, one a line.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="With --many: processes that grade at once.",
)
@click.option(
    "--json-lines",
    is_flag=True,
    help="With --many: print one JSON object a submission.",
)
@click.option(
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="With --many: append the JSON lines to FILE, and skip what it already holds.",
)
def grade(  # noqa: PLR0913  # one parameter an option
    task: str,
    candidate: str | None,
    *,
    as_json: bool,
    sandbox: str,
    require_ship: bool,
    install: str,
    copy_guard: bool,
    quirks: bool,
    many: str | None,
    jobs: int,
    json_lines: bool,
    output: Path | None,
) -> None:
    """Grade the submission at path CANDIDATE against TASK.

    A submission is a folder, a tar or a wheel. Exits with 0 when it was graded
    (1 with --require-ship if it does not ship), 2 for the caller's mistake, 3
    for the machine's. With --many the highest code of all submissions counts.
    """
    if (candidate is None) == (many is None):
        raise UserError("name one CANDIDATE, or many with --many FILE|DIR")
    if many is not None:
        # Here, since only this branch needs the progress bar and what it imports.
        from shipbar.cli.many import Batch, grade_batch  # noqa: PLC0415

        batch = Batch(
            task=task,
            source=many,
            jobs=jobs,
            sandbox=sandbox,
            install=install,
            copy_guard=copy_guard,
            quirks=quirks,
            output=output,
        )
        sys.exit(
            grade_batch(
                batch, json_lines=json_lines or as_json, require_ship=require_ship
            )
        )
    if json_lines or output is not None or jobs > 1:
        raise UserError("--jobs, --json-lines and --output go with --many FILE|DIR")
    verdict = api.grade(
        task,
        str(candidate),
        sandbox=sandbox,
        install=install,
        copy_guard=copy_guard,
        quirks=quirks,
    )
    click.echo(json.dumps(verdict.as_json(), indent=2) if as_json else told(verdict))
    if require_ship and not verdict.shipped:
        sys.exit(NOT_SHIPPED)


def told(verdict: Verdict) -> str:
    """Return a verdict in words: shipped or not, the score, what failed first, what it copies."""
    shipped = "shipped" if verdict.shipped else "not shipped"
    passed = f"{verdict.passed}/{verdict.total} = {float(verdict.behaviour):.4f}"
    score = f"0.0000, and {passed} by behaviour," if verdict.zeroed else passed
    lines = [f"{shipped}: {score} on {verdict.task_id}"]
    lines += _why_not(verdict) if not verdict.structure.ok else _failures(verdict)
    if verdict.copying is not None:
        lines += _copying(verdict.copying)
    run = verdict.run
    if run.quirks is not None:
        lines += _quirks(run.quirks)
    ways = f"installed by {verdict.install}, {run.sandbox} sandbox, {run.seconds:.2f} s"
    lines += [f"  note: {printable(note)}" for note in run.notes]
    lines += [f"  left out: {printable(what)}" for what in run.left_out[:5]]
    if len(run.left_out) > 5:  # noqa: PLR2004  # the rest is in --json
        lines.append(f"  left out: {len(run.left_out) - 5} more (--json lists them)")
    lines += [f"  {ways}", f"  verdict {verdict.digest}"]
    return "\n".join(lines)


_NOTHING = frozenset({Level.CLEAR})
"""Levels of which there is nothing to tell."""


def _copying(found: Copying) -> list[str]:
    """What the copy guard found; nothing if a submission is clear of all sources."""
    lines = []
    if found.held_out:
        lines.append(f"  copy guard: {found.reason}")
    for it in found.sources:
        if it.level not in _NOTHING:
            lines += [f"  copy guard: {line}" for line in _likeness(it)]
    shown = [f"  compared: {printable(remark)}" for remark in found.remarks]
    lines += shown[:MOST_REMARKS]
    if len(shown) > MOST_REMARKS:
        lines.append(
            f"  compared: {len(shown) - MOST_REMARKS} more (--json lists them)"
        )
    return lines


def _likeness(it: Likeness) -> list[str]:
    said = f"{it.source}: {it.level}"
    if it.level in (Level.NOT_COMPARED, Level.TOO_SMALL):
        return [f"{said}, {it.reasons[0]}"]
    said += f", {it.score:.3f} ({it.of_source:.0%} of it, {it.of_candidate:.0%} of the submission)"
    lines = [f"{said}; {it.reasons[0]}" if it.reasons else said]
    if (run := it.longest) is not None:
        lines.append(
            f"longest region {printable(run.path)}:{run.first}-{run.last}, {run.share:.0%} of the submission"
        )
    return lines


def _quirks(found: Quirks) -> list[str]:
    """How often it does what a source does, where it need not. No answer is told."""
    lines = [
        f"  quirks: {it.source}: {it.agreed} of {it.asked} as it does, {it.answered} answered"
        for it in found.sources
    ]
    lines += [f"  quirks: {name}: could not be had" for name in found.missing]
    return [*lines, f"  quirks: {found.failure}"] if found.failure else lines


def _failures(verdict: Verdict) -> list[str]:
    failed = [case for case in verdict.cases if case.outcome is not Outcome.PASSED]
    if not failed:
        return []
    first = failed[0]
    lines = [
        f"  first failure: rule {first.rule}, {first.id.rpartition('::')[2]}: {first.outcome}"
    ]
    return [*lines, *_by_rule(verdict.cases)]


def _by_rule(cases: tuple[CaseOutcome, ...]) -> list[str]:
    totals: dict[str, list[int]] = {}
    for case in cases:
        count = totals.setdefault(case.rule, [0, 0])
        count[0] += case.outcome is Outcome.PASSED
        count[1] += 1
    short = [
        f"{rule} {passed}/{total}"
        for rule, (passed, total) in totals.items()
        if passed < total
    ]
    return [f"  failed rules: {', '.join(short)}"]


_WHY = {
    "not found": "the package is not in it: expected it at the root or under src/",
    "raised": "importing the package raised",
    "crashed": "importing the package ended the process",
    "timed out": "importing the package took too long",
    "malformed": "importing the package wrote what is no answer",
}


def _why_not(verdict: Verdict) -> list[str]:
    structure = verdict.structure
    if structure.missing:
        lines = [
            f"  structural check failed: public symbols missing: {', '.join(structure.missing)}"
        ]
    elif structure.why == "not installed":
        lines = ["  install failed: pip could not build it, and said"]
    else:
        lines = [f"  structural check failed: {_WHY.get(structure.why, structure.why)}"]
    return [*lines, *_trace(verdict.run.trace)]


def _trace(trace: str) -> list[str]:
    """The end of what the candidate said, which is where a traceback names the error."""
    said = printable(trace.rstrip()).splitlines()
    shown = [
        line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"
        for line in said[-MOST_LINES:]
    ]
    if len(said) > len(shown):
        shown.insert(0, f"({len(said) - len(shown)} lines before; --json has them)")
    return [indented(line) for line in shown]
