"""What is to be delivered, to whom and how; and the tasks, loaded and found fit to go out."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import attrs

from shipbar.attest.store import Kept
from shipbar.bundles import licences, paths
from shipbar.bundles.index import OPEN, SEALED, WITHHELD
from shipbar.bundles.sealing import Recipient
from shipbar.contract import Contract
from shipbar.delivery.proofs import Proofs, Wanted, reviews_of
from shipbar.errors import ShipbarError, UserError
from shipbar.grading.tasks import CACHES, SPECIFICATION, load_task
from shipbar.oci.bases import Base
from shipbar.verdict import canonical, sha256

EVALUATION = "eval"
"""The split whose graders are never open."""


@attrs.frozen(kw_only=True)
class Order:
    """How tasks are to be delivered."""

    client: str
    """To whom."""
    tranche: str
    """What the bundles are called."""
    withhold: bool = False
    """Whether the evaluation split's graders stay with the maker."""
    recipient: Recipient | None = None
    """To whom they are encrypted; None if they are not."""
    images: tuple[str, ...] = ()
    """Kinds of image to put into their bundles: `solver`, `grader`."""
    base: Base | None = None
    """The base of those images; None if there are none."""
    licences: Path | None = None
    """Folder with texts of licences that are not ours."""
    holder: str = "the makers of the tasks"
    """Who holds the copyright."""

    def __attrs_post_init__(self) -> None:
        """Refuse what cannot be done.

        Raises:
            UserError: a name is none, or two wishes contradict each other.
        """
        paths.slug(self.client, "client")
        paths.slug(self.tranche, "tranche")
        if self.withhold and self.recipient is not None:
            raise UserError(
                "withheld and encrypted: expected one of them for the evaluation split's graders"
            )
        if bool(self.images) != (self.base is not None):
            raise UserError(
                "images need a base, and a base is for images: name both or neither"
            )

    def state_of(self, contract: Contract) -> str:
        """Return how a task's grader goes out: open, sealed or withheld.

        Raises:
            UserError: it is of the evaluation split, and nothing was said of those.
        """
        if contract.split != EVALUATION:
            return OPEN
        if self.recipient is not None:
            return SEALED
        if self.withhold:
            return WITHHELD
        raise UserError(
            f"{contract.task_id} is of the evaluation split, whose graders are never delivered openly; "
            "withhold them with --withhold eval, or encrypt them with --encrypt-to"
        )


@attrs.frozen(kw_only=True)
class Item:
    """A task that may go out."""

    folder: Path
    """Where it lies."""
    contract: Contract
    """Its contract."""
    digest: str
    """``sha256:…`` of all of it."""
    state: str
    """How its grader goes out."""
    receipts: Mapping[str, Kept]
    """The receipt of each gate, by its id."""
    reviews: Mapping[str, bytes]
    """What people signed, by file name."""

    @property
    def id(self) -> str:
        """The task's id."""
        return self.contract.task_id

    def files(self) -> dict[str, bytes]:
        """Read the task, by path.

        Raises:
            UserError: it is not as it was when it was loaded.
        """
        found = dict(_read(self.folder))
        digest = digest_of_files(found)
        if digest != self.digest:
            raise UserError(
                f"{self.folder}: the task was changed while it was delivered: it was {self.digest}, is {digest}; "
                "change nothing meanwhile, and deliver again"
            )
        return found


def digest_of_files(files: Mapping[str, bytes]) -> str:
    """Return the digest of a task with these files."""
    return sha256(canonical({path: sha256(data) for path, data in files.items()}))


def _read(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder)
        if CACHES & set(inner.parts) or path.suffix == ".pyc":
            continue
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise UserError(
                f"{path}: expected a plain file; a task that is delivered holds no links and no special files"
            )
        if path.is_file():
            yield inner.as_posix(), path.read_bytes()


def fit(
    order: Order,
    tasks: Sequence[Path],
    gates: Sequence[Wanted],
    collected: Callable[[Sequence[str]], Proofs],
) -> list[Item]:
    """Return the tasks, all of them fit to go out, by their ids.

    Args:
        order: how they are to go out.
        tasks: their folders.
        gates: those that each must have passed.
        collected: returns the receipts that count, of tasks with those digests.

    Raises:
        UserError: one is not; names every task and what stands against it.
    """
    if not tasks:
        raise UserError("a delivery holds at least one task, got none")
    loaded, problems = [], []
    for folder in tasks:
        try:
            task = load_task(folder)
            loaded.append((folder, task.contract, task.digest))
        except ShipbarError as why:
            problems.append(f"{folder}: {why}")
    proofs = collected([digest for _, _, digest in loaded])
    items: dict[str, Item] = {}
    for folder, contract, digest in loaded:
        try:
            item = _item(order, (folder, contract, digest), gates, proofs)
            problems += _against(item, items.get(contract.task_id))
            items[contract.task_id] = item
        except UserError as why:
            problems.append(str(why))
    if problems:
        raise UserError("\n".join(["nothing is delivered:", *_indented(problems)]))
    return [items[task_id] for task_id in sorted(items)]


def _indented(problems: Sequence[str]) -> list[str]:
    return [re.sub("(?m)^", "  ", problem) for problem in problems]


def _item(
    order: Order,
    task: tuple[Path, Contract, str],
    gates: Sequence[Wanted],
    proofs: Proofs,
) -> Item:
    folder, contract, digest = task
    reviews, stops = reviews_of(folder, digest)
    receipts, missing = proofs.chosen(digest, gates, reviews)
    missing += [f"the reviews stop it: {why}" for why in stops]
    if missing:
        why = "; ".join([*missing, *_told(proofs.passed_over.get(digest, ()))])
        raise UserError(
            f"{contract.task_id} is not proven as it is now, {digest}: {why}; "
            f"run `shipbar verify {folder}`, and once people have signed it with `shipbar review sign`, with `--gate review`"
        )
    return Item(
        folder=folder,
        contract=contract,
        digest=digest,
        state=order.state_of(contract),
        receipts=receipts,
        reviews=reviews,
    )


def _told(passed_over: Sequence[str]) -> list[str]:
    return [f"not counted: {why}" for why in passed_over[:3]]


def _against(item: Item, other: Item | None) -> list[str]:
    """Say what keeps a proven task from being put into a bundle."""
    problems = []
    if other is not None:
        problems.append(
            f"{item.id}: is twice there, in {other.folder} and {item.folder}; leave one out"
        )
    try:
        for path in item.files():
            if path != SPECIFICATION:
                paths.in_grader(item.id, path)
        for half in (item.contract.licence.solver, item.contract.licence.grader):
            licences.ids(half, f"{item.folder / 'task.toml'}: licence")
    except UserError as why:
        problems.append(str(why))
    return problems
