"""The bundles of a delivery: who signed them, and whether everything is as it was signed.

- A bundle counts if its manifest is just what a key signed that the buyer named. If it
  is not, nothing of the delivery counts, and every task is rejected for that reason.
- Both bundles must be of one delivery: the grader's manifest names the solver's.
- A damaged file touches the task that it is of; a licence those that are under it; a
  blob those whose image needs it. What is of no task (`REUSE.toml`, a file that nobody
  signed) touches all. Keys in the bundle are never used, so a damaged one is told and
  touches none.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import attrs
from securesystemslib.signer import Key

from shipbar.acceptance.pictures import Pictures, pictures
from shipbar.attest.plain import read_object
from shipbar.bundles import paths, reading
from shipbar.bundles.index import GraderLine, SolverLine
from shipbar.bundles.reading import Bundle
from shipbar.bundles.schema import TASK_ID, problems
from shipbar.errors import UserError

MOST_INDEX = 2**28
"""Bytes of an index that nobody signed and that only gives names."""


@attrs.frozen(kw_only=True)
class Opened:
    """A delivery."""

    solver: Bundle | None = None
    """The solver bundle; None if it is not there, or does not count."""
    grader: Bundle | None = None
    """The grader bundle; likewise."""
    closed: str = ""
    """Why nothing of it counts; empty if all is well."""
    ids: tuple[str, ...]
    """Its tasks; of what nobody signed, those that it names."""

    @property
    def bundles(self) -> tuple[Bundle, ...]:
        """Those that are there."""
        return tuple(it for it in (self.solver, self.grader) if it is not None)

    @property
    def digest(self) -> str:
        """``sha256:…`` of the delivery; empty if it cannot be told."""
        own = self.grader or self.solver
        return own.digest if own is not None and not self.closed else ""


@attrs.frozen(kw_only=True)
class Damages:
    """What of a delivery is not as it was signed."""

    of: Mapping[str, tuple[str, ...]]
    """What touches a task, by its id."""
    everywhere: tuple[str, ...]
    """What touches all."""
    notes: tuple[str, ...]
    """What touches none."""


def open_delivery(place: Path, keys: Sequence[Key]) -> Opened:
    """Open a delivery: signatures and manifests, and nothing else yet.

    Raises:
        UserError: there is no delivery, or it does not even name its tasks.
    """
    found = reading.find(place)
    bundles: dict[str, Bundle] = {}
    why: list[str] = []
    for kind, root in ((paths.SOLVER, found.solver), (paths.GRADER, found.grader)):
        if root is None:
            continue
        try:
            bundles[kind] = reading.open_bundle(root, keys)
        except UserError as cause:
            why.append(str(cause))
    why = why or list(_apart(bundles))
    if not why:
        ids = sorted({it for one in bundles.values() for it in one.manifest.tasks})
        return Opened(
            solver=bundles.get(paths.SOLVER),
            grader=bundles.get(paths.GRADER),
            ids=tuple(ids),
        )
    roots = [it for it in (found.solver, found.grader) if it is not None]
    named = {it for root in roots for it in _names(root)}
    if not named:
        raise UserError(f"{place}: cannot be read: {'; '.join(why)}")
    return Opened(closed="; ".join(why), ids=tuple(sorted(named)))


def _apart(bundles: Mapping[str, Bundle]) -> Iterator[str]:
    """Say why the bundles are not of one delivery."""
    for kind, bundle in bundles.items():
        if bundle.manifest.kind != kind:
            yield f"{bundle.root}: expected a {kind} bundle, its manifest says {bundle.manifest.kind}"
    solver, grader = bundles.get(paths.SOLVER), bundles.get(paths.GRADER)
    if solver is None or grader is None:
        return
    if grader.manifest.solver != solver.digest:
        yield (
            f"{grader.root} and {solver.root} are of two deliveries: the grader's manifest names the solver's "
            f"{grader.manifest.solver}, found {solver.digest}; ask for the two that go together"
        )
        return
    one, two = (
        (it.manifest.client, it.manifest.serial, it.manifest.tranche)
        for it in (solver, grader)
    )
    if one != two:
        yield f"{solver.root} says client, serial, tranche {one}, {grader.root} says {two}"


def _names(root: Path) -> list[str]:
    """Return the tasks that an index names; nobody signed it, so it is good for names alone."""
    path = root / paths.INDEX
    found = []
    try:
        if not path.is_file() or path.stat().st_size > MOST_INDEX:
            return []
        with path.open("rb") as file:
            while line := file.readline(reading.MOST_LINE):
                try:
                    name = read_object(line)["task_id"]
                except (ValueError, KeyError):
                    continue
                found += [] if list(problems(name, TASK_ID)) else [name]
    except OSError:
        return []
    return found


def solver_lines(opened: Opened) -> dict[str, SolverLine]:
    """Return the lines of the solver bundle that are as signed."""
    if opened.solver is None:
        return {}
    return {it.task_id: it for it in reading.solver_lines(opened.solver)}


def grader_lines(opened: Opened) -> Iterator[GraderLine]:
    """Yield the lines of the grader bundle that are as signed."""
    if opened.grader is not None:
        yield from reading.grader_lines(opened.grader)


def damages_of(opened: Opened) -> Damages:
    """Read every byte of the delivery, and say what is not as it was signed.

    Raises:
        AttestationError: a line was signed that is none.
    """
    found: dict[str, list[str]] = {}
    everywhere: list[str] = []
    notes: list[str] = []
    for bundle in opened.bundles:
        shown = _pictures(opened, bundle)
        for damage in reading.damages(bundle):
            what = f"{bundle.root.name}/{damage.path}: {damage.what}"
            touched = [damage.task] if damage.task else []
            if damage.path.startswith(f"{paths.IMAGES}/"):
                touched = list(shown.touched_by(damage.path))
            for task_id in touched:
                found.setdefault(task_id, []).append(what)
            if damage.path.startswith(f"{paths.KEYS}/"):
                notes.append(f"{what}; no key of a delivery is used here")
            elif not touched:
                everywhere.append(what)
        told = [f"{bundle.root.name}/{it}" for it in shown.problems]
        everywhere += told if not shown.all else []
        for task_id in shown.all:
            found.setdefault(task_id, []).extend(told)
    return Damages(
        of={task_id: tuple(its) for task_id, its in found.items()},
        everywhere=tuple(everywhere),
        notes=tuple(notes),
    )


def _pictures(opened: Opened, bundle: Bundle) -> Pictures:
    lines: Iterator[SolverLine | GraderLine]
    if bundle is opened.solver:
        lines = reading.solver_lines(bundle)
    else:
        lines = reading.grader_lines(bundle)
    images = {it.task_id: it.image for it in lines}
    told = {task_id: it for task_id, it in images.items() if it is not None}
    return pictures(bundle, told, whole=len(images) == len(bundle.manifest.tasks))
