"""Runs a parser where it can take no more than it may: in a process of its own.

Some grammars need memory by the square of a text that means nothing, and a parser
that is out of memory takes its process with it. Only the answer comes back; a process
that took too much, or died, has none. Not a sandbox: it keeps what is ours from
harm by accident of size, and what it runs is ours.
"""

import contextlib
import os
import resource
import warnings
from collections.abc import Callable
from pathlib import Path

MOST_MEMORY = 1 << 29
"""Bytes beyond what this process has."""
MOST_CPU_S = 10
"""Processor seconds."""


def confined(work: Callable[[], bytes]) -> bytes | None:
    """Return what ``work`` returns; None if it took too much or died."""
    ours, theirs = os.pipe()
    with warnings.catch_warnings(action="ignore"):  # the child starts no thread
        child = os.fork()
    if child == 0:
        _answer(work, theirs)
    os.close(theirs)
    with open(ours, "rb") as pipe:  # noqa: PTH123  # a descriptor, no path
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    return answer if status == 0 else None


def _answer(work: Callable[[], bytes], pipe: int) -> None:
    """In the child: answer, and end without a trace of the parent's affairs."""
    code = 1
    with contextlib.suppress(BaseException):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        space = pages * resource.getpagesize() + MOST_MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (space, space))
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_S, MOST_CPU_S))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        answer = memoryview(work())
        while answer:
            answer = answer[os.write(pipe, answer) :]
        code = 0
    os._exit(code)
