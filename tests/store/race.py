"""Eight processes that write to one ledger at once, each for a client of its own.

    python -m tests.store.race WHERE PROCESSES

Nobody has opened the ledger before. All want the same tasks, and each has some of its
own. Writes, as JSON, what each was given.
"""

import json
import os
import sys
from typing import Any

from shipbar.errors import UserError
from shipbar.store.ledger import Ledger
from shipbar.verdict import sha256
from tests.store.samples import entry, kept, reviewed

WANTED = 6
"""Tasks that all want."""
OWN = 4
"""Tasks that nobody else has."""


def work(where: str, number: int) -> dict[str, Any]:
    """Record tasks, and deliver those that nobody else was given first."""
    client = f"client-{number}"
    ledger = Ledger.open(where)
    got: list[str] = []
    refused: list[str] = []
    serials: list[int] = []
    for turn in range(max(WANTED, OWN)):
        if turn < OWN:
            own = entry(f"own{number}x{turn}")
            ledger.record(own, [kept(own)], [reviewed(own)])
        wanted = entry(f"wanted{(turn + number) % WANTED}")
        try:
            reservation = ledger.reserve_delivery(client, [wanted])
        except UserError as why:
            refused.append(str(why))
            continue
        serials.append(reservation.serial)
        ledger.finish_delivery(reservation.serial, sha256(f"{client} {turn}".encode()))
        got.append(wanted.task_id)
    return {"client": client, "got": got, "refused": refused, "serials": serials}


def main(where: str, processes: int) -> None:
    """Start them all at one moment, and gather what they tell."""
    ready, gate = os.pipe()
    children = []
    for number in range(processes):
        told, telling = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(gate)
            os.read(ready, 1)  # until the other end is closed
            os.write(telling, json.dumps(work(where, number)).encode())
            os._exit(0)
        os.close(telling)
        children.append((child, told))
    os.close(gate)
    results = []
    for child, told in children:
        with os.fdopen(told) as file:
            text = file.read()
        _, status = os.waitpid(child, 0)
        results.append({"status": status, **json.loads(text or "{}")})
    sys.stdout.write(json.dumps(results))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
