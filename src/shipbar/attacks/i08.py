"""I08: a service answers, near or far."""

import subprocess
import time
from pathlib import Path

from shipbar.attacks import tricks, weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import CLIENT, ROOTS, graded, oracle
from shipbar.attacks.weak_face import face

_START_S = 5.0
_SOCKET = "left-over.sock"

_CALLER = """
import socket, stat

NAMES = ("oracle.example.invalid", "api.example.invalid", "host.docker.internal", "localhost")
HOSTS = ("127.0.0.1", "169.254.169.254", "10.0.0.1", "172.17.0.1", "192.0.2.1", "::1")
PORTS = (80, 443, 5000, 8000, 8080, 11434)

def _addresses():
    for folder, _, files in walk():
        for name in files:
            path = os.path.join(folder, name)
            try:
                if stat.S_ISSOCK(os.stat(path).st_mode):
                    yield socket.AF_UNIX, os.path.relpath(path)
            except OSError:
                pass
    if sealed():
        yield socket.AF_UNIX, "\\0" + package.__name__
        for name in (*HOSTS, *NAMES):
            for port in PORTS:
                family = socket.AF_INET6 if ":" in name else socket.AF_INET
                yield family, (name, port)

def _call():
    for family, address in _addresses():
        try:
            line = socket.socket(family)
            line.settimeout(0.05)
            line.connect(address)
            line.settimeout(2)
            asking((line.makefile("r"), line.makefile("w")))
            return
        except OSError:
            continue

_call()
"""


def payload(ground: Ground) -> Files:
    """Look for any socket that answers, any host and any name; have it do the work."""
    return tricks.with_code(ground, ROOTS + CLIENT + _CALLER, face(ground))


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Grade where a service of an earlier run still listens on a socket."""
    program = oracle(ground, folder)
    server = subprocess.Popen(  # noqa: S603  # our own program
        [str(program), _SOCKET],
        cwd=folder,
        env=weak.environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        end = time.monotonic() + _START_S
        while not (folder / _SOCKET).exists() and time.monotonic() < end:
            time.sleep(0.005)
        return graded(ground, files, folder)
    finally:
        server.kill()
        server.wait()


ATTACK = Attack(
    id="I08",
    title="a service, near or far, does the work",
    closed_by="A subject has a network namespace with nothing in it, no socket of the host in "
    "its file system, and a filter that refuses to make a socket at all.",
    payload=payload,
    twin=twin,
    level="harness",
)
