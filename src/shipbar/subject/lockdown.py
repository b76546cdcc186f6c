"""Closes the process in: Landlock on files, a filter on system calls, no way back.

For places without namespaces. `close_in` carries out the text that
`sandboxes/landlock.py` composed, one instruction a line, in this order:

    parent PID                          end when this process ends
    supervise                           become a child of a process that reaps
    ruleset FS NET SCOPES SIZE FLAGS    what is forbidden from now on, as bits
    allow RIGHTS PATH                   but for these rights below this path
    filter HEX MARK                     system calls; MARK stands for our own id

Nothing runs half locked: what fails is said on standard error and ends the
process, before any candidate code is there.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:  # costs time to import, and nothing here needs it
    from collections.abc import Callable

FAILED = 71
"""The exit code of a process that could not be closed in."""

_SET_PARENT_DEATH_SIGNAL, _SET_SECCOMP, _SET_CHILD_SUBREAPER, _SET_NO_NEW_PRIVS = (
    1,
    22,
    36,
    38,
)
_FILTER = 2
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PATH_BENEATH = 1

_libc = ctypes.CDLL(None, use_errno=True)


def close_in(text: str) -> None:
    """Carry out ``text``; end the process if any of it fails."""
    try:
        _carry_out(text)
    except BaseException as error:  # whatever it is, we are not locked
        words = f"lockdown: {type(error).__name__}: {error}\n"
        os.write(2, words.encode("utf-8", "backslashreplace"))
        os._exit(FAILED)


def _carry_out(text: str) -> None:
    ruleset, flags, code = -1, 0, b""
    os.closerange(3, 1 << 20)
    for line in text.split("\n"):
        word, _, rest = line.partition(" ")
        if word == "parent":
            _follow(int(rest), signal.SIGKILL)
        elif word == "supervise":
            _supervise()
        elif word == "ruleset":
            *handled, size, flags = map(int, rest.split())
            attributes = struct.pack("=QQQ", *handled)
            ruleset = _call(_CREATE_RULESET, attributes, size, 0)
        elif word == "allow":
            rights, _, path = rest.partition(" ")
            _allow(ruleset, int(rights), path)
        elif word == "filter":
            numbers, mark = map(bytes.fromhex, rest.split())
            code = numbers.replace(mark, struct.pack("=I", os.getpid()))
        else:
            raise ValueError(f"no instruction {word!r}")
    if ruleset < 0 or not code:
        raise ValueError("expected a ruleset and a filter")
    _control(_SET_NO_NEW_PRIVS, 1)
    _call(_RESTRICT_SELF, ruleset, flags)
    os.close(ruleset)
    _install(code)


def _follow(parent: int, number: int) -> None:
    """Be sent the signal when ``parent``, which must be our parent, ends."""
    _control(_SET_PARENT_DEATH_SIGNAL, number)
    if os.getppid() != parent:  # it ended before we could ask
        raise ProcessLookupError("the process that started us is gone")


def _supervise() -> None:
    """Go on as a child; the parent adopts and reaps whatever the job leaves behind.

    It ends the job when it is told to (SIGTERM), when whoever started us ends,
    and when the child ends. The job can't signal it, and it runs no other code.
    """
    supervisor = os.getpid()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    _control(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
    _control(_SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    # Both sides do it, so that there is a group whoever comes first.
    _try(os.setpgid, child, child)
    if not child:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        _follow(supervisor, signal.SIGKILL)
        return
    try:
        _reap(child)
    finally:
        os._exit(0)


def _reap(child: int) -> None:
    """Reap until nothing is left; when ``child`` ends, so does its group."""
    void = os.open("/dev/null", os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(void, descriptor)
    signal.signal(
        signal.SIGTERM, lambda _number, _frame: os.killpg(child, signal.SIGKILL)
    )
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    while True:
        try:
            found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
        except ChildProcessError:
            return
        if found is not None and found.si_pid == child:
            # Before it is reaped: until then nobody else has its number.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.killpg(child, signal.SIGKILL)
        if found is not None:
            os.waitpid(found.si_pid, 0)


def _try(action: Callable[[int, int], object], one: int, other: int) -> None:
    """Do it if it can be done."""
    try:
        action(one, other)
    except OSError:
        return


def _allow(ruleset: int, rights: int, path: str) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        _call(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error
    finally:
        os.close(place)


def _install(code: bytes) -> None:
    held = ctypes.create_string_buffer(code, len(code))
    _control(
        _SET_SECCOMP,
        _FILTER,
        struct.pack("@HP", len(code) // 8, ctypes.addressof(held)),
    )


def _call(number: int, *arguments: int | bytes) -> int:
    return _checked(_libc.syscall, number, arguments)


def _control(option: int, *arguments: int | bytes) -> int:
    # prctl wants five arguments, and zero for those that are not used.
    return _checked(_libc.prctl, option, (*arguments, 0, 0, 0, 0)[:4])


def _checked(
    function: Callable[..., int], number: int, arguments: tuple[int | bytes, ...]
) -> int:
    words = [
        ctypes.c_long(word) if isinstance(word, int) else word for word in arguments
    ]
    result = function(ctypes.c_long(number), *words)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{os.strerror(error)} (in call {number})")
    return result
