"""The filter of system calls, as a program for the kernel and as an engine's profile.

A list of what a Python process needs; whatever is not on it does not exist:

- what is not listed answers EPERM, so that honest code meets an OSError;
- no socket but a connected pair of anonymous stream sockets, which asyncio
  needs and which reaches nothing; no sending to an address, no passing of
  descriptors (L02-L04);
- no new namespaces, tracing, foreign memory, keys, mounts, modules, bpf,
  io_uring, System V or POSIX message objects (C12, N10);
- no file that is only memory (memfd): it would count towards no limit (K01);
- one process means one: fork answers EAGAIN, threads still start (K01);
- nothing done to another process than through `kill` (K05);
- a call made by the numbers of another architecture kills the process.

`shared_host` is for a process without namespaces of its own, which Landlock
keeps. Landlock doesn't guard the modes and times of files, so nothing changes
them: a job of one process is told EPERM, a build (several processes) that it is
done, since installers set modes and give up where they can't. A process can't
leave its group, so that killing the group reaches all. With one process there
is no execve either.
"""

import os
import struct
from collections.abc import Iterator

import attrs

from shipbar.errors import SandboxError

# name, number on x86_64, number on aarch64 ("-": that machine has no such call)
PLAIN = """
    read 0 63, write 1 64, readv 19 65, writev 20 66, pread64 17 67, pwrite64 18 68, preadv 295 69
    pwritev 296 70, preadv2 327 286, pwritev2 328 287, lseek 8 62, close 3 57, close_range 436 436, dup 32 23
    dup2 33 -, dup3 292 24, fstat 5 80, fstatfs 138 44, fsync 74 82, fdatasync 75 83, ftruncate 77 46
    fallocate 285 47, fadvise64 221 223, flock 73 32, getdents 78 -, getdents64 217 61, sendfile 40 71
    copy_file_range 326 285
    creat 85 -, stat 4 -, lstat 6 -, newfstatat 262 79, statx 332 291, statfs 137 43, access 21 -
    faccessat 269 48, faccessat2 439 439, readlink 89 -, readlinkat 267 78, getcwd 79 17, chdir 80 49
    fchdir 81 50, mkdir 83 -, mkdirat 258 34, rmdir 84 -, unlink 87 -, unlinkat 263 35, rename 82 -
    renameat 264 38, renameat2 316 276, link 86 -, linkat 265 37, symlink 88 -, symlinkat 266 36, mknod 133 -
    mknodat 259 33, umask 95 166, getxattr 191 8, lgetxattr 192 9, fgetxattr 193 10, listxattr 194 11
    llistxattr 195 12, flistxattr 196 13
    brk 12 214, mmap 9 222, munmap 11 215, mremap 25 216, mprotect 10 226, madvise 28 233, msync 26 227
    mincore 27 232, membarrier 324 283
    poll 7 -, ppoll 271 73, select 23 -, pselect6 270 72, epoll_create 213 -, epoll_create1 291 20
    epoll_ctl 233 21, epoll_wait 232 -, epoll_pwait 281 22, epoll_pwait2 441 441, eventfd 284 -
    eventfd2 290 19, pipe 22 -, pipe2 293 59, timerfd_create 283 85, timerfd_settime 286 86
    timerfd_gettime 287 87, nanosleep 35 101, clock_nanosleep 230 115, pause 34 -
    clock_gettime 228 113, clock_getres 229 114, gettimeofday 96 169, time 201 -, times 100 153, alarm 37 -
    getitimer 36 102, setitimer 38 103, timer_create 222 107, timer_settime 223 110, timer_gettime 224 108
    timer_getoverrun 225 109, timer_delete 226 111
    futex 202 98, futex_waitv 449 449, set_robust_list 273 99, set_tid_address 218 96, rseq 334 293
    sched_yield 24 124, sched_getaffinity 204 123, sched_getparam 143 121, sched_getscheduler 145 120
    sched_get_priority_max 146 125, sched_get_priority_min 147 126, getcpu 309 168, arch_prctl 158 -
    rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigsuspend 130 133
    rt_sigpending 127 136, rt_sigtimedwait 128 137, sigaltstack 131 132, restart_syscall 219 128
    getpid 39 172, getppid 110 173, gettid 186 178, getuid 102 174, geteuid 107 175, getgid 104 176
    getegid 108 177, getresuid 118 148, getresgid 120 150, getgroups 115 158, getpgid 121 155, getpgrp 111 -
    getsid 124 156, capget 125 90, uname 63 160, sysinfo 99 179, getrusage 98 165
    getrlimit 97 163, setrlimit 160 164, getrandom 318 278
    exit 60 93, exit_group 231 94, wait4 61 260, waitid 247 95
    recvfrom 45 207, shutdown 48 210, getsockname 51 204, getpeername 52 205, getsockopt 55 209
"""
"""Allowed with whatever arguments."""

MODES = """
    chmod 90 -, fchmod 91 52, fchmodat 268 53, utime 132 -, utimes 235 -, futimesat 261 -, utimensat 280 88
    fchmodat2 452 452
"""
"""Modes and times: what installers set, and Landlock leaves unguarded."""

TESTED = """
    getpriority 140 141, fcntl 72 25, ioctl 16 29, prctl 157 167, prlimit64 302 261, clone 56 220, clone3 435 435, fork 57 -
    vfork 58 -, openat2 437 437, execve 59 221, setsid 112 157, setpgid 109 154, kill 62 129
    tkill 200 130, tgkill 234 131, socketpair 53 199, sendto 44 206, open 2 -, openat 257 56, truncate 76 45
"""
"""Allowed or not by arguments and by the job."""

ALLOW = 0x7FFF0000
KILL = 0x80000000
_ERRNO = 0x00050000
DONE = _ERRNO
"""Says that it is done and does nothing."""
EPERM, EAGAIN, ENOSYS = (_ERRNO | number for number in (1, 11, 38))

OWN_PID = 0x4F574E21
"""Where the filter holds this value, `lockdown` puts the id of the process that it closes in."""

_THREAD = 0x00010000
_NEVER = 0x00008000 | 0x7E020000
"""Flags of clone: every namespace, and CLONE_PARENT, which would make a child of the judge."""
_PRCTL = (15, 16, 3, 38, 39, 21, 23)
"""Name, dumpable (to read), no new privileges, seccomp and capabilities (to read)."""
_PDEATHSIG = 1
_FCNTL = (*range(8), 36, 37, 38, 1030, 1031, 1032)
"""All but owners, signals, leases and notices: those act on others."""
_IOCTL = (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Is it a terminal, and how large; bytes to read; blocking; close on exec."""
_TRUNCATE = 0o1000
_UNIX, _STREAM, _SOCKET_TYPE = 1, 1, 0xF
_LOW, _ALL = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


@attrs.frozen(kw_only=True)
class Machine:
    """What differs from one processor to the next."""

    column: int
    """Of the tables above."""
    audit: int
    """The kernel's number for the architecture."""
    engine: str
    """An engine's word for it."""


MACHINES = {
    "x86_64": Machine(column=1, audit=0xC000003E, engine="SCMP_ARCH_X86_64"),
    "aarch64": Machine(column=2, audit=0xC00000B7, engine="SCMP_ARCH_AARCH64"),
}
X32 = 0x40000000
"""Calls from here on are x32's: the same architecture by other numbers."""


@attrs.frozen
class Check:
    """Whether an argument, masked, has a value."""

    argument: int
    """From 0."""
    value: int
    """Compared for equality."""
    mask: int = _LOW
    """Bits that are compared; the kernel reads most arguments as 32 bits."""


@attrs.frozen
class Rule:
    """What some calls answer when all checks hold; the first rule that fits is taken."""

    names: tuple[str, ...]
    """System calls."""
    answer: int
    """`ALLOW`, `DONE` or an error."""
    checks: tuple[Check, ...] = ()
    """On the arguments."""


def rules(
    *, processes: int, shared_host: bool = False, signals_to_self: bool = False
) -> list[Rule]:
    """Return the policy, first those with checks.

    Args:
        processes: how many the job may have; with one, none is forked.
        shared_host: the process sees the host's files and processes.
        signals_to_self: nothing else keeps its signals from strangers.
    """
    found = [
        *_processes(processes),
        Rule(
            ("clone3", "openat2"), ENOSYS
        ),  # their arguments lie in memory, where a filter can't look
        Rule(
            ("socketpair",), ALLOW, (Check(0, _UNIX), Check(1, _STREAM, _SOCKET_TYPE))
        ),
        Rule(("sendto",), ALLOW, (Check(4, 0, _ALL),)),
        # Both take the id of any process; 0 is one's own.
        Rule(("prlimit64",), ALLOW, (Check(0, 0),)),
        Rule(("getpriority",), ALLOW, (Check(1, 0),)),
        *(Rule(("fcntl",), ALLOW, (Check(1, command),)) for command in _FCNTL),
        *(Rule(("ioctl",), ALLOW, (Check(1, request),)) for request in _IOCTL),
        *(Rule(("prctl",), ALLOW, (Check(0, option),)) for option in _PRCTL),
    ]
    signals = ("kill", "tgkill", "tkill")
    if signals_to_self:
        found.append(Rule(signals[:2], ALLOW, (Check(0, OWN_PID),)))
    else:
        found.append(Rule(signals, ALLOW))
    found += _shared(processes) if shared_host else _alone()
    found.append(Rule(tuple(_numbers(PLAIN)), ALLOW))
    return found


def _processes(processes: int) -> Iterator[Rule]:
    if processes > 1:
        yield Rule(("clone",), ALLOW, (Check(0, 0, _NEVER),))
        yield Rule(("fork", "vfork"), ALLOW)
    else:
        yield Rule(("clone",), ALLOW, (Check(0, _THREAD, _NEVER | _THREAD),))
        yield Rule(("clone",), EAGAIN, (Check(0, 0, _THREAD),))
        yield Rule(("fork", "vfork"), EAGAIN)


def _alone() -> Iterator[Rule]:
    """What namespaces make harmless."""
    yield Rule(("prctl",), ALLOW, (Check(0, _PDEATHSIG),))
    yield Rule(("execve", "setsid", "setpgid", "truncate", "open", "openat"), ALLOW)
    yield Rule(tuple(_numbers(MODES)), ALLOW)


def _shared(processes: int) -> Iterator[Rule]:
    """What Landlock, in its oldest form, leaves open."""
    # Opening to read and truncate at once needs no right to write; nor does the
    # access mode 3, which opens for neither.
    for name, argument in (("open", 1), ("openat", 2)):
        for mode, mask in ((_TRUNCATE, _TRUNCATE | 3), (3, 3)):
            yield Rule((name,), EPERM, (Check(argument, mode, mask),))
        yield Rule((name,), ALLOW)
    if processes > 1:
        yield Rule(tuple(_numbers(MODES)), DONE)
        yield Rule(("execve",), ALLOW)


def program(
    *, processes: int, shared_host: bool = False, signals_to_self: bool = False
) -> bytes:
    """Return the filter as an array of `struct sock_filter` for the running machine.

    Args:
        processes: how many the job may have; with one, none is forked.
        shared_host: the process sees the host's files and processes.
        signals_to_self: put `OWN_PID` where the process's id must come.

    Raises:
        SandboxError: there is no table for this machine.
    """
    machine = _machine()
    policy = rules(
        processes=processes, shared_host=shared_host, signals_to_self=signals_to_self
    )
    numbers = _numbers(PLAIN + MODES + TESTED, machine.column)
    code = [_load(4), _jump(machine.audit, 1, 0), _answer(KILL), _load(0)]
    if machine.column == MACHINES["x86_64"].column:
        code += [_op(0x35, X32, 0, 1), _answer(KILL)]
    for rule in policy:
        for name in rule.names:
            if name in numbers:
                code += _compiled(numbers[name], rule)
    code.append(_answer(EPERM))
    return b"".join(code)


def profile(processes: int) -> dict[str, object]:
    """Return the policy as a seccomp profile for Docker and Podman (dump it as JSON).

    The engine must also set no-new-privileges: then its own set-up is over
    when the filter begins.

    Raises:
        SandboxError: there is no table for this machine.
    """
    calls = []
    for rule in rules(processes=processes):
        call: dict[str, object] = {"names": list(rule.names)}
        if rule.answer == ALLOW:
            call["action"] = "SCMP_ACT_ALLOW"
        else:
            call |= {"action": "SCMP_ACT_ERRNO", "errnoRet": rule.answer & ~_ERRNO}
        if rule.checks:
            call["args"] = [
                {
                    "index": check.argument,
                    "value": check.mask,
                    "valueTwo": check.value,
                    "op": "SCMP_CMP_MASKED_EQ",
                }
                for check in rule.checks
            ]
        calls.append(call)
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": EPERM & ~_ERRNO,
        "architectures": [_machine().engine],
        "syscalls": calls,
    }


def machine_name() -> str:
    """The kernel's word for this machine; `platform` says the same and takes longer to import."""
    return os.uname().machine


def _machine() -> Machine:
    name = machine_name()
    if name not in MACHINES:
        raise SandboxError(
            f"no system call table for {name}; Shipbar's sandboxes run on {' and '.join(MACHINES)}"
        )
    return MACHINES[name]


def _numbers(table: str, column: int | None = None) -> dict[str, int]:
    """Map names to numbers; without a column all names, and numbers that mean nothing."""
    found = {}
    for entry in table.replace("\n", ",").split(","):
        words = entry.split()
        if words and column is None:
            found[words[0]] = 0
        elif words and column is not None and words[column] != "-":
            found[words[0]] = int(words[column])
    return found


def _compiled(number: int, rule: Rule) -> list[bytes]:
    """Answer if the number, which is loaded, and all checks fit; else leave the number loaded."""
    if not rule.checks:
        return [_jump(number, 0, 1), _answer(rule.answer)]
    halves = [
        (16 + 8 * check.argument + offset, mask, check.value >> shift & _LOW)
        for check in rule.checks
        for offset, shift in ((0, 0), (4, 32))
        if (mask := check.mask >> shift & _LOW)
    ]
    body: list[bytes] = []
    left = 3 * len(halves) + 1  # instructions up to the one that loads the number again
    for offset, mask, value in halves:
        left -= 3
        body += [_load(offset), _op(0x54, mask), _jump(value, 0, left)]
    return [_jump(number, 0, len(body) + 1), *body, _answer(rule.answer), _load(0)]


def _op(code: int, value: int, true: int = 0, false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, true, false, value)


def _load(offset: int) -> bytes:
    """Load 32 bits of `struct seccomp_data`: 0 the number, 4 the architecture, from 16 the arguments."""
    return _op(0x20, offset)


def _jump(value: int, true: int, false: int) -> bytes:
    """Skip so many instructions if what is loaded equals ``value``, or not."""
    return _op(0x15, value, true, false)


def _answer(value: int) -> bytes:
    return _op(0x06, value)
