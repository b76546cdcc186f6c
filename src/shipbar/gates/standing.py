"""What depends on no task is tried on a standing ground, once a sandbox and version.

Mechanisms of the level `harness` try how cases are asked, answered, counted and kept
apart, which is the same for every task. What came of them is a record in the cache. Its
name is the digest of all that it depends on: the corpus, the tool, the sandbox, the
interpreter, and the limits that a task gives its subjects. A record that is not whole
is made again, and one that holds a success is not kept at all.
"""

import contextlib
import fcntl
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from shipbar.attacks import Attack
from shipbar.attacks.ground import STANDING, ground_of, lay_standing_task
from shipbar.gates.attempts import Arena, Attempt, Grade, Watched
from shipbar.gates.receipts import conditions_of
from shipbar.gates.trial import Trial
from shipbar.grading.bench import world_readable
from shipbar.grading.grader import Grader
from shipbar.grading.tasks import Task
from shipbar.verdict import Verdict, canonical, sha256

RECORDS = "break"
"""Folder of the cache that holds records."""

GradeOf = Callable[[Task], contextlib.AbstractContextManager[Grade]]
"""Opens what grades payloads against a task."""


def corpus_digest() -> str:
    """Return `sha256:…` over the sources of the corpus."""
    root = Path(ground_of.__code__.co_filename).parent
    return sha256(
        canonical(
            {
                path.name: sha256(path.read_bytes())
                for path in sorted(root.iterdir())
                if path.suffix == ".py" or path.name == STANDING
            }
        )
    )


def record_key(trial: Trial) -> str:
    """Return the digest of all that a record depends on."""
    limits = attrs.asdict(trial.task.contract.grader.limits)
    facts = {
        "corpus": corpus_digest(),
        "conditions": attrs.asdict(conditions_of(trial.sandbox, trial.cache)),
        # A contract may say 60 or 60.0, which is the same limit.
        "limits": {name: float(value) for name, value in limits.items()},
    }
    return sha256(canonical(facts))


def on_standing_ground(
    trial: Trial, attacks: Sequence[Attack], grade_of: GradeOf
) -> tuple[Attempt, ...]:
    """Return what attacks win on the standing ground, from the record if there is one."""
    path = trial.cache / RECORDS / f"{record_key(trial).removeprefix('sha256:')}.json"
    wanted = [attack.id for attack in attacks]
    with _alone(path):
        found = _read(path, wanted)
        if found is None:
            found = try_all(trial, attacks, grade_of)
            if not any(attempt.succeeded for attempt in found):
                _keep(path, found)
        return found


def try_all(
    trial: Trial, attacks: Sequence[Attack], grade_of: GradeOf
) -> tuple[Attempt, ...]:
    """Try attacks on the standing ground, under the limits of the task on trial."""
    with tempfile.TemporaryDirectory(prefix="shipbar-standing-") as place:
        task = lay_standing_task(Path(place))
        limits = trial.task.contract.grader.limits
        grader = attrs.evolve(task.contract.grader, limits=limits)
        contract = attrs.evolve(task.contract, grader=grader)
        ground = attrs.evolve(task, contract=contract)
        return try_on(ground, attacks, grade_of, foreign=False)


def try_on(
    task: Task,
    attacks: Sequence[Attack],
    grade_of: GradeOf,
    honest: Verdict | None = None,
    *,
    foreign: bool,
) -> tuple[Attempt, ...]:
    """Try attacks on a task.

    Args:
        task: the ground.
        attacks: what to try.
        grade_of: grades payloads.
        honest: the verdict on the honest part, if it is known.
        foreign: whether somebody else may have written the task.

    Raises:
        ValueError: the honest part cannot be graded.
    """
    ground = ground_of(task)
    with grade_of(task) as grade:
        verdict = honest or grade(ground.honest).verdict
        if verdict is None:
            raise ValueError("the honest part of a payload is no submission")
        arena = Arena(ground, verdict, grade, foreign=foreign)
        with contextlib.closing(arena):
            return tuple(map(arena.attempt, attacks))


@contextlib.contextmanager
def sealed(trial: Trial, task: Task) -> Iterator[Grade]:
    """Open a sealed grader of a task that has a folder of its own, and is watched."""
    with tempfile.TemporaryDirectory(prefix="shipbar-break-", dir=trial.work) as name:
        work = Path(name)
        if world_readable():
            work.chmod(0o755)
        with Grader(task, trial.sandbox, work) as grader:
            yield Watched(grader, work)


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Let one process at a time make a record; without a lock it is made twice."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context(path.with_suffix(".lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _read(path: Path, wanted: Sequence[str]) -> tuple[Attempt, ...] | None:
    """Return the attempts of a record; None if it is not there, or not whole."""
    try:
        record = json.loads(path.read_bytes())
        if record["digest"] != _digest(record["attempts"]):
            return None
        found = tuple(
            Attempt(
                **{**it, "gained": tuple(it["gained"]), "harm": tuple(it["harm"])},
            )
            for it in record["attempts"]
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return found if [attempt.id for attempt in found] == list(wanted) else None


def _keep(path: Path, attempts: Sequence[Attempt]) -> None:
    told: list[dict[str, Any]] = [attrs.asdict(attempt) for attempt in attempts]
    record = {"attempts": told, "digest": _digest(told)}
    # A cache that cannot be written costs time, and nothing else.
    with contextlib.suppress(OSError):
        new = path.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(record, indent=1), "utf-8")
        new.replace(path)


def _digest(told: Sequence[Mapping[str, Any]]) -> str:
    return sha256(json.dumps(told, sort_keys=True).encode())
