"""What a program cannot reach. The suite opens real doors on the host and has them tried."""

import contextlib
import ctypes
import getpass
import os
import pwd
import secrets
import select
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from shipbar.testing.harness import NewSandbox, expect, folder, program, remove, told

EVERYWHERE = "0.0.0.0"  # noqa: S104  # open on purpose, to be tried
SHARED_TMP, SHARED_MEMORY = "/var/tmp", "/dev/shm"  # noqa: S108  # the host's
IPC_CREAT, IPC_RMID = 0o1000, 0
HOST_FILES = (
    "/etc/passwd", "/etc/group", "/etc/shadow", "/etc/hostname", "/etc/hosts", "/etc/machine-id",
    "/etc/resolv.conf", "/etc/os-release", "/var/log/dpkg.log", "/etc/fstab",
)  # fmt: skip
HOST_SOCKETS = (
    "/run/docker.sock",
    "/var/run/docker.sock",
    "/run/systemd/private",
    "/run/dbus/system_bus_socket",
)


def no_route(new: NewSandbox) -> None:
    """No listener of the host answers, there is no route, no interface but a loopback."""
    with (
        _listening(socket.AF_INET, socket.SOCK_STREAM, (EVERYWHERE, 0)) as tcp,
        _echoing() as udp,
    ):
        found = told(
            new(),
            "reach.network",
            port=tcp.getsockname()[1],
            datagrams=udp.getsockname()[1],
            addresses=_own_addresses(),
        )
        _nobody_came(tcp)
    expect(found == [], f"the network was reached: {found}")


def no_dns(new: NewSandbox) -> None:
    """No name is resolved, and the host's resolvers cannot be reached."""
    found = told(new(), "reach.names", servers=_resolvers())
    expect(found == [], f"names can be resolved: {found}")


def no_socket_past_the_network(new: NewSandbox) -> None:
    """No socket of a kind that a network namespace does not hold back, and no raw one."""
    found = told(new(), "reach.families")
    expect(found == [], f"sockets of these kinds could be made: {found}")


def no_abstract_socket(new: NewSandbox) -> None:
    """An abstract socket on which the host listens does not answer."""
    name = f"conformance-{secrets.token_hex(8)}"
    with _listening(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + name) as one:
        found = told(new(), "reach.unix_socket", address="@" + name)
        _nobody_came(one)
    expect(found == [], f"a socket of the host was reached: {found}")


def no_filesystem_socket(new: NewSandbox) -> None:
    """A socket file on which the host listens does not answer, wherever it lies."""
    with folder() as place, contextlib.ExitStack() as listeners:
        for path in (
            place / "socket",
            Path(SHARED_TMP, f"conformance-{secrets.token_hex(6)}"),
        ):
            one = listeners.enter_context(
                _listening(socket.AF_UNIX, socket.SOCK_STREAM, str(path))
            )
            listeners.callback(remove, path)
            path.chmod(0o777)
            found = told(new(), "reach.unix_socket", address=str(path))
            expect(found == [], f"a socket of the host was reached: {found}")
            _nobody_came(one)
    for known in HOST_SOCKETS:
        if Path(known).exists():
            found = told(new(), "reach.unix_socket", address=known)
            expect(found == [], f"a socket of the host was reached: {found}")


def no_shared_memory(new: NewSandbox) -> None:
    """No System V segment and no file on /dev/shm of the host can be used."""
    libc = ctypes.CDLL(None, use_errno=True)
    key = secrets.randbelow(1 << 30) + 1
    segment = libc.shmget(key, 4096, IPC_CREAT | 0o666)
    expect(segment != -1, "the suite could not make shared memory on the host")
    shared = Path(SHARED_MEMORY, f"conformance-{key}")
    try:
        if shared.parent.is_dir():
            shared.write_text("shared")
            shared.chmod(0o666)
        found = told(
            new(), "reach.shared_memory", segment=segment, key=key, file=str(shared)
        )
    finally:
        libc.shmctl(segment, IPC_RMID, None)
        remove(shared)
    expect(found == [], f"memory of the host was reached: {found}")


def no_host_process(new: NewSandbox) -> None:
    """The host's processes cannot be seen, signalled or looked into: not even our own."""
    mark = "outside" + secrets.token_hex(6)
    with subprocess.Popen(  # noqa: S603  # our own interpreter
        [sys.executable, "-I", "-S", "-c", "input()", mark],
        stdin=subprocess.PIPE,
        env={"SECRET": mark},
    ) as other:
        try:
            found = told(
                new(), "reach.processes", pids=[os.getpid(), other.pid], mark=mark
            )
        finally:
            other.kill()
    expect(found == [], f"processes of the host were reached: {found}")


def no_host_file(new: NewSandbox) -> None:
    """No file outside the runtime root is readable: home folders, tasks, the virtual environment."""
    secret = "secret" + secrets.token_hex(8)
    with _planted(secret) as places:
        known = [str(path) for path in places]
        found = told(new(), "reach.files", secret=secret, places=known)
        expect(found == [], f"files of the host are readable: {found}")
        seen = told(new(), "tree.reading", secret=secret)
        expect(seen == [], f"files of the host are readable by a walk: {seen}")
    ours = [
        *HOST_FILES,
        str(resources.files("shipbar") / "__init__.py"),
        f"{sys.prefix}/pyvenv.cfg",
    ]
    contents = told(new(), "reach.contents", places=ours)
    for place, text in contents.items():
        with contextlib.suppress(OSError):
            real = Path(place).read_bytes()[:4096].hex()
            expect(not text or text != real, f"{place} of the host is readable")


def no_third_party_distribution(new: NewSandbox) -> None:
    """Nothing can be imported, and nothing read, that is not the standard library."""
    found = told(new(), "tree.distributions")
    expect(found == [], f"distributions beside the standard library: {found}")


def no_other_program(new: NewSandbox) -> None:
    """No shell and none of a host's tools can be run."""
    found = told(new(), "reach.programs")
    expect(found == [], f"programs of the host could be run: {found}")


def no_special_file(new: NewSandbox) -> None:
    """No device, pipe or socket file but those that any program may have."""
    found = told(new(), "tree.devices")
    expect(found == [], f"special files: {found}")


def jobs_do_not_meet(new: NewSandbox) -> None:
    """Two jobs at once share no socket and no file."""
    name = secrets.token_hex(8)
    sandbox = new()
    address, file = f"@conformance-{name}", f"conformance-{name}"
    with program(sandbox, "reach.meet", address=address, file=file) as first:
        place = first.line()
        found = told(sandbox, "reach.met", address=address, file=place)
        first.say(b"\n")
    expect(found == [], f"two jobs met: {found}")


@contextlib.contextmanager
def _listening(family: int, kind: int, address: object) -> Iterator[socket.socket]:
    with socket.socket(family, kind) as one:
        one.bind(address)  # type: ignore[arg-type]  # as the family wants it
        one.listen()
        yield one


@contextlib.contextmanager
def _echoing() -> Iterator[socket.socket]:
    """A datagram socket of the host on its loopback; a thread is not needed to see what came."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        yield one
        came = select.select([one], [], [], 0)[0]
        expect(not came, "a datagram from inside reached the host's loopback")


def _nobody_came(one: socket.socket) -> None:
    came = select.select([one], [], [], 0)[0]
    expect(not came, f"a connection from inside reached {one.getsockname()!r}")


def _own_addresses() -> list[str]:
    with contextlib.suppress(OSError):
        found = socket.gethostbyname_ex(socket.gethostname())[2]
        return sorted({address for address in found if not address.startswith("127.")})
    return []


def _resolvers() -> list[str]:
    with contextlib.suppress(OSError):
        words = [
            line.split() for line in Path("/etc/resolv.conf").read_text().splitlines()
        ]
        return [
            w[1] for w in words if len(w) > 1 and w[0] == "nameserver" and "." in w[1]
        ]
    return []


@contextlib.contextmanager
def _planted(secret: str) -> Iterator[list[Path]]:
    """Put files that hold ``secret`` where a host keeps what nobody may see."""
    with contextlib.ExitStack() as planted:
        task = planted.enter_context(folder())
        (task / "grader" / "tests").mkdir(parents=True)
        places = [task / "grader" / "tests" / f"test_{secret}.py", task / "task.toml"]
        places += [home / f".conformance-{secret}" for home in _homes()]
        places += [
            Path(base, f"conformance-{secret}")
            for base in (tempfile.gettempdir(), SHARED_TMP, sys.prefix)
        ]
        for path in places:
            with contextlib.suppress(OSError):
                path.write_text(secret)
                planted.callback(remove, path)
                path.chmod(0o644)
        made = [path for path in places if path.exists()]
        yield [*made, *{path.parent for path in made}]


def _homes() -> list[Path]:
    with contextlib.suppress(KeyError, OSError):
        return sorted({Path.home(), Path(pwd.getpwnam(getpass.getuser()).pw_dir)})
    return []
