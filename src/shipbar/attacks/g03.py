"""G03: tests that a runner takes from its cache after the submission has been in it."""

from pathlib import Path

from shipbar.attacks import tricks, weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import MARKER, ROOTS

_EMPTIED = """
import marshal

def emptied(code):
    '''The same module; its tests take the same arguments, and do nothing.'''
    return code.replace(co_consts=tuple(
        hollow(it) if getattr(it, "co_name", "").startswith("test") else it
        for it in code.co_consts))

def hollow(code):
    names = ", ".join(code.co_varnames[:code.co_argcount])
    scope = {}
    exec(f"def {code.co_name}({names}): pass", scope)
    return scope[code.co_name].__code__

for folder, _, files in walk():
    for name in files:
        if name.startswith("test") and name.endswith(".pyc"):
            path = os.path.join(folder, name)
            try:
                with open(path, "rb") as file:
                    data = file.read()
                changed = marshal.dumps(emptied(marshal.loads(data[16:])))
                with open(path, "wb") as file:
                    file.write(data[:16] + changed)  # its head goes on saying what source it has
            except (OSError, ValueError, EOFError, TypeError):
                pass
"""


def payload(ground: Ground) -> Files:
    """On import, empty every compiled test that can be written; bring a cache as well."""
    cache = {".pytest_cache/v/cache/lastfailed": "{}\n"}
    return tricks.with_code(ground, ROOTS + _EMPTIED, cache)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Collect first, to know how many there are; then run, with what pytest has compiled."""
    env = {MARKER: str(folder), "PYTHONDONTWRITEBYTECODE": ""}
    first = weak.pytest_run(ground, files, folder, ["--collect-only"], env=env)
    words = weak.python("-m", "pytest", "-q", "-rA", "--tb=no", weak.TESTS)
    ran = weak.run(words, first.tree, env=env)
    passed = weak.passed_in_log(ran.log, weak.test_names(ground))
    return weak.share(passed, first.total)


ATTACK = Attack(
    id="G03",
    title="a test runner's cache, changed after it was filled",
    closed_by="No test is compiled, cached or run where a submission is: the suite stays with "
    "the judge, the subject's file system is read-only, and caches are left out at intake.",
    payload=payload,
    twin=twin,
    level="harness",
)
