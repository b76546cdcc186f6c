"""E10: finds what the making of the task left behind."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import boxed, equipped, passing_package

CODE = """
import os

for path in _files.walk():
    folder, name = os.path.split(path)
    if name in ("__init__.py", "__init__.pyc") and os.path.basename(folder) == _files.NAME:
        if _files.adopt(os.path.dirname(folder)):
            break
    if _files.NAME in name and name.endswith((".whl", ".zip", ".egg", ".pyz")) and _files.adopt(path):
        break
"""


def payload(ground: Ground) -> Files:
    """Search every folder and archive for another package of the same name, and become it."""
    return equipped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Grade in a box where the fixed source was once built."""
    left = {f"build/lib/{p}": data for p, data in passing_package(ground).items()}
    return boxed(ground, files, folder, extra=left)


ATTACK = Attack(
    id="E10",
    title="uses left-overs of the reference in the image",
    closed_by="The sandbox's root is made from the interpreter alone, before and apart from any task; the reference is never written there, so nothing of it can be left.",
    payload=payload,
    twin=twin,
    level="harness",
)
