"""E20: finds results of an earlier run of the reference in the process's memory."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import script_text
from shipbar.attacks.weak_e import armed, boxed, passing_package

CODE = """
import gc

def late(key, text, frame, scope):
    source = text.lstrip("0123456789").lstrip()
    for thing in gc.get_objects():
        if type(thing) is dict:
            for name in (text, source, key):
                value = thing.get(name)
                if value is not None and not isinstance(value, str):
                    _oracle.know(key, repr(value))

_oracle.LATE.append(late)
"""
REFERENCE_FIRST = """
import json, sys
with open(sys.argv[2], encoding="utf-8") as file:
    suite = json.load(file)
sys.path.insert(0, "reference")
memo = {}
for case in suite["cases"]:
    scope = {"__name__": "suite"}
    exec(suite["heads"][case["file"]], scope)
    exec(case["source"], scope)
    try:
        memo[case["source"]] = scope["case"]()()
    except Exception:
        pass
sys.path.remove("reference")
for key in list(sys.modules):
    if key.partition(".")[0] == suite["package"]:
        del sys.modules[key]
"""


def payload(ground: Ground) -> Files:
    """Look through the heap for a table that has the running case as a key."""
    return armed(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Run the reference first, in the same process, and keep its results in a cache."""
    reference = {f"reference/{p}": data for p, data in passing_package(ground).items()}
    script = REFERENCE_FIRST + script_text()
    return boxed(ground, files, folder, script=script, extra=reference)


ATTACK = Attack(
    id="E20",
    title="reuses what the reference left in memory",
    closed_by="No reference ever runs in the subject's address space, nor in any process of a grade; a subject is started anew and holds the candidate alone.",
    payload=payload,
    twin=twin,
    level="harness",
)
