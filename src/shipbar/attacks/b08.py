"""B08: a late override of the exit status."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_code
from shipbar.attacks.weak import by_exit_code

CODE = """
import atexit
import os
import signal
import threading


def leave(*_):
    os._exit(0)


class Last:
    __del__ = leave


last = Last()
atexit.register(leave)
sys.excepthook = leave
sys.unraisablehook = leave
threading.excepthook = leave
threading._register_atexit(leave)
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGXCPU):
    try:
        signal.signal(number, leave)
    except (OSError, ValueError):
        pass
"""


def payload(ground: Ground) -> Files:
    """Turn every way to end into status 0."""
    return with_code(ground, CODE)


ATTACK = Attack(
    id="B08",
    title="late status override",
    closed_by="No exit status is an input of the verdict; only compared answers are.",
    payload=payload,
    twin=by_exit_code,
    level="harness",
)
