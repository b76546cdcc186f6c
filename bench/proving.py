"""What it takes to prove: all gates on one task, the tranche, and the tranche unchanged.

A task is measured in core-seconds, with all that its sandboxes take, the tranche by
the clock.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench.accounting import core_seconds, seconds
from bench.building import build_tranche
from bench.figures import Figure, within

NAMED = ("--gate", "G1", "--gate", "G2", "--gate", "G3", "--gate", "G4")
NAMED_S = 15.0
ALL_S = 90.0
TRANCHE_S = 720.0
UNCHANGED_S = 5.0
CODES = (0, 1, 3)
"""A task that fails a gate, or one not run, costs what it costs: the table tells."""


def proving() -> Iterator[Figure]:
    """The figures of the gates."""
    with tempfile.TemporaryDirectory() as name:
        tranche = Path(name)
        build_tranche(tranche)
        tasks = sorted(path.parent for path in tranche.glob("*/task.toml"))
        spent = [
            core_seconds("verify", str(task), "--fresh", *NAMED, codes=CODES)
            for task in tasks
        ]
        yield within("gates_g1_to_g4", median(spent), NAMED_S)
        against = ("--against", str(tranche))
        spent = [
            core_seconds("verify", str(task), "--fresh", *against, codes=CODES)
            for task in tasks
        ]
        yield within("gates_all", median(spent), ALL_S)
        words = ("verify", str(tranche), "--jobs", "2")
        yield within(
            "gates_tranche", seconds(*words, "--fresh", codes=CODES), TRANCHE_S
        )
        yield within("gates_unchanged", seconds(*words, codes=CODES), UNCHANGED_S)
