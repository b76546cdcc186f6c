"""What goes into the ledger and comes out."""

import re
from collections.abc import Mapping

import attrs

from shipbar.attest.envelope import Signed
from shipbar.attest.receipt import is_digest
from shipbar.errors import UserError

RESERVED, FINISHED, WITHDRAWN = "reserved", "finished", "withdrawn"
STATES = (RESERVED, FINISHED, WITHDRAWN)
"""How far a delivery is."""
ACCEPTED, REJECTED = "accepted", "rejected"
OUTCOMES = (ACCEPTED, REJECTED)
"""What a buyer says of a task."""
LONGEST_CLIENT = 64
MOST_SERIAL = 2**31 - 1
"""The largest number that a delivery may have."""

_CLIENT = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def client_name(text: str) -> str:
    """Return ``text`` if it can be a client's name.

    Raises:
        UserError: it cannot; says what can.
    """
    if _CLIENT.fullmatch(text) is None or len(text) > LONGEST_CLIENT:
        raise UserError(
            f"client {text!r}: expected at most {LONGEST_CLIENT} lower-case letters, digits and single hyphens, such as `acme-labs`; "
            "one client has one name, however it is written elsewhere"
        )
    return text


def checked_digest(text: str, what: str) -> str:
    """Return ``text`` if it is a digest.

    Raises:
        UserError: it is none.
    """
    if not is_digest(text):
        raise UserError(
            f"{what}: expected sha256: and 64 hexadecimal digits, got {text!r}"
        )
    return text


@attrs.frozen(kw_only=True)
class TaskEntry:
    """A task at one digest, as it is recorded; `entries.entry_of` makes it from a folder."""

    task_id: str
    """Its id."""
    digest: str
    """``sha256:…`` over all its files."""
    fingerprint: str
    """``sha256:…`` over its reference without its names; see `fingerprint`."""
    package: str
    """The package that a solver hands in."""
    task_class: str
    """`invented` or `mutated`."""
    language: str
    """What solvers write."""
    split: str
    """`train` or `eval`."""
    canary: str
    """The text that reveals it in training data."""
    family: str = ""
    """The family that it was built from; empty for one that was written by hand."""
    rules: Mapping[str, str] = attrs.field(factory=dict)
    """Its selection of that family's rules."""
    names: tuple[str, ...] = ()
    """Invented names that no other task may have, beside the package's."""


@attrs.frozen(kw_only=True)
class TaskFacts:
    """What is recorded of a task, over all its digests."""

    task_id: str
    """Its id."""
    package: str
    """The package that a solver hands in."""
    task_class: str
    """`invented` or `mutated`."""
    language: str
    """What solvers write."""
    split: str
    """`train` or `eval`."""
    canary: str
    """The text that reveals it in training data."""
    family: str
    """The family that it was built from; empty for one that was written by hand."""
    rules: Mapping[str, str]
    """Its selection of that family's rules."""
    names: tuple[str, ...]
    """Names that are taken by it, lower case, in order."""
    client: str
    """The only client that may have it; empty as long as nobody does."""
    digests: Mapping[str, str]
    """The fingerprint at each recorded digest."""


@attrs.frozen(kw_only=True)
class ReceiptFacts:
    """A receipt that is recorded, with the bytes that were signed."""

    statement: str
    """``sha256:…`` of the signed bytes."""
    digest: str
    """The task's."""
    gate: str
    """The gate's id."""
    name: str
    """The gate's name."""
    version: int
    """The version of what it asks."""
    status: str
    """How it came out."""
    cell: str
    """The figure that stands for it in a table."""
    tool_version: str
    """The Shipbar that ran it."""
    tool_digest: str
    """``sha256:…`` over that Shipbar's sources."""
    signers: tuple[str, ...]
    """Ids of the keys whose signatures held when it was recorded."""
    signed: Signed
    """The bytes and the signatures."""


@attrs.frozen(kw_only=True)
class ReviewFacts:
    """A review that is recorded, with the bytes that were signed."""

    statement: str
    """``sha256:…`` of the signed bytes."""
    digest: str
    """The task's."""
    role: str
    """`breaker` or `senior`."""
    name: str
    """Who it is."""
    date: str
    """The day, as YYYY-MM-DD."""
    approves: bool
    """Whether the task may go out."""
    why: str
    """Why it may not."""
    key_id: str
    """The key that signed."""
    signed: Signed
    """The bytes and the signatures."""


@attrs.frozen(kw_only=True)
class Delivered:
    """A task in a delivery."""

    task_id: str
    """Its id."""
    digest: str
    """Its digest as it was delivered."""


@attrs.frozen(kw_only=True)
class Delivery:
    """What went, or is about to go, to a client."""

    serial: int
    """Its number; no two deliveries of a ledger share one, and none is used again."""
    client: str
    """To whom."""
    date: str
    """The day on which it was reserved, as YYYY-MM-DD; empty if nobody said."""
    state: str
    """One of `STATES`."""
    previous: str
    """``sha256:…`` of the manifest of the client's previous delivery; empty for the first."""
    manifest: str
    """``sha256:…`` of its own manifest; empty until it is finished."""
    tasks: tuple[Delivered, ...]
    """What it holds, by task id; nothing once it is withdrawn."""


@attrs.frozen(kw_only=True)
class TaskOutcome:
    """What a buyer says of one task."""

    task_id: str
    """Its id."""
    digest: str
    """Its digest as it was delivered; empty where a buyer who rejects it cannot tell."""
    outcome: str = attrs.field(validator=attrs.validators.in_(OUTCOMES))
    """One of `OUTCOMES`."""
    reason: str = ""
    """Why it was rejected; empty if it was accepted."""


@attrs.frozen(kw_only=True)
class AcceptanceRecord:
    """A buyer's report on a delivery; `acceptance.read_report` reads it."""

    client: str
    """Who the delivery was for."""
    serial: int
    """The delivery's number."""
    manifest: str
    """``sha256:…`` of the manifest of what was measured."""
    tasks: tuple[TaskOutcome, ...]
    """What was measured, by task id; fewer than were delivered if it was a sample."""
    buyer: str
    """The id of the buyer's key."""
    target: float
    """The part of the tasks, 0 to 1, that was to be accepted."""
    rate: float
    """The part of the tasks, 0 to 1, that was."""
    seconds: float
    """Wall seconds that measuring took."""


@attrs.frozen(kw_only=True)
class AcceptanceFacts:
    """A buyer's report that is recorded, with the bytes that were signed."""

    number: int
    """Which report on that delivery: 1 is the first that was imported."""
    record: AcceptanceRecord
    """What it says."""
    statement: str
    """``sha256:…`` of the signed bytes."""
    signed: Signed
    """The bytes and the signatures."""
