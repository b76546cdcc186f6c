"""`shipbar deliver`: write a client's two bundles."""

import datetime
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs
import click
from rich.console import Console

from shipbar import config, wiring
from shipbar.attacks import corpus
from shipbar.attest import keys
from shipbar.bundles import paths as places
from shipbar.bundles.sealing import Recipient, recipient_of
from shipbar.cli.image import least_base
from shipbar.cli.options import JSON, LEDGER
from shipbar.cli.text import printable
from shipbar.cli.verify import tasks_in
from shipbar.config import Config
from shipbar.delivery.deliver import Done, Maker, deliver
from shipbar.delivery.order import EVALUATION, Order
from shipbar.delivery.proofs import Wanted
from shipbar.errors import UserError
from shipbar.oci.bases import Base, open_base
from shipbar.store.ledger import Ledger

KEYS = ("age1", "age-secret-key-1", "ssh-")
"""What a key begins with; anything else names a file."""


@attrs.frozen(kw_only=True)
class Wishes:
    """What the command line says of an order, as it stands there."""

    client: str
    tranche: str | None
    withhold: str | None
    recipient: str | None
    images: str | None
    base: str | None
    licences: Path | None
    holder: str


@click.command("deliver")
@click.argument(
    "tasks", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="TASKS…"
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder for the two bundles, not there yet.",
)
@click.option("--client", required=True, metavar="NAME", help="Whom it is for.")
@click.option(
    "--tranche",
    metavar="NAME",
    help="What the bundles are called; else as the folder of tasks.",
)
@click.option(
    "--withhold",
    type=click.Choice([EVALUATION]),
    help="Keep the evaluation split's graders.",
)
@click.option(
    "--encrypt-to",
    "recipient",
    metavar="RECIPIENT",
    help="Encrypt the evaluation split's graders to this age or SSH public key, or the one in this file.",
)
@click.option(
    "--images",
    metavar="KINDS",
    help="Images to put into their bundles: solver, grader, or both with a comma.",
)
@click.option(
    "--base",
    metavar="PATH[@DIGEST]",
    help="What images stand on: an OCI layout, and which image of it. "
    "Else the least base that this machine's Python makes.",
)
@click.option(
    "--receipts",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder with receipts, beside those that are kept; may be repeated.",
)
@click.option(
    "--licences",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder with the texts of licences, as ID.txt.",
)
@click.option(
    "--copyright",
    "holder",
    default="the makers of the tasks",
    show_default=True,
    metavar="TEXT",
    help="Who holds the copyright.",
)
@click.option(
    "--key",
    "key_name",
    default=keys.DEFAULT,
    show_default=True,
    metavar="NAME",
    help="Your key that signs, in your folder of keys, or its path.",
)
@LEDGER
@click.option(
    "--again", is_flag=True, help="Deliver once more what was delivered before."
)
@JSON
def deliver_command(  # noqa: PLR0913  # one parameter an option
    tasks: tuple[Path, ...],
    *,
    output: Path,
    client: str,
    tranche: str | None,
    withhold: str | None,
    recipient: str | None,
    images: str | None,
    base: str | None,
    receipts: tuple[Path, ...],
    licences: Path | None,
    holder: str,
    key_name: str,
    where: str | None,
    again: bool,
    as_json: bool,
) -> None:
    """Deliver TASKS to a client: a solver bundle and a grader bundle, signed.

    TASKS is a task, or a folder of tasks. A task goes out only with a receipt of every
    gate at its present digest, and to one client, which the ledger keeps. The graders
    of the evaluation split are withheld or encrypted, never open. Nothing half-written
    is left; stopped, the same command finishes it.
    """
    settings = config.current()
    wishes = Wishes(
        client=client,
        tranche=tranche,
        withhold=withhold,
        recipient=recipient,
        images=images,
        base=base,
        licences=licences,
        holder=holder,
    )
    order = _order(wishes, tasks)
    own = keys.load(keys.private_path(settings.keys, key_name))
    maker = Maker(
        signer=own.signer,
        trusted=[own.signer.public_key, *(it.key for it in keys.known(settings.keys))],
        receipts=[settings.cache / "receipts", *receipts],
        gates=_gates(),
        mechanisms=corpus(),
        ledger=_ledger(where, settings),
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        again=again,
    )
    with _telling() as tell:
        done = deliver(order, tasks_in(tasks), output, maker, tell)
    if as_json:
        click.echo(json.dumps(_facts(order, done), indent=2))
    else:
        click.echo(printable(_told(order, done)))


def _order(wishes: Wishes, tasks: tuple[Path, ...]) -> Order:
    kinds = [] if wishes.images is None else wishes.images.split(",")
    if unknown := [it for it in kinds if it not in places.KINDS]:
        raise UserError(
            f"--images {wishes.images}: expected {' or '.join(places.KINDS)}, or both with a comma, got {unknown[0]!r}"
        )
    if not wishes.holder.isprintable() or not wishes.holder.strip():
        raise UserError(
            f"--copyright {wishes.holder!r}: expected who holds the copyright, in one line of text"
        )
    if wishes.base is not None and not kinds:
        raise UserError("--base: expected --images with it, solver or grader or both")
    return Order(
        client=places.slug(wishes.client, "--client"),
        tranche=_tranche(wishes.tranche, tasks),
        withhold=wishes.withhold is not None,
        recipient=None if wishes.recipient is None else _recipient(wishes.recipient),
        images=tuple(kinds),
        base=_base(wishes.base) if kinds else None,
        licences=wishes.licences,
        holder=wishes.holder,
    )


def _base(named: str | None) -> Base:
    return least_base() if named is None else open_base(named)


def _recipient(text: str) -> Recipient:
    """Return the recipient who is named, or whose key lies in the file that is."""
    if not text.strip().casefold().startswith(KEYS):
        text = _first_key(Path(text))
    return recipient_of(text)


def _first_key(path: Path) -> str:
    """Return the first line of a file of recipients that is no comment."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as cause:
        why = getattr(cause, "strerror", None) or "it is no text"
        raise UserError(
            f"--encrypt-to {str(path)[:80]}: expected an age or SSH public key, or a file with one; it is no key, and cannot be read as a file ({why})"
        ) from cause
    stripped = [it.strip() for it in lines]
    keys_in = [it for it in stripped if it and not it.startswith("#")]
    if len(keys_in) != 1:
        raise UserError(
            f"--encrypt-to {path}: expected one public key, got {len(keys_in)}"
        )
    return keys_in[0]


def _tranche(named: str | None, tasks: tuple[Path, ...]) -> str:
    if named is not None:
        return places.slug(named, "--tranche")
    name = tasks[0].resolve().name.lower()
    return re.sub(r"[^a-z0-9]+", "-", name).strip("-")[: places.LONGEST_NAME] or "tasks"


def _gates() -> list[Wanted]:
    """Every gate: what people sign as well as what is measured."""
    return [
        Wanted(id=it.id, name=it.name, version=it.version, title=it.title)
        for it in map(wiring.gate, wiring.names("gate"))
    ]


def _ledger(where: str | None, settings: Config) -> Ledger:
    return Ledger.open(where or settings.ledger)


@contextmanager
def _telling() -> Iterator[Callable[[str], None]]:
    """Say what is being done, on a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status("reading the tasks and their receipts") as status:
        yield lambda what: status.update(f"writing {printable(what)}")


def _states(done: Done) -> dict[str, int]:
    counts: dict[str, int] = {}
    for item in done.items:
        counts[item.state] = counts.get(item.state, 0) + 1
    return counts


def _told(order: Order, done: Done) -> str:
    states = ", ".join(f"{count} {state}" for state, count in _states(done).items())
    was = "was there already, and is finished" if done.was_there else "is written"
    return "\n".join(
        [
            f"{done.place}: delivery {done.serial} to {order.client} {was}",
            f"  {len(done.items)} tasks; graders: {states}",
            *(
                f"  {done.place / places.root(order.tranche, kind)}"
                for kind in places.KINDS
            ),
            f"  digest {done.digest}",
        ]
    )


def _facts(order: Order, done: Done) -> dict[str, object]:
    return {
        "folder": str(done.place),
        "client": order.client,
        "tranche": order.tranche,
        "serial": done.serial,
        "digest": done.digest,
        "was_there": done.was_there,
        "tasks": {
            item.id: {"digest": item.digest, "grader": item.state}
            for item in done.items
        },
    }
