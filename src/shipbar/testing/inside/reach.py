"""Tries to reach the host: its network, sockets, memory, processes and files.

Functions return what succeeded, in words; an empty list is a kept promise.
"""

import contextlib
import ctypes
import json
import os
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

ERRORS = (OSError, ValueError, AttributeError, MemoryError, subprocess.SubprocessError)
FAMILIES = [
    "PACKET",
    "VSOCK",
    "ALG",
    "NETLINK",
    "TIPC",
    "BLUETOOTH",
    "XDP",
    "CAN",
    "RDS",
    "KCM",
]
TOOLS = [
    "sh",
    "bash",
    "dash",
    "busybox",
    "perl",
    "git",
    "gcc",
    "curl",
    "env",
    "pip",
    "id",
]
FOLDERS = ("/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin")
# Set aside for documentation. A datagram socket that is connected sends nothing.
SOMEWHERE_4, SOMEWHERE_6 = ("192.0.2.1", 9), ("2001:db8::1", 9)
NOWHERE = ctypes.c_void_p(-1).value
READ_ONLY = 0o10000


def _worked(
    words: str, attempt: Callable[..., object], *arguments: object
) -> list[str]:
    """``words`` if the attempt came through, else nothing."""
    with contextlib.suppress(*ERRORS):
        attempt(*arguments)
        return [words]
    return []


def _connect(family: int, kind: int, address: object) -> None:
    with socket.socket(family, kind) as one:
        one.settimeout(0.5)
        one.connect(address)  # type: ignore[arg-type]  # as the family wants it


def _ask(port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(b"reached", ("127.0.0.1", port))


def network(port: int, datagrams: int, addresses: list[str]) -> list[str]:
    """Try the host's listeners, any route, any interface but a loopback of our own."""
    v4, v6 = socket.AF_INET, socket.AF_INET6
    stream, datagram = socket.SOCK_STREAM, socket.SOCK_DGRAM
    found = []
    for host in ("127.0.0.1", *addresses):
        found += _worked(f"TCP to {host}", _connect, v4, stream, (host, port))
    found += _worked("TCP to ::1", _connect, v6, stream, ("::1", port))
    # Where the loopback is our own nobody listens; whether one came, the host sees.
    with contextlib.suppress(*ERRORS):
        _ask(datagrams)
    found += _worked("a route for IPv4", _connect, v4, datagram, SOMEWHERE_4)
    found += _worked("a route for IPv6", _connect, v6, datagram, SOMEWHERE_6)
    with contextlib.suppress(OSError):
        names = [name for _, name in socket.if_nameindex()]
        found += [f"interface {name}" for name in names if name != "lo"]
    return found


def names(servers: list[str]) -> list[str]:
    """Try to reach the host's resolvers, and to have a name resolved."""
    found = []
    for server in servers:
        place = (server, 53)
        words = f"a route to the resolver {server}"
        found += _worked(words, _connect, socket.AF_INET, socket.SOCK_DGRAM, place)
    # Only asked once it is known that there is no route: it must not leave the machine.
    if not found and not network(9, 9, []):
        found += _worked("a name was resolved", socket.getaddrinfo, "no.invalid", 80)
    return found


def families() -> list[str]:
    """Try the kinds of socket that a network namespace does not hold back, and raw ones."""
    kinds = (
        socket.SOCK_STREAM,
        socket.SOCK_DGRAM,
        socket.SOCK_RAW,
        socket.SOCK_SEQPACKET,
    )
    found = _worked("a raw socket", socket.socket, socket.AF_INET, socket.SOCK_RAW, 1)
    for name in FAMILIES:
        family = getattr(socket, f"AF_{name}", None)
        if family is not None:
            for kind in kinds:
                found += _worked(f"a socket of {name}", socket.socket, family, kind)
    return sorted(set(found))


def unix_socket(address: str) -> list[str]:
    """Try one socket of the host; a leading `@` means an abstract one."""
    place = "\0" + address[1:] if address.startswith("@") else address
    found = []
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        words = f"a connection ({kind.name}) to {address}"
        found += _worked(words, _connect, socket.AF_UNIX, kind, place)
    return found


def meet(address: str, file: str) -> list[str]:
    """Be found: listen on an abstract socket, leave a file, tell where, wait for a line."""
    kept = None
    with contextlib.suppress(OSError):
        kept = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        kept.bind("\0" + address[1:])
        kept.listen()
    Path(file).write_text("met")
    os.write(1, json.dumps(str(Path(file).resolve())).encode() + b"\n")
    os.read(0, 1)
    if kept is not None:
        kept.close()
    return []


def met(address: str, file: str) -> list[str]:
    """Look for the other job that waits in `meet`."""
    return unix_socket(address) + _worked(file, Path(file).read_text)


def shared_memory(segment: int, key: int, file: str) -> list[str]:
    """Try the host's System V segment, by id and by key, and its file on /dev/shm."""
    found = _worked(file, Path(file).read_bytes)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    if libc.shmget(key, 1, 0) != -1:
        found.append(f"the shared memory of key {key}")
    if libc.shmat(segment, None, READ_ONLY) not in {None, NOWHERE}:
        found.append(f"the shared memory {segment}")
    return found


def processes(pids: list[int], mark: str) -> list[str]:
    """Try to signal or trace the host's processes, and to see them through /proc."""
    found = []
    for pid in pids:
        found += _worked(f"a signal to process {pid}", os.kill, pid, 0)
        found += _worked(f"a handle of process {pid}", os.pidfd_open, pid)
    for entry in Path("/proc").glob("[0-9]*"):
        for name in ("cmdline", "environ", "comm"):
            with contextlib.suppress(*ERRORS):
                if mark.encode() in (entry / name).read_bytes():
                    found.append(f"{entry / name} of a process outside")
    return found


def files(secret: str, places: list[str]) -> list[str]:
    """Try to read files of the host by their paths, and to list their folders."""
    found = []
    for place in places:
        path = Path(place)
        with contextlib.suppress(*ERRORS):
            if path.is_dir():
                seen = [entry.name for entry in path.iterdir()]
                found += [f"{place} lists {name}" for name in seen if secret in name]
            elif secret.encode() in path.read_bytes():
                found.append(f"{place} is readable")
    return found


def contents(places: list[str]) -> dict[str, str]:
    """Return what is readable of ``places`` as hexadecimal text."""
    seen = {}
    for place in places:
        with contextlib.suppress(*ERRORS):
            seen[place] = Path(place).read_bytes()[:4096].hex()
    return seen


def programs() -> list[str]:
    """Try to run programs that hosts have."""
    found = []
    for path in (f"{folder}/{name}" for folder in FOLDERS for name in TOOLS):
        with contextlib.suppress(*ERRORS):
            subprocess.run(  # noqa: S603  # to be tried
                [path, "--help"], capture_output=True, timeout=2, check=False
            )
            found.append(path)
    return found


def die(number: int) -> str:
    """Send ourselves a signal that ends any ordinary process."""
    os.kill(os.getpid(), number)
    signal.sigtimedwait([], 0.2)
    return "still alive"
