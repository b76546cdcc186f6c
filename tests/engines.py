"""Engines of our own: a Docker daemon on a private socket, a Podman with private folders.

Nothing of what the machine's owner runs is touched: the daemon keeps everything in
one folder, has no network, and is ended by its process id.
"""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import attrs

STARTED_S = 60.0
ENDED_S = 30.0
PATH = "/usr/bin:/usr/sbin:/bin:/sbin:/usr/local/bin"


@attrs.frozen(kw_only=True)
class Private:
    """How the client of an engine of our own is called."""

    path: str
    """Where programs are found, the client's folder first."""
    host: str | None = None
    """The engine's socket; Podman has none."""
    options: tuple[str, ...] = ()
    """Words before the client's command."""
    oci_runtime: str | None = None
    """What starts containers; None is the engine's default."""


class NoEngineError(Exception):
    """This machine cannot start it; says why."""


@contextlib.contextmanager
def docker() -> Iterator[Private]:
    """Start a Docker daemon, and end it.

    Raises:
        NoEngineError: we are not root, or there is no daemon to start.
    """
    daemon = _found("dockerd")
    # Debian's client comes with the daemon; another on the PATH may be of another age.
    client = Path(_found("docker")).parent
    with _folder() as place:
        host = f"unix://{place / 'socket'}"
        command = [
            *(daemon, "--data-root", str(place / "data"), "--host", host),
            *("--exec-root", str(place / "run"), "--pidfile", str(place / "pid")),
            *("--iptables=false", "--ip6tables=false", "--bridge=none"),
            *("--log-level", "warn"),
        ]
        with (place / "log").open("wb") as log:
            running = subprocess.Popen(
                command, stdout=log, stderr=log, env={"PATH": PATH}, cwd="/"
            )
        try:
            _await_socket(place / "socket", running, place / "log")
            yield Private(path=f"{client}:{PATH}", host=host)
        finally:
            running.terminate()
            try:
                running.wait(ENDED_S)
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait(ENDED_S)


@contextlib.contextmanager
def podman() -> Iterator[Private]:
    """Give a Podman folders of its own, and remove what it made.

    Raises:
        NoEngineError: we are not root, or there is no Podman or runc.
    """
    _found("podman")
    _found("runc")
    with _folder() as place:
        folders = {"--root": "root", "--runroot": "run", "--tmpdir": "tmp"}
        options = [
            word for o, name in folders.items() for word in (o, str(place / name))
        ]
        yield Private(path=PATH, options=tuple(options), oci_runtime="runc")


def _found(name: str) -> str:
    if os.geteuid() != 0:
        raise NoEngineError("an engine of our own is only started as root")
    path = shutil.which(name, path=PATH)
    if path is None:
        raise NoEngineError(f"there is no {name} on this machine")
    return path


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """A folder with a short name: a socket's path has to fit into 108 bytes."""
    place = Path(tempfile.mkdtemp(prefix="engine-"))
    try:
        yield place
    finally:
        for mount in _mounts_below(place):
            subprocess.run(["/bin/umount", "--lazy", mount], check=False)
        shutil.rmtree(place, ignore_errors=True)


def _mounts_below(place: Path) -> list[str]:
    points = [
        line.split(" ")[1]
        for line in Path("/proc/self/mounts").read_text().splitlines()
    ]
    return sorted((p for p in points if p.startswith(f"{place}/")), reverse=True)


def _await_socket(path: Path, running: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + STARTED_S
    while not path.is_socket():
        if running.poll() is not None or time.monotonic() > end:
            tail = log.read_text(errors="replace")[-1000:]
            raise NoEngineError(f"dockerd did not start: {tail}")
        time.sleep(0.05)
