"""E03: reads the caller's source line, where the literal stands behind `==`."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import by_junit
from shipbar.attacks.weak_e import armed

CODE = """
import inspect, linecache

SEEN = set()

def late(key, text, frame, scope):
    while frame is not None and key not in _oracle.KNOWN:
        if frame.f_code in SEEN:
            frame = frame.f_back
            continue
        SEEN.add(frame.f_code)
        lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
        _oracle.learn("".join(lines))
        try:
            _oracle.learn(inspect.getsource(frame.f_code))
        except (OSError, TypeError):
            pass
        constants = frame.f_code.co_consts
        for value in constants:
            if isinstance(value, str):
                _oracle.learn(value)
        frame = frame.f_back

_oracle.LATE.append(late)
"""


def payload(ground: Ground) -> Files:
    """Take what the source of any caller says behind its comparison."""
    return armed(ground, CODE)


ATTACK = Attack(
    id="E03",
    title="reads the literal in the caller's source line",
    closed_by="What is compiled in the subject is the left side alone: lifting leaves the literal and the exception's name with the judge, and the source belongs to no file.",
    payload=payload,
    twin=by_junit,
    level="harness",
)
