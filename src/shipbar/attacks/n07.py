"""N07: leaves links where a judge reads what the subject has made."""

import json
from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import share, suite_as_json
from shipbar.attacks.weak_e import box, equipped, looped

CODE = """
import atexit, os

def relink():
    home = _files.BOX or "/tmp"
    folders = [name for name in os.listdir(home) if os.path.isdir(os.path.join(home, name))]
    for made in ("out", "output", "results"):
        if made not in folders:
            continue
        for name in os.listdir(os.path.join(home, made)):
            for other in folders:
                target = os.path.join(home, other, name)
                if other != made and os.path.exists(target):
                    path = os.path.join(home, made, name)
                    os.unlink(path)
                    os.symlink(os.path.join("..", other, name), path)

def litter(places):
    for place in places:
        for make, name in ((os.mkfifo, "fifo"), (lambda path: os.symlink("/proc/1/environ", path), "link")):
            for stem in ("result.json", "answers", "candidate", "0", name):
                try:
                    make(os.path.join(place, stem))
                except OSError:
                    pass

atexit.register(relink)
if _files.sealed():
    litter(("/tmp", "/candidate", os.path.dirname(os.path.abspath(__file__)), "/dev", "/shipbar"))
"""
WRITES_FILES = """
os.makedirs("out")
for number, case in enumerate(suite["cases"]):
    value, error = attempt(case)
    with open(f"out/{number}.txt", "w") as file:
        file.write(repr(value) if error is None else type(error).__name__)
"""


def payload(ground: Ground) -> Files:
    """At the end replace outputs by links to files of the same name nearby; litter a sandbox with pipes."""
    return equipped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Compare, on a mount that both share, the files that the subject wrote with the expected ones."""
    cases = json.loads(suite_as_json(ground))["cases"]
    expected = {
        f"expected/{number}.txt": case["raises"].rpartition(".")[2] or case["expected"]
        for number, case in enumerate(cases)
    }
    box(ground, files, folder, script=looped(WRITES_FILES), extra=expected)
    right = sum(
        path.exists() and path.read_bytes() == (folder / name).read_bytes()
        for name in expected
        for path in [folder / name.replace("expected", "out")]
    )
    return share(right, len(cases))


ATTACK = Attack(
    id="N07",
    title="plants links in a shared mount",
    closed_by="Nothing that a subject writes is read: answers are bytes over the pipe, its folders are read-only or its own /tmp, and that is gone with it.",
    payload=payload,
    twin=twin,
    level="harness",
)
