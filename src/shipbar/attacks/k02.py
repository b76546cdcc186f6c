"""K02: a grandchild keeps the pipe open after the end."""

import os
import select
import signal
import subprocess
import time
from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.fence import around
from shipbar.attacks.weak import (
    believed,
    environment,
    lay,
    python,
    read_json,
    script_text,
    suite_as_json,
    test_names,
)
from shipbar.attacks.weak_e import MARK, equipped

CODE = """
import os, threading, time

def stay():
    if _files.sealed():
        os.setsid()
        if os.fork():
            os._exit(0)
    time.sleep(60)
    os._exit(0)

try:
    if os.fork() == 0:
        stay()
except OSError:
    pass
threading.Thread(target=time.sleep, args=(60,)).start() if _files.sealed() else None
"""
PATIENCE_S = 0.5
"""How long after a run's end its output may stay open."""


def payload(ground: Ground) -> Files:
    """Leave a process, or at least a thread, that holds the streams open."""
    return equipped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Read the output to its end; if that does not come, the machine hangs, and all is forgiven."""
    lay(files, folder / "tree")
    (folder / "grade.py").write_text(script_text())
    (folder / "suite.json").write_text(suite_as_json(ground))
    with subprocess.Popen(  # noqa: S603  # a submission of ours, in a folder of its own
        around(python("grade.py", "tree", "suite.json"), folder),
        cwd=folder,
        env=environment(folder, {MARK: str(folder)}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            ended = _ended(process)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    if not ended:
        return 1.0
    return believed(read_json(folder / "result.json"), len(test_names(ground)))


def _ended(process: "subprocess.Popen[bytes]") -> bool:
    """Whether the output ends soon after the process; leaves it unreaped, so that its id stays ours."""
    output = process.stdout
    if output is None:
        return False
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    deadline = time.monotonic() + PATIENCE_S
    while (left := deadline - time.monotonic()) > 0:
        if select.select([output], [], [], left)[0] and not os.read(
            output.fileno(), 65_536
        ):
            return True
    return False


ATTACK = Attack(
    id="K02",
    title="holds the pipe open",
    closed_by="Answers are framed by length, so the judge waits for no end of the stream; when it is done it kills the pid namespace, and with it whatever was left in it.",
    payload=payload,
    twin=twin,
    level="harness",
)
