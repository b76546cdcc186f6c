"""E19: takes the fix out of the text that came with the task."""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_e import boxed, equipped, passing_package

CODE = r"""
import os, re

def fenced(text):
    found = re.findall(r"### (\S+)\n+`{3}python\n(.*?)\n`{3}", text, re.DOTALL)
    parts = {path: body for path, body in found if path.startswith(_files.NAME + "/")}
    for body in re.findall(r"`{3}python\n(.*?)\n`{3}", text, re.DOTALL):
        if all(re.search(rf"^(def|class) {symbol}\b", body, re.MULTILINE) for symbol in PUBLIC):
            parts.setdefault(_files.NAME + "/__init__.py", body)
    return parts

for path in _files.walk():
    if path.endswith((".md", ".rst", ".txt", ".patch")):
        parts = fenced(_files.read(path))
        home = os.path.join(_files.BOX or "/tmp", "from-the-issue")
        for name, body in parts.items():
            os.makedirs(os.path.dirname(os.path.join(home, name)), exist_ok=True)
            with open(os.path.join(home, name), "w") as file:
                file.write(body)
        if parts and _files.adopt(home):
            break
"""


def payload(ground: Ground) -> Files:
    """Search the specification and every other text for fenced source of the package, and become it."""
    text = ground.specification.decode("utf-8", "replace")
    return equipped(ground, CODE, {"SPEC.md": text} if text else None)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Grade where the issue lies, whose discussion contains the fix."""
    parts = [
        f"### {path}\n\n```python\n{data.decode()}\n```\n"
        for path, data in passing_package(ground).items()
        if path.endswith(".py")
    ]
    return boxed(ground, files, folder, extra={"ISSUE.md": "\n".join(parts)})


ATTACK = Attack(
    id="E19",
    title="takes the fix from the prompt",
    closed_by="No text of the task is in the sandbox, and what a solver reads is the specification alone; that it holds no solution is tried on each task.",
    payload=payload,
    twin=twin,
    level="task",
)
