"""Somebody with a key of their own, and receipts that they signed."""

import atexit
import functools
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from shipbar import config, wiring
from shipbar.attest import keys
from shipbar.gates import Trial
from shipbar.gates.proving import prove
from shipbar.gates.receipts import Receipts
from shipbar.grading.tasks import digest_of, load_task
from shipbar.sandboxes.runtime import runtime


@contextmanager
def household(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with keys and a cache of its own, which sandboxes may enter."""
    made = runtime(config.current().cache)
    with tempfile.TemporaryDirectory(prefix="shipbar-tests-") as name:
        home = Path(name)
        home.chmod(0o755)
        (home / "cache").mkdir()
        # What takes long to make, and is the same for everybody.
        (home / "cache" / "runtime").symlink_to(made.root.parent)
        (home / "work").mkdir()
        for word in ("KEYS", "CACHE", "WORK"):
            monkeypatch.setenv(f"SHIPBAR_{word}", str(home / word.lower()))
        shutil.copytree(_owner(), home / "keys")
        yield home


@functools.cache
def _owner() -> Path:
    """The keys of whoever signs in these tests."""
    folder = Path(tempfile.mkdtemp(prefix="shipbar-tests-"))
    atexit.register(shutil.rmtree, folder)
    keys.make(folder / "keys" / "default")
    return folder / "keys"


_SEEN: dict[str, bytes] = {}
"""Receipts of the reference gate, by the task's digest."""


def once(task: Path, home: Path) -> Path:
    """Return a receipt of the reference gate, run once for each task."""
    digest = digest_of(task)
    if digest not in _SEEN:
        _SEEN[digest] = receipt(task, home).read_bytes()
        shutil.rmtree(home / "cache" / "receipts")
    path = home / "out" / "tally" / "G1.dsse.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_SEEN[digest])
    return path


def receipt(task: Path, home: Path, gate: str = "reference") -> Path:
    """Take a task through one gate; return its receipt."""
    settings = config.current()
    with Trial(
        task=load_task(task),
        sandbox=wiring.sandbox(wiring.AUTO, settings),
        work=settings.work,
        cache=settings.cache,
    ) as trial:
        one = wiring.gate(gate)
        prove(trial, [one], Receipts(settings, copies=home / "out"))
    return home / "out" / trial.task.contract.task_id / f"{one.id}.dsse.json"
