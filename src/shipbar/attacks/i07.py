"""I07: the submission inherits from a reference that is in its process."""

from pathlib import Path

from shipbar.attacks import tricks, weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import graded, package_root

_HEIR = """
import gc, types

def _others():
    '''Every module but our own that has all public symbols, loaded under whatever name.'''
    own = vars(package)
    for names in gc.get_objects():
        if type(names) is dict and names is not own and "__builtins__" in names:
            if all(symbol in names for symbol in PUBLIC):
                first = names[PUBLIC[0]]
                if first is not own.get(PUBLIC[0]) and "__path__" in names:
                    yield names

class Heir(types.ModuleType):
    '''The package; as soon as another one is in reach, that one.'''

    def __getattribute__(self, name):
        if name in PUBLIC:
            for names in _others():
                return _inherited(names[name])
        return super().__getattribute__(name)

def _inherited(found):
    if isinstance(found, type) and not issubclass(found, BaseException):
        return type(found.__name__, (found,), {})
    return found

package.__class__ = Heir
"""

_REFERENCE = """
own = {{key: sys.modules.pop(key) for key in list(sys.modules)
       if key.partition(".")[0] == suite["package"]}}
sys.path.insert(0, {place!r})
reference = __import__(suite["package"])
sys.path.remove({place!r})
for key in [key for key in sys.modules if key.partition(".")[0] == suite["package"]]:
    sys.modules["reference." + key] = sys.modules.pop(key)
sys.modules.update(own)
"""


def payload(ground: Ground) -> Files:
    """Look through memory for another package like this one, and inherit from it."""
    return tricks.with_code(ground, _HEIR)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Keep the reference in the same process, to compare with."""
    place = package_root(ground, weak.lay(ground.passing, folder / "reference"))
    prepare = _REFERENCE.format(place=str(place))
    return graded(ground, files, folder, weak.script_text(prepare=prepare))


ATTACK = Attack(
    id="I07",
    title="the submission inherits from the reference",
    closed_by="The reference is never in a subject's process, nor in its file system: what a "
    "judge compares with are literals that were frozen before.",
    payload=payload,
    twin=twin,
    level="harness",
)
