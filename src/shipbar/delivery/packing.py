"""The files of a task in the two bundles, and its lines of the indexes."""

import hashlib
from collections.abc import Mapping, Sequence

import attrs
from securesystemslib.signer import CryptoSigner

from shipbar.attest import envelope
from shipbar.attest.store import Kept
from shipbar.bundles import paths, sealing
from shipbar.bundles.index import (
    OPEN,
    SEALED,
    GateLine,
    GraderLine,
    Image,
    SolverLine,
)
from shipbar.bundles.patch import reference_patch
from shipbar.contract import contract_as_json
from shipbar.delivery.notes import Mechanisms, notes
from shipbar.delivery.order import Item, Order
from shipbar.delivery.proofs import Wanted
from shipbar.errors import UserError
from shipbar.grading.tasks import SPECIFICATION
from shipbar.verdict import canonical, sha256

_OWN_NOTES = "TASK.md"


@attrs.frozen(kw_only=True)
class Packed:
    """A task, as it stands in one bundle."""

    line: bytes
    """Its line of the index."""
    files: Mapping[str, bytes]
    """Its files, by their paths in the bundle."""


@attrs.frozen(kw_only=True)
class Packer:
    """Packs the tasks of one order."""

    order: Order
    """How they go out."""
    signer: CryptoSigner
    """The maker's."""
    gates: Sequence[Wanted]
    """Those that each has passed, in their order."""
    mechanisms: Mechanisms
    """The break corpus, for the notes."""

    def solver(self, item: Item, image: Image | None) -> Packed:
        """Return what solvers get of a task."""
        specification = item.files()[SPECIFICATION]
        contract = item.contract
        path = paths.specification(item.id)
        line = SolverLine(
            task_id=item.id,
            task_class=contract.task_class,
            language=contract.language,
            split=contract.split,
            licence=contract.licence.solver,
            path=path,
            digest=sha256(specification),
            limits=attrs.asdict(contract.grader.limits),
            image=image,
        )
        return Packed(line=line.render(), files={path: specification})

    def grader(self, item: Item, image: Image | None) -> Packed:
        """Return what a buyer gets of a grader: all, nothing but a line, or one sealed file."""
        line = self._line(item, image)
        if item.state == OPEN:
            return Packed(line=line.render(), files=self._files(item))
        if item.state != SEALED:
            return Packed(line=line.closed(item.state).render(), files={})
        if self.order.recipient is None:
            raise UserError(f"{item.id}: to be sealed, and no recipient is named")
        path = paths.sealed(item.id)
        held = {sealing.LINE: line.render() + b"\n", **self._files(item)}
        return Packed(
            line=line.closed(SEALED, path).render(),
            files={path: sealing.sealed(held, self.order.recipient)},
        )

    def _line(self, item: Item, image: Image | None) -> GraderLine:
        nonce = self.nonce(item)
        contract = item.contract
        return GraderLine(
            task_id=item.id,
            task_class=contract.task_class,
            language=contract.language,
            split=contract.split,
            licence=contract.licence.grader,
            state=OPEN,
            commitment=sealing.commitment(item.digest, nonce),
            nonce=nonce,
            gates={
                gate: _gate_line(item.id, gate, kept)
                for gate, kept in item.receipts.items()
            },
            digest=item.digest,
            contract=contract_as_json(contract),
            patch=paths.patch(item.id),
            notes=paths.notes(item.id),
            image=image,
        )

    def nonce(self, item: Item) -> str:
        """Return the nonce of a task's commitment: 64 hexadecimal digits.

        It is drawn from the key, so that the maker need keep nothing: an ed25519
        signature is the same every time, and nobody can make one without the key.
        """
        said = canonical(
            {
                "what": "shipbar nonce of a commitment",
                "client": self.order.client,
                "task": item.digest,
            }
        )
        return hashlib.sha256(
            bytes.fromhex(self.signer.sign(said).signature)
        ).hexdigest()

    def _files(self, item: Item) -> dict[str, bytes]:
        """All of a grader, by path in the bundle."""
        task = item.files()
        return {
            **{
                paths.in_grader(item.id, path): data
                for path, data in task.items()
                if path != SPECIFICATION
            },
            **{
                paths.receipt(item.id, gate): envelope.render(kept.signed)
                for gate, kept in item.receipts.items()
            },
            **{
                paths.review(item.id, name): data for name, data in item.reviews.items()
            },
            paths.patch(item.id): self._patch(item, task),
            paths.notes(item.id): self._notes(item, task),
        }

    def _patch(self, item: Item, task: Mapping[str, bytes]) -> bytes:
        root = item.contract.reference_install
        files = {
            path.removeprefix(f"{root}/"): data
            for path, data in task.items()
            if path.startswith(f"{root}/")
        }
        note = f"The reference of {item.id}. {item.contract.canary}"
        return reference_patch(files, note=note, where=str(item.folder / root))

    def _notes(self, item: Item, task: Mapping[str, bytes]) -> bytes:
        found = [
            (gate, item.receipts[gate.id].receipt)
            for gate in self.gates
            if gate.id in item.receipts
        ]
        own = task[_OWN_NOTES].decode("utf-8", "replace")
        return notes(own, item.contract, found, self.mechanisms)


def _gate_line(task_id: str, gate: str, kept: Kept) -> GateLine:
    return GateLine(
        status=kept.receipt.status,
        cell=kept.receipt.cell,
        receipt=paths.receipt(task_id, gate),
    )
