"""Containers: the backend for machines that have Docker or Podman.

What the candidate gets, and by which means:

- no network: a network namespace with nothing but a loopback of its own (L02-L05);
- no processes but its own, no shared memory or queues of the host: pid and ipc
  namespaces, nothing on /dev/shm and /dev/mqueue (E07, K05, L04);
- no file but the runtime root as an image without a base, the program and its own
  package, all read-only, plus a bounded tmpfs on /tmp (E01, E10, I09);
- no rights: an unprivileged user, every capability dropped, no new privileges,
  Shipbar's seccomp filter in place of the engine's (N10, L05);
- bounds that the kernel keeps for the job as a whole: memory, processes (K01);
- one end: the container is killed and removed by its name (B16, G07, K02).

A container is first made, then started, so that from the first moment on there is
a name to remove it by. Its output is not logged: an engine's log is a file on the
host that the candidate could fill. The engine sets variables of its own; the
container's first process (`subject/first.py`) starts the program without them.
"""

import base64
import contextlib
import csv
import fcntl
import functools
import hashlib
import io
import json
import os
import resource
import secrets
import shutil
import subprocess
import tarfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from shipbar.config import Config
from shipbar.errors import SandboxError
from shipbar.ports import Availability, Job, Running, Sandbox
from shipbar.sandboxes import seccomp
from shipbar.sandboxes.host import NOBODY_ID, subject_folder, try_out
from shipbar.sandboxes.limits import OPEN_FILES, THREADS, limit_words
from shipbar.sandboxes.process import PipedProcess
from shipbar.sandboxes.runtime import Runtime, runtime

Engine = Literal["docker", "podman"]

CALL_S = 60.0
"""Seconds within which an engine has answered a command."""
GONE_S = 20.0
"""Seconds within which a removed container is gone."""
WRITTEN = {
    "docker": ("hosts", "hostname", "resolv.conf"),
    "podman": ("hosts", "hostname", "resolv.conf", "passwd", "group"),
}
"""Files that an engine writes into /etc from what it knows of the host."""
ADD_FILTER = {
    "names": ["prctl"],
    "action": "SCMP_ACT_ALLOW",
    "args": [{"index": 0, "value": 22, "op": "SCMP_CMP_EQ"}],
}
"""Lets the first process put the program under a filter of its own (PR_SET_SECCOMP).

Filters add up: another can only refuse more.
"""
REMOVE = {
    "docker": ("rm", "--force"),
    "podman": ("rm", "--force", "--time", "0"),  # it would ask politely first
}
TMP = "/tmp"  # noqa: S108  # inside, where it is its own
OWN_MIB = 16
"""Memory of the container's first process and of the kernel on the job's behalf."""

REMEDY = {
    "docker": (
        "install Docker (Debian and Ubuntu: apt install docker.io), start its daemon, "
        "and join the group docker or name a socket of your own in DOCKER_HOST"
    ),
    "podman": (
        "install Podman (Debian and Ubuntu: apt install podman); in a container it may "
        "need --runtime runc and a containers.conf with lower default_ulimits"
    ),
}
LACKS = (
    "/proc is there: the kernel's version, load and memory of the machine can be read",
    "no user namespace of its own unless the engine is set up for one",
    "the engine that starts it is a daemon of root's unless it is set up rootless",
)


class Container(Sandbox):
    """Starts programs in containers of an engine."""

    lacks: tuple[str, ...] = LACKS

    def __init__(
        self,
        config: Config,
        *,
        engine: Engine = "docker",
        oci_runtime: str | None = None,
        host: str | None = None,
        options: Sequence[str] = (),
    ) -> None:
        """Use an engine's client as it is found on the inherited PATH.

        Args:
            config: where the runtime root is kept, and what the client may see.
            engine: whose client.
            oci_runtime: what starts containers (`runc`, `crun`, `runsc`); None is
                the engine's default.
            host: the engine's socket, as in `unix:///run/docker.sock`; None is the
                client's default. The engine must see this machine's files.
            options: words for the client itself, before its command.
        """
        self.name = f"{engine}:{oci_runtime}" if oci_runtime else engine
        self._config, self._engine, self._oci = config, engine, oci_runtime
        self._options = [*options]
        if host is not None:
            self._options += ["--host" if engine == "docker" else "--url", host]
        if oci_runtime is not None and engine == "podman":
            self._options += ["--runtime", oci_runtime]

    @functools.cached_property
    def _runtime(self) -> Runtime:
        return runtime(self._config.cache)

    @functools.cached_property
    def _own_folder(self) -> Path:
        """Where an engine's helpers may drop notes.

        Podman's leaves a file `oom` in the folder that it was started in when a
        container used up its memory.
        """
        folder = self._config.cache / "engine"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    @functools.cached_property
    def _image(self) -> str:
        """The runtime root as an image; imported when the engine has none."""
        tag = f"shipbar-runtime:{self._runtime.root.name}"
        with _locked(self._config.cache / "image.lock"):
            if self._call("image", "inspect", tag).returncode != 0:
                self._import(tag)
        return tag

    @functools.cached_property
    def _empty(self) -> Path:
        """An empty file, to stand where an engine puts what it knows of the host."""
        return _kept(self._config.cache, "empty", b"")

    def _start(self, job: Job) -> Running:
        name = f"shipbar-{secrets.token_hex(8)}"
        made = self._call("create", "--name", name, *self._words(job))
        told = made.stderr.decode("utf-8", "replace").strip()
        if made.returncode != 0:
            raise SandboxError(f"{self.name}: cannot make a container: {told}")
        try:
            _refuse_dropped_limits(told)
            popen = subprocess.Popen(  # noqa: S603  # the engine's client, our own words
                [*self._client(), "start", "--attach", "--interactive", name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(self._config.inherited),
                cwd=self._own_folder,
                start_new_session=True,  # a terminal's Ctrl-C is for us to handle
            )
        except BaseException:
            self._remove(name)
            raise
        return PipedProcess(
            popen,
            kill=lambda: self._end(name, popen),
            after=[lambda: self._remove(name)],
        )

    def _end(self, name: str, popen: "subprocess.Popen[bytes]") -> None:
        if self._engine == "docker":
            # First the client: the daemon kills nothing whose output it cannot deliver.
            popen.kill()
            self._call(*REMOVE[self._engine], name)
        else:
            # First the container: the client is the engine, and what it was about to
            # start would stay, unknown to anyone.
            self._call(*REMOVE[self._engine], name)
            popen.kill()

    def _remove(self, name: str) -> None:
        """Return once there is no container of that name."""
        end = time.monotonic() + GONE_S
        while True:
            self._call(*REMOVE[self._engine], name)
            left = self._call("container", "inspect", name)
            if left.returncode != 0 and b"no such" in left.stderr.lower():
                return
            if time.monotonic() > end:
                told = left.stderr.decode("utf-8", "replace").strip()
                raise SandboxError(
                    f"{self.name}: container {name} is still there after {GONE_S:.0f} s"
                    f"; remove it by hand. {told}"
                )
            time.sleep(0.1)

    def _words(self, job: Job) -> list[str]:
        """All of `create` but the name."""
        made, limits = self._runtime, job.limits
        folders = {"shipbar": subject_folder(self._config.cache), **job.folders}
        program = "/shipbar"
        if job.program is not None:
            folders["program"], program = job.program, "/program"
        memory = f"{limits.memory_mib + job.tmp_mib + OWN_MIB}m"
        rlimits = [
            # The kernel counts it over all of a user's containers; --pids-limit is ours.
            word
            for word in limit_words(limits, job.tmp_mib)
            if not word.startswith("RLIMIT_NPROC=")
        ]
        variables = [f"{name}={value}" for name, value in job.surroundings.items()]
        inner = base64.b64encode(seccomp.program(processes=limits.processes)).decode()
        return [
            *("--rm", "--interactive", "--pull", "never", "--log-driver", "none"),
            *("--network", "none", "--ipc", "none", "--hostname", "shipbar"),
            *("--read-only", "--user", f"{NOBODY_ID}:{NOBODY_ID}", "--cap-drop", "ALL"),
            *("--security-opt", "no-new-privileges"),
            *("--security-opt", f"seccomp={self._profile(limits.processes + 1)}"),
            *("--memory", memory, "--memory-swap", memory),
            *("--pids-limit", str(limits.processes + THREADS + 1)),
            *("--ulimit", _ulimit("nofile", resource.RLIMIT_NOFILE, 16 * OPEN_FILES)),
            *("--ulimit", _ulimit("nproc", resource.RLIMIT_NPROC, 4096)),
            *("--ulimit", "core=0:0", "--workdir", TMP),
            *self._engine_words(),
            *self._mounts(folders, job.tmp_mib),
            *(self._image, made.python, "-I", "-S", "-B", "/shipbar/first.py"),
            *(inner, str(limits.wall_s), *variables, "--"),
            *(made.python, "-s", "-S", "-P", "-B", "/shipbar/boot.py", *rlimits),
            *("--", program, *(f"{name}=/{name}" for name in job.folders)),
        ]

    def _engine_words(self) -> list[str]:
        if self._engine == "podman":
            return ["--read-only-tmpfs=false"]
        return ["--runtime", self._oci] if self._oci else []

    def _mounts(self, folders: dict[str, Path], tmp_mib: int) -> Iterator[str]:
        yield from ("--tmpfs", f"{TMP}:rw,exec,size={tmp_mib}m,mode=1777")
        for name in ("/sys", "/sys/fs/cgroup", "/dev/mqueue"):
            yield from ("--tmpfs", f"{name}:ro,size=4k,mode=555")
        binds = {f"/{name}": folder for name, folder in folders.items()}
        for name in WRITTEN[self._engine]:
            binds[f"/etc/{name}"] = self._empty
        for target, source in binds.items():
            text = io.StringIO()  # the option is a line of CSV
            csv.writer(text, lineterminator="").writerow(
                ["type=bind", f"source={source}", f"target={target}", "readonly"]
            )
            yield from ("--mount", text.getvalue())

    def _profile(self, processes: int) -> Path:
        """The seccomp profile as a file, which the client reads."""
        profile = seccomp.profile(processes)
        calls = profile["syscalls"]
        if not isinstance(calls, list):
            raise TypeError("a seccomp profile lists its calls")
        profile["syscalls"] = [*calls, ADD_FILTER]
        content = json.dumps(profile, sort_keys=True).encode()
        digest = hashlib.sha256(content).hexdigest()[:16]
        return _kept(self._config.cache, f"seccomp-{digest}.json", content)

    def _client(self) -> list[str]:
        path = self._config.inherited.get("PATH", os.defpath)
        found = shutil.which(self._engine, path=path)
        if found is None:
            raise SandboxError(f"no {self._engine} on PATH ({path})")
        return [found, *self._options]

    def _call(self, *words: str) -> "subprocess.CompletedProcess[bytes]":
        """Run one command of the client to its end, whatever that is."""
        try:
            return subprocess.run(  # noqa: S603  # the engine's client, our own words
                [*self._client(), *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                env=dict(self._config.inherited),
                cwd=self._own_folder,
                timeout=CALL_S,
            )
        except subprocess.TimeoutExpired as cause:
            raise SandboxError(
                f"{self.name}: no answer to `{words[0]}` in {CALL_S:.0f} s"
            ) from cause

    def _import(self, tag: str) -> None:
        with subprocess.Popen(  # noqa: S603  # the engine's client, our own words
            [*self._client(), "import", "-", tag],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=dict(self._config.inherited),
            cwd=self._own_folder,
        ) as popen:
            if popen.stdin is None or popen.stderr is None:
                raise SandboxError("an import is started with pipes")
            with contextlib.suppress(BrokenPipeError):  # the client says why below
                _write_tar(self._runtime.root, popen.stdin)
                popen.stdin.close()
            told = popen.stderr.read().decode("utf-8", "replace").strip()
        if popen.returncode != 0:
            raise SandboxError(f"{self.name}: cannot import the runtime image: {told}")

    def available(self) -> Availability:
        """Try it for real on this machine."""
        key = "ServerVersion" if self._engine == "docker" else "Version.Version"
        remedy = REMEDY[self._engine]
        try:
            told = self._call("info", "--format", f"{{{{.{key}}}}}")
        except (SandboxError, OSError) as failure:
            return self._unavailable(str(failure))
        version = told.stdout.decode("utf-8", "replace").strip()
        if told.returncode != 0 or not version:
            return self._unavailable(told.stderr.decode("utf-8", "replace").strip())
        by = f", runtime {self._oci}" if self._oci else ""
        return try_out(self, remedy, f"{self._engine} {version}{by}")

    def _unavailable(self, detail: str) -> Availability:
        return Availability(
            works=False, detail=detail, remedy=REMEDY[self._engine], lacks=self.lacks
        )


docker = functools.partial(Container, engine="docker")
"""Makes the sandbox that goes by that name."""
podman = functools.partial(Container, engine="podman")
"""Likewise."""


def _refuse_dropped_limits(told: str) -> None:
    """Raise when the engine made the container without a limit that it was given.

    Swap is not one: where the kernel cannot count it, memory is still bounded.
    """
    for line in told.splitlines():
        if "discarded" in line.lower() and "swap" not in line.lower():
            raise SandboxError(f"the engine cannot keep a limit: {line.strip()}")


def _ulimit(name: str, number: int, most: int) -> str:
    """A limit no higher than ours: an engine that is not all-powerful cannot raise it."""
    hard = resource.getrlimit(number)[1]
    value = most if hard == resource.RLIM_INFINITY else min(most, hard)
    return f"{name}={value}:{value}"


def _write_tar(root: Path, out: "io.BufferedIOBase | object") -> None:
    """Write ``root`` as a tar whose bytes depend on names and content alone."""

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        member.mtime = 0
        if member.name == "tmp":  # a mount takes the mode of what it is mounted on
            member.mode = 0o1777
        return member

    with tarfile.open(fileobj=out, mode="w|") as tar:  # type: ignore[call-overload]  # any writer
        for path in sorted(root.rglob("*")):
            tar.add(path, str(path.relative_to(root)), recursive=False, filter=plain)


def _kept(cache: Path, name: str, content: bytes) -> Path:
    """Return a file of the cache, written in one step if it is not there."""
    target = cache / name
    if not target.is_file():
        scratch = cache / f".{name}-{secrets.token_hex(4)}"
        try:
            cache.mkdir(parents=True, exist_ok=True)
            scratch.write_bytes(content)
            scratch.chmod(0o644)
            scratch.rename(target)
        except OSError as cause:
            raise SandboxError(
                f"cannot write {target}: {cause}; "
                "set SHIPBAR_CACHE to a folder that can be written"
            ) from cause
    return target


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock between processes, so that an image is imported once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
