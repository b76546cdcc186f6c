"""A task on trial: where its gates run, and what they have measured already.

What one gate has graded the next one reads: the reference and the wrong packages of a
task are graded once, whichever gates ask.
"""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import attrs

from shipbar.grading.grader import Grader
from shipbar.grading.tasks import CACHES, LADDER, RECORD, Task
from shipbar.ports import Sandbox
from shipbar.verdict import Outcome, Verdict

Files = Mapping[str, bytes]
"""Contents by POSIX path."""

FLIP_BACK = "flip-back-"
"""Begins the name of a known-bad that has one rule back at what is remembered."""


@attrs.define(kw_only=True)
class Trial:
    """One task, and what its gates may use. Used, then closed."""

    task: Task
    """The task."""
    sandbox: Sandbox
    """Where packages run."""
    work: Path
    """Folder for the sandbox's own folders."""
    cache: Path
    """Where fetched upstreams lie."""
    backends: tuple[Sandbox, ...] = ()
    """Every backend that works here, the strongest first."""
    others: tuple[Task, ...] = ()
    """Tasks that this one must not resemble."""
    images: tuple[Path, ...] = ()
    """Solver images of the task, as files or folders."""
    _grader: Grader | None = None
    _verdicts: dict[str, Verdict] = attrs.field(factory=dict)

    def __enter__(self) -> Self:
        """Use it in a `with`."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """End what was started ahead. Safe to call again."""
        if self._grader is not None:
            self._grader.close()
            self._grader = None

    @property
    def grader(self) -> Grader:
        """The task's grader, with a sandbox started ahead."""
        if self._grader is None:
            self._grader = Grader(self.task, self.sandbox, self.work, ahead=1)
        return self._grader

    def verdict(self, package: str) -> Verdict:
        """Return how one of the task's own packages does, graded once.

        Args:
            package: its path in the task, such as `grader/reference`.
        """
        if package not in self._verdicts:
            graded = self.grader.grade(self.task.folder / package)
            self._verdicts[package] = graded
        return self._verdicts[package]

    def grade(self, files: Files) -> Verdict:
        """Grade a package that is given as its files."""
        with tempfile.TemporaryDirectory(prefix="shipbar-trial-", dir=self.work) as at:
            folder = Path(at, "package")
            for name, data in files.items():
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            return self.grader.grade(folder)

    def files(self, package: str) -> dict[str, bytes]:
        """Return the files of one of the task's own packages."""
        root = self.task.folder / package
        return {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in sorted(root.rglob("*"))
            if path.is_file() and not CACHES & set(path.parts)
        }

    @property
    def reference(self) -> str:
        """The path of its reference."""
        return self.task.contract.reference_install

    @property
    def known_bad(self) -> tuple[str, ...]:
        """The paths of its known-bads; the first is what memory writes."""
        return self.task.contract.known_bad_install

    @property
    def flip_backs(self) -> dict[str, str]:
        """The paths of the known-bads with one rule flipped back, by rule."""
        return {
            path.rpartition(FLIP_BACK)[2]: path
            for path in self.known_bad
            if path.rpartition("/")[2].startswith(FLIP_BACK)
        }

    @property
    def ladder(self) -> tuple[str, ...]:
        """The paths of its partial implementations, from the poorest."""
        root = self.task.folder / LADDER
        names = sorted(path.name for path in root.iterdir()) if root.is_dir() else []
        return tuple(f"{LADDER}/{name}" for name in names)

    @property
    def record(self) -> Mapping[str, Any]:
        """What the task was built from, if it was built from a family; else empty."""
        path = self.task.folder / RECORD
        if not path.is_file():
            return {}
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return found


def failed(verdict: Verdict) -> frozenset[str]:
    """Return the ids of the cases that did not pass."""
    return frozenset(
        case.id for case in verdict.cases if case.outcome is not Outcome.PASSED
    )
