"""A started program behind two pipes, and its certain end.

Used by every backend. Ending means: kill whatever the backend says must die,
wait for the process that we started, close the pipes, then undo what the
backend set up. Each step happens once, also when an earlier one fails.
"""

import contextlib
import os
import select
import signal
import subprocess
from collections.abc import Callable, Sequence

from shipbar.errors import SandboxError

STDERR_TAIL = 16_384
"""Bytes of standard error that are kept."""
REAP_S = 10.0
"""Seconds within which a killed process must be gone; longer is the machine's fault."""


class PipedProcess:
    """Owns one child process and its pipes."""

    def __init__(
        self,
        popen: "subprocess.Popen[bytes]",
        *,
        kill: Callable[[], None],
        after: Sequence[Callable[[], object]] = (),
    ) -> None:
        """Take over a child that was started with three pipes.

        Args:
            popen: the child.
            kill: ends every process of the job; called once, before the wait.
            after: called in order once the child is reaped.
        """
        if popen.stdin is None or popen.stdout is None or popen.stderr is None:
            raise SandboxError("a sandboxed program is started with three pipes")
        self._popen, self._kill, self._after = popen, kill, tuple(after)
        self._stderr = popen.stderr.fileno()
        self.requests = popen.stdin.fileno()
        self.answers = popen.stdout.fileno()
        for descriptor in (self.requests, self.answers, self._stderr):
            os.set_blocking(descriptor, False)
        self._tail: str | None = None

    def stop(self) -> str:
        """End it; see `shipbar.ports.Running.stop`."""
        if self._tail is not None:
            return self._tail
        self._tail = ""
        with contextlib.ExitStack() as steps:
            for step in reversed(self._after):
                steps.callback(step)
            steps.callback(self._close)
            steps.callback(self._reap)
            steps.callback(self._kill)
        return self._tail

    def _reap(self) -> None:
        if self._popen.poll() is not None:
            return
        # On a descriptor, since waiting with a limit would look, sleep and look again.
        handle = os.pidfd_open(self._popen.pid)
        try:
            gone = select.select([handle], [], [], REAP_S)[0]
        finally:
            os.close(handle)
        if not gone:
            self._popen.kill()
            raise SandboxError(
                f"a killed sandbox (process {self._popen.pid}) did not end in {REAP_S:.0f} s"
            )
        self._popen.wait()

    def _close(self) -> None:
        with contextlib.suppress(OSError):
            self._tail = (
                os.read(self._stderr, STDERR_TAIL).decode("utf-8", "replace").strip()
            )
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def kill_group(pid: int) -> None:
    """Kill the process group that ``pid`` leads; none left is fine."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
