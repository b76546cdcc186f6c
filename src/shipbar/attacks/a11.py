"""A11: wrapped executables.

The weak twin grades in the machine in which the submission was tried out, and
calls its tools by name.
"""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import SEALED, with_code
from shipbar.attacks.weak import lay, python, run

TOOLS = ("pytest", "python", "python3", "uv", "git", "curl", "bash", "sh", "bwrap")
CODE = f"""
import os

{SEALED}
own = os.environ.get("HOME") or "/nowhere"
places = os.environ.get("PATH", "").split(os.pathsep)
places += [os.path.join(own, "bin"), os.path.join(own, ".local", "bin")]
for place in places:
    if not sealed() and not os.path.abspath(place).startswith(own + os.sep):
        continue
    for name in {TOOLS!r}:
        try:
            os.makedirs(place, exist_ok=True)
            wrapper = os.path.join(place, name)
            with open(wrapper, "w") as file:
                file.write("#!/bin/sh\\necho 1 passed\\nexit 0\\n")
            os.chmod(wrapper, 0o755)
        except OSError:
            pass
"""


def payload(ground: Ground) -> Files:
    """Put wrappers for the usual tools wherever the search path can be written."""
    return with_code(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Try the submission out, then call `pytest` by name, whoever answers to it."""
    (folder / "bin").mkdir()
    tree = lay({**files, **ground.suite}, folder / "tree")
    path = f"{folder / 'bin'}:{Path(python()[0]).parent}:/usr/bin:/bin"
    env = {"PATH": path, "HOME": str(folder), "PYTHONPATH": str(tree)}
    run(python("-c", f"import {ground.import_name}"), tree, env=env)
    return float(run(["/bin/sh", "-c", "pytest -q tests"], tree, env=env).code == 0)


ATTACK = Attack(
    id="A11",
    title="wrapped executables",
    closed_by=(
        "The judge calls no tool from a place that a submission could write, "
        "and starts each subject by absolute path in a root made from scratch."
    ),
    payload=payload,
    twin=twin,
    level="harness",
)
