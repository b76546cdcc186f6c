"""How far a task is: built, proven, reviewed, delivered, accepted, and what comes next."""

import shlex
from collections.abc import Mapping, Sequence

import attrs

from shipbar.attest.receipt import FAILED, NOT_APPLICABLE, PASSED, Receipt
from shipbar.attest.reviews import ROLES, Record
from shipbar.attest.tool import tool_digest
from shipbar.store.values import (
    ACCEPTED,
    FINISHED,
    REJECTED,
    RESERVED,
    AcceptanceFacts,
    Delivery,
)

BY_HAND, BUILT, CHANGED = "by hand", "built", "changed"
EVALUATION = "eval"
"""The split whose graders go out in no delivery openly."""
ANOTHER_STATE = "before"
"""Stands for a delivery of the task at another digest."""


@attrs.frozen(kw_only=True)
class Asked:
    """A gate that every task has to answer."""

    id: str
    """The gate's id."""
    name: str
    """Its word in `--gate`."""
    version: int
    """The version of what it asks."""
    by_people: bool = False
    """Whether it looks for what people signed, and is asked by its name alone."""


@attrs.frozen(kw_only=True)
class Proven:
    """What receipts say of a task at its present digest, by this Shipbar; ids of gates."""

    passed: tuple[str, ...] = ()
    """Those that it passed, or that do not apply to it."""
    failed: tuple[str, ...] = ()
    """Those that stop it."""
    stale: tuple[str, ...] = ()
    """Those of which there are only receipts by another Shipbar, or of what a gate once asked."""
    missing: tuple[str, ...] = ()
    """Those of which there is none."""


@attrs.frozen(kw_only=True)
class Reviewed:
    """What people signed about a task at its present digest."""

    signed: tuple[str, ...] = ()
    """Roles in which somebody approves of it."""
    missing: tuple[str, ...] = ()
    """Roles in which nobody does."""
    problems: tuple[str, ...] = ()
    """Who rejects it, and which files do not count."""


@attrs.frozen(kw_only=True)
class Standing:
    """How far one task is."""

    folder: str
    """Where it lies."""
    task_id: str = ""
    """Its id; empty if it cannot be read."""
    digest: str = ""
    """Its digest; empty if it cannot be read."""
    split: str = ""
    """`train` or `eval`; empty if it cannot be read."""
    problem: str = ""
    """Why it cannot be read."""
    built: str = ""
    """`built` from a family, `changed` since, or `by hand`."""
    proven: Proven = attrs.field(factory=Proven)
    """What its receipts say."""
    reviewed: Reviewed = attrs.field(factory=Reviewed)
    """What people signed."""
    recorded: bool = False
    """Whether the ledger has it at this digest."""
    client: str = ""
    """Whose it is; empty as long as it is nobody's."""
    serial: int = 0
    """The latest delivery that it is in; 0 for none."""
    delivery: str = ""
    """How far that is: `reserved`, `finished`, or `before` if it was of another digest."""
    outcome: str = ""
    """What the buyer says of it at this digest."""
    reason: str = ""
    """Why the buyer rejected it."""
    step: str = ""
    """What comes next, in a word; tasks with one step can be taken on together."""
    next: str = ""
    """The command that does it; empty if nothing is left to do."""

    @property
    def is_proven(self) -> bool:
        """Whether every gate has passed it as it is now."""
        return not (self.proven.failed or self.proven.stale or self.proven.missing)

    @property
    def is_reviewed(self) -> bool:
        """Whether all who have to approve of it do, and nobody rejects it."""
        return not (self.reviewed.missing or self.reviewed.problems)

    @property
    def is_delivered(self) -> bool:
        """Whether a client has it as it is now."""
        return self.delivery == FINISHED


def proven(receipts: Sequence[Receipt], gates: Sequence[Asked]) -> Proven:
    """Say what receipts of a task at one digest say of each gate.

    A failure counts before a pass: two receipts of one gate may differ in what it
    depended on beside the task.
    """
    found: dict[str, list[str]] = {
        "passed": [],
        "failed": [],
        "stale": [],
        "missing": [],
    }
    for gate in gates:
        its = [it for it in receipts if it.question.gate == gate.id]
        now = {
            it.status
            for it in its
            if it.question.version == gate.version
            and it.question.conditions.tool_digest == tool_digest()
        }
        if FAILED in now:
            word = "failed"
        elif now & {PASSED, NOT_APPLICABLE}:
            word = "passed"
        else:
            word = "stale" if its else "missing"
        found[word].append(gate.id)
    return Proven(**{word: tuple(ids) for word, ids in found.items()})


def reviewed(records: Sequence[Record], digest: str) -> Reviewed:
    """Say what reviews there are of a task at one digest."""
    current = [it.review for it in records if it.review and it.review.digest == digest]
    signed = {it.role for it in current if it.approves}
    return Reviewed(
        signed=tuple(role for role in ROLES if role in signed),
        missing=tuple(role for role in ROLES if role not in signed),
        problems=(
            *(it.problem for it in records if it.problem),
            *(
                f"rejected by {it.name}, {it.role}: {it.why}"
                for it in current
                if not it.approves
            ),
        ),
    )


def delivered(
    standing: Standing,
    deliveries: Sequence[Delivery],
    reports: Sequence[AcceptanceFacts],
) -> Standing:
    """Add to whom a task went, and what came of it.

    Args:
        standing: of the task.
        deliveries: all of the ledger's, by serial.
        reports: all of the ledger's.
    """
    its = [
        (found, it.digest == standing.digest)
        for found in reversed(deliveries)
        for it in found.tasks
        if it.task_id == standing.task_id and found.state in (FINISHED, RESERVED)
    ]
    # Who has it as it is now has it, whatever was begun since.
    has = [it for it in its if it[0].state == FINISHED and it[1]]
    if not its:
        return standing
    found, same = (has or its)[0]
    there = attrs.evolve(standing, client=found.client, serial=found.serial)
    if not same:
        return attrs.evolve(there, delivery=ANOTHER_STATE)
    outcome, reason = _outcome(standing.task_id, found.serial, reports)
    return attrs.evolve(there, delivery=found.state, outcome=outcome, reason=reason)


def _outcome(
    task_id: str, serial: int, reports: Sequence[AcceptanceFacts]
) -> tuple[str, str]:
    """Return what the latest report of each buyer's key says; a rejection counts first."""
    latest = {
        it.record.buyer: outcome
        for it in sorted(reports, key=lambda it: it.number)
        for outcome in it.record.tasks
        if it.record.serial == serial and outcome.task_id == task_id
    }
    for it in latest.values():
        if it.outcome == REJECTED:
            return REJECTED, it.reason
    return (ACCEPTED, "") if latest else ("", "")


def with_next(standing: Standing, gates: Sequence[Asked]) -> Standing:
    """Add what comes next for a task."""
    step = _step(standing, gates)
    return attrs.evolve(
        standing, step=step, next=command(step, [standing.folder], standing, gates)
    )


def _step(standing: Standing, gates: Sequence[Asked]) -> str:
    if standing.problem:
        return "mend"
    if standing.is_delivered:
        # An outcome is the end of it, or its reason is what to look at. For evaluation
        # its grader was not delivered openly, and nobody may ever be able to tell.
        unknown = "" if standing.split == EVALUATION else "wait"
        return {ACCEPTED: "", REJECTED: "rejected"}.get(standing.outcome, unknown)
    roles = standing.reviewed.missing
    people = {gate.id for gate in gates if gate.by_people}
    unproven = {*standing.proven.missing, *standing.proven.stale}
    stops = (
        ("failed", standing.proven.failed),
        ("prove", unproven - people),
        ("disputed", standing.reviewed.problems),
        (f"review as {roles[0]}" if roles else "", roles),
        ("count reviews", unproven),
        ("finish", standing.delivery == RESERVED),
    )
    return next((step for step, holds in stops if holds), "deliver")


def command(
    step: str, paths: Sequence[str], standing: Standing, gates: Sequence[Asked]
) -> str:
    """Return the command that takes tasks a step on.

    Args:
        step: the step.
        paths: of the tasks, or of their folder.
        standing: of one of them; of one for evaluation, if any of them is.
        gates: all that there are.
    """
    where = " ".join(map(shlex.quote, paths))
    people = next((gate.name for gate in gates if gate.by_people), "review")
    role = step.rpartition(" ")[2]
    failed = " ".join(f"--gate {gate}" for gate in standing.proven.failed)
    kept = f" --withhold {EVALUATION}" if standing.split == EVALUATION else ""
    commands: Mapping[str, str] = {
        "mend": f"shipbar task check {where}",
        "rejected": f"shipbar ledger show {standing.serial}",
        "wait": "shipbar ledger import REPORT",
        "failed": f"shipbar verify {where} {failed}",
        "prove": f"shipbar verify {where}",
        "disputed": f"shipbar review show {where}",
        f"review as {role}": f"shipbar review sign {where} --role {role} --name NAME",
        "count reviews": f"shipbar verify {where} --gate {people}",
        "finish": f"shipbar deliver {where} -o DIR --client {standing.client}{kept}",
        "deliver": f"shipbar deliver {where} -o DIR --client {standing.client or 'NAME'}{kept}",
        "": "",
    }
    return commands[step]


def how_built(done: Mapping[str, str], task_id: str, digest: str) -> str:
    """Say how a task came about.

    Args:
        done: digests of what was built into the folder that it lies in, by task id.
        task_id: its id.
        digest: its digest.
    """
    if task_id not in done:
        return BY_HAND
    return BUILT if done[task_id] == digest else CHANGED
