"""`shipbar grade --many`: a batch with a progress bar, which can be stopped and resumed."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

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

from shipbar import api
from shipbar.cli.text import printable
from shipbar.errors import IntakeError, UserError
from shipbar.grading.intake import take_in
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
    output: Path | None
    """Where results are appended, and looked up when resuming."""


def grade_batch(batch: Batch, *, json_lines: bool, require_ship: bool) -> int:
    """Grade all of ``batch``; return the exit code."""
    task = load_task(batch.task)
    paths = submissions(batch.source)
    done = _held(batch.output, task) if batch.output is not None else {}
    todo = [path for path in paths if not _is_done(path, done)]
    console = Console(stderr=True)
    if len(todo) < len(paths):
        console.print(
            f"resuming: {len(paths) - len(todo)} of {len(paths)} are in {batch.output}",
            highlight=False,
        )
    tally: Counter[int] = Counter()
    with ExitStack() as stack:
        sink = (
            stack.enter_context(batch.output.open("a", encoding="utf-8"))
            if batch.output is not None
            else None
        )
        bar = stack.enter_context(_bar(console))
        row = bar.add_task(
            "grading", total=len(paths), completed=len(paths) - len(todo)
        )
        for line in _results(task, todo, batch):
            _write(line, json_lines=json_lines, sink=sink)
            tally[_code(line, require_ship=require_ship)] += 1
            bar.advance(row)
    for path in paths:
        if path not in set(todo):
            tally[_code(done[path], require_ship=require_ship)] += 1
    return max(tally, default=OK)


def submissions(source: str) -> list[str]:
    """Return the paths that ``source`` stands for.

    Raises:
        UserError: it is neither a folder nor a readable list, or names nothing.
    """
    path = Path(source)
    if path.is_dir():
        found = [
            str(entry)
            for entry in sorted(path.iterdir())
            if not entry.name.startswith(".")
        ]
    else:
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as cause:
            raise UserError(
                f"--many {source}: expected a folder or a text file of paths: {cause}"
            ) from cause
        found = [str(path.parent / line.strip()) for line in lines if line.strip()]
    if not found:
        raise UserError(f"--many {source}: names no submission")
    if repeated := [name for name, count in Counter(found).items() if count > 1]:
        raise UserError(f"--many {source}: named twice: {', '.join(repeated[:5])}")
    return found


def _bar(console: Console) -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=True)


def _results(task: Task, paths: list[str], batch: Batch) -> Iterator[dict[str, Any]]:
    results = api.grade_many(
        task, paths, jobs=batch.jobs, sandbox=batch.sandbox, install=batch.install
    )
    for graded in results:
        yield line_of(graded)


def line_of(graded: api.Graded) -> dict[str, Any]:
    """Return one result as a JSON object; not graded has no score."""
    if graded.verdict is not None:
        return {
            "candidate": graded.candidate,
            "status": "graded",
            **graded.verdict.as_json(),
        }
    if graded.refused:
        return {
            "candidate": graded.candidate,
            "status": "refused",
            "why": graded.refused,
        }
    return {"candidate": graded.candidate, "status": "not graded", "why": graded.fault}


def _write(line: dict[str, Any], *, json_lines: bool, sink: TextIO | None) -> None:
    text = json.dumps(line, sort_keys=True)
    if sink is not None:
        sink.write(text + "\n")
        sink.flush()
    click.echo(text if json_lines else _row(line))


def _row(line: dict[str, Any]) -> str:
    if line["status"] != "graded":
        return f"{line['status']:<12}{'':>16}  {line['candidate']}: {printable(line['why'])}"
    word = "shipped" if line["shipped"] else "not shipped"
    score = f"{line['passed']}/{line['total']} = {line['score']:.4f}"
    return f"{word:<12}{score:>16}  {line['candidate']}"


def _code(line: dict[str, Any], *, require_ship: bool) -> int:
    if line["status"] == "refused":
        return REFUSED
    if line["status"] != "graded":
        return FAULT
    return NOT_SHIPPED if require_ship and not line["shipped"] else OK


def _held(output: Path, task: Task) -> dict[str, dict[str, Any]]:
    """What ``output`` holds of this very task, by candidate; a half-written last line does not count."""
    held: dict[str, dict[str, Any]] = {}
    if not output.exists():
        return held
    text = output.read_text("utf-8")
    for line in text.splitlines():
        try:
            result = json.loads(line)
        except ValueError:
            continue
        if isinstance(result, dict) and result.get("task_digest") == task.digest:
            held[str(result.get("candidate"))] = result
    if text and not text.endswith("\n"):
        with output.open("a", encoding="utf-8") as file:
            file.write("\n")
    return held


def _is_done(path: str, held: dict[str, dict[str, Any]]) -> bool:
    """Whether the same content was graded against this task."""
    if path not in held:
        return False
    try:
        return bool(take_in(path).digest == held[path].get("submission_digest"))
    except IntakeError:
        return False
