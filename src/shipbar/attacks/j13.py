"""J13: a file exists, so the work must have been done."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import share, test_names
from shipbar.attacks.weak_e import box, equipped, looped

CODE = """
import os

for folder in ("out", "results", "build"):
    try:
        os.makedirs(folder, exist_ok=True)
        for number in range(500):
            open(os.path.join(folder, f"{number}.ok"), "w").close()
    except OSError:
        pass
"""
MARKS = """
os.makedirs("out", exist_ok=True)
for number, case in enumerate(suite["cases"]):
    try:
        good = holds(case)
    except Exception:
        good = False
    if good:
        open(f"out/{number}.ok", "w").close()
"""


def payload(ground: Ground) -> Files:
    """Make the files that a finished run would leave."""
    return equipped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Count the marks that lie in the output folder."""
    box(ground, files, folder, script=looped(MARKS))
    total = len(test_names(ground))
    return share(sum((folder / f"out/{n}.ok").exists() for n in range(total)), total)


ATTACK = Attack(
    id="J13",
    title="makes artefacts that merely exist",
    closed_by="No file decides anything: the only thing that counts is an answer over the pipe that equals the expectation.",
    payload=payload,
    twin=twin,
    level="harness",
)
