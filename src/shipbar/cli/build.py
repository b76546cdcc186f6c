"""`shipbar build`: tasks from a family, or the reference tranche."""

import functools
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from shipbar import config, wiring
from shipbar.building import batch
from shipbar.building.again import job_again, read_burnt
from shipbar.building.batch import Done, Job
from shipbar.building.builder import Order
from shipbar.building.rules import child_rng
from shipbar.building.tranche import SEED, Pin, read_pins
from shipbar.cli.options import SANDBOX
from shipbar.errors import SeamError, UserError
from shipbar.grading import workers
from shipbar.grading.tasks import digest_of
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
    metavar="TASK",
    help="With --reroll: the task to build again.",
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
    drawn = {
        "--count": count != 1,
        "--rule": bool(rules),
        "--split": split != "train",
        "--assertions": assertions is not None,
    }
    if reroll != (burnt is not None) or (family is None) != reroll:
        raise UserError("name a FAMILY, or a task with --from TASK --reroll")
    if family == REFERENCE:
        seeded = {"--seed": seed is not None, "--seed-file": seed_file is not None}
        _refuse({**drawn, **seeded}, "the reference tranche, which is pinned")
        sys.exit(_reference(output, jobs, sandbox))
    secret = _seed(seed, seed_file)
    if burnt is not None:
        _refuse(drawn, "--reroll, which takes them from the burnt task")
        old = read_burnt(burnt)
        work = [job_again(old, wiring.family(old.family), secret, output)]
    else:
        order = Order(
            family=wiring.family(str(family)),
            seed=secret,
            wanted=_wanted(rules),
            count=assertions,
            split="eval" if split == "eval" else "train",
        )
        order.family.space.checked(order.wanted)
        work = batch.jobs_of(order, count, output)
    sys.exit(_run(work, output, jobs, sandbox))


def _refuse(given: Mapping[str, bool], what: str) -> None:
    """Raise if an option was given that would decide nothing."""
    if named := [option for option, is_given in given.items() if is_given]:
        raise UserError(f"{', '.join(named)}: not with {what}; leave it out")


def _run(work: Sequence[Job], output: Path, jobs: int, sandbox: str) -> int:
    """Build what is not done yet; return the exit code."""
    done = batch.read_done(output)
    todo = [job for job in work if job.key not in done]
    if len(todo) < len(work):
        click.echo(
            f"resuming: {len(work) - len(todo)} of {len(work)} are in {output}",
            err=True,
        )
    if todo:
        # What would fail for every task is told once, and before the first.
        _open(sandbox)
        batch.ready(output)
    codes: Counter[int] = Counter()
    for result in _each(todo, jobs, sandbox):
        codes[result.exit_code] += 1
        if result.failure:
            click.echo(f"not built: {result.failure}", err=True)
        else:
            click.echo(result.report)
    failed = len(todo) - codes[0]
    if len(todo) > 1 or failed:
        click.echo(f"{codes[0]} built, {failed} not built, in {output}", err=True)
    return max(codes, default=0)


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
        failure=f"variant {int(number) + 1} of those to build: the process that built it ended ({how}); "
        "run the same again: what is done is kept",
        exit_code=SeamError.exit_code,
    )


def _reference(output: Path, jobs: int, sandbox: str) -> int:
    """Build the tranche; a digest that is not the pinned one is a failure."""
    pins = read_pins(PINS)
    work = [_pinned(pin, output) for pin in pins]
    code = _run(work, output, jobs, sandbox)
    for pin in pins:
        folder = output / pin.task_id
        # Of what lies there, and not of what was once noted.
        digest = digest_of(folder) if folder.is_dir() else "not built"
        if digest != pin.digest:
            click.echo(
                f"{folder}: expected {pin.digest or 'no pin yet'}, got {digest}; "
                "remove the folder and build again; where the same comes out, the family, the builder or the formatter is another one",
                err=True,
            )
            code = code or 1
    if not code:
        total = sum(pin.assertions for pin in pins)
        click.echo(f"{len(pins)} tasks, {total} assertions in {output}")
    return code


def _pinned(pin: Pin, output: Path) -> Job:
    family = wiring.family(pin.family)
    rng = child_rng(SEED, family.name, "rules")
    rules = family.space.draw(rng, pin.rules)
    order = Order(family=family, seed=SEED, count=pin.assertions, task_id=pin.task_id)
    return Job(order=order, rules=rules, output=output)


def _wanted(rules: Sequence[str]) -> dict[str, str]:
    wanted: dict[str, str] = {}
    for rule in rules:
        axis, value = _pair(rule)
        if wanted.setdefault(axis, value) != value:
            raise UserError(
                f"--rule {rule}: {axis} is {wanted[axis]} already; give each axis once"
            )
    return wanted


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
