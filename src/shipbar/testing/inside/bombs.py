"""Uses up whatever there is, and refuses to end.

Programs start in the one folder that they may write to.
"""

import contextlib
import ctypes
import os
import signal
import threading
import time
from pathlib import Path

BLOCK = 1 << 20
MANY = 400
FAMILY = 12
QUIET_S = 1.0
"""Children that share the memory, and the seconds after which they take no more."""
SAID_S = 0.5
"""Seconds in which what was said has gone out."""
HELD: list[object] = []


def _tell(word: str) -> None:
    os.write(1, word.encode() + b"\n")


def sleep() -> None:
    """Say so, and never end."""
    _tell('"asleep"')
    while True:
        time.sleep(3600)


def deaf() -> None:
    """Ignore every signal that can be ignored, and never end."""
    for number in signal.valid_signals():
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    sleep()


def spin() -> None:
    """Use the processor for ever, deaf to the warning that comes before the end."""
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    _tell('"spinning"')
    while True:
        pass


def flood(descriptor: int) -> None:
    """Write for ever."""
    block = b"x" * 65536
    if descriptor != 1:
        _tell('"flooding"')
        # An engine carries both streams over one line: let the word through first.
        time.sleep(SAID_S)
    while True:
        os.write(descriptor, block)


def fork(most: int) -> int:
    """Start processes that stay, until no more can be had; return how many there were."""
    for count in range(most):
        try:
            child = os.fork()
        except OSError:
            return count
        if child == 0:
            while True:
                time.sleep(3600)
    return most


def forks_and_stays(most: int) -> None:
    """Do so, and stay."""
    _tell(str(fork(most)))
    sleep()


def thread() -> int:
    """Start threads that stay, until no more can be had; return how many there were."""
    threading.stack_size(65536)
    for count in range(MANY):
        try:
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
        except (RuntimeError, MemoryError):
            return count
    return MANY


def threads_and_ends() -> None:
    """Do so, tell, and leave without a farewell."""
    _tell(str(thread()))
    os._exit(0)


def memory(most_mib: int) -> int:
    """Take memory, and use it, until no more can be had; return how many MiB there were."""
    for count in range(most_mib):
        try:
            block = bytearray(BLOCK)
        except MemoryError:
            HELD.clear()
            return count
        block[::4096] = b"x" * (BLOCK // 4096)
        HELD.append(block)
    HELD.clear()
    return most_mib


def memory_of_many(most_mib: int) -> None:
    """Take memory in many processes; tell what those hold together that still live."""
    reading, writing = os.pipe()
    children: dict[int, int] = {}
    with contextlib.suppress(OSError):
        for number in range(FAMILY):
            child = os.fork()
            if child == 0:
                _hold(most_mib, writing, bytes([number]))
            children[child] = number
    os.set_blocking(reading, False)
    held, quiet = [0] * FAMILY, time.monotonic() + QUIET_S
    while time.monotonic() < quiet:
        time.sleep(0.02)
        with contextlib.suppress(BlockingIOError):
            for number in os.read(reading, 65536):
                held[number] += 1
                quiet = time.monotonic() + QUIET_S
    with contextlib.suppress(ChildProcessError):
        while ended := os.waitpid(-1, os.WNOHANG)[0]:
            held[children[ended]] = 0
    _tell(str(sum(held)))
    sleep()


def _hold(most_mib: int, told: int, name: bytes) -> None:
    """Take memory, telling each MiB, and keep it for ever."""
    with contextlib.suppress(MemoryError):
        for _ in range(most_mib):
            HELD.append(bytearray(b"x") * BLOCK)
            os.write(told, name)
    while True:
        time.sleep(3600)


def disk(most_mib: int) -> int:
    """Fill the folder with large files; return how many MiB it took."""
    block, written = b"x" * BLOCK, 0
    for number in range(most_mib // 8):
        try:
            with Path(f"fill-{number}").open("wb", buffering=0) as file:
                for _ in range(8):
                    written += file.write(block)
        except OSError:
            # Whatever is left: a full disk is full for small files too.
            with contextlib.suppress(OSError):
                for small in range(10_000):
                    Path(f"small-{number}-{small}").write_bytes(b"x" * 4096)
                    written += 4096
            return written // BLOCK
    return written // BLOCK


def leave(name: str) -> list[str]:
    """Leave a file and a folder behind."""
    Path(name).write_text(name)
    Path(name + "-folder").mkdir()
    return sorted(path.name for path in Path().iterdir())


def daemon(*, keeps_output: bool) -> None:
    """Fork twice into a session of its own, which stays; the first process leaves at once."""
    try:
        first = os.fork()
    except OSError:
        _tell('"refused"')
        os._exit(0)
    if first:
        os.waitpid(first, 0)
        _tell('"left behind"')
        os._exit(0)
    os.setsid()
    if os.fork():
        os._exit(0)
    if not keeps_output:
        os.closerange(0, 3)
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)  # forget a wish to die with the parent
    while True:
        time.sleep(3600)


def out_of_memory_in_c() -> None:
    """Touch ever more anonymous memory without asking Python."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    libc.malloc.argtypes = [ctypes.c_size_t]
    while block := libc.malloc(BLOCK):
        ctypes.memset(block, 1, BLOCK)
    _tell('"refused"')
