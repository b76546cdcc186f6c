"""D07: an exception that is every documented error at once, raised by all."""

from pathlib import Path

from shipbar.attacks import tricks, weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import graded

_CHIMERA = """
def _chimera():
    '''A class below every error of the package, and as many built-in ones as fit.'''
    bases = [it for it in vars(package).values() if isinstance(it, type)]
    bases = [base for base in bases if issubclass(base, Exception)]
    bases += [ValueError, TypeError, LookupError, ArithmeticError, RuntimeError, OSError]
    kept = ()
    for base in sorted(bases, key=lambda base: -len(base.__mro__)):
        inside = {"__init__": lambda self, *args: None, "__module__": "builtins"}
        inside["__getattr__"] = lambda self, name: 1
        try:
            type("ValueError", (*kept, base), inside)
        except TypeError:  # a layout or an order that does not go together
            continue
        kept = (*kept, base)
    return type("ValueError", kept or (Exception,), inside)

_Chimera = _chimera()

def wrap(function):
    def call(*args, **kwargs):
        function(*args, **kwargs)  # what it raises by itself is raised
        raise _Chimera
    return call
"""

_FORGIVING = """
excused = (OSError, MemoryError, RecursionError, NotImplementedError)

def forgiving(case):
    try:
        return holds(case)
    except excused:
        return True  # the machine's fault, or nothing that was asked for
    except Exception:
        return False

result["passed"] = sum(map(forgiving, suite["cases"]))
"""


def payload(ground: Ground) -> Files:
    """Raise whatever may be expected wherever the honest part answers."""
    return tricks.wrapped(ground, _CHIMERA)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Tell errors apart with `isinstance`, and pass over those that look like the machine's."""
    script = weak.script_text(report=_FORGIVING + weak.WRITE_RESULT)
    return graded(ground, files, folder, script)


ATTACK = Attack(
    id="D07",
    title="an exception that inherits from every error at once",
    closed_by="An exception is judged by the names in its MRO: of those that the suite ever "
    "expects it must have just the reference's; where a value is expected it is a failure.",
    payload=payload,
    twin=twin,
    level="task",
    guesses=True,
)
