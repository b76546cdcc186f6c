"""E06: learns the other side of a comparison, and answers it when asked again."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import armed, boxed, looped

CODE = """
HEARD = []

def equals(self, other):
    if not _oracle.TRYING:
        HEARD.append(other)
    return type(self).__mro__[1].__eq__(self, other)

def item(self, key):
    return spied(type(self).__mro__[1].__getitem__(self, key))

SPIES = {
    base: type(base.__name__, (base,), {
        "__eq__": equals, "__hash__": base.__hash__,
        **({"__getitem__": item} if base in (dict, list) else {}),
    })
    for base in (dict, list, tuple, str, int, float)
}

def spied(value):
    spy = SPIES.get(type(value))
    return spy(value) if spy else value

def late(key, text, frame, scope):
    while HEARD:
        value = HEARD.pop()
        if _oracle.holds(key, scope, ("whole", value), value, ""):
            _oracle.KNOWN[key] = value, ""

def listening(function):
    return lambda *args, **named: spied(function(*args, **named))

_oracle.LATE.append(late)
_face.stand_before(package, PUBLIC, listening)
"""
TWICE = """
for case in suite["cases"]:
    for _ in range(2):
        try:
            good = holds(case)
        except Exception:
            good = False
        if good:
            break
    passed += good
"""


def payload(ground: Ground) -> Files:
    """Answer with values whose `==` notes the other operand, and give that the second time."""
    return armed(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Compare in the package's process, and ask once more where it failed."""
    return boxed(ground, files, folder, script=looped(TWICE))


ATTACK = Attack(
    id="E06",
    title="learns through a comparison callback",
    closed_by="A value crosses as plain data read through its base type; the judge compares its own copy, so no method of the candidate's runs, and nothing is asked twice.",
    payload=payload,
    twin=twin,
    level="harness",
)
