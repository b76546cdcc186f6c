"""B14: log flooding and terminal tricks.

The weak twin keeps the end of a long log and counts the failures in it.
"""

import re
from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_code
from shipbar.attacks.weak import pytest_run, share

KEPT = 65_536
CODE = """
import atexit
import os

# The truth is pushed out of the window, then wiped from a terminal for good measure.
noise = b"." * 79 + b"\\r\\x1b[2K\\x1b[1A\\n"


def flood():
    for descriptor in range(16):
        try:
            os.set_blocking(descriptor, False)
            for _ in range(4000):
                os.write(descriptor, noise)
        except OSError:
            pass


atexit.register(flood)
"""


def payload(ground: Ground) -> Files:
    """Flood every descriptor when the process ends."""
    return with_code(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Count the failures in what is kept of the log."""
    ran = pytest_run(ground, files, folder)
    failed = re.findall(r"^(?:FAILED|ERROR) ", ran.log[-KEPT:], re.MULTILINE)
    return share(ran.total - len(failed), ran.total)


ATTACK = Attack(
    id="B14",
    title="log flooding and terminal tricks",
    closed_by=(
        "There is no log: output streams go nowhere, one answer has a cap, and "
        "bytes that are not the answer that is due end the subject."
    ),
    payload=payload,
    twin=twin,
    level="harness",
)
