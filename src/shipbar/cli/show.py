"""`shipbar show`: the card of a built task."""

from pathlib import Path

import click

from shipbar.building.card import card_lines, card_of, write_page
from shipbar.cli.options import TASK
from shipbar.cli.text import printable
from shipbar.grading.tasks import load_task


@click.command()
@TASK
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path),
    help="Write a page with charts to this file.",
)
def show(task: str, page: Path | None) -> None:
    """Show a built task: rules, assertions by rule, scores, digests.

    For the grader's side: it discloses what a solver must not know.
    """
    card = card_of(load_task(task))
    click.echo(printable("\n".join(card_lines(card))))
    if page is not None:
        write_page(card, page)
        click.echo(f"page written to {page}", err=True)
