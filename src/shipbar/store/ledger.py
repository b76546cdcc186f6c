"""The ledger as one class: what `shipbar deliver`, `shipbar ledger` and `shipbar status` use."""

import errno
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self, TypeVar

import attrs
import sqlalchemy as sa

from shipbar.attest.envelope import Signed
from shipbar.attest.reviews import Review
from shipbar.attest.store import Kept
from shipbar.errors import SeamError, ShipbarError, UserError
from shipbar.store import deliveries, export, queries, reports, tasks
from shipbar.store.database import Database, is_there, open_database
from shipbar.store.deliveries import Reservation
from shipbar.store.values import (
    AcceptanceFacts,
    AcceptanceRecord,
    Delivery,
    ReceiptFacts,
    ReviewFacts,
    TaskEntry,
    TaskFacts,
)

T = TypeVar("T")


@attrs.frozen(kw_only=True)
class Changes:
    """What one transaction wrote that was not there."""

    task: bool = False
    """Whether the task's digest is new."""
    receipts: int = 0
    """Receipts that are new."""
    reviews: int = 0
    """Reviews that are new."""


class Ledger:
    """What was made, proven, reviewed, delivered and accepted.

    Each method that writes does so in one transaction: all of it is kept, or nothing.
    Each may be called again with the same facts, which then changes nothing. All raise
    UserError for what a person can mend, and SeamError where the database failed.
    """

    def __init__(self, database: Database) -> None:
        """Use an open database; see `open`."""
        self._database = database

    @classmethod
    def open(cls, where: str) -> Self:
        """Open a ledger; it is made if it is not there, and migrated if it is older.

        Args:
            where: a file, or a URL such as `postgresql://host/ledger`.

        Raises:
            UserError: there can be none, it is something else, or a newer Shipbar's.
            SeamError: the server cannot be reached, or the machine failed.
        """
        return cls(open_database(where))

    @staticmethod
    def is_there(where: str) -> bool:
        """Say whether there is a ledger to open; of a server, that there is."""
        return is_there(where)

    @property
    def name(self) -> str:
        """Its file or URL, without a password."""
        return self._database.name

    # -- what is made, proven and reviewed

    def record(
        self,
        entry: TaskEntry,
        receipts: Sequence[Kept] = (),
        reviews: Sequence[tuple[Review, Signed]] = (),
    ) -> Changes:
        """Record a task at a digest with its receipts and reviews, all of them or none.

        Raises:
            UserError: it collides with a task that is recorded; says with which and how.
            AttestationError: one of the receipts is signed by nobody who is trusted.
        """
        with self._database.writing() as connection:
            return Changes(
                task=tasks.record(connection, entry),
                receipts=reports.receipts(connection, receipts),
                reviews=sum(
                    reports.review(connection, made, signed) for made, signed in reviews
                ),
            )

    def record_task(self, entry: TaskEntry) -> bool:
        """Record a task at a digest; return whether it is new. See `record`."""
        return self.record(entry).task

    def record_receipts(self, kept: Sequence[Kept]) -> int:
        """Record receipts of tasks that are recorded; return how many are new.

        Raises:
            UserError: a task is not recorded at that digest.
            AttestationError: one is signed by nobody who is trusted.
        """
        with self._database.writing() as connection:
            return reports.receipts(connection, kept)

    def record_review(self, review: Review, signed: Signed) -> bool:
        """Record a review of a task that is recorded; return whether it is new.

        Raises:
            UserError: the task is not recorded at that digest.
        """
        with self._database.writing() as connection:
            return reports.review(connection, review, signed)

    def forget(self, task_id: str) -> None:
        """Remove a task that went to nobody, with its receipts and reviews.

        Raises:
            UserError: there is none, or it went to a client.
        """
        with self._database.writing() as connection:
            tasks.forget(connection, task_id)

    # -- what is delivered

    def reserve_delivery(
        self,
        client: str,
        entries: Sequence[TaskEntry],
        *,
        date: str = "",
        again: bool = False,
    ) -> Reservation:
        """Reserve a delivery before anything of it is written.

        The tasks are recorded if they are not. From now on nobody else can have them. A
        reservation that a run left behind is given to whoever asks for the same tasks
        for the same client; so is, as finished, a delivery of just that.

        Args:
            client: the client's name, see `values.client_name`.
            entries: the tasks, each once.
            date: the day, as YYYY-MM-DD.
            again: whether to reserve another one where just this is finished.

        Raises:
            UserError: a task is another client's, collides with one that is recorded, or
                another delivery to the client is not finished.
        """
        with self._database.writing() as connection:
            return deliveries.reserve(connection, client, entries, date, again=again)

    def finish_delivery(
        self,
        serial: int,
        manifest: str,
        *,
        receipts: Sequence[Kept] = (),
        signed_reviews: Sequence[tuple[Review, Signed]] = (),
    ) -> Delivery:
        """Note that a reserved delivery is complete.

        Args:
            serial: its number.
            manifest: ``sha256:…`` of its manifest.
            receipts: those that its tasks went out on, to be recorded with it.
            signed_reviews: those that its tasks went out with, likewise.

        Raises:
            UserError: it is withdrawn, or finished with another manifest.
            AttestationError: one of the receipts is signed by nobody who is trusted.
        """
        with self._database.writing() as connection:
            finished = deliveries.finish(connection, serial, manifest)
            reports.receipts(connection, receipts)
            for made, signed in signed_reviews:
                reports.review(connection, made, signed)
            return finished

    def withdraw_delivery(self, serial: int) -> Delivery:
        """Give up a reservation: its tasks are free again, unless the client has them otherwise.

        Raises:
            UserError: it is finished.
        """
        with self._database.writing() as connection:
            return deliveries.withdraw(connection, serial)

    # -- what is accepted

    def record_acceptance(self, record: AcceptanceRecord, signed: Signed) -> bool:
        """Record a buyer's report; return whether it is new.

        Of a task that it names without a digest, that of the delivery is recorded.

        Args:
            record: what `acceptance.read_report` read.
            signed: the bytes and signatures that it returned with it.

        Raises:
            UserError: it is not of a delivery as it was delivered.
        """
        with self._database.writing() as connection:
            return reports.acceptance(connection, record, signed)

    # -- queries

    def tasks(self, client: str | None = None) -> list[TaskFacts]:
        """Return the recorded tasks, by id; of one client if it is given."""
        return self._asked(lambda it: queries.tasks(it, client))

    def task(self, word: str) -> TaskFacts:
        """Return the task of that id or digest.

        Raises:
            UserError: there is none.
        """

        def found(connection: sa.Connection) -> list[TaskFacts]:
            id_ = queries.task_id_of(connection, word) or word
            return queries.tasks(connection, task_id=id_)

        if not (held := self._asked(found)):
            raise UserError(
                f"no task {word!r} in the ledger {self.name}; see `shipbar ledger list`"
            )
        return held[0]

    def receipts(
        self, digest: str | None = None, client: str | None = None
    ) -> list[ReceiptFacts]:
        """Return the recorded receipts, of a task's digest or a client's tasks, in a fixed order."""
        return self._asked(lambda it: queries.receipts(it, digest, client))

    def reviews(self, digest: str | None = None) -> list[ReviewFacts]:
        """Return the recorded reviews, of one digest if it is given, in a fixed order."""
        return self._asked(lambda it: queries.reviews(it, digest))

    def deliveries(self, client: str | None = None) -> list[Delivery]:
        """Return all deliveries, by serial; to one client if it is given."""
        return self._asked(lambda it: queries.deliveries(it, client))

    def delivery(self, serial: int) -> Delivery:
        """Return one delivery.

        Raises:
            UserError: there is none of that number.
        """
        return self._asked(lambda it: queries.delivery(it, serial))

    def acceptance(
        self, client: str | None = None, serial: int | None = None
    ) -> list[AcceptanceFacts]:
        """Return buyers' reports, by delivery and number; of one client or delivery if it is given."""
        return self._asked(lambda it: queries.acceptance(it, client, serial))

    def export(self, path: Path) -> None:
        """Write all of it to a file, whole or not at all; see `export`.

        Raises:
            UserError: it cannot be written.
            SeamError: the disk is full, or fails.
        """
        if path.exists() and not path.is_file():
            # Something else would be replaced by the file, a device by root.
            raise UserError(
                f"{path}: expected a file, or nothing there yet; what is there is left as it is; name a file with -o"
            )
        try:
            handle, name = tempfile.mkstemp(prefix=".ledger-", dir=path.parent)
        except OSError as cause:
            raise _unwritten(path, cause) from cause
        try:
            with os.fdopen(handle, "wb") as file, self._database.reading() as it:
                file.writelines(export.lines(it))
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except OSError as cause:
            raise _unwritten(path, cause) from cause
        finally:
            Path(name).unlink(missing_ok=True)

    def _asked(self, ask: Callable[[sa.Connection], T]) -> T:
        with self._database.reading() as connection:
            return ask(connection)


def _unwritten(path: Path, cause: OSError) -> ShipbarError:
    told = (
        f"{path}: cannot be written ({cause.strerror}); what was there is left as it is"
    )
    if cause.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
        return SeamError(f"{told}; make room there, or name another file with -o")
    return UserError(f"{told}; name another file with -o")
