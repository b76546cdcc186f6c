"""What a package in a world can see: measured, not taken on trust.

A package of our own is put where a candidate would be and says what it sees. Where it
sees no difference between a world and a plain run, that perturbation does not reach
packages on that backend; the gate lists it, and claims nothing for it.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from shipbar.contract import Limits
from shipbar.errors import SandboxError
from shipbar.gates.worlds import PLAIN, World, forget, held
from shipbar.grading.bench import Seat, world_readable
from shipbar.grading.channel import Channel, Garbled, Gone, Slow
from shipbar.grading.intake import write_tree
from shipbar.ports import Job, Sandbox
from shipbar.sealed.codec import DecodeError, decode
from shipbar.sealed.frames import CASE, LOAD, PREAMBLE, VALUE

NAME = "witness"
SOURCE = b"""
import datetime
import locale
import os
import sys
import time


def look():
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ()
    return {
        "hash": hash("witness"),
        "zone": [time.tzname[0], time.localtime(0)[3], datetime.datetime.fromtimestamp(0).hour],
        "locale": [os.environ.get("LC_ALL"), locale.getencoding(), sys.flags.utf8_mode],
        "time": [time.time(), datetime.datetime.now().timestamp(), time.mktime(time.localtime())],
        "date": datetime.date.today().toordinal(),
        "monotonic": time.monotonic(),
        "cores": len(cores),
        "user": [os.getuid(), os.environ.get("USER")],
        "path": [os.path.dirname(__file__), os.getcwd()],
        "variables": sorted(os.environ),
    }
"""
READY_S = LOOK_S = 30.0
APART_S = 3600.0
"""Seconds by which clocks differ when one was moved, and never else."""

TRIES = 3
"""Looks at what the kernel keeps, since other processes read the same files."""

Look = Mapping[str, Any]
"""What the witness says, by its own words."""


def look(sandbox: Sandbox, work: Path, limits: Limits) -> Look:
    """Put the witness in ``sandbox`` and return what it sees.

    Raises:
        SandboxError: it could not be asked.
    """
    seat = Seat(sandbox, Job(limits=limits), work)
    try:
        write_tree(
            {f"{NAME}/__init__.py": SOURCE},
            seat.folder,
            "",
            world_readable=world_readable(),
        )
        channel = Channel(seat.running, cap=limits.output_kib * 1024)
        channel.ready(READY_S)
        requests: list[tuple[bytes, str | bytes]] = [
            (LOAD, f"{NAME}\nlook"),
            (PREAMBLE, f"0\nfrom {NAME} import look"),
            (CASE, "0\ndef case():\n    return look"),
        ]
        channel.send(requests)
        frame = [channel.answer(LOOK_S) for _ in requests][-1]
        seen = decode(frame.payload) if frame.kind == VALUE else None
    except (Gone, Slow, Garbled, DecodeError) as cause:
        raise SandboxError(
            f"{sandbox.name}: the witness did not answer: {seat.stop() or type(cause).__name__}"
        ) from cause
    finally:
        seat.leave()
    if not isinstance(seen, dict):
        raise SandboxError(f"{sandbox.name}: the witness failed: {frame.payload!r}")
    return seen


def seen_kinds(plain: Look, there: Look, world: World) -> frozenset[str]:
    """Return what of a world the witness saw, without what can only be seen from outside."""
    found = {
        "hash seed": plain["hash"] != there["hash"],
        "zone": plain["zone"] != there["zone"],
        "locale": plain["locale"] != there["locale"],
        "clock": all(
            abs(now - before - world.clock_s) < APART_S
            for before, now in zip(
                [*plain["time"], plain["monotonic"]],
                [*there["time"], there["monotonic"]],
                strict=True,
            )
        ),
        "cores": plain["cores"] > there["cores"] == 1,
        "user": plain["user"] != there["user"],
        "path": not set(plain["path"]) & set(there["path"]),
    }
    # The load is on the core that a subject is bound to, so it is met where that is.
    found["load"] = found["cores"]
    return frozenset(kind for kind, seen in found.items() if seen) & set(world.kinds)


def cold_reaches(
    sandbox: Sandbox, work: Path, limits: Limits, library: Sequence[Path]
) -> bool:
    """Say whether a start reads from the disk what the kernel was told to forget.

    Raises:
        SandboxError: the witness could not be asked.
    """
    for _ in range(TRIES):
        forget(library)
        before = held(library)
        look(sandbox, work, limits)
        if before < held(library):
            return True
    return False


@attrs.frozen(kw_only=True)
class Witness:
    """Asks on one backend."""

    enter: Callable[[World], Sandbox]
    """Returns the backend in a world."""
    work: Path
    """Folder for the sandbox's own folders."""
    limits: Limits
    """As subjects have them."""
    library: Sequence[Path]
    """Files that a cold start must find on the disk."""

    def unseen(self, worlds: Sequence[World]) -> dict[str, list[str]]:
        """Return what does not reach packages, and in which of the worlds.

        Raises:
            SandboxError: the witness could not be asked.
        """
        plain = look(self.enter(PLAIN), self.work, self.limits)
        always = {"order"}  # the judge's own doing
        if cold_reaches(self.enter(PLAIN), self.work, self.limits, self.library):
            always.add("caches")
        missing: dict[str, list[str]] = {}
        for world in worlds:
            there = look(self.enter(world), self.work, self.limits)
            seen = seen_kinds(plain, there, world) | always
            for kind in world.kinds:
                if kind not in seen:
                    missing.setdefault(kind, []).append(world.name)
        return missing
