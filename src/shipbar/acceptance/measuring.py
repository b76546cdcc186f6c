"""One task through the gates, in a process of its own, and each claim held to what came.

Nothing of the task is run here but by gates, which run it in a sandbox. The break gate's
weak graders run it behind a fence; where none can be put up they are not run, unless
the buyer asks for it. What cannot be run is not measured, and not accepted.
"""

import contextlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import attrs
from securesystemslib.signer import Key

from shipbar.acceptance import claims, pictures
from shipbar.acceptance.keeping import Kept
from shipbar.acceptance.laying import RECEIPTS, TASK
from shipbar.acceptance.places import holding
from shipbar.acceptance.values import (
    ACCEPTED,
    REJECTED,
    UNMEASURED,
    Asked,
    Result,
)
from shipbar.attacks import fence
from shipbar.attest import store
from shipbar.attest.keys import Own
from shipbar.attest.parts import held_to
from shipbar.attest.receipt import Receipt
from shipbar.bundles.index import OPEN, GraderLine, Image
from shipbar.bundles.sealing import LINE
from shipbar.contract import Contract
from shipbar.errors import AttestationError, ShipbarError, UserError
from shipbar.gates.base import CannotRunError, Evidence, Gate, Status
from shipbar.gates.proving import Found, prove
from shipbar.gates.receipts import parts_of, receipt_for
from shipbar.gates.trial import Trial
from shipbar.grading.tasks import Task, load_task, read_contract
from shipbar.ports import Sandbox
from shipbar.sealed.lift import Suite

BREAK = "break"
"""The gate whose weak graders run what a task holds outside of a sandbox."""
RESULTS = "results"
"""Folder of the work folder that each task's result is written to."""


@attrs.frozen(kw_only=True)
class Work:
    """What every process of one run needs; it is sent to them."""

    folder: Path
    """Where the tasks are laid out."""
    kept: Path
    """Where the buyer's receipts lie."""
    images: Path | None
    """The solver bundle, whose images are looked through; None without any."""
    pictured: Mapping[str, Image]
    """The solver image of each task that has one."""
    tasks: Mapping[str, str]
    """``sha256:…`` of each task that was laid out, by its id."""
    states: Mapping[str, str]
    """How the grader of each was delivered."""
    unfenced: bool = False
    """Whether to run weak graders though no fence can be put up."""


@attrs.frozen(kw_only=True)
class Bench:
    """What one process opened for all its tasks."""

    gates: Sequence[Gate]
    """The gates, in order."""
    sandbox: Sandbox
    """Where packages run."""
    backends: tuple[Sandbox, ...]
    """Every backend that works here."""
    own: Own
    """The buyer's key."""
    trusted: Sequence[Key]
    """Keys whose claims count."""
    work: Path
    """Folder for the sandbox's own folders."""
    cache: Path
    """Where fetched upstreams lie."""


class Neighbour(Task):
    """Another task of the delivery, read when it is asked for and not kept."""

    __slots__ = ()

    def __init__(self, folder: Path, digest: str) -> None:
        """Stand for the task in ``folder``, which has that digest."""
        object.__setattr__(self, "folder", folder)
        object.__setattr__(self, "digest", digest)

    @property
    def contract(self) -> Contract:
        """What its `task.toml` says."""
        return read_contract(self.folder)

    @property
    def suite(self) -> Suite:
        """Its suite, lifted."""
        return load_task(self.folder).suite


class _Fenceless(Gate):
    """Stands for a gate that would run a stranger's packages unfenced."""

    def __init__(self, gate: Gate) -> None:
        self.id, self.name, self.title, self.version = (  # type: ignore[misc]  # another gate's
            gate.id,
            gate.name,
            gate.title,
            gate.version,
        )
        self._gate = gate

    def depends(self, trial: Trial) -> Mapping[str, str]:
        return self._gate.depends(trial)

    def _examine(self, trial: Trial) -> Evidence:
        del trial
        raise CannotRunError(
            "its weak graders run the task's own packages, and no fence can be put up around them here: bubblewrap does not work; "
            "see `shipbar doctor`, or run them all the same with --unfenced, in a machine that holds nothing else"
        )


@contextlib.contextmanager
def at(
    work: Work, bench: Bench, tell: Callable[[str], None]
) -> Iterator[Callable[[str], Result]]:
    """Yield what measures one task after another in this process; see `measured`."""
    with holding(work.folder):
        yield lambda task_id: measured(work, bench, task_id, tell)


def measured(
    work: Work, bench: Bench, task_id: str, tell: Callable[[str], None]
) -> Result:
    """Measure one task, and write its result down; return it without its details.

    Args:
        work: where it lies.
        bench: what this process opened.
        task_id: which.
        tell: called with the id of each gate before it is asked.
    """
    start = time.monotonic()
    try:
        result = _measured(work, bench, task_id, tell)
    except ShipbarError as why:
        faulty = isinstance(why, UserError)
        result = Result(
            task_id=task_id,
            outcome=REJECTED if faulty else UNMEASURED,
            reasons=[str(why)],
        )
    result = attrs.evolve(
        result,
        digest=work.tasks[task_id],
        state=work.states[task_id],
        seconds=time.monotonic() - start,
    )
    write_result(work.folder, result)
    return result.short()


def write_result(folder: Path, result: Result) -> None:
    """Write down what came of a task, for the report."""
    path = folder / RESULTS / f"{result.task_id}.json"
    path.write_text(json.dumps(result.as_json()), "utf-8")


def read_result(folder: Path, task_id: str) -> Result:
    """Read what this run wrote of a task."""
    path = folder / RESULTS / f"{task_id}.json"
    return Result.from_json(json.loads(path.read_text("utf-8")))


def _measured(
    work: Work, bench: Bench, task_id: str, tell: Callable[[str], None]
) -> Result:
    home = work.folder / task_id
    line = GraderLine.parse((home / LINE).read_bytes(), f"{task_id}: its line")
    task = load_task(home / TASK)
    parts = parts_of(task)
    claimed = {
        gate.id: _claim(gate, line, home, bench.trusted, parts) for gate in bench.gates
    }
    result = Result(
        task_id=task_id, split=line.split, state=OPEN, outcome=REJECTED, reasons=()
    )
    unfounded = [it for it in claimed.values() if isinstance(it, Asked)]
    if any(it.reasons for it in unfounded):
        reasons = [why for it in unfounded for why in it.reasons]
        return attrs.evolve(result, reasons=reasons, asked=unfounded)
    keeper = Kept(work.kept, bench.own, parts)
    gates = [_fit(gate, work) for gate in bench.gates]
    with Trial(
        task=task,
        sandbox=bench.sandbox,
        work=bench.work,
        cache=bench.cache,
        backends=bench.backends,
        others=tuple(_others(work, task)),
        images=_images(work, task_id),
    ) as trial:
        found = prove(trial, gates, keeper, tell=tell).found
        asked = [
            _held(gate, claimed[gate.id], one, keeper, trial)
            for gate, one in zip(gates, found, strict=True)
        ]
    return _judged(result, asked)


def _judged(result: Result, asked: Sequence[Asked]) -> Result:
    reasons = [why for it in asked for why in it.reasons]
    missing = [f"{it.gate}: {it.missing}" for it in asked if it.missing]
    outcome = REJECTED if reasons else UNMEASURED if missing else ACCEPTED
    notes = dict.fromkeys(note for it in asked for note in it.notes)
    return attrs.evolve(
        result,
        outcome=outcome,
        reasons=reasons or missing,
        notes=tuple(notes),
        asked=asked,
        in_gates=sum(it.seconds for it in asked if not it.reused),
        before=sum(it.seconds for it in asked if it.reused),
    )


def _fit(gate: Gate, work: Work) -> Gate:
    if gate.name == BREAK and not work.unfenced and not fence.works():
        return _Fenceless(gate)
    return gate


def _others(work: Work, task: Task) -> Iterator[Task]:
    for task_id, digest in work.tasks.items():
        if digest != task.digest or task_id != task.contract.task_id:
            yield Neighbour(work.folder / task_id / TASK, digest)


def _images(work: Work, task_id: str) -> tuple[Path, ...]:
    image = work.pictured.get(task_id)
    if work.images is None or image is None:
        return ()
    return (pictures.alone(work.images, image, work.folder / task_id / "image"),)


def _claim(
    gate: Gate,
    line: GraderLine,
    home: Path,
    trusted: Sequence[Key],
    parts: Mapping[str, str],
) -> Receipt | Asked:
    """Return the receipt that a gate's claim stands on, or why it stands on nothing."""
    said = line.gates.get(gate.id)
    unfounded = Asked(gate=gate.id, name=gate.name)
    if said is None:
        why = f"{gate.id}: the index does not say that it was passed"
        return attrs.evolve(unfounded, reasons=[why])
    unfounded = attrs.evolve(unfounded, claimed=f"{said.status} {said.cell}".strip())
    path = home / RECEIPTS / f"{gate.id}{store.SUFFIX}"
    if not path.is_file():
        why = f"{gate.id}: the index says {unfounded.claimed}, and there is no receipt of it"
        return attrs.evolve(unfounded, reasons=[why])
    where = f"{RECEIPTS}/{line.task_id}/{path.name}"
    try:
        receipt = _opened(path, where, trusted)
        asked = receipt.question
        if (asked.gate, asked.task_id) != (gate.id, line.task_id):
            raise AttestationError(
                f"{where}: is of {asked.gate} on {asked.task_id}, expected {gate.id} on {line.task_id}"
            )
        held_to(asked.parts, parts, where)
    except UserError as why:
        return attrs.evolve(unfounded, reasons=[f"{gate.id}: {why}"])
    if wrong := claims.of_line(gate.id, said.status, said.cell, receipt):
        return attrs.evolve(unfounded, reasons=wrong)
    return receipt


def _opened(path: Path, where: str, trusted: Sequence[Key]) -> Receipt:
    """Open a receipt; messages name its place in the bundle."""
    try:
        return store.open_receipt(path, trusted).receipt
    except UserError as why:
        raise AttestationError(str(why).replace(str(path), where)) from why


def _held(
    gate: Gate, claim: Receipt | Asked, found: Found, keeper: Kept, trial: Trial
) -> Asked:
    """Hold one claim to what was found."""
    evidence = found.evidence
    if isinstance(claim, Asked):
        raise TypeError(f"{gate.id}: a claim that stands on nothing is not measured")
    asked = Asked(
        gate=gate.id,
        name=gate.name,
        claimed=f"{claim.status} {claim.cell}".strip(),
        status=str(evidence.status),
        cell=evidence.cell,
        figures=evidence.figures,
        seconds=found.seconds,
        reused=found.reused,
    )
    question = keeper.question(gate, trial)
    if evidence.status is Status.FAILED:
        return attrs.evolve(
            asked, reasons=[f"{gate.id}: {why}" for why in evidence.problems]
        )
    if evidence.status is Status.NOT_RUN or question is None:
        why = evidence.why or "it cannot say what it depends on, see the log"
        return attrs.evolve(asked, missing=why)
    theirs = claim.question
    if theirs.version != gate.version:
        why = (
            f"its receipt is of version {theirs.version} of what it asks, here it is {gate.version}: "
            f"accept with shipbar {theirs.conditions.tool_version}, or ask for a delivery that was proven with this one"
        )
        return attrs.evolve(asked, missing=why)
    here = receipt_for(question, evidence, seconds=found.seconds)
    held = claims.weighed(claim, here)
    return attrs.evolve(asked, reasons=held.reasons, notes=held.notes)
