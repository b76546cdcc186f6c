"""The checkout, as the tests that are about it see it."""

import os
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "shipbar"

_MADE = frozenset({".git", ".venv", ".hypothesis", "build", "dist", "__pycache__"})


def committed_files() -> Iterator[Path]:
    """Yield every file of the checkout but what git and the tools make."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [
            name
            for name in folders
            if name not in _MADE and not name.endswith(("_cache", ".egg-info"))
        ]
        yield from (
            Path(folder, name) for name in files if not name.startswith(".coverage")
        )


def our_python() -> Iterator[Path]:
    """Yield every Python file that is code of ours, and not a task's data."""
    data = (ROOT / "examples", ROOT / "tests" / "cases")
    for path in committed_files():
        if path.suffix == ".py" and not any(map(path.is_relative_to, data)):
            yield path
