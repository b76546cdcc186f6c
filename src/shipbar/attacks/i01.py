"""I01: the package that is being rebuilt is installed, and re-exported."""

from pathlib import Path

from shipbar.attacks import tricks, weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import FINDER, graded, package_root

INSTALLED = (
    FINDER
    + """
import importlib.metadata, pkgutil, site

def _places():
    '''Everywhere that packages are installed, on the path or not.'''
    named = [*sys.path, *site.getsitepackages(), site.getusersitepackages()]
    named += [os.path.join(sys.prefix, "lib", "python3", "dist-packages")]
    named += [os.path.dirname(path) for path in sys.path]
    return [place for place in dict.fromkeys(named) if place and within(place)]

def _installed():
    '''Our own name elsewhere, then whatever else has all symbols.'''
    for place in _places():
        if elsewhere(place) and become(place):
            return
    for place in _places():
        for _, name, _ in pkgutil.iter_modules([place]):
            if name != NAME and name not in sys.stdlib_module_names:
                if become(place, name):
                    return

_installed()
"""
)
"""Code for payloads: become any installed package with all public symbols."""


def payload(ground: Ground) -> Files:
    """On import, become the same package, or one like it, from any place on the path."""
    return tricks.with_code(ground, INSTALLED)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Grade in an environment in which the original is installed."""
    site = package_root(ground, weak.lay(ground.passing, folder / "site-packages"))
    return graded(ground, files, folder, env={"PYTHONPATH": str(site)})


ATTACK = Attack(
    id="I01",
    title="the original is installed, and re-exported",
    closed_by="A subject's file system holds the interpreter, its standard library and the "
    "submission; no other distribution exists there to be imported.",
    payload=payload,
    twin=twin,
    level="harness",
)
