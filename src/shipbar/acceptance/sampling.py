"""Which tasks a sample is.

The buyer draws a nonce after the delivery is in their hands, so nobody can have chosen
which tasks will be looked at; whoever knows nonce and delivery can draw again and finds
the same ones. A task's lot is SHA-256 over three texts in a row: the nonce, the digest
of the delivery, the task's id. The sample is the tasks with the smallest lots.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Iterable
from pathlib import Path

from shipbar.errors import UserError

_NONCE = re.compile(r"[\x21-\x7e]{8,200}")


def new_nonce() -> str:
    """Return a nonce: 64 hexadecimal digits that nobody could have foreseen."""
    return secrets.token_hex(32)


def checked_nonce(text: str) -> str:
    """Return ``text`` if it can be a nonce.

    Raises:
        UserError: it cannot.
    """
    if _NONCE.fullmatch(text) is None:
        raise UserError(
            f"--nonce {text!r}: expected 8 to 200 printable characters without blanks, such as 64 hexadecimal digits"
        )
    return text


def lot(nonce: str, delivery: str, task_id: str) -> str:
    """Return a task's lot, 64 hexadecimal digits."""
    return hashlib.sha256(f"{nonce}{delivery}{task_id}".encode()).hexdigest()


def drawn(ids: Iterable[str], count: int, nonce: str, delivery: str) -> frozenset[str]:
    """Return ``count`` of ``ids``, or all if there are no more.

    Args:
        ids: of the tasks that can be measured.
        count: how many.
        nonce: the buyer's.
        delivery: ``sha256:…`` of the delivery.
    """
    return frozenset(sorted(ids, key=lambda it: lot(nonce, delivery, it))[:count])


def remembered(path: Path, delivery: str) -> str | None:
    """Return the nonce that an earlier call drew for this delivery, if it is there and whole."""
    try:
        said = json.loads(path.read_bytes())
        nonce = said["nonce"] if said["delivery"] == delivery else None
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return nonce if isinstance(nonce, str) and _NONCE.fullmatch(nonce) else None


def note(nonce: str, delivery: str) -> bytes:
    """Return the file that `remembered` reads."""
    return json.dumps({"nonce": nonce, "delivery": delivery}).encode() + b"\n"
