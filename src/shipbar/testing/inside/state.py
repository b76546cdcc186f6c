"""Tells what the program was given, and which rights it has."""

import contextlib
import ctypes
import errno
import locale
import os
import platform
import socket
import stat
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

HIGHEST = 4096
PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS = 21, 39
REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS)
NOBODY_THERE = 0x3FFFFFFF
CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWPID = (
    0x10000000,
    0x20000,
    0x40000000,
    0x20000000,
)
PTRACE_ATTACH = 16
# Numbers of calls for which the C library has no function, by machine.
NUMBERS = {
    "x86_64": (
        "bpf 321 perf_event_open 298 userfaultfd 323 io_uring_setup 425 keyctl 250 "
        "add_key 248 pivot_root 155 open_by_handle_at 304 process_vm_readv 310 "
        "kcmp 312 fsopen 430 open_tree 428 move_mount 429 quotactl 179"
    ),
    "aarch64": (
        "bpf 280 perf_event_open 241 userfaultfd 282 io_uring_setup 425 keyctl 219 "
        "add_key 217 pivot_root 41 open_by_handle_at 265 process_vm_readv 270 "
        "kcmp 272 fsopen 430 open_tree 428 move_mount 429 quotactl 60"
    ),
}
NOWHERE = b"/nowhere/at/all"
ARGUMENTS = {
    "bpf": (-1, None, 0),
    "perf_event_open": (None, 0, -1, -1, 0),
    "userfaultfd": (0x7FFFFFFF,),
    "io_uring_setup": (0, None),
    "keyctl": (-1, 0, 0, 0, 0),
    "add_key": (None, None, None, 0, 0),
    "pivot_root": (NOWHERE, NOWHERE),
    "open_by_handle_at": (-1, None, 0),
    "process_vm_readv": (NOBODY_THERE, None, 0, None, 0, 0),
    "kcmp": (NOBODY_THERE, NOBODY_THERE, 0, 0, 0),
    "fsopen": (None, 0),
    "open_tree": (-1, NOWHERE, 0),
    "move_mount": (-1, NOWHERE, -1, NOWHERE, 0),
    "quotactl": (-1, None, 0, None),
}
FUNCTIONS = {
    "mount": (b"none", NOWHERE, b"tmpfs", 0, None),
    "umount2": (NOWHERE, 0),
    "swapon": (NOWHERE, 0),
    "chroot": (b"/",),
    "setuid": (0,),
    "setgid": (0,),
    "setgroups": (1, (ctypes.c_uint32 * 1)(0)),
    "ptrace": (PTRACE_ATTACH, NOBODY_THERE, None, None),
    "setns": (-1, 0),
    "mknod": (b"device", 0o60600, 0x0700),
}
# Last: where they work, this process is somewhere else afterwards.
UNSHARED = (CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWPID)


def given() -> dict[str, object]:
    """Return environment, descriptors, words and surroundings."""
    environment: Mapping[str, str] = vars(os)[
        "environ"
    ]  # to look at, not to be configured by
    descriptors = {}
    for number in range(HIGHEST):
        with contextlib.suppress(OSError):
            descriptors[number] = stat.S_IFMT(os.fstat(number).st_mode)
    return {
        "environment": dict(environment),
        "first environment": _first_environment(),
        "descriptors": descriptors,
        "words": sys.argv[1:],
        "cwd": str(Path.cwd()),
        "host": [socket.gethostname(), os.uname().nodename],
        "zone": [*time.tzname, time.timezone],
        "encoding": [
            locale.getpreferredencoding(do_setlocale=False),
            sys.getfilesystemencoding(),
            sys.stdout.encoding,
        ],
        "hash": hash("shipbar"),
        "utf-8 mode": sys.flags.utf8_mode,
        "no site": [sys.flags.no_site, sys.flags.no_user_site],
        "bytecode": sys.dont_write_bytecode,
        "ids": [*os.getresuid(), *os.getresgid(), *os.getgroups()],
        "own folder": sorted(path.name for path in Path().iterdir()),
        "session": os.getsid(0) != 0 and _terminal(),
    }


def _first_environment() -> list[str] | None:
    """What the kernel says the program was started with, where that can be read."""
    with contextlib.suppress(OSError):
        return [
            word for word in Path("/proc/self/environ").read_text().split("\0") if word
        ]
    return None


def _terminal() -> bool:
    """Whether there is a controlling terminal, into which input could be pushed."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR))
    except OSError:
        return False
    return True


def rights() -> dict[str, object]:
    """Return capabilities, privileges and the filter, as the kernel tells them; None where it does not."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    sets = (ctypes.c_uint32 * 6)()
    told = libc.capget(header, sets) == 0
    filtered = libc.prctl(PR_GET_SECCOMP, 0, 0, 0, 0)
    privileges = libc.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
    return {
        "capabilities": list(sets) if told else None,
        "ambient": [n for n in range(64) if libc.prctl(47, 1, n, 0, 0) == 1],
        "seccomp": filtered if filtered >= 0 else None,
        "no new privileges": privileges if privileges >= 0 else None,
    }


def calls() -> list[str]:
    """Make system calls that a program has no use for; return those that were looked into.

    Every argument is harmless: what is refused for its argument, and not for being
    asked, was not held back. Calls that could do harm either way are not tried.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    words = NUMBERS.get(platform.machine(), "").split()
    numbers = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    found = []
    for name, arguments in FUNCTIONS.items():
        found += _looked_into(name, getattr(libc, name), *arguments)
    for name, number in numbers.items():
        found += _looked_into(name, libc.syscall, number, *ARGUMENTS[name])
    for flag in UNSHARED:
        found += _looked_into(f"unshare({flag:#x})", libc.unshare, flag)
    return found


def _looked_into(name: str, call: Callable[..., int], *arguments: object) -> list[str]:
    ctypes.set_errno(0)
    if call(*arguments) != -1:
        return [f"{name} worked"]
    if ctypes.get_errno() in REFUSED:
        return []
    return [f"{name} was looked into: {os.strerror(ctypes.get_errno())}"]
