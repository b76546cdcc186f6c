"""The check that every grade makes: a submission against the sources of its task.

What a task's candidates are compared with is read once and kept in the cache, under a
name made of all that decides it: the task's content, the metric, the grammars, and
which pinned upstream lies there. So an index is never stale, and one that is damaged is
made anew.

A check reads and runs nothing. It is bounded whatever is handed in, and what it finds
hangs on the submission and the index alone.
"""

import contextlib
import os
import tempfile
from pathlib import Path

from shipbar.contract import Contract
from shipbar.errors import IntakeError, UserError
from shipbar.grading.tasks import Task
from shipbar.ports import Guard, Written
from shipbar.similarity.compare import Basis, compare
from shipbar.similarity.evidence import Places
from shipbar.similarity.fingerprints import METRIC, Fingerprint, fingerprint
from shipbar.similarity.index import (
    FORMAT,
    Index,
    digest_of,
    parse_index,
    render_index,
)
from shipbar.similarity.languages import LANGUAGES, grammar_versions
from shipbar.similarity.reading import package_of
from shipbar.similarity.tasks import guarded, thresholds_of
from shipbar.verdict import Copying, Level, Likeness, canonical, sha256

FOLDER = "copy-guard"
"""In the cache; nobody else may read it, since it shows how references are built."""
MOST_REMARKS = 100
_LANGUAGE = LANGUAGES[0]
"""What solvers write. Files in others are compared as text: no source is in another."""


class TaskGuard(Guard):
    """Compares with what an index holds, by a task's thresholds."""

    def __init__(self, data: bytes, where: str, contract: Contract) -> None:
        """Take an index and the contract of its task.

        Raises:
            UserError: it is no index, or one of another metric or other grammars.
        """
        self._index, self._contract = parse_index(data, where), contract
        self._thresholds = thresholds_of(contract)
        self._places: dict[tuple[str, bool], Places] = {}
        self.name = digest_of(data)

    def _check(self, written: Written) -> Copying:
        known = set(written.files.values())
        built = {
            f"(built) {path}": data
            for path, data in written.built.items()
            if data not in known and ".dist-info/" not in path
        }
        package = package_of({**written.files, **built}, only=_LANGUAGE)
        own = fingerprint(package)
        remarks = [*(f"{it}: made by its build" for it in sorted(built)), *own.remarks]
        if len(remarks) > MOST_REMARKS:
            more = len(remarks) - MOST_REMARKS
            remarks = [*remarks[:MOST_REMARKS], f"and of {more} files more"]
        return Copying(
            metric=METRIC,
            hard_fail=self._contract.copy_guard.hard_fail,
            sources=(
                *(self._likeness(own, it) for it in self._index.sources),
                *(
                    Likeness(
                        source=it, level=Level.NOT_COMPARED, reasons=("not fetched",)
                    )
                    for it in self._index.missing
                ),
            ),
            held_out=self._index.held_out.get(written.digest, ""),
            remarks=tuple(remarks),
        )

    def _likeness(self, own: Fingerprint, source: Fingerprint) -> Likeness:
        base = self._index.base
        found = compare(own, source, base, self._thresholds[source.name])
        return Likeness(
            source=source.name,
            level=found.level,
            reasons=found.reasons,
            score=found.score,
            of_source=found.of_source,
            of_candidate=found.of_candidate,
            basis=str(found.basis),
            shared=found.shared,
            note=round(found.thresholds.note, 4),
            review=round(found.thresholds.review, 4),
            copy=round(found.thresholds.copy, 4),
            longest=self._laid(source, by_tokens=found.basis is Basis.TOKENS).longest(
                own, base
            ),
        )

    def _laid(self, source: Fingerprint, *, by_tokens: bool) -> Places:
        which = source.name, by_tokens
        if which not in self._places:
            self._places[which] = Places(source, by_tokens=by_tokens)
        return self._places[which]


def guard_of(task: Task, cache: Path) -> TaskGuard:
    """Return the guard of ``task``; its index is read from ``cache``, or made and kept.

    Raises:
        UserError: a part of the task cannot be read.
        SeamError: the cached upstream is another file than the pinned one.
    """
    path = cache / FOLDER / f"{key_of(task, cache)}.json"
    with contextlib.suppress(OSError, UserError):
        return TaskGuard(path.read_bytes(), str(path), task.contract)
    try:
        seen = guarded(task.folder, cache)
    except IntakeError as cause:
        # Of the task's own package: no candidate may be refused for it.
        raise UserError(f"{task.folder}: copy guard: {cause}") from cause
    index = Index(
        sources=tuple(it.print for it in seen.sources),
        base=seen.base,
        missing=seen.missing,
        held_out=seen.held_out,
    )
    data = render_index(index)
    # A cache that cannot be written costs an index a process, and nothing else.
    with contextlib.suppress(OSError):
        keep(path, data)
    return TaskGuard(data, str(path), task.contract)


def key_of(task: Task, cache: Path) -> str:
    """Return the name of a task's index: equal where all that decides it is equal."""
    pin = task.contract.upstream_sdist
    fetched = pin is not None and (cache / "upstream" / pin.file).is_file()
    decides = {
        "task": task.digest,
        "format": FORMAT,
        "metric": METRIC,
        "grammars": grammar_versions(),
        "upstream": pin.sha256 if pin is not None and fetched else "",
    }
    return sha256(canonical(decides)).partition(":")[2][:32]


def keep(path: Path, data: bytes) -> None:
    """Put ``data`` in the cache, whole or not at all, readable by its owner alone; raise OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
