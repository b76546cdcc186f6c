"""Receipts that are kept, by the digest of everything that they depend on.

What is found is what was put there for just that question, under a signature that
holds: whatever else lies in the folder, torn, tampered with or misplaced, is as if it
were not there, and the gate is run again. Files are put in place in one step, so
several processes may use one folder.
"""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import attrs
from securesystemslib.signer import Key

from shipbar.attest import envelope
from shipbar.attest.envelope import Signed
from shipbar.attest.receipt import Question, Receipt
from shipbar.attest.statement import receipt_of
from shipbar.errors import AttestationError, UserError

SUFFIX = ".dsse.json"


@attrs.frozen(kw_only=True)
class Kept:
    """A receipt and its signed bytes."""

    receipt: Receipt
    """What it says."""
    signed: Signed
    """The bytes and the signatures."""
    signers: tuple[str, ...]
    """Ids of the trusted keys whose signatures hold."""


def open_receipt(path: Path, keys: Sequence[Key]) -> Kept:
    """Read a receipt and hold it to its signatures.

    Raises:
        AttestationError: it is none, it was changed, or no key of ``keys`` signed it.
        UserError: it cannot be read.
    """
    signed = read(path)
    signers = envelope.verify(signed, keys, str(path))
    return Kept(
        receipt=receipt_of(signed.payload, str(path)), signed=signed, signers=signers
    )


def read(path: Path) -> Signed:
    """Read an envelope from a file; nothing is checked yet but its form.

    Raises:
        AttestationError: it is none.
        UserError: it cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as cause:
        raise UserError(f"{path}: cannot be read ({cause.strerror})") from cause
    return envelope.parse(data, str(path))


def write(path: Path, signed: Signed) -> None:
    """Put an envelope at ``path``, in one step; what was there is replaced.

    Raises:
        UserError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".receipt-", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(envelope.render(signed))
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as cause:
        raise UserError(f"{path}: cannot be written ({cause.strerror})") from cause


@attrs.frozen(kw_only=True)
class Store:
    """A folder of receipts."""

    folder: Path
    """Where they lie."""
    keys: tuple[Key, ...]
    """Whose receipts count: one's own."""

    def find(self, question: Question) -> Kept | None:
        """Return the receipt that answers just this question, if there is one."""
        path = self._path(question)
        try:
            kept = open_receipt(path, self.keys)
        except (AttestationError, UserError):
            return None
        return kept if kept.receipt.question == question else None

    def keep(self, receipt: Receipt, signed: Signed) -> None:
        """Keep a receipt.

        Raises:
            UserError: the folder cannot be written.
        """
        write(self._path(receipt.question), signed)

    def _path(self, question: Question) -> Path:
        return self.folder / (question.digest.removeprefix("sha256:") + SUFFIX)


def copy_path(folder: Path, receipt: Receipt) -> Path:
    """Return where a person looks for a receipt: `TASK_ID/G1.dsse.json`."""
    return folder / receipt.question.task_id / (receipt.question.gate + SUFFIX)
