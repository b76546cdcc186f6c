"""Core-seconds of a command and of all that it starts, sandboxes and what they kill included.

A process's own account leaves out children that nobody waited for, which is how a
sandbox ends. The kernel's control groups leave out nothing, and count what was worked
and not how long it took beside other work. Where they cannot be written, a command is
kept on one core, and its wall clock is taken, which is right on a quiet machine.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NANO, MICRO = 1e-9, 1e-6
REMOVE_S = 5.0
# Joins the group, then becomes what is named behind it.
_JOIN = 'echo $$ > "$0/cgroup.procs" && exec "$@"'


def seconds(*words: str, codes: tuple[int, ...] = (0,)) -> float:
    """Run a command of ours; return the wall seconds that it took."""
    start = time.perf_counter()
    run(*words, codes=codes)
    return time.perf_counter() - start


def core_seconds(*words: str, codes: tuple[int, ...] = (0,)) -> float:
    """Run a command of ours; return the core-seconds that it took."""
    with _group() as group:
        if group is not None:
            run(*words, codes=codes, group=group)
            return _used(group)
    with _one_core():
        return seconds(*words, codes=codes)


def run(*words: str, codes: tuple[int, ...] = (0,), group: Path | None = None) -> str:
    """Run a command of ours, in a control group if one is given; return what it prints."""
    join = [] if group is None else ["/bin/sh", "-c", _JOIN, str(group)]
    done: Any = subprocess.run(
        [*join, sys.executable, "-m", "shipbar", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in codes, f"{words}: {done.returncode}: {done.stderr}"
    return str(done.stdout)


@contextmanager
def _group() -> Iterator[Path | None]:
    """A new control group that counts processor time; None where none can be made."""
    root = Path("/sys/fs/cgroup")
    first = root / "cpuacct"
    folder = (first if first.is_dir() else root) / f"shipbar-bench-{os.getpid()}"
    try:
        folder.mkdir()
    except OSError:
        yield None
        return
    try:
        yield folder
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a group; the kernel may need a moment to see that its processes are gone."""
    end = time.monotonic() + REMOVE_S
    while True:
        try:
            folder.rmdir()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
        else:
            return


def _used(group: Path) -> float:
    """Core-seconds that a group has used, by either version of the kernel's interface."""
    first = group / "cpuacct.usage"
    if first.is_file():
        return int(first.read_text()) * NANO
    rows = dict(
        line.split() for line in (group / "cpu.stat").read_text().splitlines() if line
    )
    return int(rows["usage_usec"]) * MICRO


@contextmanager
def _one_core() -> Iterator[None]:
    """Keep this process, and what it starts, on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
