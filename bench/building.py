"""What it takes to build: one variant of each family, the tranche, a task again.

A single build is kept on one core, so that its wall clock is its core-seconds, with
all that its sandboxes take.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from bench.figures import Figure, within
from shipbar import wiring

ONE_VARIANT_S = 20.0
TRANCHE_S = 240.0
REROLL_S = 60.0
REROLLED = 3
"""Tasks of the tranche that are built again."""


def building() -> Iterator[Figure]:
    """The figures of building, with the tranche that was built on the way."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with one_core():
            times = [
                seconds("build", family, "--seed", "bench", "-o", str(folder / family))
                for family in wiring.names("family")
            ]
        yield within("build_one_variant", median(times), ONE_VARIANT_S)
        tranche = folder / "tranche"
        yield within("build_tranche", build_tranche(tranche), TRANCHE_S)
        tasks = sorted(path.parent for path in tranche.glob("*/task.toml"))[:REROLLED]
        again = [
            seconds(
                "build", "--from", str(task), "--reroll", "-o", str(folder / "again")
            )
            for task in tasks
        ]
        yield within("reroll", median(again), REROLL_S)


def build_tranche(folder: Path) -> float:
    """Build the reference tranche on two cores; return wall seconds."""
    return seconds("build", "reference", "-o", str(folder), "--jobs", "2")


def seconds(*words: str, codes: tuple[int, ...] = (0,)) -> float:
    """Run a command of ours; return the wall seconds that it took."""
    start = time.perf_counter()
    run(*words, codes=codes)
    return time.perf_counter() - start


def run(*words: str, codes: tuple[int, ...] = (0,)) -> str:
    """Run a command of ours; return what it prints."""
    done: Any = subprocess.run(
        [sys.executable, "-m", "shipbar", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in codes, f"{words}: {done.returncode}: {done.stderr}"
    return str(done.stdout)


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process, and what it starts, on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
