"""Accepts a delivery: checks it, measures it, and reports.

- Signatures and digests come first, and are of the whole delivery, sample or not.
- Then every task that can be measured goes through the gates, in processes of its own.
- Killed at any point and called again, it goes on: a gate that was run is not run again.
- The parent keeps a line a task; everything else is on disk until the report is written.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import attrs
from securesystemslib.signer import Key

from shipbar.acceptance import record, reporting, sampling
from shipbar.acceptance.laying import Case, Layer
from shipbar.acceptance.measuring import (
    RESULTS,
    Work,
    read_result,
    write_result,
)
from shipbar.acceptance.opening import (
    Opened,
    damages_of,
    open_delivery,
    solver_lines,
)
from shipbar.acceptance.places import failing, report_folder, work_folder
from shipbar.acceptance.reporting import Summary, counted
from shipbar.acceptance.values import REJECTED, UNMEASURED, Result
from shipbar.attest import store
from shipbar.attest.keys import Own
from shipbar.attest.tool import interpreter, tool_digest, tool_version
from shipbar.bundles.sealing import Identity
from shipbar.errors import UserError
from shipbar.grading import workers

RECEIPTS, NONCE = "receipts", "sample.json"
"""In the report: the buyer's receipts, and the nonce of a sample."""

OpenerOf = Callable[[Work], workers.Opener[Result]]
"""From what all processes share, what opens a bench in each."""


@attrs.frozen(kw_only=True)
class Order:
    """What is to be accepted, and how."""

    delivery: Path
    """The delivery."""
    report: Path
    """The report's folder."""
    keys: Sequence[Key]
    """The maker's keys, as the buyer has them from the maker and not from the delivery."""
    own: Own
    """The buyer's key."""
    identity: Identity | None = None
    """What opens sealed graders."""
    sample: int | None = None
    """How many tasks to measure; None for all."""
    nonce: str | None = None
    """What the sample is drawn with; None draws one."""
    target: float = 1.0
    """The part of the tasks, 0 to 1, that is to be accepted."""
    jobs: int = 1
    """Tasks at once."""
    unfenced: bool = False
    """Whether to run weak graders though no fence can be put up."""
    sandbox: str
    """The name of the sandbox, for the report."""
    date: str = ""
    """The day, for the report."""


@attrs.frozen(kw_only=True)
class Watch:
    """Who is told how far it is."""

    planned: Callable[[int], None] = lambda _: None
    """Called with the number of tasks that will be measured."""
    heard: Callable[[str, str], None] = lambda _task, _gate: None
    """Called with a task's id and a gate's before that is asked."""


@attrs.frozen(kw_only=True)
class Done:
    """An acceptance that was written down."""

    summary: Summary
    """What came of it."""
    told: tuple[Result, ...]
    """Every task that was not accepted, without details."""
    signed: bool
    """Whether there is a signed report."""


def accept(order: Order, opener_of: OpenerOf, watch: Watch) -> Done:
    """Accept a delivery.

    Args:
        order: what and how.
        opener_of: makes what each process opens.
        watch: who is told.

    Raises:
        UserError: there is no delivery, it does not even name its tasks, or the report
            cannot be put where it should be.
        SeamError: the machine failed; what was measured is kept.
    """
    start = time.monotonic()
    if order.report.resolve().is_relative_to(order.delivery.resolve()):
        raise UserError(
            f"{order.report}: lies in the delivery, which must stay as it is; name another folder with -o"
        )
    opened = open_delivery(order.delivery, order.keys)
    with ExitStack() as stack:
        stack.enter_context(report_folder(order.report))
        work = stack.enter_context(work_folder(order.report))
        stack.enter_context(failing(order.report))
        for name in (*reporting.FILES, record.NAME):
            (order.report / name).unlink(missing_ok=True)
        (work / RESULTS).mkdir()
        run = _Run(order, opened, work, watch)
        run.measure(opener_of)
        return run.report(start)


class _Run:
    """One run over one delivery."""

    def __init__(self, order: Order, opened: Opened, work: Path, watch: Watch) -> None:
        self._order, self._opened, self._work = order, opened, work
        self._watch = watch
        self._results: dict[str, Result] = {}
        self._notes: dict[str, int] = {}
        self._sample: dict[str, Any] | None = None
        self._measured = 0

    def measure(self, opener_of: OpenerOf) -> None:
        """Come to a result of every task that is looked at."""
        opened = self._opened
        if opened.closed:
            for task_id in opened.ids:
                self._settle(Case(task_id=task_id, reasons=(opened.closed,)))
            return
        damages = damages_of(opened)
        self._notes |= dict.fromkeys(damages.notes, 0)
        layer = Layer(opened, damages, self._order.identity, self._work)
        cases = sorted(layer.cases(), key=lambda it: it.task_id)
        measurable = [it for it in cases if it.measurable]
        chosen = self._chosen([it.task_id for it in measurable])
        for case in cases:
            if not case.measurable and (case.reasons or self._sample is None):
                self._settle(case)
        ids = [it.task_id for it in measurable if it.task_id in chosen]
        self._measured = len(ids)
        self._watch.planned(len(ids))
        results = workers.each(
            ids,
            jobs=self._order.jobs,
            opener=opener_of(self._shared(measurable)),
            lost=self._lost,
            heard=self._watch.heard,
        )
        for result in results:
            self._take(result)

    def _shared(self, cases: Sequence[Case]) -> Work:
        opened = self._opened
        images = {
            task_id: line.image
            for task_id, line in solver_lines(opened).items()
            if line.image is not None
        }
        return Work(
            folder=self._work,
            kept=self._order.report.resolve() / RECEIPTS,
            images=opened.solver.root.resolve() if opened.solver else None,
            pictured=images,
            tasks={it.task_id: it.digest for it in cases},
            states={it.task_id: it.state for it in cases},
            unfenced=self._order.unfenced,
        )

    def _chosen(self, ids: Sequence[str]) -> frozenset[str]:
        """Return which of the tasks that can be measured will be."""
        order, delivery = self._order, self._opened.digest
        if order.sample is None:
            return frozenset(ids)
        path = order.report / NONCE
        nonce = (
            order.nonce or sampling.remembered(path, delivery) or sampling.new_nonce()
        )
        partial = path.with_name(f".{NONCE}.partial")
        partial.write_bytes(sampling.note(nonce, delivery))
        partial.replace(path)
        chosen = sampling.drawn(ids, order.sample, nonce, delivery)
        self._sample = {"count": len(chosen), "of": len(ids), "nonce": nonce}
        return chosen

    def _settle(self, case: Case) -> None:
        """Come to the result of a task without asking a gate."""
        result = Result(
            task_id=case.task_id,
            digest=case.digest,
            split=case.split,
            state=case.state,
            outcome=REJECTED if case.reasons else UNMEASURED,
            reasons=case.reasons or (case.closed,),
            by_design=case.by_design,
        )
        write_result(self._work, result)
        self._take(result)

    def _lost(self, task_id: str, how: str) -> Result:
        result = Result(
            task_id=task_id,
            outcome=UNMEASURED,
            reasons=[
                f"the process that measured it ended ({how}); run the same command again, which goes on from there"
            ],
        )
        write_result(self._work, result)
        return result

    def _take(self, result: Result) -> None:
        self._results[result.task_id] = result
        for note in result.notes:
            self._notes[note] = self._notes.get(note, 0) + 1

    # -- the report ------------------------------------------------------------------------

    def report(self, start: float) -> Done:
        """Write the reports; return what came of it."""
        order = self._order
        results = [self._results[task_id] for task_id in sorted(self._results)]
        wall = time.monotonic() - start
        summary = self._summary(results, wall)
        reporting.write_all(order.report, summary, self._written)
        signed = None
        grader = self._opened.grader
        if grader is not None and not self._opened.closed:
            signed = record.signed(
                results,
                manifest=grader.manifest,
                digest=grader.digest,
                own=order.own,
                target=order.target,
                seconds=summary.seconds,
            )
        if signed is not None:
            store.write(order.report / record.NAME, signed)
        return Done(
            summary=summary,
            told=tuple(it for it in results if it.reasons),
            signed=signed is not None,
        )

    def _written(self) -> Iterator[Result]:
        for task_id in sorted(self._results):
            yield read_result(self._work, task_id)

    def _summary(self, results: Sequence[Result], wall: float) -> Summary:
        order = self._order
        processes = max(1, min(order.jobs, self._measured))
        return Summary(
            delivery=self._told_of_delivery(),
            closed=self._opened.closed,
            counts=counted(results),
            by_design=sum(it.by_design for it in results),
            sample=self._sample,
            target=order.target,
            buyer=order.own.id,
            date=order.date,
            # What is reused was measured by as many processes, if by the same command.
            seconds=round(wall + sum(it.before for it in results) / processes, 3),
            in_gates=min(1.0, sum(it.in_gates for it in results) / (wall * processes)),
            notes=dict(sorted(self._notes.items())),
            measured_by={
                "shipbar": f"{tool_version()} {tool_digest()}",
                "sandbox": order.sandbox,
                "interpreter": interpreter(),
            },
        )

    def _told_of_delivery(self) -> dict[str, Any]:
        bundles = self._opened.bundles
        if not bundles or self._opened.closed:
            return {}
        said = bundles[-1].manifest
        return {
            "client": said.client,
            "tranche": said.tranche,
            "serial": said.serial,
            "digest": self._opened.digest,
            "previous": said.previous or "",
            "signed by": sorted({it for one in bundles for it in one.signers}),
        }
