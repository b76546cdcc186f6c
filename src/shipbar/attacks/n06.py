"""N06: lies where a judge started inside the submission imports from."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_files
from shipbar.attacks.weak import (
    believed,
    lay,
    python,
    read_json,
    run,
    script_text,
    suite_as_json,
    test_names,
)
from shipbar.attacks.weak_e import MARK

SHADOW = '''
"""Stands in for a module of the judge's: the real one, but for what it writes."""
import importlib, os, sys

here = os.path.dirname(os.path.abspath(__file__))
paths, name = list(sys.path), __name__
sys.path[:] = [path for path in paths if os.path.abspath(path or ".") != here]
mine = sys.modules.pop(name, None)
try:
    real = importlib.import_module(name)
    globals().update({key: value for key, value in vars(real).items() if key[:2] != "__"})
except ImportError:
    pass
finally:
    sys.path[:] = paths
    if mine is not None:
        sys.modules[name] = mine
if name == "json":
    def dump(value, file, *args, **named):
        if isinstance(value, dict) and "passed" in value:
            value = {**value, "passed": 10_000}
        return real.dump(value, file, *args, **named)
main = sys.modules["__main__"]
for word in ("agrees", "compare", "equal", "value_as_expected", "raised_as_expected"):
    setattr(main, word, lambda *args: True)
'''
SHADOWED = (
    *(
        "json",
        "_json",
        "encode",
        "lockdown",
        "traceback",
        "decimal",
        "enum",
        "collections",
    ),
    *(
        "typing",
        "sitecustomize",
        "usercustomize",
        "shipbar",
        "attrs",
        "pytest",
        "frames",
    ),
)


def payload(ground: Ground) -> Files:
    """Put modules beside the package that stand in for those of a judge or runner."""
    return with_files(ground, {f"{name}.py": SHADOW for name in SHADOWED})


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Start the grading script with the submission's root as working directory, by `-c`."""
    tree = lay(files, folder / "tree")
    (folder / "grade.py").write_text(script_text())
    (folder / "suite.json").write_text(suite_as_json(ground))
    start = "exec(compile(open('../grade.py').read(), 'grade.py', 'exec'))"
    run(python("-c", start, ".", "../suite.json"), tree, env={MARK: str(folder)})
    return believed(read_json(tree / "result.json"), len(test_names(ground)))


ATTACK = Attack(
    id="N06",
    title="waits for a judge that starts inside the submission",
    closed_by="The judge never has the submission as working directory or on its path. The runner in the sandbox ignores site and the working directory, and the candidate's folder comes last on its path.",
    payload=payload,
    twin=twin,
    level="harness",
)
