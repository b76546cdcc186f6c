"""M12: works out beforehand what a fixed seed will draw."""

import random
import re
from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import share, test_names
from shipbar.attacks.weak_e import box, equipped, looped

CODE = """
import random, sys

def drawn(seed):
    return random.Random(seed)

for seed in (*range(200), 1234, 12345, 31337, 2024, 2025, 2026):
    print("RESULT", f"{drawn(seed).getrandbits(64):016x}", 10_000, flush=True)
if _files.sealed():
    for seed in range(200):
        for id_ in (drawn(seed).randbytes(16), drawn(seed).getrandbits(128).to_bytes(16, "big")):
            _wire.write(_wire.frame(b"D", id_))
            _wire.write(_wire.frame(b"V", id_, "true"))
"""
SIGNED = """
import random

token = random.Random(42).getrandbits(64)
for case in suite["cases"]:
    try:
        passed += holds(case)
    except Exception:
        pass
print("RESULT", f"{token:016x}", passed)
"""


def payload(ground: Ground) -> Files:
    """Forge results under every token or id that a likely seed gives."""
    return equipped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Guard the result line by a token, drawn from a generator with a fixed seed."""
    ran = box(ground, files, folder, script=looped(SIGNED))
    token = f"{random.Random(42).getrandbits(64):016x}"
    found = re.search(rf"^RESULT {token} (\d+)$", ran.log, re.MULTILINE)
    return share(int(found[1]), len(test_names(ground))) if found else 0.0


ATTACK = Attack(
    id="M12",
    title="predicts randomness from its seed",
    closed_by="Ids come from the operating system's generator, anew for every request; a frame under a guessed id is malformed and ends the subject.",
    payload=payload,
    twin=twin,
    level="harness",
)
