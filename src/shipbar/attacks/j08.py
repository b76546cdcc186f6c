"""J08: many trivial tests outweigh the real ones."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_files
from shipbar.attacks.weak_e import boxed, looped

TRIVIAL = 500
ALL_FOUND = """
import glob

for path in glob.glob("tree/**/test_*.py", recursive=True):
    scope = {"__name__": "own"}
    with open(path) as file:
        exec(file.read(), scope)
    for name, test in list(scope.items()):
        if name.startswith("test"):
            test()
            passed, total = passed + 1, total + 1
for case in suite["cases"]:
    try:
        passed += holds(case)
    except Exception:
        pass
passed = int(passed / total * len(suite["cases"]))
"""


def payload(ground: Ground) -> Files:
    """Bring hundreds of tests of one's own, in every place where a runner looks."""
    tests = "\n".join(
        f"def test_{n:03}():\n    assert {n} == {n}" for n in range(TRIVIAL)
    )
    name = ground.import_name
    places = ("tests/test_own.py", "test_own.py", f"{name}/test_own.py")
    return with_files(ground, dict.fromkeys(places, tests))


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Run the suite and whatever other tests are found; all count alike."""
    return boxed(ground, files, folder, script=looped(ALL_FOUND))


ATTACK = Attack(
    id="J08",
    title="farms partial credit with trivial tests",
    closed_by="Only the task's own cases are counted; tests that a submission brings are neither found nor run. That a stub earns nothing from those cases is proved for each task.",
    payload=payload,
    twin=twin,
    level="harness",
)
