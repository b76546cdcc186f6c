"""`shipbar grade --many`: a batch with a progress bar, which can be stopped and resumed."""

import json
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import attrs
import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from shipbar import api, config, wiring
from shipbar.cli.results import Results, Terms
from shipbar.cli.text import printable
from shipbar.errors import UserError
from shipbar.grading.install import Install
from shipbar.grading.tasks import Task, load_task

OK, NOT_SHIPPED, REFUSED, FAULT = 0, 1, 2, 3


@attrs.frozen(kw_only=True)
class Batch:
    """What to grade, and how."""

    task: str
    """The task's folder."""
    source: str
    """A folder of submissions, or a file that lists their paths."""
    jobs: int
    """Processes that grade at once."""
    sandbox: str
    """A backend's name, or `auto`."""
    install: str
    """`auto`, `tree` or `pip`."""
    copy_guard: bool
    """Whether submissions are compared with the task's sources."""
    quirks: bool
    """Whether they are asked what no assertion asks."""
    output: Path | None
    """Where results are appended, and looked up when resuming."""


def grade_batch(batch: Batch, *, json_lines: bool, require_ship: bool) -> int:
    """Grade all of ``batch``; return the exit code."""
    task = load_task(batch.task)
    paths = submissions(batch.source)
    with ExitStack() as stack:
        results = stack.enter_context(Results(batch.output)) if batch.output else None
        held = results.current(task, paths, _terms(batch, task)) if results else {}
        todo = [path for path in paths if path not in held]
        graded = api.grade_many(
            task,
            todo,
            jobs=batch.jobs,
            sandbox=batch.sandbox,
            install=batch.install,
            copy_guard=batch.copy_guard,
            quirks=batch.quirks,
        )
        if results:
            results.prepare(task, todo)
        if held:
            click.echo(
                f"resuming: {len(held)} of {len(paths)} are in {printable(str(batch.output))}",
                err=True,
            )
        tally = Counter(map(_word, held.values()))
        bar = stack.enter_context(_bar())
        row = bar.add_task("grading", total=len(paths), completed=len(held))
        for result in graded:
            line = line_of(result, task)
            if results:
                results.add(line)
            _say(json.dumps(line, sort_keys=True) if json_lines else _row(line), bar)
            tally[_word(line)] += 1
            bar.advance(row)
    if not json_lines:
        counts = ", ".join(f"{tally[word]} {word}" for word in _CODES if tally[word])
        click.echo(f"{len(paths)} submissions: {counts}")
    return _code(tally, require_ship=require_ship)


def _terms(batch: Batch, task: Task) -> Terms:
    guard = wiring.guard(task, config.current()) if batch.copy_guard else None
    return Terms(
        install=Install(batch.install),
        copy_index=guard.name if guard else "",
        quirks=batch.quirks,
    )


def submissions(source: str) -> list[str]:
    """Return the paths that ``source`` stands for.

    Raises:
        UserError: it is neither a folder nor a readable list, or names nothing.
    """
    path = Path(source)
    try:
        if path.is_dir():
            names = sorted(entry.name for entry in path.iterdir())
            found = [str(path / name) for name in names if not name.startswith(".")]
        else:
            lines = path.read_text("utf-8").splitlines()
            found = [str(path.parent / line.strip()) for line in lines if line.strip()]
    except (OSError, ValueError) as cause:
        raise UserError(
            f"--many {source}: expected a folder of submissions, or a text file with one path a line: {cause}"
        ) from cause
    if not found:
        raise UserError(
            f"--many {source}: names no submission; put some in the folder, or one path a line in the file"
        )
    if repeated := [name for name, count in Counter(found).items() if count > 1]:
        raise UserError(
            f"--many {source}: named twice: {', '.join(repeated[:5])}; name each once"
        )
    return found


def _bar() -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    return Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
        redirect_stdout=False,
        redirect_stderr=False,
    )


def _say(text: str, bar: Progress) -> None:
    """Print one result; where both streams are one terminal, above the bar."""
    if sys.stdout.isatty() and not bar.disable:
        bar.console.print(text, markup=False, highlight=False, soft_wrap=True)
    else:
        click.echo(text)


def line_of(graded: api.Graded, task: Task) -> dict[str, Any]:
    """Return one result as a JSON object; what was not graded has no score."""
    line: dict[str, Any] = {
        "candidate": graded.candidate,
        "task_id": task.contract.task_id,
        "task_digest": task.digest,
    }
    if graded.verdict is not None:
        return {**line, "status": "graded", **graded.verdict.as_json()}
    if graded.refused:
        return {**line, "status": "refused", "why": graded.refused}
    return {**line, "status": "not graded", "why": graded.fault}


_CODES = {
    "shipped": OK,
    "not shipped": OK,
    "refused": REFUSED,
    "not graded": FAULT,
}
"""What can become of a submission, and the exit code that each asks for."""


def _word(line: dict[str, Any]) -> str:
    if line["status"] != "graded":
        return str(line["status"])
    return "shipped" if line["shipped"] else "not shipped"


def _row(line: dict[str, Any]) -> str:
    word, candidate = _word(line), printable(line["candidate"])
    if line["status"] != "graded":
        return f"{word:<12}{'':>16}  {candidate}: {printable(line['why'])}"
    score = f"{line['passed']}/{line['total']} = {line['behaviour']:.4f}"
    said = f"{word:<12}{score:>16}  {candidate}"
    found = line.get("copy_guard", {})
    if not found.get("reason"):
        return said
    worth = "scores 0: " if found["zeroed"] else ""
    return f"{said}: {worth}{printable(found['reason'])}"


def _code(tally: Counter[str], *, require_ship: bool) -> int:
    """The highest code that any submission asks for."""
    codes = {**_CODES, "not shipped": NOT_SHIPPED} if require_ship else _CODES
    return max((codes[word] for word, count in tally.items() if count), default=OK)
