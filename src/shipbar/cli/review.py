"""`shipbar review`: what people sign about a task."""

import datetime
from collections.abc import Sequence
from pathlib import Path

import click

from shipbar import config
from shipbar.attest import keys, reviews
from shipbar.attest.reviews import Record, Review
from shipbar.attest.tool import tool_version
from shipbar.cli.options import TASK
from shipbar.cli.receipt import KEY, trusted
from shipbar.cli.text import printable
from shipbar.errors import AttestationError, UserError
from shipbar.gates.receipts import parts_of
from shipbar.grading.tasks import load_task


@click.group()
def review() -> None:
    """Sign a task's review, or show who signed."""


@review.command()
@TASK
@click.option(
    "--role",
    type=click.Choice(reviews.ROLES),
    required=True,
    help="A breaker tried to score without implementing it; a senior checked it.",
)
@click.option("--name", required=True, help="Your name.")
@click.option(
    "--reject",
    "why",
    metavar="WHY",
    help="The task must not go out, for this reason.",
)
@click.option(
    "--key",
    default=keys.DEFAULT,
    show_default=True,
    metavar="NAME|FILE",
    help="Private key to sign with.",
)
def sign(task: str, *, role: str, name: str, why: str | None, key: str) -> None:
    """Sign that you reviewed TASK as it is now.

    The signature is over the digests of all its parts and lies beside its folder, in
    TASK.reviews; a task that is changed afterwards has to be signed again. A task goes
    out once a breaker and a senior signed it, two people with two keys.
    """
    if why is not None and not why.strip():
        raise UserError("--reject: expected a reason, got nothing")
    loaded = load_task(task)
    own = keys.load(keys.private_path(config.current().keys, key))
    made = Review(
        task_id=loaded.contract.task_id,
        parts=parts_of(loaded),
        role=role,
        name=name,
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        approves=why is None,
        why=why or "",
        tool_version=tool_version(),
        key_id=own.id,
    )
    path = reviews.write(loaded.folder, made, reviews.signed_review(made, own.signer))
    click.echo(
        printable(
            f"{_decision(made)} {made.task_id} {made.digest} as {role}, {name}: {path}"
        )
    )


@review.command()
@TASK
@KEY
def show(task: str, *, key_files: tuple[Path, ...]) -> None:
    """Show who reviewed TASK, and whether it is the task that they signed.

    Says of each key whether it is one that you trust: one in your folder of keys, or
    given by --key. Exits with 2 if a review was changed after it was signed.
    """
    loaded = load_task(task)
    names = {it.key.keyid: it.name for it in trusted(key_files)}
    found = reviews.records(loaded.folder)
    if not found:
        click.echo(f"no reviews in {reviews.folder_of(loaded.folder)}", err=True)
    click.echo("".join(_lines(found, names, loaded.digest)), nl=False)
    problems = [record.problem for record in found if record.problem]
    if problems:
        raise AttestationError("\n".join(problems))


def _lines(
    found: Sequence[Record], names: dict[str, str], digest: str
) -> Sequence[str]:
    lines = []
    for made in (record.review for record in found if record.review):
        known = names.get(made.key_id)
        whose = f"your key {known}" if known else "a key that you do not know"
        state = "" if made.digest == digest else f", of another state, {made.digest}"
        why = f": {made.why}" if made.why else ""
        lines.append(
            printable(
                f"{made.role}: {_decision(made)} by {made.name} on {made.date} with {whose}, {made.key_id}{state}{why}"
            )
            + "\n"
        )
    return lines


def _decision(made: Review) -> str:
    return reviews.APPROVED if made.approves else reviews.REJECTED
