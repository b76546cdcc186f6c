"""The report that is signed: what the buyer says of each task, for the maker's books.

Canonical JSON in an envelope under the buyer's key. It names the delivery by the digest
of its manifest, and each task by the digest that was delivered. Only what was accepted
or rejected is in it, and its rate is over just that. A rejected task whose digest nobody
can tell, since its sealed grader or its line of the index is damaged, is named without one.
"""

from collections.abc import Iterable

from shipbar.acceptance.values import ACCEPTED, REJECTED, Result
from shipbar.attest import envelope
from shipbar.attest.envelope import Signed
from shipbar.attest.keys import Own
from shipbar.bundles.manifest import Manifest
from shipbar.verdict import canonical

NAME = "acceptance.dsse.json"
"""The file's name in the report."""
LONGEST_REASON = 2000


def signed(
    results: Iterable[Result],
    *,
    manifest: Manifest,
    digest: str,
    own: Own,
    target: float,
    seconds: float,
) -> Signed | None:
    """Return the signed report; None if nothing was accepted or rejected.

    Args:
        results: of all tasks, in the order of their ids.
        manifest: of the delivery.
        digest: ``sha256:…`` of that.
        own: the buyer's key.
        target: the part of the tasks, 0 to 1, that was to be accepted.
        seconds: wall seconds that measuring took.
    """
    tasks = [
        {
            "digest": it.digest,
            "outcome": it.outcome,
            "reason": _text(it.reason) if it.outcome == REJECTED else "",
            "task_id": it.task_id,
        }
        for it in results
        if it.outcome in (ACCEPTED, REJECTED)
    ]
    if not tasks:
        return None
    accepted = sum(it["outcome"] == ACCEPTED for it in tasks)
    payload = canonical(
        {
            "buyer": own.id,
            "delivery": {
                "client": manifest.client,
                "manifest": digest,
                "serial": manifest.serial,
            },
            "rate": accepted / len(tasks),
            "seconds": round(seconds, 1),
            "target": target,
            "tasks": tasks,
        }
    )
    return envelope.sign(payload, own.signer)


def _text(reason: str) -> str:
    """Return a reason that can be signed; names of files may be of bytes that are no text."""
    return reason[:LONGEST_REASON].encode("utf-8", "backslashreplace").decode()
