"""`shipbar show`: the card of a built task."""

from pathlib import Path

import click

from shipbar import config, wiring
from shipbar.attest import keys
from shipbar.building.batch import read_record
from shipbar.cli.options import SANDBOX, TASK
from shipbar.cli.pages import write_whole
from shipbar.cli.text import printable
from shipbar.config import Config
from shipbar.errors import UserError
from shipbar.gates import Evidence, Gate, Trial
from shipbar.gates.card import card_lines, card_of, card_page
from shipbar.gates.receipts import Receipts
from shipbar.grading.tasks import RECORD, load_task


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
    loaded = load_task(task)
    _check_record(loaded.folder / RECORD)
    with Trial(
        task=loaded,
        sandbox=wiring.sandbox(sandbox, settings),
        work=settings.work,
        cache=settings.cache,
    ) as trial:
        card = card_of(trial, _kept(trial, settings))
    click.echo(printable("\n".join(card_lines(card))))
    if page is not None:
        write_whole(page, card_page(card), "--html")
        click.echo(f"page written to {printable(str(page))}", err=True)


def _check_record(path: Path) -> None:
    """Raise UserError if a task notes of itself what nothing can be shown of."""
    if not path.is_file():
        return
    facts = read_record(path)
    for name in ("rules", "assertions_by_rule", "scores"):
        if not isinstance(facts.get(name, {}), dict):
            raise UserError(
                f"{path}: expected an object as {name}, got {facts[name]!r}; build the task again"
            )


def _kept(trial: Trial, settings: Config) -> dict[Gate, Evidence | None]:
    """Return what is kept of each gate; who has never signed anything has kept nothing."""
    gates = [wiring.gate(name) for name in wiring.names("gate")]
    if not keys.private_path(settings.keys, keys.DEFAULT).is_file():
        return dict.fromkeys(gates)
    receipts = Receipts(settings)
    found = {gate: receipts.find(gate, trial) for gate in gates}
    return {gate: it.evidence if it else None for gate, it in found.items()}
