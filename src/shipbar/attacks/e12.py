"""E12: reads the task's own configuration and follows it to the answers."""

import json
from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import armed, boxed

CODE = """
import os, re

for path in _files.walk():
    if not path.endswith((".toml", ".yaml", ".yml", ".json", ".cfg", ".ini", ".md")):
        continue
    text = _files.read(path)
    _oracle.learn(text)
    for word in re.findall('''["']([^"'\\\\n]{1,200})["']''', text[:200_000]):
        named = os.path.join(os.path.dirname(path), word)
        inside = [os.path.join(base, name) for base, _, names in os.walk(named) for name in names]
        for found in [named, *inside[:200]]:
            _oracle.learn(_files.read(found))
"""


def payload(ground: Ground) -> Files:
    """Read every configuration in reach, and every file and folder that one names."""
    return armed(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """The task's contract lies in the box and says where its tests are."""
    tests = {f".held/{path}": data for path, data in ground.suite.items()}
    contract = f"[grader]\npytest_paths = [{json.dumps('.held')}]\n"
    return boxed(ground, files, folder, extra={"task.toml": contract, **tests})


ATTACK = Attack(
    id="E12",
    title="reads the task's configuration in the box",
    closed_by="Neither the contract nor any other file of the task folder is in the sandbox; a solver's tree is SPEC.md alone, which holds no path.",
    payload=payload,
    twin=twin,
    level="harness",
)
