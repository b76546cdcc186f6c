"""M03: answers the n-th call with the n-th value."""

import json
from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import suite_as_json
from shipbar.attacks.weak_e import armed, boxed

CODE = """
import os

values = []
for path in _files.walk():
    if path.endswith((".out", ".golden", ".expected", ".snap")):
        values += _files.read(path).splitlines()
seen = []

def late(key, text, frame, scope):
    if key in seen:
        return
    seen.append(key)
    if len(seen) <= len(values):
        value = values[len(seen) - 1]
        error = value.removeprefix("raises ") if value.startswith("raises ") else ""
        _oracle.know(key, "" if error else value, error)

_oracle.LATE.append(late)
"""


def payload(ground: Ground) -> Files:
    """Count the cases, and answer from a transcript of outputs by number."""
    return armed(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Ask in the order of a transcript that lies about, always the same."""
    lines = [
        f"raises {case['raises']}" if case["raises"] else case["expected"]
        for case in json.loads(suite_as_json(ground))["cases"]
    ]
    return boxed(ground, files, folder, extra={"session.out": "\n".join(lines)})


ATTACK = Attack(
    id="M03",
    title="answers by the order of calls",
    closed_by="No transcript of outputs exists in the sandbox, and the order says nothing about values; whoever counts still has to know what comes.",
    payload=payload,
    twin=twin,
    level="task",
)
