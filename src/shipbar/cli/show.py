"""`shipbar show`: the card of a built task."""

from pathlib import Path

import click

from shipbar import config, wiring
from shipbar.attest import keys
from shipbar.cli.options import SANDBOX, TASK
from shipbar.cli.text import printable
from shipbar.config import Config
from shipbar.gates import Evidence, Gate, Trial
from shipbar.gates.card import card_lines, card_of, card_page
from shipbar.gates.receipts import Receipts
from shipbar.grading.tasks import load_task


@click.command()
@TASK
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path),
    help="Write a page with charts to this file.",
)
@SANDBOX
def show(task: str, page: Path | None, *, sandbox: str) -> None:
    """Show a built task: rules, scores, what is proven, how hard it looks, digests.

    What is proven comes from receipts that `shipbar verify` has kept; nothing is run.
    For the grader's side: it discloses what a solver must not know.
    """
    settings = config.current()
    with Trial(
        task=load_task(task),
        sandbox=wiring.sandbox(sandbox, settings),
        work=settings.work,
        cache=settings.cache,
    ) as trial:
        card = card_of(trial, _kept(trial, settings))
    click.echo(printable("\n".join(card_lines(card))))
    if page is not None:
        page.write_text(card_page(card), "utf-8")
        click.echo(f"page written to {page}", err=True)


def _kept(trial: Trial, settings: Config) -> dict[Gate, Evidence | None]:
    """Return what is kept of each gate; who has never signed anything has kept nothing."""
    gates = [wiring.gate(name) for name in wiring.names("gate")]
    if not keys.private_path(settings.keys, keys.DEFAULT).is_file():
        return dict.fromkeys(gates)
    receipts = Receipts(settings)
    found = {gate: receipts.find(gate, trial) for gate in gates}
    return {gate: it.evidence if it else None for gate, it in found.items()}
