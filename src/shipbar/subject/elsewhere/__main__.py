"""Runs the runner as if elsewhere: at another time, as another user, in other folders.

For proving that none of it reaches a verdict. The variable `ELSEWHERE` holds
`name=value` words, and is gone before any candidate code is there:

- `clock=SECONDS` is added to what Python's own functions say of the time. The kernel's
  clock is the machine's: nobody without rights can move it for one process.
- `user=ID` is what they say of the user; the kernel's id is the sandbox's.
- `folder=NAME` is made below the folder that the program starts in, and entered.

The candidate may lie in the job's folder `extra`. What is here is done before the
runner starts, with no frame of ours below its own, so that a candidate has the same
depth left wherever it runs.
"""

from __future__ import annotations

import os
import posix
import sys
import time

TYPE_CHECKING = False  # as typing's, without what importing it costs
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

NANO = 10**9


def move_clock(seconds: int) -> None:
    """Add ``seconds`` to the time of day and to the clocks that only go on."""
    for name in ("time", "monotonic", "perf_counter"):
        _later(name, seconds)
        _later(name + "_ns", seconds * NANO)
    _later("clock_gettime", seconds)
    _later("clock_gettime_ns", seconds * NANO)
    now = time.time
    for name in ("localtime", "gmtime", "ctime"):
        _from_now(name, now)
    localtime = time.localtime
    asctime, strftime = time.asctime, time.strftime
    vars(time)["asctime"] = lambda *when: asctime(*when or (localtime(),))
    vars(time)["strftime"] = lambda form, *when: strftime(form, *when or (localtime(),))
    # The compiled dates ask the kernel; those in Python ask `time`, and do the same.
    sys.modules["_datetime"] = None  # type: ignore[assignment]  # says: there is none


def _later(name: str, by: int) -> None:
    clock: Callable[..., Any] = getattr(time, name)
    vars(time)[name] = lambda *which: clock(*which) + by


def _from_now(name: str, now: Callable[[], float]) -> None:
    at: Callable[..., Any] = getattr(time, name)
    vars(time)[name] = lambda when=None: at(now() if when is None else when)


def be(user: int) -> None:
    """Have Python's functions say that we are ``user``."""
    for name in ("getuid", "geteuid", "getgid", "getegid"):
        for module in (os, posix):
            vars(module)[name] = lambda: user


def enter(folder: str) -> None:
    """Work in a new folder."""
    os.mkdir(folder)
    os.chdir(folder)
    os.environ["PWD"] = os.getcwd()


def go() -> None:
    """Change what the words say."""
    words = dict(word.split("=", 1) for word in os.environ.pop("ELSEWHERE").split())
    if "clock" in words:
        move_clock(int(words["clock"]))
    if "user" in words:
        be(int(words["user"]))
    if "folder" in words:
        enter(words["folder"])
    sys.argv[1:] = [
        "candidate=" + word.partition("=")[2] if word.startswith("extra=") else word
        for word in sys.argv[1:]
    ]
    # The runner lies beside what started us, and takes this place away again.
    sys.path[0] = str(sys.modules["__main__"].__file__).rpartition("/")[0]


go()
from runner import main  # noqa: E402  # on the path only now

main()
