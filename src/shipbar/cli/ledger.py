"""`shipbar ledger`: record what was made, proven, delivered and accepted, and look it up."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from shipbar import config
from shipbar.attest import keys
from shipbar.attest.store import SUFFIX, Kept
from shipbar.cli.options import JSON, LEDGER
from shipbar.cli.receipt import KEY, trusted
from shipbar.cli.text import printable
from shipbar.cli.verify import tasks_in
from shipbar.errors import ShipbarError, UserError
from shipbar.store.acceptance import read_report
from shipbar.store.entries import entry_of, kept_receipts, signed_reviews
from shipbar.store.export import as_json as facts_of
from shipbar.store.ledger import Ledger
from shipbar.store.values import (
    ACCEPTED,
    AcceptanceFacts,
    AcceptanceRecord,
    Delivery,
    TaskEntry,
    TaskFacts,
    client_name,
)

KINDS = ("tasks", "receipts", "deliveries", "acceptance")
SHORT = 19
"""Characters of a digest where there is no room for more."""
Row = tuple[str, ...]


@click.group()
def ledger() -> None:
    """Record what was made and delivered, and look it up."""


@ledger.command()
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…"
)
@click.option(
    "--receipts",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of receipts, beside those that are kept here; may be repeated.",
)
@KEY
@LEDGER
def record(
    paths: tuple[Path, ...],
    *,
    folders: tuple[Path, ...],
    key_files: tuple[Path, ...],
    where: str | None,
) -> None:
    """Record the tasks in PATH with their receipts and reviews.

    PATH is a task, or a folder of tasks. What is recorded already is left as it is. A
    task that collides with another one is refused, the rest is recorded, and the exit
    code is 2.
    """
    settings = config.current()
    opened = _opened(where)
    entries, refused = _entries(tasks_in(paths))
    known = [it.key for it in trusted(key_files)]
    kept: dict[str, list[Kept]] = {it.digest: [] for it in entries.values()}
    for folder in (settings.cache / "receipts", *folders):
        for digest, its in kept_receipts(folder, kept.keys(), known).items():
            kept[digest] += its
    for task, entry in entries.items():
        try:
            made = list(signed_reviews(task, entry.digest))
            new = opened.record(entry, kept[entry.digest], made)
        except UserError as problem:
            refused.append(str(problem))
            continue
        word = "recorded" if new.task else "was recorded"
        click.echo(
            printable(
                f"{entry.task_id} {entry.digest[:SHORT]}… {word}; new: {new.receipts} receipts, {new.reviews} reviews"
            )
        )
    for why in refused:
        click.echo(printable(why), err=True)
    if refused:
        sys.exit(UserError.exit_code)


@ledger.command(name="import")
@click.argument("report", type=click.Path(path_type=Path))
@KEY
@LEDGER
def import_(report: Path, *, key_files: tuple[Path, ...], where: str | None) -> None:
    """Record what a buyer says of a delivery: REPORT is what `shipbar accept` wrote.

    A file, or a folder with one such file in it. It has to be signed with a key that
    you trust and that is none of your own, and to be of a delivery just as it was
    delivered.
    """
    path = _report_in(report)
    try:
        data = path.read_bytes()
    except OSError as cause:
        raise UserError(
            f"{path}: cannot be read ({cause.strerror}); give the signed report that `shipbar accept` wrote"
        ) from cause
    found, signed = read_report(data, [it.key for it in trusted(key_files)], str(path))
    if found.buyer in {it.key.keyid for it in keys.owned(config.current().keys)}:
        raise UserError(
            f"{path}: signed with {found.buyer}, which is a key of yours; what counts is the buyer's own number: "
            "have them run `shipbar accept` with their key, and send you the report"
        )
    new = _opened(where).record_acceptance(found, signed)
    word = "imported" if new else "was imported before"
    click.echo(
        printable(f"delivery {found.serial} to {found.client}: {_rate(found)}; {word}")
    )


@ledger.command(name="list")
@click.argument("kind", type=click.Choice(KINDS), default=KINDS[0])
@click.option("--client", metavar="NAME", help="Only what is this client's.")
@LEDGER
@JSON
def list_(kind: str, *, client: str | None, where: str | None, as_json: bool) -> None:
    """List tasks, receipts, deliveries, or what buyers accepted; tasks if nothing is named."""
    if client is not None:
        client_name(client)
    opened = _opened(where)
    listings: Mapping[str, Callable[[], tuple[Sequence[Any], Iterator[Row]]]] = {
        "tasks": lambda: _tasks(opened, client),
        "receipts": lambda: _receipts(opened, client),
        "deliveries": lambda: _deliveries(opened, client),
        "acceptance": lambda: _acceptance(opened, client),
    }
    facts, rows = listings[kind]()
    if as_json:
        click.echo(json.dumps([facts_of(it) for it in facts], indent=2))
    elif facts:
        click.echo(printable("\n".join(_aligned(list(rows)))))
    else:
        click.echo(f"no {kind} in the ledger {opened.name}", err=True)


@ledger.command()
@click.argument("what", metavar="TASK|DELIVERY")
@LEDGER
@JSON
def show(what: str, *, where: str | None, as_json: bool) -> None:
    """Show all that is recorded of a task, by its id or digest, or of a delivery, by its number."""
    opened = _opened(where)
    if what.isascii() and what.isdigit():
        delivery = opened.delivery(int(what))
        reports = opened.acceptance(serial=delivery.serial)
        told = {
            **facts_of(delivery),
            "acceptance": [facts_of(it) for it in reports],
        }
        lines = _delivery_lines(delivery, reports)
    else:
        task = opened.task(what)
        told = {**facts_of(task), **_of_digests(opened, task)}
        lines = _task_lines(opened, task)
    click.echo(json.dumps(told, indent=2) if as_json else printable("\n".join(lines)))


@ledger.command()
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="File to write; what is there is replaced.",
)
@LEDGER
def export(output: Path, *, where: str | None) -> None:
    """Write all that is recorded to a file, one JSON object a line.

    Two ledgers with the same content give the same bytes, on whatever database.
    """
    opened = _opened(where)
    opened.export(output)
    click.echo(f"ledger {opened.name} written to {output}", err=True)


@ledger.command()
@click.argument("serial", type=click.IntRange(min=1))
@LEDGER
def withdraw(serial: int, *, where: str | None) -> None:
    """Give up the delivery with the number SERIAL, which was reserved and never finished.

    Its tasks can go to others again. Its number is not used again.
    """
    opened = _opened(where)
    held = opened.delivery(serial)
    opened.withdraw_delivery(serial)
    tasks = ", ".join(it.task_id for it in held.tasks) or "no task"
    click.echo(f"delivery {serial} to {held.client} is withdrawn; it held {tasks}")


@ledger.command()
@click.argument("task")
@LEDGER
def forget(task: str, *, where: str | None) -> None:
    """Remove TASK, by its id, if it went to nobody; its names and rules are free again."""
    _opened(where).forget(task)
    click.echo(printable(f"{task} is no longer in the ledger"))


def _opened(where: str | None) -> Ledger:
    return Ledger.open(where or config.current().ledger)


def _entries(folders: Sequence[Path]) -> tuple[dict[Path, TaskEntry], list[str]]:
    entries, refused = {}, []
    for folder in folders:
        try:
            entries[folder] = entry_of(folder)
        except ShipbarError as problem:
            refused.append(str(problem))
    return entries, refused


def _report_in(path: Path) -> Path:
    """Return the one signed file in a folder, or the file itself."""
    if not path.is_dir():
        return path
    found = sorted(path.glob(f"*{SUFFIX}"))
    if len(found) != 1:
        raise UserError(
            f"{path}: expected one signed report, a file that ends in {SUFFIX}, found {len(found)}; name the file"
        )
    return found[0]


def _rate(it: AcceptanceRecord) -> str:
    accepted = sum(one.outcome == ACCEPTED for one in it.tasks)
    met = "met" if it.rate >= it.target else "missed"
    return f"{accepted} of {len(it.tasks)} accepted, target {it.target:.1%} {met}"


def _tasks(opened: Ledger, client: str | None) -> tuple[Sequence[Any], Iterator[Row]]:
    facts = opened.tasks(client)
    rows = (
        (
            it.task_id,
            it.task_class,
            it.split,
            it.family or "by hand",
            it.package,
            f"{len(it.digests)} digests" if len(it.digests) != 1 else "1 digest",
            it.client or "nobody's",
        )
        for it in facts
    )
    return facts, rows


def _receipts(
    opened: Ledger, client: str | None
) -> tuple[Sequence[Any], Iterator[Row]]:
    facts = opened.receipts(client=client)
    ids = {digest: it.task_id for it in opened.tasks() for digest in it.digests}
    rows = (
        (
            ids.get(it.digest, ""),
            it.digest[:SHORT] + "…",
            f"{it.gate} {it.name}",
            it.status,
            it.cell,
            f"shipbar {it.tool_version}",
        )
        for it in facts
    )
    return facts, rows


def _deliveries(
    opened: Ledger, client: str | None
) -> tuple[Sequence[Any], Iterator[Row]]:
    facts = opened.deliveries(client)
    rows = (
        (
            str(it.serial),
            it.client,
            it.date,
            it.state,
            f"{len(it.tasks)} tasks",
            it.manifest,
        )
        for it in facts
    )
    return facts, rows


def _acceptance(
    opened: Ledger, client: str | None
) -> tuple[Sequence[Any], Iterator[Row]]:
    facts = opened.acceptance(client)
    rows = (
        (
            f"delivery {it.record.serial}",
            it.record.client,
            f"report {it.number}",
            _rate(it.record),
            f"{it.record.seconds:.0f} s",
            f"key {it.record.buyer[:16]}",
        )
        for it in facts
    )
    return facts, rows


def _aligned(rows: Sequence[Row]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


def _delivery_lines(it: Delivery, reports: Sequence[AcceptanceFacts]) -> list[str]:
    lines = [
        f"delivery {it.serial} to {it.client}: {it.state}",
        f"date      {it.date or 'not said'}",
        f"manifest  {it.manifest or 'none yet'}",
        f"previous  {it.previous or 'none: the first to this client'}",
        "tasks:",
        *(f"    {one.task_id}  {one.digest}" for one in it.tasks),
    ]
    for report in reports:
        lines.append(
            f"report {report.number}: {_rate(report.record)}, signed by {report.record.buyer}"
        )
        lines += [
            f"    {one.task_id}: {one.outcome}: {one.reason}"
            for one in report.record.tasks
            if one.outcome != ACCEPTED
        ]
    return lines


def _of_digests(opened: Ledger, task: TaskFacts) -> dict[str, Any]:
    return {
        "receipts": [facts_of(it) for d in task.digests for it in opened.receipts(d)],
        "reviews": [facts_of(it) for d in task.digests for it in opened.reviews(d)],
        "deliveries": [it.serial for it in _with(opened, task)],
    }


def _with(opened: Ledger, task: TaskFacts) -> list[Delivery]:
    return [
        it
        for it in opened.deliveries()
        if task.task_id in {one.task_id for one in it.tasks}
    ]


def _task_lines(opened: Ledger, task: TaskFacts) -> list[str]:
    lines = [
        f"{task.task_id}: {task.task_class}, {task.split}, {task.language}",
        f"package   {task.package}",
        f"family    {task.family or 'none: written by hand'}",
        f"client    {task.client or 'nobody yet'}",
        f"canary    {task.canary}",
        f"names     {', '.join(task.names)}",
    ]
    lines += [f"rule      {axis} = {value}" for axis, value in task.rules.items()]
    for digest in task.digests:
        lines.append(f"at {digest}:")
        lines += [
            f"    {it.gate} {it.name}: {it.status} {it.cell}".rstrip()
            for it in opened.receipts(digest)
        ]
        lines += [
            f"    {it.role} {it.name}, {it.date}: {'approved' if it.approves else f'rejected: {it.why}'}"
            for it in opened.reviews(digest)
        ]
    lines += [
        f"delivery {it.serial} to {it.client}: {it.state}" for it in _with(opened, task)
    ]
    return lines
