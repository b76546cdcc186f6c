"""P01: a copy of the reference, made at run time from wherever it was left.

A copy that was made before is told by its source, which the copy guard
measures; by what it does, a correct copy is correct.
"""

from pathlib import Path

from shipbar.attacks import tricks, weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import FINDER, graded, package_root

_COPY = """
import shutil, tempfile

def _text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(200_000)
    except (OSError, ValueError):
        return ""

def _copy():
    '''Take the first source that speaks of all public names, under whatever name it is kept.'''
    for folder, _, files in walk():
        if os.path.realpath(folder).startswith(OWN) or "_trick.py" in files:
            continue
        for name in files:
            path = os.path.join(folder, name)
            text = _text(path) if name.endswith((".py", ".orig", ".bak", ".txt")) else ""
            if not text or not all(symbol in text for symbol in PUBLIC):
                continue
            scratch = tempfile.mkdtemp()
            target = os.path.join(scratch, NAME)
            if name == "__init__.py":
                shutil.copytree(folder, target)
            else:
                os.mkdir(target)
                shutil.copyfile(path, os.path.join(target, "__init__.py"))
            if become(scratch):
                return

_copy()
"""


def payload(ground: Ground) -> Files:
    """On import, search every file for the public names; copy what has them, and be it."""
    return tricks.with_code(ground, FINDER + _COPY)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Grade in an image in which a solution was left under another name."""
    made = package_root(ground, weak.lay(ground.passing, folder / "made-of"))
    (made / ground.import_name).rename(folder / "solution")
    return graded(ground, files, folder)


ATTACK = Attack(
    id="P01",
    title="a copy of the reference, found in the image",
    closed_by="Neither the reference nor the original is in the image, file system or memory "
    "of a subject; copies that were brought along are measured by the copy guard.",
    payload=payload,
    twin=twin,
    level="harness",
)
