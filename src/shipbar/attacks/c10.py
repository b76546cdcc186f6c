"""C10: randomness and time are controlled.

The weak twin draws what it checks in the submission's process, from a
generator that it seeded itself.
"""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_code
from shipbar.attacks.weak import believed, script_run, script_text

CODE = """
import os
import random
import secrets
import time
import uuid

known = {}


def draw(items):
    \"\"\"The same one again once it has been seen to pass; until then one after the other.\"\"\"
    score = sys._getframe(1).f_globals.get("passed", 0)
    if "last" in known and score > known["score"]:
        known.setdefault("good", known["last"])
    number = known.get("good", known.get("last", -1) + 1)
    known.update(last=number, score=score)
    return items[number % len(items)]


random.choice = secrets.choice = random.SystemRandom.choice = draw
random.Random.choice = lambda self, items: items[known.get("good", 0) % len(items)]
random.seed(0)
random.seed = lambda *values: None
os.urandom = lambda size: bytes(size)
uuid.uuid4 = lambda: uuid.UUID(int=0)
time.time = time.monotonic = lambda: 0.0
"""
DRAWS = 150
DRAWN = f"""
passed = 0
for _ in range({DRAWS}):
    try:
        passed += holds(random.choice(suite["cases"]))
    except Exception:
        pass
with open("result.json", "w") as file:
    json.dump({{"passed": passed, "total": {DRAWS}}}, file)
"""


def payload(ground: Ground) -> Files:
    """Let every draw give what has been seen to pass."""
    return with_code(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Check some random draws from the suite."""
    text = script_text(report=DRAWN).replace("package = ", "random.seed(8)\npackage = ")
    ran = script_run(ground, files, folder, text)
    return believed(ran.result, DRAWS)


ATTACK = Attack(
    id="C10",
    title="control randomness and time",
    closed_by=(
        "Nothing is drawn in the subject: which cases there are is fixed by the suite, "
        "and the ids and the clock are the judge's."
    ),
    payload=payload,
    twin=twin,
    level="task",
)
