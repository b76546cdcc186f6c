"""G05: a package that finds, on disk, how its earlier process was wrong."""

from pathlib import Path

from shipbar.attacks import weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import (
    LEARNING,
    LEARNT,
    MARKER,
    RECORDED,
    RETRIED,
    ROOTS,
    twisted,
)

_READING = (
    ROOTS
    + """
import ast

def look_around():
    '''All is read once, on import.'''

def _records(text):
    '''Every line that is a record, as JSON or as Python writes it.'''
    for line in text.splitlines():
        try:
            yield ast.literal_eval(line)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            pass

for folder, _, files in walk():
    for name in files:
        if name.endswith((".json", ".jsonl", ".log", ".txt", ".xml")):
            try:
                with open(os.path.join(folder, name)) as file:
                    for record in _records(file.read(1_000_000)):
                        learn(record)
            except (OSError, ValueError):
                pass
"""
)
_LOGGED = (
    RETRIED
    + """
with open("failures.log", "a", encoding="utf-8") as file:
    file.writelines(f"{record!r}\\n" for record in failures)
result["ids"] = [case["id"] for case in suite["cases"] if again(case)]
"""
)


def payload(ground: Ground) -> Files:
    """On import, read every log that there is; answer with what it says was expected."""
    return twisted(ground, LEARNING + _READING, tail=LEARNT)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Run everything in two fresh processes; what passes in one of them has passed."""
    script = weak.script_text(
        prepare="failures = []",
        compare=RECORDED,
        report=_LOGGED + weak.WRITE_RESULT,
    )
    passed: set[str] = set()
    for _ in range(2):
        marked = {MARKER: str(folder)}
        ran = weak.script_run(ground, files, folder, script, env=marked)
        if isinstance(ran.result, dict):
            passed.update(ran.result["ids"])
    return weak.share(len(passed), len(weak.test_names(ground)))


ATTACK = Attack(
    id="G05",
    title="state between processes: files that a later process finds",
    closed_by="A case is asked once, in one subject; the only place that a subject can write "
    "is a scratch folder in memory that ends with it, and the judge writes nothing there.",
    payload=payload,
    twin=twin,
    level="harness",
)
