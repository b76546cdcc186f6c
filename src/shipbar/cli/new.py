"""`shipbar new`: a task folder to start from."""

from pathlib import Path

import click

from shipbar.grading.scaffold import make_task


@click.command()
@click.argument("task_id", metavar="TASK_ID")
@click.option(
    "--mutated",
    is_flag=True,
    help="For a task that changes the rules of a public library.",
)
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Folder to make; TASK_ID in the current one if not given.",
)
def new(task_id: str, *, mutated: bool, output: Path | None) -> None:
    """Make a task folder that passes its own checks.

    It holds a small complete example, with comments on what to replace.
    """
    folder = output if output is not None else Path(task_id)
    make_task(task_id, folder, mutated=mutated)
    click.echo(f"made: {folder}")
    click.echo(f"next: shipbar task check {folder}", err=True)
