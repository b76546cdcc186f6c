"""E18: reads expectations out of the diagnostics of an earlier failure."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import armed, boxed, looped

CODE = """
import os, re

SHOWN = ("log", "report", "verdict", "result", "diff", "trace", "last")
for path in _files.walk():
    text = _files.read(path) if any(word in os.path.basename(path).lower() for word in SHOWN) else ""
    if "expected" in text:
        _oracle.learn(text)
"""
TWO_ROUNDS = """
for _ in range(2):
    passed, report = 0, []
    again()
    for case in suite["cases"]:
        value, error = attempt(case)
        if case["raises"]:
            passed += error is not None and error.__class__.__name__ == case["raises"].rpartition(".")[2]
        elif error is None and compare(value, eval(case["expected"])):
            passed += 1
        else:
            shown = {"source": case["source"], "expected": case["expected"], "actual": repr(value)}
            report.append(json.dumps(shown))
    with open("last-report.txt", "w") as file:
        file.write(chr(10).join(report))
"""


def payload(ground: Ground) -> Files:
    """Collect whatever a grade has written and learn what it says was expected."""
    return armed(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Grade twice, and show after the first what was expected and what came."""
    return boxed(ground, files, folder, script=looped(TWO_ROUNDS))


ATTACK = Attack(
    id="E18",
    title="learns from diagnostics that show what was expected",
    closed_by="A verdict has ids, rules and kinds of outcome, and no value: neither what was expected nor what came. Nothing of an earlier grade is in a later sandbox.",
    payload=payload,
    twin=twin,
    level="harness",
)
