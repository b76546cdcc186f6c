"""Tasks put together again from the bundles, each with what was claimed for it.

    WORK/TASK/task/       the task, as it was proven: its digest says so
    WORK/TASK/task.reviews/
    WORK/TASK/receipts/   the maker's receipts, as they lie in the bundle
    WORK/TASK/LINE.json   its line of the index, open

A task that something touches is not put together: it is rejected as it lies there. What
is sealed is opened first and held to the commitment of the index, so that it is the
grader that the maker proved and no other. Its reference as a patch is held to the
reference itself. No file is read before its size is known to
be small, and no path leaves the folder.
"""

import contextlib
import errno
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

from shipbar.acceptance import opening
from shipbar.acceptance.opening import Damages, Opened
from shipbar.bundles import paths, sealing
from shipbar.bundles.index import OPEN, SEALED, GraderLine, SolverLine
from shipbar.bundles.manifest import File
from shipbar.bundles.patch import reference_patch
from shipbar.bundles.reading import Bundle, assemble
from shipbar.bundles.sealing import Identity
from shipbar.contract import contract_as_json
from shipbar.errors import AttestationError, SeamError, UserError
from shipbar.grading.tasks import SPECIFICATION, read_contract
from shipbar.verdict import canonical, sha256

EVALUATION = "eval"
"""The split whose graders may be kept back."""
MOST_BYTES = 256 * 2**20
"""What the files of one task may come to."""
_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO)
TASK, RECEIPTS = "task", "receipts"


@attrs.frozen(kw_only=True)
class Case:
    """One task of a delivery, before its gates are asked."""

    task_id: str
    """Its id."""
    split: str = ""
    """`train` or `eval`; empty if that cannot be told."""
    state: str = ""
    """How its grader was delivered."""
    digest: str = ""
    """``sha256:…`` of it as delivered; empty if that cannot be told."""
    reasons: tuple[str, ...] = ()
    """Why it is rejected as it lies there."""
    closed: str = ""
    """Why it cannot be measured; empty if it can."""
    by_design: bool = False
    """Whether that is how the evaluation split is delivered."""

    @property
    def measurable(self) -> bool:
        """Whether its gates can be asked."""
        return not self.reasons and not self.closed


@attrs.frozen
class _Unmeasurable(Exception):  # noqa: N818  # ends the laying of one task, and is no error
    """It cannot be measured."""

    why: str
    by_design: bool = False


class Layer:
    """Lays out the tasks of a delivery, one after another."""

    def __init__(
        self, opened: Opened, damages: Damages, identity: Identity | None, work: Path
    ) -> None:
        """Lay them out below ``work``, with what opens sealed graders if there is one."""
        self._opened, self._damages = opened, damages
        self._identity, self._work = identity, work
        self._files = {
            bundle.manifest.kind: _by_task(bundle) for bundle in opened.bundles
        }
        self._solver = opening.solver_lines(opened)

    def cases(self) -> Iterator[Case]:
        """Yield every task once, in no order that matters."""
        left = set(self._opened.ids)
        for line in opening.grader_lines(self._opened):
            left.discard(line.task_id)
            yield self._case(line)
        for task_id in sorted(left):
            yield self._lineless(task_id)

    def _lineless(self, task_id: str) -> Case:
        """A task without a line of the grader bundle that is as signed."""
        reasons = self._touching(task_id)
        solver = self._solver.get(task_id)
        split = solver.split if solver else ""
        if self._opened.grader is None and not reasons:
            why = "there is no grader bundle: nothing of it can be measured, ask for that too"
            return Case(task_id=task_id, split=split, closed=why)
        if not reasons:
            reasons = ("is in the solver bundle, and not in the grader bundle",)
        # Files of an open task are there under its name, whatever its line says.
        digest = self._delivered(task_id)
        return Case(task_id=task_id, split=split, digest=digest, reasons=reasons)

    def _case(self, line: GraderLine) -> Case:
        case = Case(
            task_id=line.task_id,
            split=line.split,
            state=line.state,
            digest=self._delivered(line.task_id) if line.state == OPEN else "",
            reasons=self._touching(line.task_id),
        )
        if case.reasons:
            return case
        try:
            inner = self._laid(line)
        except _Unmeasurable as why:
            return attrs.evolve(case, closed=why.why, by_design=why.by_design)
        except UserError as why:
            return attrs.evolve(case, reasons=(str(why),))
        return attrs.evolve(case, digest=inner.digest or "")

    def _touching(self, task_id: str) -> tuple[str, ...]:
        return (*self._damages.of.get(task_id, ()), *self._damages.everywhere)

    def _laid(self, line: GraderLine) -> GraderLine:
        """Put a task together; return its open line.

        Raises:
            _Unmeasurable: its grader is not there, or cannot be opened.
            AttestationError: what is there is not what is claimed.
            UserError: it is no task.
            SeamError: it cannot be written.
        """
        if self._opened.solver is None:
            raise _Unmeasurable(
                "there is no solver bundle, which holds its specification: ask for that too"
            )
        solver = self._solver.get(line.task_id)
        if solver is None:
            raise AttestationError(
                "is in the grader bundle, and not in the solver bundle"
            )
        _same_task(line, solver)
        specification = self._specification(solver)
        inner, files = self._grader(line)
        if sealing.commitment(str(inner.digest), str(inner.nonce)) != inner.commitment:
            raise AttestationError(
                f"the index commits to {inner.commitment}, which is no commitment to {inner.digest}"
            )
        home = self._work / line.task_id
        with _disk():
            assemble(
                line.task_id,
                specification,
                files,
                home / TASK,
                digest=str(inner.digest),
            )
        _held_to_contract(inner, solver, home / TASK)
        _held_to_reference(line.task_id, files, home / TASK)
        _write_receipts(line.task_id, files, home)
        (home / sealing.LINE).write_bytes(inner.render())
        return inner

    def _specification(self, solver: SolverLine) -> bytes:
        its = self._read(paths.SOLVER, solver.task_id)
        data = its.get(solver.path)
        if data is None or sha256(data) != solver.digest:
            raise AttestationError(
                f"{solver.path}: the index of the solver bundle says {solver.digest}, found {sha256(data) if data is not None else 'nothing'}"
            )
        return data

    def _grader(self, line: GraderLine) -> tuple[GraderLine, Mapping[str, bytes]]:
        """Return the open line of a task, and its files by path in the bundle."""
        if line.state == OPEN:
            return line, self._read(paths.GRADER, line.task_id)
        by_design = line.split == EVALUATION
        if line.state != SEALED:
            raise _Unmeasurable(
                "its grader was withheld: nothing of it was measured, and what the index says of its gates is the maker's word",
                by_design,
            )
        if self._identity is None:
            raise _Unmeasurable(
                "its grader is sealed: give the identity that it was encrypted to with --identity",
                by_design,
            )
        path = paths.sealed(line.task_id)
        data = self._read(paths.GRADER, line.task_id).get(path)
        if line.sealed != path or data is None:
            raise AttestationError(
                f"its sealed grader is to lie at {path}, the index says {line.sealed}"
            )
        try:
            files = sealing.opened(data, self._identity, path)
        except AttestationError:
            raise
        except UserError as why:
            raise _Unmeasurable(str(why)) from why
        inner = GraderLine.parse(files[sealing.LINE].rstrip(b"\n"), f"{path}: its line")
        if inner.closed(SEALED, path) != line:
            raise AttestationError(
                f"{path}: says something else of {line.task_id} inside than the index does outside"
            )
        return inner, files

    def _read(self, kind: str, task_id: str) -> dict[str, bytes]:
        """Return the files of one task in a bundle; every one was held to its digest before."""
        bundle = self._opened.solver if kind == paths.SOLVER else self._opened.grader
        if bundle is None:
            return {}
        said = self._files[kind].get(task_id, {})
        size = sum(it.size for it in said.values())
        if size > MOST_BYTES:
            raise AttestationError(
                f"its files in {bundle.root.name} come to {size} bytes; a task has at most {MOST_BYTES}"
            )
        found = {}
        for path, it in said.items():
            data = (bundle.root / path).read_bytes()
            if File.of(data) != it:
                raise AttestationError(
                    f"{bundle.root.name}/{path}: was changed while it was looked at; begin again, and change nothing meanwhile"
                )
            found[path] = data
        return found

    def _delivered(self, task_id: str) -> str:
        """Return the digest of an open task from the manifests alone, damaged or not."""
        own = self._files.get(paths.GRADER, {}).get(task_id, {})
        shown = self._files.get(paths.SOLVER, {}).get(task_id, {})
        tree = f"{paths.TASKS}/{task_id}/"
        listing = {
            inner: it.digest
            for path, it in own.items()
            if path.startswith(tree)
            and (inner := paths.in_task(path.removeprefix(tree))) is not None
        }
        specification = shown.get(paths.specification(task_id))
        if not listing or specification is None:
            return ""
        listing[SPECIFICATION] = specification.digest
        return sha256(canonical(listing))


@contextlib.contextmanager
def _disk() -> Iterator[None]:
    """Tell a disk that fails from a task that cannot be put together."""
    try:
        yield
    except UserError as why:
        cause = why.__cause__
        if isinstance(cause, OSError) and cause.errno in _DISK:
            raise SeamError(
                f"{why}; what was measured is kept: make room, and run the same command again"
            ) from why
        raise


def _by_task(bundle: Bundle) -> dict[str, dict[str, File]]:
    """Return what the manifest says of the files of each task."""
    found: dict[str, dict[str, File]] = {}
    for path, said in bundle.manifest.files.items():
        if task_id := paths.task_of(path):
            found.setdefault(task_id, {})[path] = said
    return found


def _same_task(line: GraderLine, solver: SolverLine) -> None:
    for name in ("task_class", "language", "split"):
        one, two = getattr(solver, name), getattr(line, name)
        if one != two:
            raise AttestationError(
                f"{name}: the solver bundle says {one}, the grader bundle {two}"
            )


def _held_to_contract(line: GraderLine, solver: SolverLine, folder: Path) -> None:
    """Hold what both indexes say of a task to its contract."""
    contract = read_contract(folder)
    told = {
        "task_id": (line.task_id, contract.task_id),
        "task_class": (line.task_class, contract.task_class),
        "language": (line.language, contract.language),
        "split": (line.split, contract.split),
        "licence of the grader": (line.licence, contract.licence.grader),
        "licence of the specification": (solver.licence, contract.licence.solver),
        "limits": (dict(solver.limits), attrs.asdict(contract.grader.limits)),
        "contract": (line.contract, contract_as_json(contract)),
    }
    for what, (said, found) in told.items():
        if said != found:
            raise AttestationError(
                f"{what}: the index says {said!s:.200}, the task's own contract {found!s:.200}"
            )


def _held_to_reference(task_id: str, files: Mapping[str, bytes], folder: Path) -> None:
    """Hold the patch to the reference that is proven: nothing else is known of a patch.

    What stands above its first file is a note, which no `git apply` reads.
    """
    root = folder / read_contract(folder).reference_install
    its = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }
    path = paths.patch(task_id)
    expected = reference_patch(its, note="", where=str(root))
    if files.get(path, b"").partition(b"\n")[2] != expected.partition(b"\n")[2]:
        raise AttestationError(
            f"{path}: is not the reference as a patch; applied, it would not make what was proven"
        )


def _write_receipts(task_id: str, files: Mapping[str, bytes], home: Path) -> None:
    prefix = f"{paths.RECEIPTS}/{task_id}/"
    (home / RECEIPTS).mkdir()
    for path, data in files.items():
        name = path.removeprefix(prefix)
        if path.startswith(prefix) and "/" not in name:
            (home / RECEIPTS / name).write_bytes(data)
