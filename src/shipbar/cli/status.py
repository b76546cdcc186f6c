"""`shipbar status`: how far tasks are, and what to do next."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import click

from shipbar import config, wiring
from shipbar.attest import keys, reviews
from shipbar.attest.receipt import Receipt
from shipbar.building.batch import read_done
from shipbar.cli.options import JSON, LEDGER
from shipbar.cli.text import printable
from shipbar.cli.verify import BY_PEOPLE, tasks_in
from shipbar.errors import ShipbarError
from shipbar.grading.tasks import digest_of, layout_problems, read_contract
from shipbar.store import standing
from shipbar.store.entries import kept_receipts
from shipbar.store.ledger import Ledger
from shipbar.store.standing import Asked, Standing
from shipbar.store.values import ACCEPTED, AcceptanceFacts, Delivery
from shipbar.verdict import canonical, sha256

NOTHING = "-"
REVIEWS = "reviews"
"""What the review gate depends on, beside the task."""
COLUMNS = ("task", "built", "proven", "reviewed", "delivered", "accepted")


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--receipts",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of receipts, beside those that are kept here; may be repeated.",
)
@LEDGER
@JSON
def status(
    path: Path, *, folders: tuple[Path, ...], where: str | None, as_json: bool
) -> None:
    """Say for each task in PATH what is built, proven, reviewed, delivered and accepted.

    PATH is a folder of tasks, or a task. Then says what to do next. Nothing is run and
    nothing is written: proven is what receipts of this very Shipbar say of the task as
    it is now, delivered and accepted is what the ledger says.
    """
    gates = _gates()
    begun = [_begun(folder) for folder in tasks_in([path])]
    receipts = _receipts(begun, folders)
    found = _standings(begun, receipts, gates, where or config.current().ledger)
    totals = _totals(found)
    steps = _steps(path, found, gates)
    if as_json:
        told = [_as_json(it) for it in found]
        click.echo(json.dumps({"tasks": told, "sum": totals, "next": steps}, indent=2))
        return
    lines = [*_table(found, gates), *_remarks(found)]
    lines += ["", ", ".join(f"{count} {word}" for word, count in totals.items())]
    lines += ["next:", *(f"  {step}" for step in steps)] if steps else []
    click.echo(printable("\n".join(lines)))


def _gates() -> list[Asked]:
    found = [wiring.gate(name) for name in wiring.names("gate")]
    return [
        Asked(
            id=it.id, name=it.name, version=it.version, by_people=it.name in BY_PEOPLE
        )
        for it in found
    ]


def _standings(
    begun: Sequence[Standing],
    receipts: Mapping[str, Sequence[Receipt]],
    gates: Sequence[Asked],
    where: str,
) -> list[Standing]:
    recorded: set[str] = set()
    deliveries: list[Delivery] = []
    reports: list[AcceptanceFacts] = []
    if Ledger.is_there(where):
        ledger = Ledger.open(where)
        recorded = {digest for it in ledger.tasks() for digest in it.digests}
        deliveries, reports = ledger.deliveries(), ledger.acceptance()
    found = []
    for it in begun:
        if not it.problem:
            it = attrs.evolve(  # noqa: PLW2901  # each step adds what it knows
                it,
                proven=standing.proven(receipts[it.digest], gates),
                reviewed=standing.reviewed(reviews.records(Path(it.folder)), it.digest),
                recorded=it.digest in recorded,
            )
            it = standing.delivered(it, deliveries, reports)  # noqa: PLW2901
        found.append(standing.with_next(it, gates))
    return found


def _begun(folder: Path) -> Standing:
    try:
        contract, digest = read_contract(folder), digest_of(folder)
    except ShipbarError as problem:
        return Standing(folder=str(folder), problem=str(problem))
    done = {
        str(it["task_id"]): str(it["digest"])
        for it in read_done(folder.resolve().parent).values()
    }
    return Standing(
        folder=str(folder),
        task_id=contract.task_id,
        digest=digest,
        split=contract.split,
        problem="; ".join(layout_problems(folder, contract)),
        built=standing.how_built(done, contract.task_id, digest),
    )


def _receipts(
    begun: Sequence[Standing], folders: Sequence[Path]
) -> dict[str, list[Receipt]]:
    settings = config.current()
    trusted = [it.key for it in keys.known(settings.keys)]
    digests = [it.digest for it in begun if it.digest]
    signed = {it.digest: _reviews_digest(Path(it.folder)) for it in begun}
    found: dict[str, list[Receipt]] = {digest: [] for digest in digests}
    for folder in (settings.cache / "receipts", *folders):
        for digest, its in kept_receipts(folder, digests, trusted).items():
            # What a gate said of reviews that have been replaced says nothing now.
            found[digest] += [
                it.receipt
                for it in its
                if it.receipt.question.depends.get(REVIEWS, signed[digest])
                == signed[digest]
            ]
    return found


def _reviews_digest(folder: Path) -> str:
    """Return the digest of the reviews beside a task, as the review gate depends on it."""
    files = sorted(reviews.folder_of(folder).glob("*"))
    listing = {it.name: sha256(it.read_bytes()) for it in files if it.is_file()}
    return sha256(canonical(listing))


def _totals(found: Sequence[Standing]) -> dict[str, int]:
    return {
        "tasks": len(found),
        "built": sum(not it.problem and it.built != standing.CHANGED for it in found),
        "proven": sum(not it.problem and it.is_proven for it in found),
        "reviewed": sum(not it.problem and it.is_reviewed for it in found),
        "delivered": sum(it.is_delivered for it in found),
        "accepted": sum(it.outcome == ACCEPTED for it in found),
    }


def _steps(path: Path, found: Sequence[Standing], gates: Sequence[Asked]) -> list[str]:
    """Return what to do next; what is the same for all tasks of a folder is said once."""
    together = ("prove", "count reviews", "deliver", "finish")
    steps: dict[str, None] = {}
    for it in found:
        same = [one for one in found if (one.step, one.client) == (it.step, it.client)]
        one = next((one for one in same if one.split == standing.EVALUATION), it)
        whole = len(same) == len(found) or it.step in ("prove", "count reviews")
        if it.step in together and len(same) > 1:
            paths = [str(path)] if whole else [one.folder for one in same]
            steps[standing.command(it.step, paths, one, gates)] = None
        elif it.next:
            steps[it.next] = None
    return list(steps)


def _table(found: Sequence[Standing], gates: Sequence[Asked]) -> list[str]:
    rows = [COLUMNS, *(_row(it, len(gates)) for it in found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


def _row(it: Standing, gates: int) -> tuple[str, ...]:
    if it.problem:
        return (it.task_id or Path(it.folder).name, "damaged", *[NOTHING] * 4)
    roles = len(it.reviewed.signed) + len(it.reviewed.missing)
    went = {
        "": NOTHING,
        "finished": f"{it.client} ({it.serial})",
        "reserved": f"{it.client} ({it.serial}, not finished)",
        standing.ANOTHER_STATE: f"{it.client} ({it.serial}, at another digest)",
    }
    return (
        it.task_id,
        it.built,
        f"{len(it.proven.passed)}/{gates}",
        f"{len(it.reviewed.signed)}/{roles}",
        went[it.delivery],
        it.outcome or NOTHING,
    )


def _remarks(found: Sequence[Standing]) -> list[str]:
    lines = []
    for it in found:
        about = it.task_id or it.folder
        remarks = [it.problem, it.reason and f"the buyer says: {it.reason}"]
        remarks.append(
            (it.proven.failed and f"fails {', '.join(it.proven.failed)}") or ""
        )
        remarks.append(
            (
                it.proven.stale
                and f"proven by another Shipbar: {', '.join(it.proven.stale)}"
            )
            or ""
        )
        remarks += it.reviewed.problems
        if it.built == standing.CHANGED:
            remarks.append("was changed after it was built")
        lines += [f"{about}: {remark}" for remark in remarks if remark]
    return ["", *lines] if lines else []


def _as_json(it: Standing) -> dict[str, Any]:
    return {
        **attrs.asdict(it),
        "is_proven": not it.problem and it.is_proven,
        "is_reviewed": not it.problem and it.is_reviewed,
        "is_delivered": it.is_delivered,
    }
