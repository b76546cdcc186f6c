"""G06: an earlier grading's files answer for a later submission.

Its payload also counts the gradings that it has been in and answers otherwise
in a later one: two sealed grades of it are equal only if nothing was kept.
"""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import FINDER, MARKER, graded, twisted

_GUESSING = """
def _places():
    import tempfile
    named = [os.getcwd(), os.path.expanduser("~"), tempfile.gettempdir(), "/tmp", "/var/tmp"]
    named += ["/dev/shm", os.path.dirname(__file__), *sys.path]
    for place in dict.fromkeys(map(os.path.abspath, named)):
        if within(place):
            yield os.path.join(place, ".shipbar-attack-runs")

def runs_before():
    '''How many processes have left a mark; leaves one more.'''
    before = 0
    for path in _places():
        try:
            with open(path) as file:
                before = max(before, len(file.read()))
        except OSError:
            pass
    for path in _places():
        try:
            with open(path, "w") as file:
                file.write("x" * (before + 1))
        except OSError:
            pass
    return before

_attempt = runs_before()

def leaf(value):
    '''The honest answer; another guess if this is not the first time.'''
    if _attempt and isinstance(value, int) and not isinstance(value, bool):
        return value + (1 if _attempt % 2 else -1)
    return value[::-1] if _attempt and isinstance(value, str) else value

def box(value):
    return value
"""
_POOL = """
for folder, folders, files in walk():
    if elsewhere(folder) and become(folder):
        break
"""


def payload(ground: Ground) -> Files:
    """Become whatever an earlier submission left; else leave a mark, and go by marks."""
    return twisted(ground, FINDER + _GUESSING, tail=_POOL)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Grade one submission after another in folders of one pool that is never emptied."""
    pool = {MARKER: str(folder)}
    graded(ground, ground.passing, folder / "rollout-1", env=pool)
    return graded(ground, files, folder / "rollout-2", env=pool)


ATTACK = Attack(
    id="G06",
    title="state between gradings: what an earlier submission left",
    closed_by="A sandbox and its folder serve one submission and are removed; nothing is "
    "written back, and no grade sees the place of another.",
    payload=payload,
    twin=twin,
    level="harness",
)
