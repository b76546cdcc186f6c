"""`shipbar build`: tasks from a family."""

import shutil
import tempfile
from pathlib import Path

import click

from shipbar import config, wiring
from shipbar.building.builder import Builder, Built, Order
from shipbar.building.rules import LEAST_DISTANCE, child_rng
from shipbar.building.suite import write_task
from shipbar.cli.options import SANDBOX
from shipbar.errors import UserError


@click.command()
@click.argument("family")
@click.option(
    "--seed",
    default="",
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
    help="Assertions a task; the family's own number if not given.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder for the tasks.",
)
@SANDBOX
def build(  # noqa: PLR0913  # one parameter an option
    family: str,
    *,
    seed: str,
    seed_file: Path | None,
    count: int,
    rules: tuple[str, ...],
    split: str,
    assertions: int | None,
    output: Path,
    sandbox: str,
) -> None:
    """Build variants of FAMILY as task folders below the output folder."""
    settings = config.current()
    found = wiring.family(family)
    secret = _seed(seed, seed_file)
    wanted = dict(_pair(rule) for rule in rules)
    found.space.checked(wanted)
    builder = Builder(wiring.sandbox(sandbox, settings), settings.work)
    sequence = found.space.sequence(
        child_rng(secret, found.name, "rules"), wanted, LEAST_DISTANCE
    )
    for place in range(count):
        drawn = next(sequence, None)
        if drawn is None:
            raise UserError(
                f"family {found.name} has no selection left {LEAST_DISTANCE} axes from the {place} before"
            )
        order = Order(
            family=found,
            seed=secret,
            place=place,
            wanted=wanted,
            count=assertions,
            split="eval" if split == "eval" else "train",
        )
        built = builder.build(order, drawn)
        click.echo(report(built, write(built, output)))


def write(built: Built, output: Path) -> Path:
    """Write a task below ``output``, whole or not at all; return its folder."""
    target = output / built.variant.task_id
    if target.exists():
        raise UserError(
            f"{target} is there already; remove it, or build into another folder"
        )
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".building-", dir=output) as scratch:
        made = Path(scratch) / "task"
        write_task(made, built.variant, built.parts)
        shutil.move(made, target)
    return target


def report(built: Built, folder: Path) -> str:
    """Return what was drawn, what it scores, and what was dropped and why."""
    draw, family = built.variant.draw, built.variant.family
    inverted = family.space.inverted(draw.rules)
    scores = "  ".join(
        f"{name} {score:.2f}" for name, score in built.bands.scores.items()
    )
    dropped = (
        ", ".join(f"{count} {why}" for why, count in sorted(built.dropped.items()))
        or "nothing"
    )
    return "\n".join(
        [
            f"{folder}: {built.variant.count} assertions, {len(inverted)} of {len(family.axes)} axes turned",
            f"  rules: {', '.join(f'{axis}={draw.rules[axis]}' for axis in inverted)}",
            f"  scores: {scores}",
            f"  dropped: {dropped}",
        ]
    )


def _pair(rule: str) -> tuple[str, str]:
    axis, equals, value = rule.partition("=")
    if not equals:
        raise UserError(f"--rule {rule}: expected AXIS=VALUE")
    return axis, value


def _seed(seed: str, file: Path | None) -> str:
    if file is None:
        return seed or "demonstration"
    try:
        text = file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as cause:
        raise UserError(f"--seed-file {file}: {cause}") from cause
    if not text or seed:
        raise UserError(
            f"--seed-file {file}: expected a seed in it, and no --seed beside it"
        )
    return text
