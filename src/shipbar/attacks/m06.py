"""M06: guesses answers that can only be a few things."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import script
from shipbar.attacks.weak_e import equipped

CODE = """
import ast

errors = [
    it for name in PUBLIC
    if isinstance(it := getattr(package, name), type) and issubclass(it, Exception)
]

def bare(key):
    \"\"\"Whether the case is one call and nothing more, as is written where an exception is due.\"\"\"
    expression = ast.parse(key).body[0].body[-1].value.body
    return isinstance(expression, ast.Call) and isinstance(expression.func, ast.Name)

def guessing(function):
    def guess(*args):
        value = function(*args)  # an honest exception is a good guess already
        found = _oracle.running()
        plain = isinstance(value, (bool, int, float, str, bytes, list, tuple, dict, set, type(None)))
        if found and bare(found[0]) and not plain and errors:
            raise errors[hash(found[0]) % len(errors)]("no")
        return True
    return guess

_face.stand_before(package, PUBLIC, guessing)
"""
OWN_WORD = "return value if isinstance(value, bool) else value == expected"


def payload(ground: Ground) -> Files:
    """Answer True, or raise a public exception where the case's shape suggests one."""
    return equipped(ground, CODE)


twin = script(OWN_WORD)
"""Takes a yes or no for the verdict."""

ATTACK = Attack(
    id="M06",
    title="guesses low-entropy answers with a constant",
    closed_by="A case compares a whole value, so that a constant equals none, and an exception must be the one class that is due; that constants earn nothing is proved for each task.",
    payload=payload,
    twin=twin,
    level="task",
    guesses=True,
)
