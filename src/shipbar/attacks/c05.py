"""C05: builtins and library functions that tests rely on are patched.

The weak twin compares with the help of `all` and `isinstance`.
"""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_code
from shipbar.attacks.weak import script

CODE = """
import builtins
import json
import os.path
import random

home = os.path.dirname(__file__)
library = os.path.dirname(os.__file__)


def lied(true, lie):
    def call(*values, **named):
        # The package and the library go on to get the truth.
        path = sys._getframe(1).f_code.co_filename
        if path.startswith((home, library, "<frozen")):
            return true(*values, **named)
        return lie
    return call


LIES = {
    builtins: {"all": True, "any": True, "isinstance": True},
    json: {"loads": {}, "dumps": "{}"},
    os.path: {"exists": True},
    random: {"random": 0.5, "randrange": 0, "randint": 0},
}
for module, names in LIES.items():
    for name, lie in names.items():
        setattr(module, name, lied(getattr(module, name), lie))
"""


def payload(ground: Ground) -> Files:
    """Make the usual helpers of comparison say yes to everyone but the package."""
    return with_code(ground, CODE)


twin = script(
    """
    pairs = [(value, expected), (type(value), type(expected))]
    return all(one == other for one, other in pairs)
    """
)

ATTACK = Attack(
    id="C05",
    title="patch builtins and stdlib the tests rely on",
    closed_by=(
        "Comparing happens in the judge's process, whose builtins the submission "
        "cannot touch; patched ones in the subject only spoil its own answers."
    ),
    payload=payload,
    twin=twin,
    level="task",
)
