"""What people sign: a task's reviews.

A review is one engineer's word on one task, as an in-toto statement in an envelope
that they signed: a *breaker* tried to score without implementing the specification, a
*senior* checked the specification, the suite and the gates' figures. It names the digest
of every part of the task, so it is of that task and of no later one.

Reviews lie beside the task's folder and not in it, in `FOLDER.reviews/`, since a
signature over all of a folder's files cannot be one of them: `ROLE-KEY.dsse.json`,
KEY the beginning of the key's id. Signing again with the same key replaces what one
said. The statement carries the public half of the key, so whoever holds task and
reviews can check that each is by whoever holds that key; that the key is a certain
person's is for that person to have said, and is checked by its id.
"""

import datetime
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
from securesystemslib.signer import CryptoSigner, SSlibKey

from shipbar.attest import envelope, keys, store
from shipbar.attest.envelope import Signed
from shipbar.attest.receipt import WHOLE
from shipbar.attest.statement import parts_of, read_statement, written
from shipbar.errors import AttestationError, UserError

REVIEW = "urn:shipbar:attestation:review:v0.1"
"""The type of the predicate of a review."""
BREAKER, SENIOR = "breaker", "senior"
APPROVED, REJECTED = "approved", "rejected"
ROLES = (BREAKER, SENIOR)
"""Who reviews; both are needed, and they are two people."""
BESIDE = ".reviews"
"""Ends the name of the folder beside a task's own."""
ID_SHOWN = 16
"""Digits of a key's id in file names and messages."""


@attrs.frozen(kw_only=True)
class Review:
    """One engineer's word on one task."""

    task_id: str
    """The task's id."""
    parts: Mapping[str, str]
    """``sha256:…`` of each of its parts, and of the whole `task`."""
    role: str = attrs.field(validator=attrs.validators.in_(ROLES))
    """One of `ROLES`."""
    name: str
    """Who it is."""
    date: str
    """The day, as YYYY-MM-DD."""
    approves: bool
    """Whether the task may go out."""
    why: str = ""
    """Why it may not."""
    tool_version: str
    """The Shipbar that it was signed with."""
    key_id: str
    """The id of the key that signed."""

    @property
    def digest(self) -> str:
        """The digest of the whole task that was reviewed."""
        return self.parts[WHOLE]

    @property
    def person(self) -> str:
        """The name, as far as two people may not share it."""
        return " ".join(unicodedata.normalize("NFKC", self.name).casefold().split())


@attrs.frozen(kw_only=True)
class Record:
    """A file in a task's folder of reviews."""

    path: Path
    """Where it lies."""
    review: Review | None = None
    """What it says, if its signature holds."""
    problem: str = ""
    """Why it does not count."""


def folder_of(task: Path) -> Path:
    """Return where the reviews of the task in a folder lie."""
    task = task.resolve()
    return task.with_name(task.name + BESIDE)


def signed_review(review: Review, signer: CryptoSigner) -> Signed:
    """Return a review under its signature.

    Raises:
        UserError: the name is empty.
    """
    if not review.person:
        raise UserError("--name: expected the name of a person, got nothing")
    said: dict[str, Any] = {
        "taskId": review.task_id,
        "role": review.role,
        "name": review.name,
        "date": review.date,
        "decision": APPROVED if review.approves else REJECTED,
        "why": review.why,
        "toolVersion": review.tool_version,
        "publicKey": keys.public_text(signer.public_key),
    }
    return envelope.sign(written(review.parts, REVIEW, said), signer)


def write(task: Path, review: Review, signed: Signed) -> Path:
    """Put a review beside the task in a folder; return where.

    Raises:
        UserError: it cannot be written.
    """
    name = f"{review.role}-{review.key_id[:ID_SHOWN]}{store.SUFFIX}"
    path = folder_of(task) / name
    store.write(path, signed)
    return path


def records(task: Path) -> list[Record]:
    """Read the reviews beside the task in a folder, in the order of their names."""
    return [_record(path) for path in sorted(folder_of(task).glob(f"*{store.SUFFIX}"))]


def _record(path: Path) -> Record:
    try:
        signed = store.read(path)
        review, key = _read(signed, str(path))
        envelope.verify(signed, [key], str(path))
    except UserError as problem:
        return Record(path=path, problem=str(problem))
    return Record(path=path, review=review)


def _read(signed: Signed, where: str) -> tuple[Review, SSlibKey]:
    statement = read_statement(signed.payload, (REVIEW,), where)
    said = statement["predicate"]
    try:
        key = keys.public_from(str(said["publicKey"]).encode(), where)
        review = Review(
            task_id=str(said["taskId"]),
            parts=parts_of(statement),
            role=str(said["role"]),
            name=str(said["name"]),
            date=datetime.date.fromisoformat(said["date"]).isoformat(),
            approves=_approves(said["decision"]),
            why=str(said["why"]),
            tool_version=str(said["toolVersion"]),
            key_id=key.keyid,
        )
    except (KeyError, TypeError, ValueError) as cause:
        raise AttestationError(
            f"{where}: no review: {type(cause).__name__}: {cause}"
        ) from cause
    if WHOLE not in review.parts or not review.person:
        raise AttestationError(f"{where}: no review: it names no task, or nobody")
    return review, key


def _approves(decision: object) -> bool:
    if decision not in (APPROVED, REJECTED):
        raise ValueError(f"expected {APPROVED} or {REJECTED}, got {decision!r}")
    return decision == APPROVED
