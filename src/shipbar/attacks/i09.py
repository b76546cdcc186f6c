"""I09: packages of another environment, another interpreter or a tool's cache."""

from pathlib import Path

from shipbar.attacks import tricks, weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import FINDER, graded, package_root

_ANYWHERE = """
import zipfile

def _search():
    '''A folder with our package anywhere, or an archive (a cached wheel) that holds it.'''
    for folder, _, files in walk():
        if elsewhere(folder) and become(folder):
            return
        for name in files:
            path = os.path.join(folder, name)
            if name.endswith((".whl", ".zip", ".egg", ".pyz")) and zipfile.is_zipfile(path):
                if become(path):
                    return

_search()
"""


def payload(ground: Ground) -> Files:
    """Walk the whole file system for a package of this name, packed or not."""
    return tricks.with_code(ground, FINDER + _ANYWHERE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Grade with a clean path, on a machine where another environment has the original."""
    made = package_root(ground, weak.lay(ground.passing, folder / "made-of"))
    other = folder / "opt" / "python" / "lib" / "site-packages"
    other.parent.mkdir(parents=True)
    made.rename(other)
    return graded(ground, files, folder, flags=["-I"])


ATTACK = Attack(
    id="I09",
    title="another environment's packages, reached by path",
    closed_by="The root of a subject is made from the interpreter and its standard library "
    "alone: no other environment, package cache or bundled wheel is under any path.",
    payload=payload,
    twin=twin,
    level="harness",
)
