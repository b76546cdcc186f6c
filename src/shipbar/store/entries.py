"""A task's folder, as the ledger records it, and the receipts that are kept of it."""

import base64
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from securesystemslib.signer import Key

from shipbar.attest import reviews, store
from shipbar.attest.envelope import Signed
from shipbar.attest.plain import read_object
from shipbar.attest.receipt import WHOLE
from shipbar.attest.reviews import Review
from shipbar.attest.store import SUFFIX, Kept
from shipbar.contract import Contract
from shipbar.errors import UserError
from shipbar.grading.tasks import CACHES, RECORD, digest_of, read_contract
from shipbar.store.fingerprint import fingerprint
from shipbar.store.values import TaskEntry


def entry_of(folder: Path) -> TaskEntry:
    """Read the task in a folder.

    Raises:
        UserError: there is none, or its record of what it was built from is damaged.
        ContractError: its contract is wrong.
    """
    contract = read_contract(folder)
    record = _record(folder)
    named = record.get("names", {})
    return TaskEntry(
        task_id=contract.task_id,
        digest=digest_of(folder),
        fingerprint=_fingerprint(folder, contract, named.values()),
        package=contract.import_name,
        task_class=contract.task_class,
        language=contract.language,
        split=contract.split,
        canary=contract.canary,
        family=record.get("family", ""),
        rules=record.get("rules", {}),
        names=tuple(sorted(named.values())),
    )


def kept_receipts(
    folder: Path, digests: Collection[str], keys: Sequence[Key]
) -> dict[str, list[Kept]]:
    """Return the receipts in a folder, at any depth, of tasks at some digests, by digest.

    What is torn, changed, or signed by no key of ``keys`` is as if it were not there.
    """
    found: dict[str, list[Kept]] = {digest: [] for digest in digests}
    marks = {digest.removeprefix("sha256:").encode(): digest for digest in digests}
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        # Most receipts in a cache are of other tasks: looked at, but not verified.
        payload = _payload(path)
        if not any(mark in payload for mark in marks):
            continue
        try:
            kept = store.open_receipt(path, keys)
        except UserError:
            continue
        digest = kept.receipt.question.parts[WHOLE]
        if digest in found:
            found[digest].append(kept)
    return found


def signed_reviews(folder: Path, digest: str) -> Iterator[tuple[Review, Signed]]:
    """Yield the reviews beside a task's folder whose signatures hold, and what was signed.

    Only those of the task at ``digest``: of an earlier state others may lie there still.
    """
    for it in reviews.records(folder):
        if it.review is not None and it.review.digest == digest:
            yield it.review, store.read(it.path)


def _payload(path: Path) -> bytes:
    try:
        return base64.b64decode(read_object(path.read_bytes())["payload"])
    except (OSError, ValueError, KeyError, TypeError):
        return b""


def _record(folder: Path) -> Mapping[str, Any]:
    """Return what a task was built from; empty for one that was written by hand."""
    path = folder / RECORD
    if not path.is_file():
        return {}
    try:
        return _checked(read_object(path.read_bytes()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as cause:
        raise UserError(
            f"{path}: expected what the task was built from, with its family, rules and names: {cause}; build the task again"
        ) from cause


def _checked(record: dict[str, Any]) -> dict[str, Any]:
    texts = [record["family"], *record["rules"].values(), *record["names"].values()]
    if not all(isinstance(it, str) for it in texts):
        raise TypeError("family, rules and names are texts")
    return record


def _fingerprint(folder: Path, contract: Contract, names: Collection[str]) -> str:
    root = folder / contract.reference_install
    files = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not CACHES & set(path.parts) and path.suffix != ".pyc"
    }
    if not files:
        raise UserError(
            f"{root}: expected the reference, found no file; `shipbar task check {folder}` says what is missing"
        )
    return fingerprint(files, {contract.import_name, *contract.public_symbols, *names})
