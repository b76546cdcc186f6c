"""Walks everything that can be seen, and tries to write, to read and to import."""

import contextlib
import importlib
import importlib.metadata
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

VIRTUAL = ("/proc",)
DEVICES = (
    "null",
    "zero",
    "full",
    "random",
    "urandom",
    "tty",
    "ptmx",
    "console",
    "fd",
    "stdin",
    "stdout",
    "stderr",
)
STRANGERS = (
    "pip", "pip._vendor", "pip._vendor.requests", "ensurepip", "setuptools", "pkg_resources",
    "_distutils_hack", "wheel", "attr", "attrs", "shipbar", "yaml", "requests", "numpy", "six",
    "pytest", "_pytest", "click", "rich", "packaging", "apt", "apt_pkg", "dbus", "gi", "virtualenv",
)  # fmt: skip
MARKS_OF_THE_FOREIGN = (".dist-info", ".egg-info", ".whl", ".egg", ".pth", ".egg-link")
FOREIGN_FOLDERS = ("site-packages", "dist-packages", "_vendor", "_bundled", "ensurepip")
STRANGE = (stat.S_IFBLK, stat.S_IFSOCK, stat.S_IFIFO)
SMALL = 65_536
ENOUGH = 20
"""Findings after which there is no need to look further."""


def _walk(top: str = "/") -> Iterator[tuple[str, os.stat_result]]:
    """Yield every path that can be looked at, but what /proc makes up for each process."""
    for folder, folders, names in os.walk(top):
        folders[:] = [n for n in folders if f"{folder.rstrip('/')}/{n}" not in VIRTUAL]
        for path in (folder, *(f"{folder.rstrip('/')}/{n}" for n in names)):
            with contextlib.suppress(OSError):
                yield path, os.lstat(path)


def _made(path: str) -> bool:
    """Whether a file can be made in a folder; it is removed again."""
    name = path + "/conformance-try"
    try:
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError:
        return False
    with contextlib.suppress(OSError):
        Path(name).unlink()
    return True


def _changed(path: str, seen: os.stat_result) -> bool:
    """Whether something that exists can be opened for writing, or be set to what it is."""
    if stat.S_ISREG(seen.st_mode):
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK))
            return True
        with contextlib.suppress(OSError):
            os.truncate(path, seen.st_size)
            return True
    with contextlib.suppress(OSError):
        Path(path).chmod(stat.S_IMODE(seen.st_mode))
        return True
    return False


def writable(own: list[str]) -> list[str]:
    """Return what can be written outside our one folder; ``own`` is looked at first."""
    found = []
    allowed = str(Path.cwd())
    for top in (*own, "/"):
        for path, seen in _walk(top):
            if path == allowed or path.startswith(allowed + "/"):
                continue
            if stat.S_ISDIR(seen.st_mode) and _made(path):
                found.append(f"made a file in {path}")
            elif (
                not stat.S_ISLNK(seen.st_mode)
                and not _device(seen.st_mode)
                and _changed(path, seen)
            ):
                found.append(f"could change {path}")
            if len(found) >= ENOUGH:
                return found
    return found + _kernel_switches()


def _device(mode: int) -> bool:
    return stat.S_ISCHR(mode) or stat.S_ISBLK(mode) or stat.S_ISFIFO(mode)


def _kernel_switches() -> list[str]:
    """What of /proc that concerns the whole machine can be opened for writing."""
    found = []
    for top in (
        "/proc/sys",
        "/proc/irq",
        "/proc/bus",
        "/proc/fs",
        "/proc/scsi",
        "/proc/acpi",
    ):
        for path, seen in _walk(top):
            if stat.S_ISREG(seen.st_mode) and _changed(path, seen):
                found.append(f"could change {path}")
    for name in ("sysrq-trigger", "timer_list", "kcore", "mtrr", "kmsg", "keys"):
        path = f"/proc/{name}"
        # What an engine masks is /dev/null: no regular file.
        if Path(path).is_file() and os.access(path, os.W_OK):
            found.append(f"could change {path}")
    return found[:ENOUGH]


def devices() -> list[str]:
    """Return special files that no program needs: other devices, pipes, sockets."""
    found = []
    for path, seen in _walk():
        kind = stat.S_IFMT(seen.st_mode)
        if kind in STRANGE or (kind == stat.S_IFCHR and _unexpected(path)):
            found.append(path)
    return found


def _unexpected(path: str) -> bool:
    """Whether a device that can be used is none of those that any program may have."""
    if path.startswith("/dev/pts/") or Path(path).name in DEVICES:
        return False
    return os.access(path, os.R_OK) or os.access(path, os.W_OK)


def reading(secret: str) -> list[str]:
    """Return every small file outside our own folders that holds ``secret``."""
    own = str(Path(__file__).parent)
    found = []
    for path, seen in _walk():
        if secret in path:
            found.append(path)
        elif (
            stat.S_ISREG(seen.st_mode)
            and seen.st_size <= SMALL
            and not path.startswith((own, "/sys"))
        ):
            with contextlib.suppress(OSError):
                if secret.encode() in Path(path).read_bytes():
                    found.append(path)
    return found


def distributions() -> list[str]:
    """Return every sign of a distribution that is not the standard library."""
    found = []
    for name in STRANGERS:
        with contextlib.suppress(BaseException):
            importlib.import_module(name)
            found.append(f"import {name}")
    with contextlib.suppress(Exception):
        found += [
            f"distribution {one.name}" for one in importlib.metadata.distributions()
        ]
    for path in sys.path:
        if Path(path).name in FOREIGN_FOLDERS:
            found.append(f"{path} on sys.path")
    return found + foreign_files()


def foreign_files() -> list[str]:
    """Return readable files and folders that only a distribution has."""
    found = []
    for path, seen in _walk():
        name = Path(path).name
        foreign = name.endswith(MARKS_OF_THE_FOREIGN) or name in FOREIGN_FOLDERS
        if not foreign or not os.access(path, os.R_OK):
            continue
        with contextlib.suppress(OSError):
            if not stat.S_ISDIR(seen.st_mode) or any(Path(path).iterdir()):
                found.append(path)
    return found[:ENOUGH]
