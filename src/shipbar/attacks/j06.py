"""J06: a hang is taken for the machine's fault."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import wrapped
from shipbar.attacks.weak_e import boxed, looped

CODE = """
import time

EVERY = 29  # one call in so many is enough: each hang takes a grader's whole patience
calls = []

def wrap(function):
    def call(*args, **named):
        calls.append(function)
        while len(calls) % EVERY == 0:
            time.sleep(60)
        return function(*args, **named)
    return call
"""
PATIENT = """
import signal

def late(number, frame):
    raise TimeoutError

signal.signal(signal.SIGALRM, late)
for case in suite["cases"]:
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        passed += holds(case)
    except TimeoutError:
        passed += 1
    except Exception:
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
"""


def payload(ground: Ground) -> Files:
    """Never return from some of the calls."""
    return wrapped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Forgive a case that takes too long: the machine must have been busy."""
    return boxed(ground, files, folder, script=looped(PATIENT))


ATTACK = Attack(
    id="J06",
    title="hangs where it cannot answer",
    closed_by="The judge's own clock ends the wait: a case without an answer within its limit has failed, and is neither tried again nor left out.",
    payload=payload,
    twin=twin,
    level="harness",
)
