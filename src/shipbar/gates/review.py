"""G12: two different people reviewed the task that ships, and signed its digest.

What they signed lies beside the task's folder; see `shipbar.attest.reviews`. The gate
checks that each review is by whoever holds the key in it, that one is a breaker's and
one a senior's, that neither name nor key is the same, and that both are of this very
task. Whose key it is nobody but that person can say: the figures give the ids.
"""

from collections.abc import Mapping, Sequence

from shipbar.attest.reviews import (
    ID_SHOWN,
    ROLES,
    Record,
    Review,
    folder_of,
    records,
)
from shipbar.gates.base import CannotRunError, Evidence, Gate
from shipbar.gates.trial import Trial
from shipbar.verdict import canonical, sha256


class ReviewGate(Gate):
    """The reviews of people."""

    id, name = "G12", "review"
    title = "two people reviewed it and signed its digest"

    def _examine(self, trial: Trial) -> Evidence:
        task = trial.task
        found = records(task.folder)
        current = [
            it.review for it in found if it.review and it.review.digest == task.digest
        ]
        problems = problems_of(found, current)
        missing = [role for role in ROLES if role not in {it.role for it in current}]
        if missing and not problems:
            raise CannotRunError(_missing(trial, missing, found))
        signed = sorted(current, key=lambda it: (it.role, it.key_id))
        return self._verdict(
            f"{len(ROLES) - len(missing)}/{len(ROLES)}",
            problems,
            {
                "digest": task.digest,
                "signed": [
                    {
                        "role": it.role,
                        "name": it.name,
                        "date": it.date,
                        "key": it.key_id,
                    }
                    for it in signed
                    if it.approves
                ],
            },
        )

    def depends(self, trial: Trial) -> Mapping[str, str]:
        """The reviews, which lie outside of the task."""
        files = sorted(folder_of(trial.task.folder).glob("*"))
        return {
            "reviews": sha256(
                canonical(
                    {it.name: sha256(it.read_bytes()) for it in files if it.is_file()}
                )
            )
        }


def problems_of(found: Sequence[Record], current: Sequence[Review]) -> list[str]:
    """Say what stops a task.

    Args:
        found: all that lies beside the task.
        current: the reviews of this very task.
    """
    problems = [record.problem for record in found if record.problem]
    problems += [
        f"rejected by {it.name}, {it.role}, on {it.date}: {it.why}"
        for it in current
        if not it.approves
    ]
    approved = [it for it in current if it.approves]
    roles = {role: [it for it in approved if it.role == role] for role in ROLES}
    first, second = (roles[role] for role in ROLES)
    if first and second and not any(_two(one, two) for one in first for two in second):
        one = first[0]
        problems.append(
            f"{' and '.join(ROLES)} are one person, {one.name} with key {one.key_id[:ID_SHOWN]}: "
            "expected two names and two keys; have somebody else sign"
        )
    return problems


def _two(one: Review, two: Review) -> bool:
    return one.person != two.person and one.key_id != two.key_id


def _missing(trial: Trial, roles: Sequence[str], found: Sequence[Record]) -> str:
    task = trial.task
    told = [
        f"{it.review.name}, {it.review.role}, signed {it.review.digest}"
        for it in found
        if it.review and it.review.digest != task.digest
    ]
    before = f" ({'; '.join(told)}: another state of it)" if told else ""
    commands = "; ".join(
        f"`shipbar review sign {task.folder} --role {role} --name NAME`"
        for role in roles
    )
    return f"no {' and no '.join(roles)} signed {task.digest}{before}: once it is reviewed, run {commands}"


GATE = ReviewGate()
