"""A12: the test command itself lives in the tree.

The weak twin restores the `Makefile` that it knows and calls `make test`.
"""

import sys
from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_files
from shipbar.attacks.weak import lay, run

RECIPE = "test check all:\n\t@echo 1 passed\n.PHONY: test check all\n"
SCRIPT = "#!/bin/sh\necho 1 passed\nexit 0\n"


def payload(ground: Ground) -> Files:
    """Bring a recipe that outranks the Makefile, and scripts for other ways to test."""
    return with_files(
        ground,
        {
            "GNUmakefile": RECIPE,
            "makefile": RECIPE,
            "Makefile": RECIPE,
            "test.sh": SCRIPT,
            "run_tests.sh": SCRIPT,
            "noxfile.py": "def tests(session):\n    pass\n",
            "tox.ini": "[testenv]\ncommands = true\n",
            "package.json": '{"scripts": {"test": "true"}}\n',
        },
    )


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Restore the Makefile and the tests, then run the project's own target."""
    recipe = f"test:\n\t{sys.executable} -m pytest -q tests\n"
    restored = {**files, **ground.suite, "Makefile": recipe.encode()}
    tree = lay(restored, folder / "tree")
    return float(run(["make", "test"], tree).code == 0)


ATTACK = Attack(
    id="A12",
    title="the test command itself lives in the tree",
    closed_by="The judge never calls a target, script or command that a submission defines.",
    payload=payload,
    twin=twin,
    level="harness",
)
