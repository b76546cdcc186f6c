"""Kills a process at many points of its work on a ledger, and looks at what is left.

A program of its own, with one thread, so that it can fork: what is killed has imported
everything already. Writes, as JSON, what became of each kill.

    python -m tests.store.killing points FOLDER COUNT [URL]
    python -m tests.store.killing times FOLDER COUNT

At each point a child works through `STEPS` and kills itself as a statement begins or
has ended, or as a transaction is about to be kept. At each time a child is killed from
outside. Then this process opens the ledger, as any later one would: it must be as it was
between two steps, with no step lost that the child had ended, and working through all
steps again must end where an undisturbed run ends.
"""

import json
import os
import random
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from shipbar.store.ledger import Ledger
from shipbar.store.schema import METADATA, VERSION
from shipbar.verdict import sha256
from tests.store.samples import entry, kept, mended, report, reviewed, signed

STRIPS, TALLY, ROWS = entry("strips", "aaaaaa"), entry("tally"), entry("rows", "bbbbbb")
Step = Callable[[Ledger], object]


def _accept(ledger: Ledger) -> None:
    record = report(ledger.delivery(1), rejected=["tally-1"])
    ledger.record_acceptance(record, signed(record))


STEPS: tuple[Step, ...] = (
    lambda it: it.record(
        STRIPS, [kept(STRIPS), kept(STRIPS, "G2")], [reviewed(STRIPS)]
    ),
    lambda it: it.record_task(TALLY),
    lambda it: it.record_receipts([kept(TALLY), kept(TALLY, "G7")]),
    lambda it: it.record_review(*reviewed(TALLY, "breaker")),
    lambda it: it.reserve_delivery("acme", [STRIPS, TALLY], date="2026-11-30"),
    lambda it: it.finish_delivery(1, sha256(b"first")),
    _accept,
    lambda it: it.reserve_delivery("brook", [ROWS], date="2026-12-01"),
    lambda it: it.finish_delivery(2, sha256(b"second")),
    lambda it: it.record_task(mended(TALLY, "mended")),
)


def work(place: str, ended: Callable[[int], object]) -> None:
    """Open the ledger and work through all steps; tell of each that has ended."""
    ledger = Ledger.open(place)
    ended(0)
    for number, step in enumerate(STEPS, start=1):
        step(ledger)
        ended(number)


class Points:
    """Counts the points at which a process may be stopped, and stops it at one."""

    def __init__(self, deadly: int = 0) -> None:
        self.passed, self._deadly = 0, deadly
        for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
            sa.event.listen(sa.Engine, name, self._pass)

    def _pass(self, *_: object, **__: object) -> None:
        self.passed += 1
        if self.passed == self._deadly:
            os.kill(os.getpid(), signal.SIGKILL)

    def remove(self) -> None:
        for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
            sa.event.remove(sa.Engine, name, self._pass)


class Place:
    """Where the ledger of one kill lies."""

    def __init__(self, folder: Path, url: str = "") -> None:
        self._folder, self._url = folder, url
        self.where = url or str(folder / "ledger.db")

    def clear(self) -> None:
        """Have no ledger there."""
        for path in self._folder.glob("ledger.db*"):
            path.unlink()
        if self._url:
            url = self._url.replace("postgresql:", "postgresql+psycopg:")
            engine = sa.create_engine(url, poolclass=sa.NullPool)
            METADATA.drop_all(engine)
            VERSION.drop(engine, checkfirst=True)

    def content(self) -> bytes:
        """All that is recorded."""
        Ledger.open(self.where).export(self._folder / "export")
        return (self._folder / "export").read_bytes()

    def whole(self) -> bool:
        """Whether the file is in order."""
        if self._url:
            return True
        with sqlite3.connect(self.where) as connection:
            (told,) = connection.execute("PRAGMA integrity_check").fetchone()
            broken = connection.execute("PRAGMA foreign_key_check").fetchall()
        connection.close()
        return told == "ok" and not broken


def undisturbed(place: Place) -> tuple[list[bytes], int]:
    """Return what is recorded after each step, and the number of points on the way."""
    place.clear()
    points = Points()
    work(place.where, lambda _: None)
    points.remove()
    place.clear()
    contents: list[bytes] = []
    work(place.where, lambda _: contents.append(place.content()))
    return contents, points.passed


def killed(place: Place, kill: Callable[[int], object], deadly: int = 0) -> Any:
    """Have a child work and be killed; return how it ended and the last step that it ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        if deadly:
            Points(deadly)
        work(place.where, lambda number: os.write(writing, bytes([number])))
        os._exit(0)
    os.close(writing)
    kill(child)
    _, status = os.waitpid(child, 0)
    told = os.read(reading, 100)
    os.close(reading)
    by_kill = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    return by_kill, (told[-1] if told else -1), status


def looked_at(place: Place, contents: list[bytes], last: int) -> dict[str, Any]:
    """Say what a kill left, and what comes of working through all of it again."""
    there = place.content()
    between = there in contents
    work(place.where, lambda _: None)
    return {
        "between_steps": between,
        "lost": between and contents.index(there) < last,
        "finished": place.content() == contents[-1],
        "whole": place.whole(),
    }


def at_points(place: Place, count: int) -> Iterator[dict[str, Any]]:
    """Kill at points spread over all of the work."""
    contents, passed = undisturbed(place)
    assert passed >= count, f"there are {passed} points only"
    for number in range(count):
        point = 1 + number * (passed - 1) // (count - 1)
        place.clear()
        by_kill, last, status = killed(place, lambda _: None, deadly=point)
        found = looked_at(place, contents, last)
        yield {"at": point, "killed": by_kill, "status": status, **found}


def at_times(place: Place, count: int) -> Iterator[dict[str, Any]]:
    """Kill from outside, at times that are drawn from how long the work takes."""
    contents, _ = undisturbed(place)
    place.clear()
    start = time.monotonic()
    killed(place, lambda _: None)
    took, rng = time.monotonic() - start, random.Random(5)
    for _ in range(count):
        place.clear()
        delay = rng.random() * took

        def kill(child: int, delay: float = delay) -> None:
            time.sleep(delay)
            os.kill(child, signal.SIGKILL)

        by_kill, last, status = killed(place, kill)
        found = looked_at(place, contents, last)
        yield {"at": delay, "killed": by_kill, "status": status, **found}


if __name__ == "__main__":
    how, folder, count, *url = sys.argv[1:]
    try_at = {"points": at_points, "times": at_times}[how]
    sys.stdout.write(json.dumps(list(try_at(Place(Path(folder), *url), int(count)))))
