"""J11: two statuses under one identifier, and the last one wins."""

import re
from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import share, test_names
from shipbar.attacks.weak_e import box, equipped, looped

CODE = """
import atexit, os, sys

printed = []
write = sys.stdout.write if sys.stdout else len

def listen(text):
    printed.append(text)
    return write(text)

def repeat():
    for line in "".join(printed).split(chr(10)):
        write(line.replace("FAILED", "PASSED") + chr(10))

if sys.stdout:
    sys.stdout.write = listen
atexit.register(repeat)

runner, _ = _wire.runner()
if runner is not None:
    say = runner.say

    def twice(kind, id_, text=""):
        say(kind, id_, text)
        if kind in (b"V", b"R"):
            say(b"V", id_, "true")

    runner.say = twice
"""
STATUS_LINES = """
for case in suite["cases"]:
    try:
        good = holds(case)
    except Exception:
        good = False
    print(case["id"], "PASSED" if good else "FAILED", flush=True)
"""


def payload(ground: Ground) -> Files:
    """Say each result again under the same identifier, as a success."""
    return equipped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Keep statuses in a table by identifier."""
    ran = box(ground, files, folder, script=looped(STATUS_LINES))
    last = dict(re.findall(r"^(\S+) (PASSED|FAILED)$", ran.log, re.MULTILINE))
    passed = sum(last.get(name) == "PASSED" for name in test_names(ground))
    return share(passed, len(last))


ATTACK = Attack(
    id="J11",
    title="reports twice under one identifier",
    closed_by="An answer is taken under the one random id that is due, once; a second one under an old id is malformed, ends the subject and costs a case.",
    payload=payload,
    twin=twin,
    level="harness",
)
