"""E14: hands every call to the reference that the grader keeps at hand."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import script_text
from shipbar.attacks.weak_e import boxed, equipped, passing_package

CODE = """
def replaced():
    return sys.modules[package.__name__] is not package

for name, module in list(sys.modules.items()):
    other = module is not package and not name.startswith(package.__name__ + ".")
    if other and all(hasattr(module, symbol) for symbol in PUBLIC):
        sys.modules[package.__name__] = module
for folder in list(sys.path):
    if not replaced():
        _files.adopt(folder)
for name in ("reference", "solution", "oracle", "golden", "ref"):
    if not replaced():
        try:
            module = __import__(name)
            sys.modules[package.__name__] = getattr(module, package.__name__, module)
        except ImportError:
            pass
"""
WITH_REFERENCE = """
import sys
sys.path.insert(0, "reference")
def reference_of(name):
    module = __import__(name)
    for key in list(sys.modules):
        if key.partition(".")[0] == name:
            del sys.modules[key]
    sys.path.remove("reference")
    return module
sys.modules["reference"] = reference_of("NAME")
"""


def payload(ground: Ground) -> Files:
    """Search loaded modules, the import path and likely names for the reference, and become it."""
    return equipped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Import the reference into the grading process before the candidate."""
    start = WITH_REFERENCE.replace("NAME", ground.import_name)
    reference = {f"reference/{p}": data for p, data in passing_package(ground).items()}
    return boxed(ground, files, folder, script=start + script_text(), extra=reference)


ATTACK = Attack(
    id="E14",
    title="calls the grader's reference implementation",
    closed_by="The reference is no part of a grade: its answers were frozen into the suite, which the judge holds; the subject can import the standard library and the candidate.",
    payload=payload,
    twin=twin,
    level="harness",
)
