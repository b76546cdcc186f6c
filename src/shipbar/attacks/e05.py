"""E05: tracing, profiling and audit hooks see what the grader's frames hold."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import armed, plain

CODE = """
import sys, threading

def look(frame, event, argument):
    for value in list(frame.f_locals.values()):
        if type(value) is dict and "source" in value:
            _oracle.learn_data(value)

def heard(event, arguments):
    if event == "compile" and arguments[0]:
        text = arguments[0]
        text = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        if isinstance(text, str) and "assert" in text:
            _oracle.learn(text)
    if event == "open" and isinstance(arguments[0], str) and arguments[0].endswith((".json", "_test.py")):
        HEARD.append(arguments[0])

def late(key, text, frame, scope):
    while HEARD:
        _oracle.learn(_files.read(HEARD.pop()))

HEARD = []
_oracle.LATE.append(late)
sys.addaudithook(heard)
sys.setprofile(look)
threading.settrace(look)
sys.settrace(look)
"""


def payload(ground: Ground) -> Files:
    """Install every hook there is and learn from each frame, compilation and opened file."""
    return armed(ground, CODE)


ATTACK = Attack(
    id="E05",
    title="traces the grader's frames and listens to audit events",
    closed_by="Every frame, compilation and file that happens in the subject is the runner's, and none carries an expectation; the judge's frames are in another process.",
    payload=payload,
    twin=plain,
    level="harness",
)
