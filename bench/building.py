"""What it takes to build: one variant of each family, the tranche, a task again.

A single build is measured in core-seconds, the tranche and a re-roll by the clock.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench.accounting import core_seconds, seconds
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
        times = [
            core_seconds("build", family, "--seed", "bench", "-o", str(folder / family))
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
