"""`shipbar canary`: find out whether tasks are in what somebody holds."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from shipbar.canary import Found, Known, Looked, from_indexes, from_tasks, scan, total
from shipbar.cli.options import JSON
from shipbar.cli.text import printable
from shipbar.errors import SeamError, UserError

FOUND, CLEAN, UNREAD = 1, 0, SeamError.exit_code


@click.group()
def canary() -> None:
    """Find out whether tasks are in a training set, a log, or any other files.

    Every task carries a canary, a text that stands nowhere else. Where it turns up,
    the task, or something that was made from it, is.
    """


@canary.command("scan")
@click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path)
)
@click.option(
    "--tasks",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Tasks: say whose each canary is, and look for canaries of other forms too.",
)
@click.option(
    "--index",
    "indexes",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="INDEX.jsonl",
    help="The same, from the index of a delivery; may be repeated.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes that search at once, by files.",
)
@JSON
def scan_command(
    paths: tuple[Path, ...],
    *,
    tasks: Path | None,
    indexes: tuple[Path, ...],
    jobs: int,
    as_json: bool,
) -> None:
    """Search files, archives and folders for canaries.

    Exits with 1 if one was found, with 3 if none was but something could not be read,
    with 0 if everything was read and there is none.
    """
    if tasks and indexes:
        raise UserError(
            "--tasks and --index say the same thing twice; give one of them"
        )
    known = from_tasks(tasks) if tasks else from_indexes(indexes)
    tally: Counter[str] = Counter()
    records: dict[str, list[Any]] = {"found": [], "unread": [], "remarks": []}
    for looked in _searched(paths, known, jobs):
        _count(looked, tally)
        if as_json:
            _record(looked, records)
        else:
            _tell(looked)
    if as_json:
        counts = {name: tally[name] for name in ("files", "bytes")}
        summary = {"canaries": tally["found"], "complete": not tally["unread"]}
        click.echo(json.dumps({**records, **counts, **summary}, sort_keys=True))
    else:
        click.echo(_summary(tally, known))
    sys.exit(FOUND if tally["found"] else UNREAD if tally["unread"] else CLEAN)


def _searched(paths: tuple[Path, ...], known: Known, jobs: int) -> Iterator[Looked]:
    """Search, with a bar where a person looks on."""
    if not sys.stderr.isatty():
        yield from scan(paths, known, jobs=jobs)
        return
    columns = (
        TextColumn("searching"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
        redirect_stderr=True,
    ) as bar:
        row = bar.add_task("searching", total=total(paths))
        yield from scan(
            paths, known, jobs=jobs, advance=lambda count: bar.advance(row, count)
        )


def _count(looked: Looked, tally: Counter[str]) -> None:
    tally["files"] += bool(looked.path)
    tally["bytes"] += looked.size
    tally["found"] += len(looked.found) + looked.more
    tally["unread"] += len(looked.unread)


def _record(looked: Looked, records: dict[str, list[Any]]) -> None:
    records["found"] += [attrs.asdict(it) for it in looked.found]
    records["unread"] += [attrs.asdict(it) for it in looked.unread]
    records["remarks"] += [*looked.remarks, *_more(looked)]


def _tell(looked: Looked) -> None:
    for it in looked.found:
        click.echo(printable(_row(it)))
    for remark in [*looked.remarks, *_more(looked)]:
        click.echo(printable(f"remark: {remark}"), err=True)
    for unread in looked.unread:
        click.echo(printable(f"not read: {unread.path}: {unread.why}"), err=True)


def _more(looked: Looked) -> list[str]:
    return [f"{looked.path}: {looked.more} canaries more"] if looked.more else []


def _row(it: Found) -> str:
    place = f"{it.where}:{it.line}: byte {it.offset}"
    if it.offset < 0:
        place = f"{it.where}: in its name or header"
    how = "" if it.exact else " (escaped, split or in other letters)"
    return f"{place}: {it.canary}{how}, {_owners(it)}"


def _owners(it: Found) -> str:
    if not it.owners:
        return "of no task that was named"
    return " and ".join(
        f"task {owner.task_id}"
        + (f", delivered to {owner.client}" * bool(owner.client))
        for owner in it.owners
    )


def _summary(tally: Counter[str], known: Known) -> str:
    found = f"{tally['found'] or 'no'} canar{'y' if tally['found'] == 1 else 'ies'}"
    size = f"{tally['files']} files, {tally['bytes'] / 1e6:.1f} MB"
    unread = f"; not read: {tally['unread']}" * bool(tally["unread"])
    of = f"; canaries known: {len(known.owners)}" * bool(known.owners)
    return f"{found} in {size}{of}{unread}"
