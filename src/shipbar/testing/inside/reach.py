"""Tries to reach the host: its network, sockets, memory, processes and files.

Every function returns what succeeded, in words; an empty list is a kept promise.
"""

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

ERRORS = (OSError, ValueError, AttributeError, MemoryError)
FAMILIES = ("AF_PACKET", "AF_VSOCK", "AF_ALG", "AF_NETLINK", "AF_TIPC", "AF_BLUETOOTH", "AF_XDP", "AF_CAN")
SHELLS = ("sh", "bash", "dash", "busybox", "perl", "git", "gcc", "curl", "env", "pip", "id")
FOLDERS = ("/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin")


def _worked(tries: "list[tuple[str, Callable[[], object]]]") -> list[str]:
    found = []
    for words, attempt in tries:
        with contextlib.suppress(*ERRORS):
            result = attempt()
            found.append(f"{words}: {result!r}" if result is not None else words)
    return found


def _connect(family: int, kind: int, address: object) -> None:
    with socket.socket(family, kind) as one:
        one.settimeout(0.5)
        one.connect(address)  # type: ignore[arg-type]  # as the family wants it
        # A datagram is only sent to the host's own; a route alone sends nothing.
        if kind == socket.SOCK_DGRAM and isinstance(address, tuple) and address[0] == "127.0.0.1":
            one.send(b"reached")
            one.recv(1)


def network(port: int, datagrams: int, addresses: list[str]) -> list[str]:
    """Try the host's listeners, any route, any interface but a loopback of our own."""
    tries: list[tuple[str, Callable[[], object]]] = []
    for host in ("127.0.0.1", *addresses):
        tries.append((f"TCP to {host}:{port}", lambda h=host: _connect(socket.AF_INET, socket.SOCK_STREAM, (h, port))))
    tries.append((f"UDP to 127.0.0.1:{datagrams}", lambda: _connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", datagrams))))
    tries.append((f"TCP to [::1]:{port}", lambda: _connect(socket.AF_INET6, socket.SOCK_STREAM, ("::1", port))))
    # Addresses set aside for documentation. A connected UDP socket sends nothing.
    tries.append(("a route for IPv4", lambda: _connect(socket.AF_INET, socket.SOCK_DGRAM, ("192.0.2.1", 9))))
    tries.append(("a route for IPv6", lambda: _connect(socket.AF_INET6, socket.SOCK_DGRAM, ("2001:db8::1", 9))))
    found = _worked(tries)
    with contextlib.suppress(OSError):
        found += [f"interface {name}" for _, name in socket.if_nameindex() if name != "lo"]
    return found


def names(servers: list[str]) -> list[str]:
    """Try to have a name resolved, and to reach the host's resolvers."""
    tries: list[tuple[str, Callable[[], object]]] = [
        (f"a route to the resolver {server}", lambda s=server: _connect(socket.AF_INET, socket.SOCK_DGRAM, (s, 53)))
        for server in servers
    ]
    # Only asked once it is known that there is no route: it must not leave the machine.
    found = _worked(tries)
    if not found:
        found += _worked([("a name was resolved", lambda: socket.getaddrinfo("conformance.invalid", 80)[0][4][0])])
    return found


def families() -> list[str]:
    """Try every kind of socket that a network namespace does not hold back, and raw ones."""
    tries: list[tuple[str, Callable[[], object]]] = []
    for name in FAMILIES:
        family = getattr(socket, name, None)
        if family is not None:
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
                tries.append((f"a socket of {name}", lambda f=family, k=kind: socket.socket(f, k).close()))
    tries.append(("a raw socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).close()))
    return sorted(set(_worked(tries)))


def unix_socket(address: str) -> list[str]:
    """Try one socket of the host; a leading `@` means an abstract one."""
    place = "\0" + address[1:] if address.startswith("@") else address
    return _worked(
        [
            (f"a {kind} connection to {address}", lambda k=value: _connect(socket.AF_UNIX, k, place))
            for kind, value in (("stream", socket.SOCK_STREAM), ("datagram", socket.SOCK_DGRAM))
        ]
    )


def meet(address: str, file: str) -> list[str]:
    """Be found: listen on an abstract socket, leave a file, then wait for a line."""
    kept = None
    with contextlib.suppress(OSError):
        kept = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        kept.bind("\0" + address[1:])
        kept.listen()
    Path(file).write_text("met")
    os.write(1, b"[]\n")
    os.read(0, 1)
    if kept is not None:
        kept.close()
    return []


def met(address: str, file: str) -> list[str]:
    """Look for the other job that waits in `meet`."""
    return unix_socket(address) + [f"its file {file}"] * Path(file).exists()


def shared_memory(segment: int, key: int, file: str) -> list[str]:
    """Try the host's System V segment (by id and by key) and its file on /dev/shm."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
    except OSError:
        return []
    libc.shmat.restype = ctypes.c_void_p
    found = []
    if libc.shmget(key, 1, 0) != -1:
        found.append(f"the shared memory of key {key}")
    if libc.shmat(segment, None, 0o10000) not in {None, ctypes.c_void_p(-1).value}:
        found.append(f"the shared memory {segment}")
    return found + _worked([(file, lambda: Path(file).read_bytes())])


def processes(pids: list[int], mark: str) -> list[str]:
    """Try to see, signal or trace the host's processes, by number and through /proc."""
    found = []
    for pid in pids:
        found += _worked([(f"a signal to process {pid}", lambda p=pid: os.kill(p, 0))])
        found += _worked([(f"a handle of process {pid}", lambda p=pid: os.close(os.pidfd_open(p)))])
        found += _worked([(f"the priority of process {pid}", lambda p=pid: os.getpriority(os.PRIO_PROCESS, p))])
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
                found += [f"{place} lists {name}" for name in os.listdir(path) if secret in name]  # noqa: PTH208
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
    return _worked(
        [
            (f"{folder}/{name} ran", lambda f=folder, n=name: subprocess.run([f"{f}/{n}", "--help"], capture_output=True, timeout=2, check=False) and None)  # noqa: S603
            for folder in FOLDERS
            for name in SHELLS
        ]
    )


def die(number: int) -> list[str]:
    """Send ourselves a signal that ends any ordinary process."""
    os.kill(os.getpid(), number)
    signal.sigtimedwait([], 0.2)
    return ["still alive"]
