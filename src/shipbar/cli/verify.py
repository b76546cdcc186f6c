"""`shipbar verify`: take tasks through the gates."""

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs
import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from shipbar import config, wiring
from shipbar.cli.options import JSON, SANDBOX
from shipbar.cli.pages import write_whole
from shipbar.cli.text import printable
from shipbar.errors import SeamError, ShipbarError, UserError
from shipbar.gates import Gate, Status, Trial, reports
from shipbar.gates.proving import Proof, prove, totals
from shipbar.gates.receipts import Receipts
from shipbar.grading import workers
from shipbar.grading.tasks import Task, load_task

FAILED = 1
COLOURS = {
    Status.PASSED: "green",
    Status.FAILED: "red",
    Status.NOT_RUN: "yellow",
    Status.NOT_APPLICABLE: "dim",
}
BY_PEOPLE = ("review",)
"""Gates that are asked only by name: they look for what people signed."""


@attrs.frozen(kw_only=True)
class Work:
    """What every process of one run needs."""

    gates: tuple[str, ...]
    """Names of the gates, in order."""
    sandbox: str
    """A backend's name, or `auto`."""
    backends: tuple[str, ...]
    """Names of the backends that work here."""
    others: tuple[str, ...]
    """Folders of tasks that none may resemble."""
    images: tuple[Path, ...]
    """Solver images."""
    receipts: Path | None
    """Folder that receipts are copied to."""
    fresh: bool
    """Whether to run again what is kept."""
    fail_fast: bool
    """Whether to stop a task at the first gate that it does not pass."""


@click.command()
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…"
)
@click.option(
    "--gate",
    "chosen",
    multiple=True,
    metavar="NAME",
    help="Ask this gate only, by its id or name; may be repeated.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Tasks that are taken through the gates at once.",
)
@click.option(
    "--fail-fast",
    is_flag=True,
    help="Stop at the first task that does not pass, and in it at the first gate.",
)
@click.option("--fresh", is_flag=True, help="Run again what receipts are kept of.")
@click.option(
    "--against",
    multiple=True,
    type=click.Path(path_type=Path),
    help="More tasks that none may resemble; may be repeated.",
)
@click.option(
    "--image",
    "images",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help="Solver image of the task: an OCI layout or an archive; may be repeated.",
)
@click.option(
    "--receipts",
    type=click.Path(path_type=Path),
    help="Folder that every receipt is copied to, one folder a task.",
)
@click.option(
    "--junit", type=click.Path(path_type=Path), help="Write JUnit XML to this file."
)
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path),
    help="Write a page with charts to this file.",
)
@SANDBOX
@JSON
def verify(  # noqa: PLR0913  # one parameter an option
    paths: tuple[Path, ...],
    *,
    chosen: tuple[str, ...],
    jobs: int,
    fail_fast: bool,
    fresh: bool,
    against: tuple[Path, ...],
    images: tuple[Path, ...],
    receipts: Path | None,
    junit: Path | None,
    page: Path | None,
    sandbox: str,
    as_json: bool,
) -> None:
    """Take tasks through the gates, and print what each found.

    PATH is a task, or a folder of tasks. Exits with 1 if a task fails a gate, with 3
    if a gate could not be run. What has a receipt already, under the same task, tool
    and sandbox, is not run again.
    """
    folders = tasks_in(paths)
    gates = _gates(chosen)
    work = Work(
        gates=tuple(gate.name for gate in gates),
        sandbox=sandbox,
        backends=_backends(sandbox)
        if any(g.name == "reproduce" for g in gates)
        else (),
        others=tuple(map(str, [*folders, *tasks_in(against)])),
        images=images,
        receipts=receipts,
        fresh=fresh,
        fail_fast=fail_fast,
    )
    proofs = list(_proofs(folders, gates, work, jobs))
    if junit is not None:
        write_whole(junit, reports.as_junit(proofs), "--junit")
    if page is not None:
        write_whole(page, reports.as_page(proofs, gates), "--html")
        click.echo(f"page written to {printable(str(page))}", err=True)
    if as_json:
        click.echo(reports.as_json(proofs), nl=False)
    else:
        _print(proofs, gates)
    sys.exit(exit_code(proofs))


def exit_code(proofs: Sequence[Proof]) -> int:
    """Return what `shipbar verify` exits with."""
    if any(proof.failed for proof in proofs):
        return FAILED
    return SeamError.exit_code if any(proof.unproven for proof in proofs) else 0


def tasks_in(paths: Sequence[Path]) -> list[Path]:
    """Return the tasks at ``paths``, each once: tasks, and those in folders of tasks.

    Raises:
        UserError: there is no task at one of them.
    """
    found: dict[Path, None] = {}
    for path in paths:
        here = (
            [path]
            if (path / "task.toml").is_file()
            else sorted(file.parent for file in path.glob("*/task.toml"))
        )
        if not here:
            raise UserError(
                f"{path}: expected a task, or a folder of tasks; a task is a folder with a task.toml"
            )
        found |= dict.fromkeys(here)
    return list(found)


def _gates(chosen: Sequence[str]) -> list[Gate]:
    """Return the gates of those ids or names in their order; all that need no people if none is named."""
    known = {name: wiring.gate(name) for name in wiring.names("gate")}
    by_id = {gate.id.lower(): name for name, gate in known.items()}
    names = {by_id.get(word.lower(), word) for word in chosen}
    for name in sorted(names - known.keys()):
        wiring.gate(name)  # raises, and lists those there are
    return [
        gate
        for name, gate in known.items()
        if name in names or (not names and name not in BY_PEOPLE)
    ]


def _backends(sandbox: str) -> tuple[str, ...]:
    settings = config.current()
    first = wiring.sandbox(sandbox, settings)
    return tuple(it.name for it in wiring.working_sandboxes(first, settings))


def _proofs(
    folders: Sequence[Path], gates: Sequence[Gate], work: Work, jobs: int
) -> Iterator[Proof]:
    console = Console(stderr=True)
    columns = (
        TextColumn("proving"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[now]}"),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        row = bar.add_task("proving", total=len(folders) * len(gates), now="")
        done = 0

        def heard(folder: str, gate: str) -> None:
            nonlocal done
            done += 1
            bar.update(row, completed=done - 1, now=f"{Path(folder).name} {gate}")

        results = workers.each(
            [str(folder) for folder in folders],
            jobs=jobs,
            opener=functools.partial(_opened, work),
            lost=_lost,
            heard=heard,
        )
        for proof in results:
            yield proof
            if work.fail_fast and (proof.failed or proof.unproven):
                results.close()
                return


@contextmanager
def _opened(work: Work) -> Iterator[Callable[[str], Proof]]:
    """In each process: open what all tasks share."""
    settings = config.current()
    gates = [wiring.gate(name) for name in work.gates]
    sandbox = wiring.sandbox(work.sandbox, settings)
    backends = tuple(wiring.sandbox(name, settings) for name in work.backends)
    others = tuple(_loaded(work.others))
    receipts = Receipts(settings, copies=work.receipts, fresh=work.fresh)

    def proven(folder: str) -> Proof:
        try:
            task = load_task(folder)
        except ShipbarError as why:
            return Proof(
                folder=folder, task_id="", digest="", found=(), failure=str(why)
            )
        with Trial(
            task=task,
            sandbox=sandbox,
            work=settings.work,
            cache=settings.cache,
            backends=backends,
            others=tuple(other for other in others if other.digest != task.digest),
            images=work.images,
        ) as trial:
            return prove(
                trial, gates, receipts, fail_fast=work.fail_fast, tell=workers.tell
            )

    yield proven


def _loaded(folders: Sequence[str]) -> Iterator[Task]:
    """Load what can be loaded; what cannot is told where it is itself asked for."""
    for folder in folders:
        try:
            yield load_task(folder)
        except ShipbarError:
            continue


def _lost(folder: str, how: str) -> Proof:
    return Proof(
        folder=folder,
        task_id="",
        digest="",
        found=(),
        failure=f"the process that proved it ended ({how}); verify again",
    )


def _print(proofs: Sequence[Proof], gates: Sequence[Gate]) -> None:
    table = Table(box=None, pad_edge=False, show_footer=True)
    table.add_column("task", footer="passed")
    for gate in gates:
        counts = totals(proofs, gate.id)
        asked = sum(counts.values()) - counts[Status.NOT_APPLICABLE]
        table.add_column(
            gate.id, justify="right", footer=f"{counts[Status.PASSED]}/{asked}"
        )
    for proof in proofs:
        cells = [Text(printable(proof.task_id or proof.folder))]
        for gate in gates:
            evidence = proof.evidence(gate.id)
            cells.append(
                Text(printable(evidence.cell), COLOURS[evidence.status])
                if evidence
                else Text("")
            )
        table.add_row(*cells)
    console = Console(width=None if sys.stdout.isatty() else 400)
    console.print(table)
    for proof in proofs:
        if proof.failure:
            click.echo(printable(f"{proof.folder}: {proof.failure}"))
        for found in proof.found:
            for line in found.evidence.problems or filter(None, [found.evidence.why]):
                click.echo(printable(f"{proof.task_id} {found.evidence.gate}: {line}"))
