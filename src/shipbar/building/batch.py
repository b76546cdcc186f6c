"""Builds several variants, side by side, and goes on where it was stopped.

What a folder of tasks holds is also what keeps new ones away from old ones: the
rules of every task in it, from the grader's side of each, are *used*. `built.jsonl`
beside the tasks says which orders are done, under a digest that discloses no seed.
"""

import functools
import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs

from shipbar.building.builder import Builder, Built, Order
from shipbar.building.rules import (
    LEAST_DISTANCE,
    SPLIT_DISTANCE,
    Rules,
    child_rng,
    distance,
)
from shipbar.building.suite import write_task
from shipbar.errors import ShipbarError, UserError
from shipbar.grading.tasks import RECORD, digest_of
from shipbar.grading.workers import Opener
from shipbar.ports import Sandbox

DONE = "built.jsonl"
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


def jobs_of(order: Order, count: int, output: Path) -> list[Job]:
    """Return jobs for ``count`` variants below an order's seed, away from what ``output`` holds.

    Raises:
        UserError: not enough selections are left; says how many there are and are used.
    """
    family = order.family
    done = read_done(output)
    used = _used(output, order, {str(item["task_id"]) for item in done.values()})
    sequence = family.space.sequence(
        child_rng(order.seed, family.name, "rules"), order.wanted, LEAST_DISTANCE, used
    )
    jobs = []
    for place in range(count):
        rules = next(sequence, None)
        if rules is None:
            raise UserError(
                f"family {family.name}: {place} of {count} selections lie {LEAST_DISTANCE} axes apart from each other "
                f"and from {len(used)} used ones; about {family.space.capacity(LEAST_DISTANCE)} exist in all"
            )
        jobs.append(
            Job(order=attrs.evolve(order, place=place), rules=rules, output=output)
        )
    return jobs


def _used(output: Path, order: Order, ours: set[str]) -> list[Rules]:
    """The selections of tasks that lie in ``output`` already and are not of this very run.

    A task of the other split counts as if it lay an axis nearer, by keeping it
    `SPLIT_DISTANCE` away.
    """
    used: list[Rules] = []
    for record in sorted(output.glob(f"*/{RECORD}")):
        facts = json.loads(record.read_text("utf-8"))
        task_id = record.parent.parent.name
        if facts.get("family") != order.family.name or task_id in ours:
            continue
        rules = facts["rules"]
        used.append(rules)
        if facts.get("split", order.split) != order.split:
            used += _around(rules, order)
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
        built = builder.build(job.order, job.rules)
        folder = place(built, job.output)
    except ShipbarError as why:
        return Done(key=job.key, failure=str(why))
    return Done(
        key=job.key,
        task_id=built.variant.task_id,
        digest=digest_of(folder),
        report=report(built, folder),
    )


def place(built: Built, output: Path) -> Path:
    """Write a task below ``output``, whole or not at all; return its folder.

    Raises:
        UserError: a task of that name is there.
    """
    target = output / built.variant.task_id
    if target.exists():
        raise UserError(
            f"{target} is there already; remove it, or build into another folder"
        )
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".building-", dir=output) as scratch:
        made = Path(scratch) / "task"
        write_task(made, built.variant, built.parts)
        shutil.move(made, target)
    return target


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
    for line in path.read_text("utf-8").splitlines():
        try:
            item = json.loads(line)
        except ValueError:
            continue  # half written when the process was stopped
        if (output / str(item["task_id"])).is_dir():
            found[str(item["key"])] = item
    return found


def note_done(output: Path, done: Done) -> None:
    """Note that a job is done."""
    line = json.dumps(
        {"key": done.key, "task_id": done.task_id, "digest": done.digest},
        sort_keys=True,
    )
    with (output / DONE).open("a", encoding="utf-8") as file:
        file.write(line + "\n")
