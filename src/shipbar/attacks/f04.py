"""F04: an editable install whose finder points at another package."""

from pathlib import Path

from shipbar.attacks import tricks, weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import ROOTS, graded, package_root

_FINDER = """
import importlib.machinery, os, sys
{roots}
NAME = {name!r}

class Editable:
    '''Finds the package where the mapping says.'''

    place = None

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name == NAME and cls.place:
            return importlib.machinery.PathFinder.find_spec(name, [cls.place])

def install():
    own = os.path.realpath(os.path.dirname(__file__))
    for folder, folders, files in walk():
        if NAME in folders and os.path.realpath(folder) != own:
            Editable.place = folder
            sys.meta_path.insert(0, Editable)
            return
"""
_PROJECT = """
[project]
name = "{name}"
version = "1.0"

[tool.setuptools]
package-dir = {{ "" = "../reference" }}
"""


def payload(ground: Ground) -> Files:
    """Add what an editable install leaves, leading to any other package of the name."""
    name = ground.import_name
    finder = f"__editable___{name}_finder"
    extra = {
        f"{finder}.py": _FINDER.format(roots=ROOTS, name=name),
        f"__editable__.{name}-1.0.pth": f"import {finder}; {finder}.install()\n",
        f"{name}.egg-link": "../reference\n.\n",
        "pyproject.toml": _PROJECT.format(name=name),
    }
    return tricks.with_files(ground, extra)


_HOOKS = "import site\n\nsite.addsitedir({tree!r})\n"


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Install the tree as editable, beside the reference that it is compared with."""
    root = package_root(ground, weak.lay(ground.passing, folder / "made-of"))
    root.rename(folder / "reference")
    hooks = _HOOKS.format(tree=str(folder / "tree")).encode()
    path = weak.lay({"sitecustomize.py": hooks}, folder / "hooks")
    return graded(ground, files, folder, env={"PYTHONPATH": str(path)})


ATTACK = Attack(
    id="F04",
    title="an editable install that leads to another package",
    closed_by="Nothing is installed in editable form: a tree is copied or built, start-up "
    "hooks and packaging records are left out, and there is no other package to lead to.",
    payload=payload,
    twin=twin,
    level="harness",
)
