"""J05: no test is found, and zero tests are a success."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_code
from shipbar.attacks.weak_e import boxed, looped

CODE = """
import os, sys

sys.argv[1:] = ["-k", "nothing", "--collect-only"]
for place in (os.path.dirname(os.path.abspath(__file__)), "/dev", "/"):
    try:
        os.chdir(place)
        break
    except OSError:
        pass
"""
DISCOVERY = """
import glob

home = HOME
found = suite["cases"] if glob.glob("suite*.json") else []
failed = 0
for case in found:
    try:
        failed += not holds(case)
    except Exception:
        failed += 1
passed = total - failed
os.chdir(home)
"""


def payload(ground: Ground) -> Files:
    """Move the process to where there are no tests, and change its arguments."""
    return with_code(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Import the package, look for tests in the working directory, and subtract failures."""
    loop = DISCOVERY.replace("HOME", repr(str(folder)))
    return boxed(ground, files, folder, script=looped(loop))


ATTACK = Attack(
    id="J05",
    title="makes zero tests be run",
    closed_by="Nothing is discovered at grade time: the cases were lifted from the task before the submission was looked at, and their number is the denominator.",
    payload=payload,
    twin=twin,
    level="harness",
)
