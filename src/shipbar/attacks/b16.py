"""B16: re-exec or fork away."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import wrapped
from shipbar.attacks.weak import by_exit_code

CODE = """
import os
import signal


def away():
    try:
        child = os.fork()
    except OSError:
        child = None
    if child:
        os._exit(0)
    if child is None:
        os.execv(sys.executable, [sys.executable, "-S", "-c", "pass"])
    signal.alarm(5)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)


def wrap(function):
    def call(*values, **named):
        away()
        return function(*values, **named)
    return call
"""


def payload(ground: Ground) -> Files:
    """Let the process that is watched end well, and go on in another."""
    return wrapped(ground, CODE)


ATTACK = Attack(
    id="B16",
    title="re-exec or fork away",
    closed_by=(
        "A subject that ends has crashed, whatever its status, and the kernel kills "
        "all that was born in its namespace before the next one starts."
    ),
    payload=payload,
    twin=by_exit_code,
    level="harness",
)
