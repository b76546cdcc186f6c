"""A control group around a job: one bound on all of its processes together.

Made where it adds something and where it may: for a job that may have several
processes (one is bounded by its own limits), when we are root and the control
groups can be written. Both versions of the kernel's interface are served; on
the first, each controller is a tree of its own.
"""

import contextlib
import os
import secrets
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import attrs

from shipbar.contract import Limits
from shipbar.sandboxes.host import NOBODY_ID
from shipbar.sandboxes.limits import MIB, THREADS

PARENT = "shipbar"
OWN_MIB = 16
"""Memory of the kernel and of bubblewrap on the job's behalf."""
OWN_PROCESSES = 4
"""The launcher's and bubblewrap's own."""
REMOVE_S = 2.0

# Joins each group named before `--`, then becomes what is named behind it.
_JOIN = 'while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs" || exit 97; shift; done; shift; exec "$@"'


@attrs.frozen(kw_only=True)
class Cgroup:
    """A group for one job."""

    folders: tuple[Path, ...]
    """Its folders: one in version 2, one a controller in version 1."""

    def wrapped(self, command: Sequence[str]) -> list[str]:
        """Return a command that joins the group as root, then runs ``command`` as nobody."""
        nobody = str(NOBODY_ID)
        return [
            *("/bin/sh", "-c", _JOIN, "sh", *map(str, self.folders), "--"),
            *(str(shutil.which("setpriv")), "--reuid", nobody, "--regid", nobody),
            *("--clear-groups", "--", *command),
        ]

    def remove(self) -> None:
        """Remove the group; its processes are gone, the kernel may need a moment to see it."""
        end = time.monotonic() + REMOVE_S
        for folder in self.folders:
            while folder.is_dir():
                with contextlib.suppress(OSError):
                    folder.rmdir()
                    break
                if time.monotonic() > end:
                    break
                time.sleep(0.01)


def make(limits: Limits, tmp_mib: int) -> Cgroup | None:
    """Return a new group with the job's bounds, or None where there can be none."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return None
    memory = str((limits.memory_mib + tmp_mib + OWN_MIB) * MIB)
    processes = str(limits.processes + THREADS + OWN_PROCESSES)
    name = secrets.token_hex(8)
    unified = _mounted("cgroup2", "memory")
    if unified is not None:
        return _made(
            {unified / PARENT / name: {"memory.max": memory, "pids.max": processes}}
        )
    by_memory, by_pids = _mounted("cgroup", "memory"), _mounted("cgroup", "pids")
    if by_memory is None or by_pids is None:
        return None
    return _made(
        {
            by_memory / PARENT / name: {"memory.limit_in_bytes": memory},
            by_pids / PARENT / name: {"pids.max": processes},
        }
    )


def _made(bounds: dict[Path, dict[str, str]]) -> Cgroup | None:
    group = Cgroup(folders=tuple(bounds))
    try:
        for folder, values in bounds.items():
            folder.mkdir(parents=True)
            for file, value in values.items():
                (folder / file).write_text(value)
    except OSError:
        group.remove()
        return None
    return group


def _mounted(kind: str, controller: str) -> Path | None:
    """Where a tree of control groups with that controller is mounted, with the controller passed on."""
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, place, found, options, *_ = line.split(" ")
        if found != kind:
            continue
        if kind == "cgroup" and controller in options.split(","):
            return Path(place)
        if kind == "cgroup2" and _passed_on(Path(place)):
            return Path(place)
    return None


def _passed_on(root: Path) -> bool:
    """Whether groups of version 2 below ``root`` can be bounded; asks for it if it must."""
    try:
        for folder in (root, root / PARENT):
            folder.mkdir(exist_ok=True)
            missing = {"memory", "pids"} - set(
                (folder / "cgroup.subtree_control").read_text().split()
            )
            if missing:
                (folder / "cgroup.subtree_control").write_text(
                    " ".join(f"+{name}" for name in sorted(missing))
                )
    except OSError:
        return False
    return True
