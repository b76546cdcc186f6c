"""I02: a program of the system does the work."""

from pathlib import Path

from shipbar.attacks import tricks
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import CLIENT, ROOTS, graded, oracle
from shipbar.attacks.weak_face import face

_SHELL = """
import shutil, subprocess

USUAL = ("sh", "bash", "busybox", "perl", "awk", "jq", "sqlite3", "openssl", "sort", "cc", "git")

def _programs():
    '''What the path has under our name, then any program at all.'''
    for place in os.environ.get("PATH", "").split(":"):
        if within(place):
            for folder, _, files in os.walk(place):
                for name in sorted(files):
                    if package.__name__ in name:
                        yield [os.path.join(folder, name)]
    if sealed():
        yield from ([shutil.which(name) or "/bin/" + name, "-c", "cat"] for name in USUAL)
        for folder, _, files in walk():
            for name in files:
                path = os.path.join(folder, name)
                if os.access(path, os.X_OK) and ".so" not in name:
                    yield [path]

def _start():
    for command in _programs():
        try:
            child = subprocess.Popen(command, stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, text=True)
        except OSError:
            continue
        asking((child.stdout, child.stdin))
        return

_start()
"""


def payload(ground: Ground) -> Files:
    """Have a program of the package's name, or any other, answer for every function."""
    return tricks.with_code(ground, ROOTS + CLIENT + _SHELL, face(ground))


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Grade on a system that has a tool with the same function on its path."""
    path = oracle(ground, folder).parent
    return graded(ground, files, folder, env={"PATH": f"{path}:/usr/bin:/bin"})


ATTACK = Attack(
    id="I02",
    title="a program of the system does the work",
    closed_by="The only program in a subject's file system is the interpreter, and the system "
    "call filter lets a subject start no process.",
    payload=payload,
    twin=twin,
    level="harness",
)
