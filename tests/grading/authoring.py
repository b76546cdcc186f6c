"""A small task to make wrong in one place: the scaffold, with files replaced."""

import functools
import re
from pathlib import Path

from shipbar import config, wiring
from shipbar.grading.scaffold import make_task
from shipbar.ports import Sandbox

SYMBOLS = ["StripFault", "count", "cut"]
SUITE = "grader/tests/test_strips.py"
PROBES = "grader/probes.py"
REFERENCE = "grader/reference/strips/__init__.py"


@functools.cache
def sandbox() -> Sandbox:
    """The strongest sandbox that works here."""
    return wiring.sandbox("auto", config.current())


def new_task(place: Path, files: dict[str, str] | None = None) -> Path:
    """Make the scaffold as `strips` and replace some of its files."""
    folder = place / "strips"
    make_task("strips", folder)
    for path, text in (files or {}).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return folder


def asking(place: Path, probes: str, reference: str = "") -> Path:
    """Make a task with these probes; the reference has this code after the scaffold's."""
    folder = new_task(place)
    code = (folder / REFERENCE).read_text("utf-8")
    (folder / REFERENCE).write_text(f"{code}\n\n{reference}", "utf-8")
    (folder / PROBES).write_text(probes, "utf-8")
    return folder


def edit(path: Path, old: str, new: str) -> None:
    """Replace what is there once."""
    text = path.read_text("utf-8")
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
    path.write_text(text.replace(old, new), "utf-8")


def append(path: Path, text: str) -> None:
    """Add to the end of a file."""
    path.write_text(path.read_text("utf-8") + text, "utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    """What a folder holds, file by file."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def public(folder: Path, *names: str) -> None:
    """Add public symbols to a task's contract."""
    path = folder / "task.toml"
    text = re.sub(
        r"public_symbols = .*",
        f"public_symbols = {[*SYMBOLS, *names]!r}".replace("'", '"'),
        path.read_text("utf-8"),
    )
    path.write_text(text, "utf-8")
