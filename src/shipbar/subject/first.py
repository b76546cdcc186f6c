"""The first process of a container: starts the program, and ends everything.

A container's first process is a bad place for a program: the kernel keeps signals
from it that kill any other, and nobody collects what it leaves behind. So this one
stays first. The program gets the environment it was promised, and not the engine's;
the container ends with the program, or, should the judge be gone, soon after.

Starting it takes a process more than the program may have, so the engine's filter
allows that one, and the program is closed in by a stricter filter of its own.

Arguments: `FILTER` (a seccomp program in base64), `SECONDS` that the program may go
on once its requests are closed, `NAME=VALUE` words that are its whole environment,
`--`, its command.
"""

import binascii
import ctypes
import os
import select
import signal
import struct
import sys

LOOK_S = 2.0
"""Seconds between two looks at whether the requests are closed."""
PR_SET_SECCOMP, MODE_FILTER = 22, 2
INSTRUCTION = 8
"""Bytes of one instruction of a filter."""


def main() -> None:
    """Start the program and stay until its end."""
    filter_, grace, *variables = sys.argv[1 : sys.argv.index("--")]
    command = sys.argv[sys.argv.index("--") + 1 :]
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # which the first process never gets
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    child = os.fork()
    if child == 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        close_in(binascii.a2b_base64(filter_))
        os.execve(  # noqa: S606  # no shell is what is wanted
            command[0], command, dict(word.split("=", 1) for word in variables)
        )
    # Leaving ends the container: the kernel kills whatever else is in it.
    os._exit(wait_for(child, float(grace)))


def close_in(code: bytes) -> None:
    """Put this process, and all that come of it, under a filter for good."""
    libc = ctypes.CDLL(None, use_errno=True)
    kept = ctypes.create_string_buffer(code, len(code))
    # The kernel's `struct sock_fprog`: a count and an address.
    told = struct.pack("HP", len(code) // INSTRUCTION, ctypes.addressof(kept))
    if libc.prctl(PR_SET_SECCOMP, MODE_FILTER, told, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the kernel did not take the seccomp filter")


def wait_for(child: int, grace: float) -> int:
    """Collect whatever ends; return the exit code when it is ``child``."""
    requests = select.poll()
    requests.register(0, 0)  # no event asked for: a hang-up is told anyway
    while True:
        signal.sigtimedwait({signal.SIGCHLD}, LOOK_S)
        while True:
            ended, status = os.waitpid(-1, os.WNOHANG)
            if ended == child:
                return os.waitstatus_to_exitcode(status) & 0xFF
            if ended == 0:
                break
        if requests.poll(0):
            grace -= LOOK_S
            if grace <= 0:
                return 1


main()
