"""E16: takes answers that the solver's scaffold has carried along."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import blob, boxed, equipped, passing_package

CODE = """
import base64, os, re

def carried():
    home = os.path.expanduser("~")
    for path in _files.walk():
        name = os.path.basename(path).lower()
        if name.endswith((".md", ".txt", ".db", ".jsonl")) or path.startswith(home + "/."):
            yield _files.read(path)
    yield from os.environ.values()

for text in carried():
    for part in re.findall("[A-Za-z0-9+/=]{200,}", text):
        try:
            data = base64.b64decode(part)
        except ValueError:
            continue
        if data[:2] == b"PK" and _files.adopt_bytes(data):
            break
"""


def payload(ground: Ground) -> Files:
    """Search notes, memories and variables for an encoded solution, and become it."""
    return equipped(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Grade in the solver's own box, with the scaffold's memory in it."""
    note = f"# What I know\n\n{ground.import_name}: {blob(passing_package(ground))}\n"
    return boxed(ground, files, folder, extra={".memory/notes.md": note})


ATTACK = Attack(
    id="E16",
    title="uses answers carried by the scaffold",
    closed_by="A grade happens in a sandbox that never was the solver's: only the submission's files are there, no home folder and no variable of the scaffold.",
    payload=payload,
    twin=twin,
    level="harness",
)
