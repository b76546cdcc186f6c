"""The file of a batch's results, from which a batch that was stopped goes on.

- One JSON object a line; each is written whole, and flushed, before the next is begun.
- A line stands for one submission of one task, by its path. It is kept as long as
  neither the submission's nor the task's content has changed, nor what the copy guard
  compares with, and it tells of quirks if they are asked for; else the submission is
  graded again, and the new line takes the place of the old.
- What was refused or not graded is tried again.
- A last line that was half written is dropped. Any other line that is no result means
  that the file is something else, and it is left alone.
- Two batches never write to one file at the same time.
"""

import contextlib
import fcntl
import json
import os
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import attrs

from shipbar.errors import IntakeError, UserError
from shipbar.grading.install import Install
from shipbar.grading.intake import take_in
from shipbar.grading.quirks import VERSION as QUIRKS
from shipbar.grading.tasks import Task

Line = dict[str, Any]


@attrs.frozen(kw_only=True)
class Terms:
    """By what a line that is kept must have been made, beside task and submission."""

    install: Install
    """The way that is asked for."""
    copy_index: str
    """What the copy guard compares with; empty if it is off."""
    quirks: bool = False
    """Whether submissions are asked for their quirks. A line may tell more than was asked for."""


class Results:
    """An open file of results."""

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is opened yet."""
        self._path = path
        self._file: BinaryIO | None = None
        self._lines: list[Line] = []

    def __enter__(self) -> Self:
        """Open it for this batch alone, and read what it holds.

        Raises:
            UserError: it cannot be written, is in use, or holds something else.
        """
        try:
            if self._path.exists() and not self._path.is_file():
                raise UserError(
                    f"--output {self._path}: expected a file; name another one"
                )
            self._file = self._opened()
        except OSError as cause:
            raise UserError(
                f"--output {self._path}: cannot be written: {cause.strerror}"
            ) from cause
        try:
            self._lines = self._read(self._file.read())
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it; one that holds nothing is removed."""
        if self._file is not None:
            if os.fstat(self._file.fileno()).st_size == 0:
                self._path.unlink(missing_ok=True)
            self._file.close()

    def current(
        self, task: Task, paths: Sequence[str], terms: Terms
    ) -> dict[str, Line]:
        """Return the results that need not be made again, by path."""
        held = {
            line["candidate"]: line
            for line in self._lines
            if line["status"] == "graded"
            and line["task_digest"] == task.digest
            and terms.install in {Install.AUTO, line["install"]}
            and terms.copy_index == line.get("run", {}).get("copy_index", "")
            and (not terms.quirks or _tells_quirks(line))
        }
        return {
            path: held[path] for path in paths if path in held and _same(held[path])
        }

    def prepare(self, task: Task, todo: Collection[str]) -> None:
        """Drop what the results to come of ``todo`` replace, and what was half written."""
        latest = {
            (line["task_id"], line["candidate"]): number
            for number, line in enumerate(self._lines)
        }
        replaced = {(task.contract.task_id, path) for path in todo}
        kept = [
            self._lines[number] for key, number in latest.items() if key not in replaced
        ]
        self._rewrite(b"".join(_text(line) for line in kept))
        self._lines = kept

    def add(self, line: Line) -> None:
        """Write one result, so that it is there whatever happens next."""
        if self._file is not None:
            self._file.write(_text(line))
            self._file.flush()

    def _opened(self) -> BinaryIO:
        file = self._path.open("a+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise UserError(
                f"--output {self._path}: another batch is writing to it; wait for it, or name another file"
            ) from None
        file.seek(0)
        return file

    def _read(self, data: bytes) -> list[Line]:
        whole, _, rest = data.rpartition(b"\n")
        lines = [
            self._parsed(text, number)
            for number, text in enumerate(whole.split(b"\n"), start=1)
            if text.strip()
        ]
        if rest:
            with contextlib.suppress(UserError):
                return [*lines, self._parsed(rest, len(lines) + 1)]
            if not rest.startswith(b"{"):
                raise self._foreign(len(lines) + 1)
        return lines

    def _parsed(self, text: bytes, number: int) -> Line:
        try:
            line = json.loads(text)
            names = ("candidate", "status", "task_id", "task_digest")
            if all(isinstance(line[name], str) for name in names):
                return dict(line)
        except (ValueError, TypeError, KeyError):
            pass
        raise self._foreign(number)

    def _foreign(self, number: int) -> UserError:
        return UserError(
            f"--output {self._path}:{number}: expected a result of shipbar grade --many, got something else; "
            "the file is left as it is, name another one"
        )

    def _rewrite(self, data: bytes) -> None:
        """Put ``data`` in the file's place, whole or not at all."""
        if self._file is None:
            return
        self._file.seek(0)
        if self._file.read() == data:
            return
        with tempfile.NamedTemporaryFile(
            dir=self._path.parent, prefix=f".{self._path.name}-", delete=False
        ) as fresh:
            fresh.write(data)
        # The old file stays locked until the new one is, so that nobody comes between.
        Path(fresh.name).chmod(self._path.stat().st_mode & 0o777)
        Path(fresh.name).replace(self._path)
        old, self._file = self._file, self._opened()
        self._file.seek(0, os.SEEK_END)
        old.close()


def _tells_quirks(line: Line) -> bool:
    found = line.get("run", {}).get("quirks")
    return isinstance(found, dict) and found.get("version") == QUIRKS


def _same(line: Line) -> bool:
    """Whether the submission is what it was when it was graded."""
    try:
        return take_in(line["candidate"]).digest == line.get("submission_digest")
    except IntakeError:
        return False


def _text(line: Line) -> bytes:
    return json.dumps(line, sort_keys=True).encode() + b"\n"
