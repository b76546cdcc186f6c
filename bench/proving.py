"""What it takes to prove: all gates on one task, the tranche, and the tranche unchanged.

Tasks are proven one at a time on one core, so that a gate's wall clock is its
core-seconds, with all that its sandboxes take.
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench.building import build_tranche, one_core, run, seconds
from bench.figures import Figure, within

NAMED = ("G1", "G2", "G3", "G4")
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
        with one_core():
            told = json.loads(
                run("verify", str(tranche), "--fresh", "--json", codes=CODES)
            )
        spent = [
            {gate["gate"]: gate["seconds"] for gate in task["gates"]}
            for task in told["tasks"]
        ]
        named = median(sum(task[gate] for gate in NAMED) for task in spent)
        yield within("gates_g1_to_g4", named, NAMED_S)
        yield within("gates_all", median(sum(task.values()) for task in spent), ALL_S)
        words = ("verify", str(tranche), "--jobs", "2")
        yield within(
            "gates_tranche", seconds(*words, "--fresh", codes=CODES), TRANCHE_S
        )
        yield within("gates_unchanged", seconds(*words, codes=CODES), UNCHANGED_S)
