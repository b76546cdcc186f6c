"""Grades submissions of one task: intake, install, structure, behaviour, verdict.

A copy guard, if there is one, reads what was handed in while the first subject is at
work, so that a grade takes no longer for it on a machine with a core to spare. If it
knows the habits of its sources, the subject is asked for its own once all is judged;
whatever becomes of that, the grade is what it was.

A grader is used, then closed. It keeps sandboxes started ahead if asked to, so
that in a long-lived process a grade costs little more than what the candidate
itself takes.
"""

import functools
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import attrs

from shipbar.errors import GraderFault, ShipbarError
from shipbar.grading import quirks
from shipbar.grading.bench import Bench, Seat, world_readable
from shipbar.grading.install import Install, Installed, install
from shipbar.grading.intake import Submission, take_in, write_tree
from shipbar.grading.judge import Judged, judge
from shipbar.grading.tasks import Task
from shipbar.ports import SURROUNDINGS, Guard, Job, Sandbox, Written
from shipbar.verdict import (
    CaseOutcome,
    Copying,
    Outcome,
    Quirks,
    Run,
    Structure,
    Verdict,
)


@attrs.frozen(kw_only=True)
class Spent:
    """What a grade took."""

    seconds: float
    """Wall-clock time."""
    subjects: int
    """Processes started."""
    quirks: Quirks | None
    """What was asked beyond the suite."""


class Grader:
    """Grades submissions of one task in one sandbox."""

    def __init__(
        self,
        task: Task,
        sandbox: Sandbox,
        work: Path,
        *,
        ahead: int = 0,
        surroundings: dict[str, str] | None = None,
        guard: Guard | None = None,
    ) -> None:
        """Prepare to grade.

        Args:
            task: what to grade against.
            sandbox: where candidates run.
            work: folder in which each grade makes and removes one of its own.
            ahead: sandboxes to keep started; for a process that grades one
                submission after another.
            surroundings: variables of the subject's environment to change, for
                proving that they change nothing.
            guard: says what a submission is a copy of; None: nobody does, which is
                how a task's own packages are graded.
        """
        self._task, self._sandbox, self._work = task, sandbox, work
        self._guard = guard
        job = Job(
            limits=task.contract.grader.limits,
            surroundings={**SURROUNDINGS, **(surroundings or {})},
        )
        self._bench = Bench(sandbox, job, work, ahead=ahead)

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
        self._bench.close()

    def grade(self, candidate: str | Path, how: Install = Install.AUTO) -> Verdict:
        """Grade the submission at ``candidate``.

        Raises:
            IntakeError: it is no submission, or asks for dependencies.
            SandboxError: no sandbox could be had, or one failed by itself.
            GraderFault: anything else went wrong on our side.
        """
        start = time.monotonic()
        try:
            submission = take_in(candidate)
            installed = install(
                submission, self._task.contract, how, self._sandbox, self._work
            )
            return self._behaviour(submission, installed, start)
        except ShipbarError:
            raise
        except (
            Exception
        ) as cause:  # broad on purpose: our own fault is never a score (N09, J10)
            raise GraderFault(
                f"grading {candidate}: {type(cause).__name__}: {cause}"
            ) from cause

    def _behaviour(
        self, submission: Submission, installed: Installed, start: float
    ) -> Verdict:
        subjects = 0
        copying = self._beside(submission, installed)
        asking = _Asking(self._task, self._guard)

        def meanwhile() -> None:
            self._bench.refill()
            copying()

        if installed.failure:
            judged = self._unreached(
                Structure(imports=False, why="not installed"), installed.failure
            )
        elif installed.root is None:
            judged = self._unreached(Structure(imports=False, why="not found"))
        else:
            seat = self._bench.take()
            try:
                write_tree(
                    installed.files,
                    seat.folder,
                    installed.root,
                    world_readable=world_readable(),
                )
                judged = judge(
                    seat,
                    self._task.suite,
                    self._task.contract,
                    meanwhile=meanwhile,
                )
                asking.ask(seat, judged)
            finally:
                subjects = seat.started
                self._bench.leave(seat)
        return self._verdict(
            submission,
            installed,
            judged,
            copying(),
            Spent(
                seconds=time.monotonic() - start,
                subjects=subjects,
                quirks=asking.found,
            ),
        )

    def _beside(
        self, submission: Submission, installed: Installed
    ) -> Callable[[], Copying | None]:
        """Return what checks for copies, once, whenever it is called first."""
        guard = self._guard
        if guard is None:
            return lambda: None
        made = {} if installed.way == "tree" else installed.files
        written = Written(files=submission.files, digest=submission.digest, built=made)
        return functools.cache(lambda: guard.check(written))

    def _unreached(self, structure: Structure, trace: str = "") -> Judged:
        outcomes = (Outcome.UNREACHED,) * len(self._task.suite.cases)
        return Judged(structure=structure, outcomes=outcomes, trace=trace)

    def _verdict(
        self,
        submission: Submission,
        installed: Installed,
        judged: Judged,
        copying: Copying | None,
        spent: Spent,
    ) -> Verdict:
        cases = zip(self._task.suite.cases, judged.outcomes, strict=True)
        return Verdict(
            task_id=self._task.contract.task_id,
            task_digest=self._task.digest,
            submission_digest=submission.digest,
            install=installed.way,
            structure=judged.structure,
            cases=tuple(
                CaseOutcome(id=case.id, rule=case.rule, outcome=outcome)
                for case, outcome in cases
            ),
            min_passed=self._task.contract.grader.min_passed,
            copying=copying,
            run=Run(
                sandbox=self._sandbox.name,
                lacks=self._sandbox.lacks,
                seconds=spent.seconds,
                subjects=spent.subjects,
                left_out=tuple(sorted({*submission.left_out, *installed.left_out})),
                notes=installed.notes,
                trace=judged.trace,
                copy_index=self._guard.name if self._guard else "",
                quirks=spent.quirks,
            ),
        )


class _Asking:
    """What a submission is asked beyond the suite, if the guard knows what to ask.

    Nothing that goes wrong here is a fault of the grade's.
    """

    def __init__(self, task: Task, guard: Guard | None) -> None:
        """Have the sources observed, if they have to be: before a subject waits for it."""
        self._task, self._habits = task, None
        self.found: Quirks | None = None
        try:
            self._habits = guard.habits() if guard is not None else None
        except ShipbarError as cause:
            # Not in its own words: they may be about the reference.
            why = f"the sources could not be observed ({type(cause).__name__})"
            self.found = quirks.not_asked(why)
        if self._habits is not None:
            self.found = quirks.not_asked("there was no subject to ask")

    def ask(self, seat: Seat, judged: Judged) -> None:
        """Ask the subject that was judged, unless it is gone."""
        if self._habits is None or not quirks.can_be_asked(judged):
            return
        try:
            cases = quirks.questions_of(self._habits)
            heard = quirks.ask(seat, self._task, cases)
            self.found = quirks.quirks_of(self._task, self._habits, heard)
        except Exception as cause:  # noqa: BLE001  # whatever it is, the grade stands
            self.found = quirks.not_asked(f"asking failed ({type(cause).__name__})")
