"""A task of four cases, submissions for it, and the command line in this process."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest

from shipbar import cli
from tests.repository import ROOT

REFERENCE = """\
class TallyError(ValueError):
    pass


def add(a, b):
    if not isinstance(a, int) or not isinstance(b, int):
        raise TallyError("numbers only")
    return a + b


def names():
    return ["tally"]
"""
HOLLOW = REFERENCE.replace("return a + b", "return None")

_CONTRACT = """\
task_id = "tally"
task_class = "invented"
language = "python"
split = "train"
import_name = "tally"
public_symbols = ["TallyError", "add", "names"]
reference_install = "grader/reference"
known_bad_install = ["grader/known_bad/hollow"]
recall_ceiling = 0.6
canary = "shipbar-canary-5b8f3c1e-0f6c-4d29-9a43-7c1f0f2e9d11"

[grader]
min_passed = 4
pytest_paths = ["grader/tests"]

[grader.limits]
wall_s = 20
case_wall_s = 2
cpu_s = 10
memory_mib = 256
processes = 1
output_kib = 256

[copy_guard]
reference = 0.3
upstream = 0.3
hard_fail = false

[licence]
solver = "CC-BY-4.0"
grader = "LicenseRef-Tally"
"""

_SUITE = """\
import pytest

from tally import TallyError, add, names

ERRORS = {"TallyError": ("ValueError",)}


def test_adding_001():
    assert add(1, 2) == 3


def test_adding_002():
    assert add(-1, 1) == 0


def test_faults_001():
    with pytest.raises(TallyError):
        add("1", 2)


def test_names_001():
    assert names() == ["tally"]
"""


def write(folder: Path, files: dict[str, str]) -> Path:
    """Write ``files`` below ``folder``; return it."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def task(folder: Path, *, contract: str = _CONTRACT, suite: str = _SUITE) -> Path:
    """Make the task in ``folder``; return it."""
    return write(
        folder,
        {
            "task.toml": contract,
            "TASK.md": "Tally.\n",
            "solver/SPEC.md": "Add numbers.\n",
            "grader/tests/test_tally.py": suite,
            "grader/reference/tally/__init__.py": REFERENCE,
            "grader/known_bad/hollow/tally/__init__.py": HOLLOW,
        },
    )


def contract(*changes: tuple[str, str]) -> str:
    """Return the contract with passages replaced; each must be there."""
    text = _CONTRACT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def submission(folder: Path, source: str = REFERENCE) -> Path:
    """Make a submission in ``folder``; return it."""
    return write(folder, {"tally/__init__.py": source})


@contextmanager
def work_folder() -> Iterator[Path]:
    """A folder to work in that sandboxes may enter whoever runs the tests, and that must end empty."""
    folder = Path(tempfile.mkdtemp(prefix="shipbar-tests-"))
    folder.chmod(0o755)
    try:
        yield folder
        assert list(folder.iterdir()) == []
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def tidy(work: Path) -> None:
    """Remove what a killed process left: it could not do so itself."""
    for left in work.iterdir():
        shutil.rmtree(left)


@attrs.frozen
class Said:
    """What came out of one command."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


Command = Callable[..., Said]
"""Runs `shipbar` with words; see `command`."""


def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs the command line in this process."""

    def run(*words: str | Path) -> Said:
        capsys.readouterr()
        try:
            code = cli.run([str(word) for word in words])
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else -1
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return run


def start(*words: str | Path, **environment: str) -> "subprocess.Popen[str]":
    """Start `shipbar` as a program."""
    return subprocess.Popen(
        [sys.executable, "-m", "shipbar", *map(str, words)],
        env={**os.environ, **environment},
        cwd=ROOT,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def program(*words: str | Path, **environment: str) -> Said:
    """Run `shipbar` as a program."""
    running = start(*words, **environment)
    out, err = running.communicate(timeout=30)
    return Said(running.returncode, out, err)


def wait_until(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until something holds; fail if it does not in time."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def snapshot(folder: Path) -> dict[str, bytes | None]:
    """Everything below ``folder``: contents of files, None for folders."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if "__pycache__" not in path.parts
    }
