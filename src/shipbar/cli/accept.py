"""`shipbar accept`: the buyer measures a delivery."""

import datetime
import functools
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs
import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from shipbar import config, wiring
from shipbar.acceptance import measuring, record, sampling
from shipbar.acceptance.accepting import Done, Order, Watch, accept
from shipbar.acceptance.measuring import Bench, Work
from shipbar.acceptance.reporting import PAGE, Summary
from shipbar.acceptance.values import OUTCOMES, Result
from shipbar.attest import keys
from shipbar.bundles.reading import find
from shipbar.bundles.sealing import Identity, identity_of
from shipbar.cli.options import JSON, SANDBOX
from shipbar.cli.text import printable
from shipbar.config import Config
from shipbar.errors import SeamError, UserError
from shipbar.grading import workers

REJECTED = 1
"""Exit code: the target is missed."""
SHOWN = 5
"""Reasons of one task that are told on the terminal; the report has all."""


@attrs.frozen(kw_only=True)
class Tools:
    """What each process opens: names and paths, so that it can be sent."""

    gates: tuple[str, ...]
    """Names of the gates, in order."""
    sandbox: str
    """A backend's name."""
    backends: tuple[str, ...]
    """Names of the backends that work here."""
    own: Path
    """The buyer's key."""
    trusted: tuple[Path, ...]
    """The maker's."""


@click.command("accept")
@click.argument("delivery", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    "report",
    type=click.Path(path_type=Path),
    required=True,
    metavar="REPORT",
    help="Folder for the report; the same one again goes on where it was.",
)
@click.option(
    "--key",
    "key_files",
    multiple=True,
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Public key of the maker, as you have it from them; no other key counts; may be repeated.",
)
@click.option(
    "--identity",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Your age identity or SSH key, which opens sealed graders.",
)
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="Measure N tasks, drawn by lot; everything is checked all the same.",
)
@click.option(
    "--nonce",
    metavar="TEXT",
    help="Draw the sample with this; by default with one that is drawn now and kept.",
)
@click.option(
    "--target",
    type=click.FloatRange(0, 1),
    default=1.0,
    show_default=True,
    metavar="RATE",
    help="The part of the measured tasks that is to be accepted.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Tasks that are measured at once.",
)
@click.option(
    "--sign-with",
    "own_key",
    default=keys.DEFAULT,
    show_default=True,
    metavar="KEY",
    help="Your key that signs the report: a name in your folder of keys, or a path.",
)
@click.option(
    "--unfenced",
    is_flag=True,
    help="Run weak graders though no fence can be put up around a stranger's packages.",
)
@SANDBOX
@JSON
def accept_command(  # noqa: PLR0913  # one parameter an option
    delivery: Path,
    *,
    report: Path,
    key_files: tuple[Path, ...],
    identity: Path | None,
    sample: int | None,
    nonce: str | None,
    target: float,
    jobs: int,
    own_key: str,
    unfenced: bool,
    sandbox: str,
    as_json: bool,
) -> None:
    """Measure DELIVERY, and write and sign what of it is accepted.

    Checks every signature and digest, runs every gate again that the delivery allows,
    and holds each claim to what came. Needs no network and nothing else of the maker's.
    Exits with 0 if the target is met, 1 if it is not, 3 if something could not be
    measured, 2 if there is no delivery that can be read.
    """
    if nonce is not None and sample is None:
        raise UserError("--nonce: draws a sample; say how many tasks with --sample")
    settings = config.current()
    trusted = [keys.load_public(path).key for path in key_files]
    find(delivery)  # before a key is made for nothing
    own = _own(settings, own_key)
    backend = wiring.sandbox(sandbox, settings)
    tools = Tools(
        gates=tuple(wiring.names("gate")),
        sandbox=backend.name,
        backends=tuple(it.name for it in wiring.working_sandboxes(backend, settings)),
        own=own.path.resolve(),
        trusted=tuple(path.resolve() for path in key_files),
    )
    order = Order(
        delivery=delivery,
        report=report,
        keys=trusted,
        own=own,
        identity=None if identity is None else _identity(identity),
        sample=sample,
        nonce=None if nonce is None else sampling.checked_nonce(nonce),
        target=target,
        jobs=jobs,
        unfenced=unfenced,
        sandbox=backend.name,
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
    )
    with _watching(tools) as watch:
        done = accept(order, functools.partial(_opener, tools), watch)
    if as_json:
        click.echo(_as_json(done), nl=False)
    else:
        click.echo(printable(told(order, done)))
    sys.exit(exit_code(done.summary))


def exit_code(summary: Summary) -> int:
    """Return what `shipbar accept` exits with."""
    if summary.closed or (summary.rate is not None and not summary.met):
        return REJECTED
    if summary.rate is None or summary.open_questions:
        return SeamError.exit_code
    return 0


def _own(settings: Config, name: str) -> keys.Own:
    if name != keys.DEFAULT:
        return keys.load(keys.private_path(settings.keys, name))
    own = keys.load_or_make(settings.keys)
    if own.made:
        click.echo(
            f"made a key to sign the report with: {own.path}, id {own.id}", err=True
        )
    return own


def _identity(path: Path) -> Identity:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as cause:
        raise UserError(f"--identity {path}: cannot be read: {cause}") from cause
    return identity_of(text, f"--identity {path}")


def _opener(tools: Tools, work: Work) -> workers.Opener[Result]:
    return functools.partial(_opened, tools, work)


@contextmanager
def _opened(tools: Tools, work: Work) -> Iterator[Callable[[str], Result]]:
    """In each process: open what all tasks share."""
    settings = config.current()
    bench = Bench(
        gates=[wiring.gate(name) for name in tools.gates],
        sandbox=wiring.sandbox(tools.sandbox, settings),
        backends=tuple(wiring.sandbox(name, settings) for name in tools.backends),
        own=keys.load(tools.own),
        trusted=[keys.load_public(path).key for path in tools.trusted],
        work=settings.work,
        cache=settings.cache,
    )
    with measuring.at(work, bench, workers.tell) as measured:
        yield measured


@contextmanager
def _watching(tools: Tools) -> Iterator[Watch]:
    """Show how far it is, on a terminal."""
    console = Console(stderr=True)
    columns = (
        TextColumn("measuring"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[now]}"),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        row = bar.add_task(
            "measuring", total=None, now="reading and checking every file"
        )

        def planned(tasks: int) -> None:
            bar.update(row, total=tasks * len(tools.gates), now="")

        def heard(task_id: str, gate: str) -> None:
            bar.update(row, advance=1, now=printable(f"{task_id} {gate}"))

        yield Watch(planned=planned, heard=heard)


def told(order: Order, done: Done) -> str:
    """Return what to print of an acceptance."""
    it = done.summary
    named = it.delivery
    head = (
        f"{order.delivery}: delivery {named['serial']} to {named['client']}"
        if named
        else f"{order.delivery}: nothing of it counts"
    )
    telling = [result for result in done.told if not result.by_design]
    lines = [head, *(_line(result) for result in telling[: 1 if it.closed else None])]
    lines.append(", ".join(f"{it.counts[word]} {word}" for word in OUTCOMES))
    if it.sample is not None:
        lines.append(
            f"a sample of {it.sample['count']} of {it.sample['of']}, drawn with the nonce {it.sample['nonce']}"
        )
    if it.by_design:
        lines.append(
            f"{it.by_design} of the evaluation split not measured: withheld, or sealed and no --identity given"
        )
    lines += [f"note: {note}" for note in it.notes]
    if it.rate is None:
        lines.append("nothing could be measured: there is no rate")
    else:
        word = "met" if it.met else "missed"
        lines.append(
            f"rate {100 * it.rate:.1f} %, target {100 * it.target:.1f} %: {word}, in {it.seconds:.0f} s"
        )
    lines.append(f"report written to {order.report / PAGE}")
    if done.signed:
        lines.append(
            f"signed with {it.buyer} in {order.report / record.NAME}; the maker takes it in with `shipbar ledger import`"
        )
    elif it.closed:
        lines.append("no signed report: there is no delivery that it could name")
    else:
        lines.append("no signed report: nothing was accepted or rejected")
    return "\n".join(lines)


def _line(result: Result) -> str:
    shown = list(result.reasons[:SHOWN])
    more = len(result.reasons) - SHOWN
    if more > 0:
        shown.append(f"and {more} more, see the report")
    return "\n".join(
        [
            f"  {result.task_id}: {result.outcome}",
            *(f"    {why.replace(chr(10), ' ')}" for why in shown),
        ]
    )


def _as_json(done: Done) -> str:
    facts = done.summary.as_json()
    facts["tasks_not_accepted"] = [
        {"task_id": it.task_id, "outcome": it.outcome, "reasons": list(it.reasons)}
        for it in done.told
    ]
    return json.dumps(facts, indent=2, sort_keys=True) + "\n"
