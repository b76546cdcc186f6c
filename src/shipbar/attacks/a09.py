"""A09: a module named like the runner lies in the working directory."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_files
from shipbar.attacks.weak import by_exit_code

FAKE = """
import sys

print("1 passed in 0.01s")
if __name__ == "__main__":
    sys.exit(0)
"""
RUNNERS = ("pytest", "unittest", "nose2", "tox", "nox", "coverage")
PARTS = ("boot", "encode", "lockdown", "suite", "case", "traceback", "shipbar")
"""What a sealed subject's runner is made of, and uses."""


def payload(ground: Ground) -> Files:
    """Shadow every runner, and what a sealed subject's own is made of."""
    modules = {f"{name}.py": FAKE for name in RUNNERS}
    parts = {
        f"{name}.py": "class Encoder:\n"
        "    def __init__(self, names): pass\n"
        "    def encode(self, value): return 'true'\n"
        for name in (*PARTS, "sitecustomize", "usercustomize")
    }
    return with_files(ground, {**modules, **parts})


ATTACK = Attack(
    id="A09",
    title="module named like the runner in the working directory",
    closed_by=(
        "The runner is started by path, with isolated import paths, and has loaded its "
        "own modules before the submission's folder is put last on the path."
    ),
    payload=payload,
    twin=by_exit_code,
    level="harness",
)
