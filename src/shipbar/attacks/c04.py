"""C04: test functions are rewritten while one of them runs."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import wrapped
from shipbar.attacks.weak import by_junit

CODE = """
import functools

NAMES = ("test", "check", "assert", "same", "compare", "holds", "expect")


def rewrite(frame):
    while frame is not None:
        # A suite's helpers go by any name.
        suite = str(frame.f_globals.get("__name__")).startswith(("suite", "test"))
        for scope in (frame.f_globals, frame.f_locals):
            for name, it in list(scope.items()):
                code = getattr(it, "__code__", None)
                if code is not None and (suite or name.startswith(NAMES)) and not code.co_freevars:
                    it.__code__ = (lambda *values, **named: True).__code__
        frame = frame.f_back


def wrap(function):
    @functools.wraps(function)
    def call(*values, **named):
        rewrite(sys._getframe(1))
        return function(*values, **named)
    return call
"""


def payload(ground: Ground) -> Files:
    """From each call walk up and empty every function that looks like a test."""
    return wrapped(ground, CODE)


ATTACK = Attack(
    id="C04",
    title="rewrite the test function while it runs",
    closed_by=(
        "No test is in the subject's process: there is an expression without its "
        "expectation, and rewriting it changes the answer, not what is expected."
    ),
    payload=payload,
    twin=by_junit,
    level="task",
    # A suite's helpers then answer True for whatever is asked through them.
    guesses=True,
)
