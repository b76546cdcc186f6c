"""What accepting takes beside the gates that it runs again: checking, comparing, reporting.

Two tasks of the reference tranche go all the way: built, proven, reviewed, delivered,
and accepted by somebody with another key. The ratio is the part of the buyer's time
that was spent inside gates.
"""

import json
import os
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.accounting import run, seconds
from bench.building import build_tranche
from bench.figures import Figure, at_least

TASKS = 2
IN_GATES = 0.9


def accepting() -> Iterator[Figure]:
    """The figures of accepting."""
    with tempfile.TemporaryDirectory() as name, _household(Path(name)) as home:
        delivery = _delivered(home)
        report = home / "report"
        words = (
            *("accept", str(delivery), "-o", str(report)),
            *("--key", str(home / "keys" / "default.pub"), "--sign-with", "buyer"),
        )
        took = seconds(*words)
        said = json.loads((report / "report.json").read_text("utf-8"))
        in_gates = sum(task["in_gates"] for task in said["tasks"])
        yield at_least("accept_in_gates", took, in_gates / took, IN_GATES)


@contextmanager
def _household(home: Path) -> Iterator[Path]:
    """Keys and books of nobody else's, as long as it is open."""
    before = dict(os.environ)
    os.environ.update(
        SHIPBAR_KEYS=str(home / "keys"), SHIPBAR_LEDGER=str(home / "ledger.db")
    )
    try:
        for key in ("default", "senior", "buyer"):
            run("key", "new", key)
        yield home
    finally:
        os.environ.clear()
        os.environ.update(before)


def _delivered(home: Path) -> Path:
    """Make, prove, review and deliver; return the delivery."""
    tranche, tasks = home / "all", home / "tasks"
    build_tranche(tranche)
    tasks.mkdir()
    for task in [it for it in sorted(tranche.iterdir()) if _trains(it)][:TASKS]:
        task.rename(tasks / task.name)
        for role, key in (("breaker", "default"), ("senior", "senior")):
            named = ("--role", role, "--name", role, "--key", key)
            run("review", "sign", str(tasks / task.name), *named)
    receipts = ("--receipts", str(home / "receipts"))
    run("verify", str(tasks), *receipts, "--fresh")
    run("verify", str(tasks), *receipts, "--gate", "review")
    words = ("-o", str(home / "delivery"), "--client", "bench", *receipts)
    run("deliver", str(tasks), *words)
    return home / "delivery"


def _trains(task: Path) -> bool:
    contract = task / "task.toml"
    return contract.is_file() and (
        tomllib.loads(contract.read_text("utf-8"))["split"] == "train"
    )
