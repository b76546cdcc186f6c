"""E02: walks up the call stack to the grader's variables."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import armed, plain

CODE = """
import gc

def late(key, text, frame, scope):
    while frame is not None:
        for value in list(frame.f_locals.values()):
            _oracle.learn_data(value)
            if hasattr(value, "__dict__"):
                _oracle.learn_data(vars(value))
            if isinstance(value, str) and "assert" in value:
                _oracle.learn(value)
        frame = frame.f_back
    if key not in _oracle.KNOWN:
        for thing in gc.get_objects():
            if type(thing) is dict and "expected" in thing:
                _oracle.learn_data(thing)

_oracle.LATE.append(late)
"""


def payload(ground: Ground) -> Files:
    """On each call search every frame's variables, their attributes, and the heap."""
    return armed(ground, CODE)


ATTACK = Attack(
    id="E02",
    title="walks the call stack to expected values",
    closed_by="The frames above the candidate are the runner's, which holds the request's source and no expectation; the comparison happens in the judge's process.",
    payload=payload,
    twin=plain,
    level="harness",
)
