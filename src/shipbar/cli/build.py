"""`shipbar build`: tasks from a family, or the reference tranche."""

import functools
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from shipbar import config, wiring
from shipbar.building import batch
from shipbar.building.batch import Done, Job
from shipbar.building.builder import Order
from shipbar.building.rules import LEAST_DISTANCE, child_rng, distance
from shipbar.building.tranche import SEED, Pin, read_pins
from shipbar.cli.options import SANDBOX
from shipbar.errors import UserError
from shipbar.grading import workers
from shipbar.grading.tasks import RECORD
from shipbar.ports import Sandbox

REFERENCE = "reference"
DEMONSTRATION = "demonstration"
"""The seed when none is given: for looking, never for tasks that count."""
PINS = Path(__file__).parent.parent / "families" / "reference.toml"


@click.command()
@click.argument("family", required=False)
@click.option(
    "--seed",
    help="What decides all that is drawn. For tasks that count, use --seed-file.",
)
@click.option(
    "--seed-file",
    type=click.Path(path_type=Path),
    help="File that holds a secret seed.",
)
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Variants to build.",
)
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="AXIS=VALUE",
    help="Fix a rule; may be repeated.",
)
@click.option(
    "--split", type=click.Choice(["train", "eval"]), default="train", show_default=True
)
@click.option(
    "--assertions",
    type=click.IntRange(min=10),
    help="Assertions a task; else the family's own number.",
)
@click.option(
    "--from",
    "burnt",
    type=click.Path(path_type=Path),
    help="With --reroll: a task whose family to use.",
)
@click.option(
    "--reroll",
    is_flag=True,
    help="Build the task named by --from again: other rules, other names.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder for the tasks.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes that build at once.",
)
@SANDBOX
def build(  # noqa: PLR0913  # one parameter an option
    family: str | None,
    *,
    seed: str | None,
    seed_file: Path | None,
    count: int,
    rules: tuple[str, ...],
    split: str,
    assertions: int | None,
    burnt: Path | None,
    reroll: bool,
    output: Path,
    jobs: int,
    sandbox: str,
) -> None:
    """Build variants of FAMILY as task folders below the output folder.

    FAMILY `reference` builds the reference tranche and holds each task's digest
    against the pinned one. What is built already is skipped.
    """
    secret = _seed(seed, seed_file)
    if family == REFERENCE:
        sys.exit(_reference(output, jobs, sandbox))
    if reroll != (burnt is not None) or (family is None) != reroll:
        raise UserError("name a FAMILY, or a task with --from TASK --reroll")
    if burnt is not None:
        order, work = _rerolled(burnt, secret, output)
    else:
        order = Order(
            family=wiring.family(str(family)),
            seed=secret,
            wanted=dict(_pair(rule) for rule in rules),
            count=assertions,
            split="eval" if split == "eval" else "train",
        )
        order.family.space.checked(order.wanted)
        work = batch.jobs_of(order, count, output)
    sys.exit(_run(work, output, jobs, sandbox))


def _run(work: Sequence[Job], output: Path, jobs: int, sandbox: str) -> int:
    """Build what is not done yet; return the exit code."""
    done = batch.read_done(output)
    todo = [job for job in work if job.key not in done]
    if len(todo) < len(work):
        click.echo(
            f"resuming: {len(work) - len(todo)} of {len(work)} are in {output}",
            err=True,
        )
    failed = False
    for result in _each(todo, jobs, sandbox):
        if result.failure:
            failed = True
            click.echo(f"not built: {result.failure}", err=True)
        else:
            batch.note_done(output, result)
            click.echo(result.report)
    return UserError.exit_code if failed else 0


def _each(todo: Sequence[Job], jobs: int, sandbox: str) -> Iterator[Done]:
    settings = config.current()
    opener = batch.opener(todo, functools.partial(_open, sandbox), settings.work)
    console = Console(stderr=True)
    columns = (TextColumn("building"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        row = bar.add_task("building", total=len(todo))
        numbers = [str(number) for number in range(len(todo))]
        for result in workers.each(numbers, jobs=jobs, opener=opener, lost=_lost):
            bar.advance(row)
            yield result


def _open(name: str) -> Sandbox:
    return wiring.sandbox(name, config.current())


def _lost(number: str, how: str) -> Done:
    return Done(
        key="",
        failure=f"variant {number}: the process that built it ended ({how}); build again",
    )


def _reference(output: Path, jobs: int, sandbox: str) -> int:
    """Build the tranche; a digest that is not the pinned one is a failure."""
    pins = read_pins(PINS)
    work = [_pinned(pin, output) for pin in pins]
    code = _run(work, output, jobs, sandbox)
    done = batch.read_done(output)
    for pin, job in zip(pins, work, strict=True):
        digest = str(done.get(job.key, {}).get("digest", "not built"))
        if digest != pin.digest:
            click.echo(
                f"{pin.task_id}: expected {pin.digest or 'no pin yet'}, got {digest}",
                err=True,
            )
            code = code or 1
    total = sum(pin.assertions for pin in pins)
    click.echo(f"{len(pins)} tasks, {total} assertions in {output}")
    return code


def _pinned(pin: Pin, output: Path) -> Job:
    family = wiring.family(pin.family)
    rng = child_rng(SEED, family.name, "rules")
    rules = family.space.draw(rng, pin.rules)
    order = Order(family=family, seed=SEED, count=pin.assertions, task_id=pin.task_id)
    return Job(order=order, rules=rules, output=output)


def _rerolled(burnt: Path, secret: str, output: Path) -> tuple[Order, list[Job]]:
    """Other rules, at least three axes from the burnt ones, and other names."""
    try:
        facts = json.loads((burnt / RECORD).read_text("utf-8"))
    except (OSError, ValueError) as cause:
        raise UserError(
            f"--from {burnt}: expected a built task with {RECORD}: {cause}"
        ) from cause
    family = wiring.family(facts["family"])
    count = sum(facts["assertions_by_rule"].values())
    order = Order(family=family, seed=secret, count=count, split=facts["split"])
    drawn = family.space.sequence(
        child_rng(secret, family.name, "reroll", burnt.name),
        {},
        LEAST_DISTANCE,
        [facts["rules"]],
    )
    rules = next(
        (rules for rules in drawn if distance(rules, facts["rules"]) >= LEAST_DISTANCE),
        None,
    )
    if rules is None:
        raise UserError(
            f"family {family.name} has no selection left {LEAST_DISTANCE} axes from {burnt.name}"
        )
    return order, [Job(order=order, rules=rules, output=output)]


def _pair(rule: str) -> tuple[str, str]:
    axis, equals, value = rule.partition("=")
    if not equals:
        raise UserError(f"--rule {rule}: expected AXIS=VALUE")
    return axis, value


def _seed(seed: str | None, file: Path | None) -> str:
    if file is None:
        return seed or DEMONSTRATION
    if seed:
        raise UserError("--seed and --seed-file: expected one of them")
    try:
        text = file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as cause:
        raise UserError(f"--seed-file {file}: {cause}") from cause
    if not text:
        raise UserError(f"--seed-file {file}: it is empty; put a seed into it")
    return text
