"""Builds several variants, side by side, and goes on where it was stopped.

What a folder of tasks holds is also what keeps new ones away from old ones: the
rules of every task in it, from the grader's side of each, are *used*, save those of
the same *run*: the same family, seed, fixed rules, count of assertions and split.
`built.jsonl` beside the tasks says which orders are done and of which run they are,
under digests that disclose no seed.

A task is written beside its place and moved there whole, after its line in
`built.jsonl`. So a line whose folder is not there was never finished, and whatever
instant a batch is killed in, running it again goes on to the same tasks.
"""

import errno
import fcntl
import functools
import hashlib
import itertools
import json
import os
import shutil
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import attrs

from shipbar.building.builder import Builder, Built, Order
from shipbar.building.rules import (
    LEAST_DISTANCE,
    MOST_CAPACITY,
    SPLIT_DISTANCE,
    Rules,
    child_rng,
    distance,
)
from shipbar.building.suite import write_task
from shipbar.errors import SeamError, ShipbarError, UserError
from shipbar.grading.tasks import RECORD, digest_of
from shipbar.grading.workers import Opener
from shipbar.ports import Sandbox

DONE = "built.jsonl"
SCRATCH = ".building-"
"""Begins the name of a folder in which a task is written before it is moved."""
_MACHINE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO})
"""Errors of a disk that is full or fails; the others are of a place that was badly chosen."""
Opened = Callable[[], Sandbox]
"""Makes the sandbox, in the process that builds."""


@attrs.frozen(kw_only=True)
class Job:
    """One variant to build and where to put it."""

    order: Order
    """What to build."""
    rules: Rules
    """Its selection."""
    output: Path
    """The folder of tasks."""
    run: str = ""
    """Names what it was asked for together with; see `run_of`."""

    @property
    def source(self) -> str:
        """Names what its names and questions are drawn from, without disclosing the seed."""
        return _source(self.order)

    @property
    def key(self) -> str:
        """Names the order without disclosing its seed."""
        order = self.order
        facts = [
            order.family.name,
            order.seed,
            order.place,
            sorted(self.rules.items()),
            order.count,
            order.split,
        ]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:24]


@attrs.frozen(kw_only=True)
class Done:
    """What became of one job."""

    key: str
    """The job's."""
    task_id: str = ""
    """The task's id; empty if it could not be built."""
    digest: str = ""
    """The task's digest."""
    report: str = ""
    """What was drawn, what it scores, what was dropped."""
    failure: str = ""
    """Why there is no task."""
    exit_code: int = 0
    """Of the failure, as in `shipbar.errors`; 0 if there is a task."""


def run_of(order: Order) -> str:
    """Name what an order is asked for together with, whatever its place, without disclosing its seed."""
    facts = [
        order.family.name,
        order.seed,
        sorted(order.wanted.items()),
        order.count,
        order.split,
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:24]


def _source(order: Order) -> str:
    facts = [order.family.name, order.seed]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:24]


def jobs_of(order: Order, count: int, output: Path) -> list[Job]:
    """Return jobs for ``count`` variants below an order's seed, away from what ``output`` holds.

    Raises:
        UserError: not enough selections are left; says how many there are and are used.
            Or another run has used the seed there: its names and questions would come back.
    """
    family = order.family
    run = run_of(order)
    for item in read_done(output).values():
        if item.get("source") == _source(order) and item.get("run") != run:
            raise UserError(
                f"{output / str(item['task_id'])} comes from the same seed, under other --rule, --assertions or --split; "
                "names and questions of one seed are the same, so take another seed"
            )
    others = others_in(output, order, run)
    sequence = family.space.sequence(
        child_rng(order.seed, family.name, "rules"),
        order.wanted,
        LEAST_DISTANCE,
        used_by(others, order),
    )
    jobs = []
    for place in range(count):
        rules = next(sequence, None)
        if rules is None:
            raise UserError(
                f"family {family.name}: {place} of {count} selections lie {LEAST_DISTANCE} axes apart from each other "
                f"and far enough from the {len(others)} used in {output}; {_in_all(order)}; ask for fewer, "
                "or build into another folder"
            )
        jobs.append(
            Job(
                order=attrs.evolve(order, place=place),
                rules=rules,
                output=output,
                run=run,
            )
        )
    return jobs


def _in_all(order: Order) -> str:
    """Say how many variants there are as long as none is used."""
    found = order.family.space.sequence(
        child_rng("capacity", LEAST_DISTANCE), order.wanted, LEAST_DISTANCE
    )
    many = sum(1 for _ in itertools.islice(found, MOST_CAPACITY))
    fixed = " with the rules that are fixed" if order.wanted else ""
    return f"a search finds {many}{'+' * (many == MOST_CAPACITY)} in all{fixed}"


@attrs.frozen(kw_only=True)
class Other:
    """A task that is there already, as far as new ones keep away from it."""

    rules: Rules
    """Its selection."""
    split: str
    """Where it goes."""


def others_in(output: Path, order: Order, run: str) -> list[Other]:
    """Return the tasks of an order's family that lie in ``output`` and are not of its run.

    Raises:
        UserError: what one of them was made from cannot be read, or has other axes.
    """
    ours = {
        str(item["task_id"])
        for item in read_done(output).values()
        if item.get("run") == run
    }
    records = {
        path.parent.parent.name: path for path in sorted(output.glob(f"*/{RECORD}"))
    }
    found = []
    for task_id, record in records.items():
        facts = read_record(record)
        if facts.get("family") == order.family.name and task_id not in ours:
            rules = rules_in(facts, order.family.space.memory, record)
            found.append(Other(rules=rules, split=str(facts.get("split", ""))))
    return found


def read_record(path: Path) -> dict[str, object]:
    """Return what a built task notes of itself.

    Raises:
        UserError: it cannot be read, or is something else.
    """
    try:
        facts = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as cause:
        raise UserError(
            f"{path}: expected what a built task was made from: {cause}; build the task again, or move it away"
        ) from cause
    if not isinstance(facts, dict):
        raise UserError(
            f"{path}: expected an object, got {type(facts).__name__}; build the task again, or move it away"
        )
    return facts


def rules_in(facts: Mapping[str, object], axes: Rules, where: Path) -> Rules:
    """Return the selection that a task's record notes.

    Args:
        facts: the record.
        axes: any selection of the family.
        where: the record's path, for what is told.

    Raises:
        UserError: it is no selection of the family as it is now.
    """
    rules = facts.get("rules")
    if not isinstance(rules, dict) or rules.keys() != axes.keys():
        raise UserError(
            f"{where}: expected one value for each axis that family {facts.get('family')} has now "
            f"({', '.join(sorted(axes))}); build into another folder, or move the task away"
        )
    return {str(axis): str(value) for axis, value in rules.items()}


def used_by(others: Sequence[Other], order: Order) -> list[Rules]:
    """Selections from which all new ones stay `LEAST_DISTANCE` away.

    A task of the other split counts as if it lay an axis nearer, by keeping it
    `SPLIT_DISTANCE` away.
    """
    used: list[Rules] = []
    for other in others:
        used.append(other.rules)
        if other.split != order.split:
            used += _around(other.rules, order)
    return used


def _around(rules: Mapping[str, str], order: Order) -> list[Rules]:
    """Selections one axis from ``rules``: staying three away from those is staying four away from it."""
    near: list[Rules] = []
    for axis in order.family.axes:
        near += [
            {**rules, axis.id: value.id}
            for value in axis.values
            if value.id != rules[axis.id]
        ]
    return [
        item
        for item in near
        if distance(item, rules) == SPLIT_DISTANCE - LEAST_DISTANCE
    ]


@contextmanager
def opened(
    jobs: Sequence[Job], open_sandbox: Opened, work: Path
) -> Iterator[Callable[[str], Done]]:
    """Give what builds the job of a number; for `shipbar.grading.workers.each`."""
    builder = Builder(open_sandbox(), work)
    yield lambda number: build_job(builder, jobs[int(number)])


def opener(jobs: Sequence[Job], open_sandbox: Opened, work: Path) -> Opener[Done]:
    """Return what `workers.each` sends to each process."""
    return functools.partial(opened, jobs, open_sandbox, work)


def build_job(builder: Builder, job: Job) -> Done:
    """Build and write one job's task; never raise for what makes it impossible."""
    try:
        built = _build(builder, job.order, job.rules)
        with writing(job.output):
            folder = place(built, job.output, job)
            digest = digest_of(folder)
    except ShipbarError as why:
        return Done(key=job.key, failure=str(why), exit_code=why.exit_code)
    return Done(
        key=job.key,
        task_id=built.variant.task_id,
        digest=digest,
        report=report(built, folder),
    )


def _build(builder: Builder, order: Order, rules: Rules) -> Built:
    """Build, and say whose fault it is where something else than Shipbar fails.

    Raises:
        UserError: the family's own code raised; says where.
        SeamError: the machine failed.
    """
    name, folder = order.family.name, order.family.folder
    try:
        return builder.build(order, rules)
    except ShipbarError:
        raise
    except Exception as cause:
        frames = traceback.extract_tb(cause.__traceback__)
        own = [it for it in frames if Path(it.filename).is_relative_to(folder)]
        why = f"{type(cause).__name__}: {cause}"
        if own:
            raise UserError(
                f"family {name}: {own[-1].filename}:{own[-1].lineno}: {why}; mend the family, and build again"
            ) from cause
        if isinstance(cause, OSError):
            raise SeamError(
                f"family {name}: {why}; see that the folder for work (SHIPBAR_WORK) is there and has room, "
                "and run the same again: what is done is kept"
            ) from cause
        raise  # a fault of ours, which is told in full


@contextmanager
def writing(output: Path) -> Iterator[None]:
    """Say what to do when a folder of tasks cannot be written.

    Raises:
        SeamError: the disk is full, or fails.
        UserError: it cannot be written for another reason.
    """
    try:
        yield
    except OSError as cause:
        why = os.strerror(cause.errno) if cause.errno else cause
        told = f"cannot write tasks into {output}: {cause.filename or output}: {why}"
        if cause.errno in _MACHINE:
            raise SeamError(
                f"{told}; make room there, and run the same again: what is done is kept"
            ) from cause
        raise UserError(f"{told}; name a folder that can be written with -o") from cause


def ready(output: Path) -> None:
    """Make the folder of tasks, so that one that cannot be written is told before hours of work.

    Raises:
        SeamError: the disk is full, or fails.
        UserError: it cannot be written for another reason.
    """
    with writing(output), _alone(output):
        pass


def place(built: Built, output: Path, job: Job | None = None) -> Path:
    """Write a task below ``output``, whole or not at all; return its folder.

    Args:
        built: the task.
        output: the folder of tasks, made if need be.
        job: what it is done for; it is noted. None: nothing is noted.

    Raises:
        UserError: a task of that name is there.
        OSError: it cannot be written.
    """
    target = output / built.variant.task_id
    with _alone(output) as log:
        if target.exists():
            if job and read_done(output).get(job.key, {}).get("task_id") == target.name:
                return target  # by a process of this batch that outlived its parent
            raise UserError(
                f"{target} is there already; remove it, or build into another folder"
            )
        with tempfile.TemporaryDirectory(prefix=SCRATCH, dir=output) as scratch:
            made = Path(scratch) / "task"
            write_task(made, built.variant, built.parts)
            if job:
                done = Done(key=job.key, task_id=target.name, digest=digest_of(made))
                _note(log, done, job)
            made.rename(target)
    return target


@contextmanager
def _alone(output: Path) -> Iterator[BinaryIO]:
    """Open the notes of a folder of tasks while no other process writes there.

    Tasks are written under this lock alone. So what lies there half-written when it is
    had was left by a process that was killed.
    """
    output.mkdir(parents=True, exist_ok=True)
    with (output / DONE).open("a+b") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        for left in output.glob(f"{SCRATCH}*"):
            shutil.rmtree(left)
        yield log


def report(built: Built, folder: Path) -> str:
    """Return what was drawn, what it scores, and what was dropped and why."""
    draw, family = built.variant.draw, built.variant.family
    inverted = family.space.inverted(draw.rules)
    scores = "  ".join(
        f"{name} {score:.2f}" for name, score in built.bands.scores.items()
    )
    dropped = (
        ", ".join(f"{count} {why}" for why, count in sorted(built.dropped.items()))
        or "nothing"
    )
    return "\n".join(
        [
            f"{folder}: {built.variant.count} assertions, {len(inverted)} of {len(family.axes)} axes turned",
            f"  rules: {', '.join(f'{axis}={draw.rules[axis]}' for axis in inverted)}",
            f"  scores: {scores}",
            f"  dropped: {dropped}",
        ]
    )


def read_done(output: Path) -> dict[str, dict[str, object]]:
    """Return what is noted as done in ``output``, by key; only what is still there."""
    path = output / DONE
    if not path.is_file():
        return {}
    found = {}
    for line in path.read_text("utf-8", "replace").splitlines():
        try:
            item = json.loads(line)
            key, task_id = str(item["key"]), str(item["task_id"])
        except (ValueError, KeyError, TypeError):
            continue  # half written when the process was stopped
        if (output / task_id).is_dir():
            found[key] = item
    return found


def note_done(output: Path, done: Done, job: Job | None = None) -> None:
    """Note that a job is done; without it, what is noted belongs to no run."""
    with _alone(output) as log:
        _note(log, done, job)


def _note(log: BinaryIO, done: Done, job: Job | None) -> None:
    """Add a line, which stands by itself even if the one before was cut short."""
    item = {
        "key": done.key,
        "task_id": done.task_id,
        "digest": done.digest,
        "run": job.run if job else "",
        "source": job.source if job else "",
    }
    end = log.seek(0, os.SEEK_END)
    log.seek(max(end - 1, 0))
    cut = log.read(1) not in {b"", b"\n"}
    line = json.dumps(item, sort_keys=True).encode() + b"\n"
    log.write(b"\n" * cut + line)
    log.flush()
