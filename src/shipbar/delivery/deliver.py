"""Delivers: checks, reserves, writes, scans, moves to its place, and tells the ledger.

The ledger is asked before anything is written, so that no task is ever written for two
clients, and told after everything is at its place. Stopped in between, the same command
finds its reservation, and either writes anew or finds all of it there and tells the
ledger. What can be refused is refused before the ledger is asked.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import attrs
from securesystemslib.signer import CryptoSigner, SSlibKey

from shipbar.attest.envelope import Signed
from shipbar.attest.reviews import Review
from shipbar.attest.store import Kept
from shipbar.bundles import licences, paths, reading, sealing
from shipbar.bundles.index import OPEN, Image
from shipbar.bundles.manifest import File
from shipbar.bundles.reading import Bundle
from shipbar.delivery import images, leaks, proofs
from shipbar.delivery.notes import Mechanisms
from shipbar.delivery.order import Item, Order, fit
from shipbar.delivery.packing import Packer
from shipbar.delivery.place import Place, is_free, taken
from shipbar.delivery.proofs import Wanted
from shipbar.delivery.shelf import Shelf
from shipbar.delivery.texts import texts
from shipbar.errors import UserError
from shipbar.oci.blobs import blob_name
from shipbar.store.deliveries import Reservation
from shipbar.store.entries import entry_of, signed_reviews
from shipbar.store.values import Delivery, TaskEntry


class Ledger(Protocol):
    """What a delivery needs of a ledger; `shipbar.store.ledger.Ledger` is one."""

    def reserve_delivery(
        self,
        client: str,
        entries: Sequence[TaskEntry],
        *,
        date: str = "",
        again: bool = False,
    ) -> Reservation:
        """Reserve a delivery before anything of it is written."""
        ...

    def finish_delivery(
        self,
        serial: int,
        manifest: str,
        *,
        receipts: Sequence[Kept] = (),
        signed_reviews: Sequence[tuple[Review, Signed]] = (),
    ) -> Delivery:
        """Note that it is complete, and what its tasks went out on."""
        ...

    def withdraw_delivery(self, serial: int) -> Delivery:
        """Give it up."""
        ...


@attrs.frozen(kw_only=True)
class Maker:
    """Who delivers, and what they have at hand."""

    signer: CryptoSigner
    """Signs the manifests."""
    trusted: Sequence[SSlibKey]
    """Whose receipts count."""
    receipts: Sequence[Path]
    """Folders with receipts."""
    gates: Sequence[Wanted]
    """Every gate, in order."""
    mechanisms: Mechanisms
    """The break corpus."""
    ledger: Ledger
    """Who has which task."""
    date: str = ""
    """The day, as YYYY-MM-DD, for the ledger alone."""
    again: bool = False
    """Whether to deliver once more what was delivered before."""


@attrs.frozen(kw_only=True)
class Done:
    """A delivery that is at its place."""

    place: Path
    """Where."""
    serial: int
    """Its number."""
    digest: str
    """``sha256:…`` of the grader bundle's manifest, which is the delivery's."""
    items: tuple[Item, ...]
    """The tasks in it."""
    was_there: bool
    """Whether it was written by an earlier run."""


def deliver(
    order: Order,
    tasks: Sequence[Path],
    target: Path,
    maker: Maker,
    tell: Callable[[str], None] = lambda _: None,
) -> Done:
    """Deliver tasks.

    Args:
        order: to whom and how.
        tasks: their folders.
        target: the folder to write, which is not there, or is empty, or is this very
            delivery, from a run that was stopped before the ledger was told.
        maker: who delivers.
        tell: called with the id of each task before it is written.

    Raises:
        UserError: a task is not fit to go out or is another client's, it would give away
            what is held out, or something else stands against it; nothing is at the place.
        SeamError: the machine failed; nothing is at the place.
    """
    items = fit(
        order,
        tasks,
        maker.gates,
        lambda digests: proofs.collect(maker.receipts, digests, maker.trusted),
    )
    _refuse_inside(target, items)
    legal = {kind: _legal(order, items, kind) for kind in paths.KINDS}
    work = _Work(order=order, items=items, legal=legal, maker=maker, tell=tell)
    there = None if is_free(target) else _there(work, target)
    reviews = [it for one in items for it in signed_reviews(one.folder, one.digest)]
    reserved = maker.ledger.reserve_delivery(
        order.client, _entries(items), date=maker.date, again=maker.again
    )
    if there is None:
        digest = work.written(target, reserved)
    elif there.manifest.serial == reserved.serial:
        digest = there.digest
    else:
        if not reserved.resumed:
            maker.ledger.withdraw_delivery(reserved.serial)
        raise taken(target)
    maker.ledger.finish_delivery(
        reserved.serial,
        digest,
        receipts=[kept for item in items for kept in item.receipts.values()],
        signed_reviews=reviews,
    )
    return Done(
        place=target,
        serial=reserved.serial,
        digest=digest,
        items=tuple(items),
        was_there=there is not None,
    )


@attrs.frozen(kw_only=True)
class _Work:
    """One delivery that is being written."""

    order: Order
    items: Sequence[Item]
    legal: Mapping[str, Mapping[str, bytes]]
    maker: Maker
    tell: Callable[[str], None]

    def written(self, target: Path, reserved: Reservation) -> str:
        """Write it and move it to its place; return its digest."""
        with Place(target) as place:
            solver = self._bundle(place, paths.SOLVER, reserved, None)
            digest = self._bundle(place, paths.GRADER, reserved, solver)
            self.tell("looking for what is held out")
            leaks.check(place.partial, leaks.held_of(self.items))
            if reserved.finished and digest != reserved.delivery.manifest:
                raise UserError(
                    f"delivery {reserved.serial} to {self.order.client} was finished as {reserved.delivery.manifest}, and these tasks come out "
                    f"as {digest} now, by another Shipbar, other options, receipts or keys, or since sealing draws at random; "
                    "use --again to deliver them as a delivery of its own"
                )
            place.finish()
        return digest

    def _bundle(
        self, place: Place, kind: str, reserved: Reservation, solver: str | None
    ) -> str:
        packer = Packer(
            order=self.order,
            signer=self.maker.signer,
            gates=self.maker.gates,
            mechanisms=self.maker.mechanisms,
        )
        shelf = Shelf(place, self.order, kind)
        made = self._images(shelf, kind)
        pack = packer.solver if kind == paths.SOLVER else packer.grader
        for item in self.items:
            self.tell(f"{item.id}, {kind} bundle")
            shelf.add(item.id, pack(item, made.get(item.id)))
        shelf.legal(self.legal[kind])
        return shelf.close(
            self.maker.signer,
            self._signers(kind),
            serial=reserved.serial,
            previous=reserved.previous,
            solver=solver,
        )

    def _images(self, shelf: Shelf, kind: str) -> Mapping[str, Image]:
        base = self.order.base
        if kind not in self.order.images or base is None:
            return {}
        self.tell(f"{kind} images")
        shown = _with_image(self.items, kind)
        made = images.write(shelf.root / paths.IMAGES, kind, shown, base)
        shelf.adopt(paths.IMAGES)
        return made

    def _signers(self, kind: str) -> list[SSlibKey]:
        """The maker's key, and in the grader bundle those that signed its receipts."""
        own = self.maker.signer.public_key
        ids = {own.keyid}
        if kind == paths.GRADER:
            ids |= {
                signer
                for item in self.items
                for kept in item.receipts.values()
                for signer in kept.signers
            }
        known = {key.keyid: key for key in (*self.maker.trusted, own)}
        return [known[key_id] for key_id in sorted(ids)]


def _with_image(items: Sequence[Item], kind: str) -> list[Item]:
    """The tasks that have an image of a kind: no grader's, unless it is open."""
    return [it for it in items if kind == paths.SOLVER or it.state == OPEN]


def _licence(item: Item, kind: str) -> str:
    licence = item.contract.licence
    return licence.solver if kind == paths.SOLVER else licence.grader


def _legal(order: Order, items: Sequence[Item], kind: str) -> Mapping[str, bytes]:
    """What a bundle's files are under, and the texts of those licences, by path in the bundle."""
    expressions = {it.id: _licence(it, kind) for it in items}
    ids = {name for at, it in expressions.items() for name in licences.ids(it, at)}
    images_ = kind in order.images and bool(_with_image(items, kind))
    if images_:
        ids.add(licences.IMAGE_BASE)
    said = licences.reuse_toml(expressions, order.holder, images=images_)
    found = texts(ids, order.licences)
    return {
        **{paths.licence(name): text for name, text in found.items()},
        paths.REUSE: said,
    }


def _refuse_inside(target: Path, items: Sequence[Item]) -> None:
    """Raise if a delivery would be written into one of its tasks, and change it."""
    for item in items:
        if target.resolve().is_relative_to(item.folder.resolve()):
            raise UserError(
                f"{target}: lies in the task {item.folder}, which must stay as it was proven; name another folder with -o"
            )


def _entries(items: Sequence[Item]) -> list[TaskEntry]:
    entries = [entry_of(item.folder) for item in items]
    for item, entry in zip(items, entries, strict=True):
        if entry.digest != item.digest:
            item.files()  # raises, with what to do
    return entries


def _there(work: _Work, target: Path) -> Bundle:
    """Return the grader bundle at a place, if what is there is this very delivery, and whole.

    Raises:
        UserError: it is something else.
    """
    try:
        found = reading.find(target)
        bundles = [
            reading.open_bundle(root, [work.maker.signer.public_key])
            for root in (found.solver, found.grader)
            if root is not None
        ]
        same = _same(work, bundles)
    except UserError as cause:
        raise taken(target) from cause
    if not same:
        raise taken(target)
    if damage := next((it for root in bundles for it in reading.damages(root)), None):
        raise UserError(
            f"{target}: holds this delivery, and is damaged: {damage.path} {damage.what}; move it away, and deliver again"
        )
    return bundles[-1]


def _same(work: _Work, bundles: Sequence[Bundle]) -> bool:
    """Whether bundles are what this order would write, as far as that can be told without writing it."""
    order, maker = work.order, work.maker
    if len(bundles) != len(paths.KINDS):
        return False
    solver, grader = bundles
    if grader.manifest.solver != solver.digest or any(
        (it.manifest.client, it.manifest.tranche) != (order.client, order.tranche)
        for it in bundles
    ):
        return False
    if not all(_as_ordered(work, it) for it in bundles):
        return False
    nonces = Packer(order=order, signer=maker.signer, gates=(), mechanisms=())
    wanted = {
        it.id: (it.state, sealing.commitment(it.digest, nonces.nonce(it)))
        for it in work.items
    }
    lines = reading.grader_lines(grader)
    return {it.task_id: (it.state, it.commitment) for it in lines} == wanted


def _as_ordered(work: _Work, bundle: Bundle) -> bool:
    """Whether a bundle has the licences, the images and the base that are ordered."""
    manifest, base = bundle.manifest, work.order.base
    wanted = {path: File.of(data) for path, data in work.legal[manifest.kind].items()}
    pictured = manifest.kind in work.order.images
    if base is not None and pictured and _with_image(work.items, manifest.kind):
        for it in base.layers:
            path = f"{paths.IMAGES}/{blob_name(it.digest, str(base.path))}"
            wanted[path] = File(size=it.size, digest=it.digest)
    return all(manifest.files.get(path) == it for path, it in wanted.items())
