"""The receipts that a task goes out on.

A task is delivered only with a receipt of every gate, of just the bytes that go out,
under a signature by a trusted key, that says passed or not applicable. A receipt of
another state of the task, or of an older version of a gate, counts for nothing. Of
several, those by the Shipbar that is installed count before others.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import attrs
from securesystemslib.signer import Key

from shipbar.attest import envelope, store
from shipbar.attest.receipt import NOT_APPLICABLE, PASSED, WHOLE, Receipt
from shipbar.attest.reviews import folder_of, records
from shipbar.attest.statement import receipt_of
from shipbar.attest.store import Kept
from shipbar.attest.tool import tool_digest
from shipbar.errors import AttestationError, UserError
from shipbar.gates.review import problems_of
from shipbar.verdict import canonical, sha256

_REVIEWS = "reviews"
"""What the gate of people depends on beside the task; see `shipbar.gates.review`."""
GOES_OUT = (PASSED, NOT_APPLICABLE)
"""What a receipt must say."""


@attrs.frozen(kw_only=True)
class Wanted:
    """A gate that every task must have passed."""

    id: str
    """The gate's id."""
    name: str
    """Its word in `--gate`."""
    version: int
    """The version of what it asks today."""
    title: str
    """What it proves, in a few words."""

    @property
    def told(self) -> str:
        """The gate, for a message."""
        return f"{self.id} {self.name}"


@attrs.frozen(kw_only=True)
class Proofs:
    """Receipts by a task's digest and a gate's id."""

    kept: Mapping[tuple[str, str], tuple[Kept, ...]]
    """Those whose signatures hold."""
    passed_over: Mapping[str, tuple[str, ...]]
    """Why others do not count, by a task's digest."""

    def chosen(
        self, digest: str, gates: Sequence[Wanted], reviews: Mapping[str, bytes]
    ) -> tuple[dict[str, Kept], list[str]]:
        """Return the receipt of each gate, and what is missing, as sentences.

        A receipt of other reviews than ``reviews``, files by name, counts for nothing:
        what people signed since then is another question.
        """
        found, missing = {}, []
        for gate in gates:
            every = self._of(digest, gate)
            its = [it for it in every if is_of(it.receipt, reviews)]
            stops = [it for it in its if it.receipt.status not in GOES_OUT]
            if not every:
                missing.append(f"{gate.told} has no receipt")
            elif not its:
                missing.append(
                    f"{gate.id} is of other reviews than lie beside the task"
                )
            elif stops:
                missing.append(f"{gate.told} {_why(stops[0])}")
            else:
                found[gate.id] = its[0]
        return found, missing

    def _of(self, digest: str, gate: Wanted) -> list[Kept]:
        its = [
            it
            for it in self.kept.get((digest, gate.id), ())
            if it.receipt.question.version == gate.version
        ]
        ours = [it for it in its if _tool(it) == tool_digest()]
        return sorted(ours or its, key=lambda it: it.signed.digest)


def _tool(kept: Kept) -> str:
    return kept.receipt.question.conditions.tool_digest


def _why(kept: Kept) -> str:
    receipt = kept.receipt
    why = receipt.why or "; ".join(receipt.problems[:3])
    return f"says {receipt.status}: {why}" if why else f"says {receipt.status}"


def collect(
    folders: Sequence[Path], digests: Collection[str], keys: Sequence[Key]
) -> Proofs:
    """Collect receipts of tasks.

    Args:
        folders: where receipts lie, at any depth.
        digests: of the tasks.
        keys: whose receipts count.
    """
    kept: dict[tuple[str, str], dict[str, Kept]] = defaultdict(dict)
    over: dict[str, list[str]] = defaultdict(list)
    wanted = {digest.removeprefix("sha256:").encode(): digest for digest in digests}
    for path in _files(folders):
        try:
            signed = store.read(path)
        except (AttestationError, UserError):
            continue  # torn, or no receipt at all: as if it were not there
        about = [digest for word, digest in wanted.items() if word in signed.payload]
        if not about:
            continue
        try:
            signers = envelope.verify(signed, keys, str(path))
            receipt = receipt_of(signed.payload, str(path))
        except AttestationError as why:
            for digest in about:
                over[digest].append(str(why))
            continue
        place = kept[receipt.question.parts[WHOLE], receipt.question.gate]
        place[signed.digest] = Kept(receipt=receipt, signed=signed, signers=signers)
    return Proofs(
        kept={at: tuple(its.values()) for at, its in kept.items()},
        passed_over={digest: tuple(why) for digest, why in over.items()},
    )


def _files(folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(folder.rglob(f"*{store.SUFFIX}"))


def reviews_of(folder: Path, digest: str) -> tuple[dict[str, bytes], list[str]]:
    """Return the files in a task's folder of reviews, and what in them stops the task."""
    beside = folder_of(folder)
    files = {
        path.name: path.read_bytes()
        for path in sorted(beside.glob("*"))
        if path.is_file() and not path.is_symlink()
    }
    found = records(folder)
    current = [it.review for it in found if it.review and it.review.digest == digest]
    return files, problems_of(found, current)


def is_of(receipt: Receipt, reviews: Mapping[str, bytes]) -> bool:
    """Say whether a receipt, if it depends on reviews at all, is of just these."""
    said = receipt.question.depends.get(_REVIEWS)
    its = {name: sha256(data) for name, data in reviews.items()}
    return said is None or said == sha256(canonical(its))
