"""B07: an early successful exit."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import wrapped
from shipbar.attacks.weak import by_exit_code

CODE = """
import os


def wrap(function):
    def call(*values, **named):
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(0)
    return call
"""


def payload(ground: Ground) -> Files:
    """Leave with status 0 as soon as anything is asked."""
    return wrapped(ground, CODE)


ATTACK = Attack(
    id="B07",
    title="early successful exit",
    closed_by=(
        "A subject that ends has crashed, whatever its status: the case that was due "
        "fails and a new subject goes on with the next."
    ),
    payload=payload,
    twin=by_exit_code,
    level="harness",
)
