"""G11: no other task's reference solves this task, once its names are mapped.

Names are mapped by *role*. Tasks of one family record which role each name has, so
their names are mapped exactly. Any two other tasks are mapped by kind and place: the
functions, classes and exceptions of both are taken in the order in which their
references define them, those with the same parameters first, and so are the methods of
classes that were mapped to each other. A reference that has fewer of a kind than this task lacks
public symbols whichever way it is mapped: it scores nothing, and is counted as such
without being run.

All mapped references are judged in one subject, so that a pair costs what its cases
cost: some milliseconds; a pair of families that have little in common costs a
comparison of counts. A tranche of n tasks takes O(n²) counts, and one run for each pair
within a family.

Hidden items that another task of the family asks too, once mapped, are counted.

Whether a task was delivered to another client is known to whoever keeps the books: a
`delivered` is asked for the task's digest and says to whom. The gate as it is
registered has none, and says so in its figures.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import attrs

from shipbar.gates.base import Evidence, Gate, Status
from shipbar.gates.packages import installed_reference, modules_of
from shipbar.gates.surfaces import BY_ROLE, Renaming, renaming, surface_of
from shipbar.gates.trial import Trial
from shipbar.grading.install import Installed
from shipbar.grading.lineup import Lineup
from shipbar.grading.tasks import Task
from shipbar.verdict import canonical, sha256

LACKS = "lacks public symbols"
"""How a reference is told apart without being run."""
MOST = Fraction(75, 100)
"""Share of the assertions that another task's reference may pass."""

Delivered = Callable[[str], Sequence[str]]
"""From a task's digest to the clients who have it already."""


class NoveltyGate(Gate):
    """Every other task's reference, under this task's names."""

    id, name = "G11", "novelty"
    title = "no other task's reference solves it"

    def __init__(self, delivered: Delivered | None = None) -> None:
        """Look into the books too, if there are any.

        Args:
            delivered: says which clients have the task of a digest already.
        """
        self._delivered = delivered

    def depends(self, trial: Trial) -> Mapping[str, str]:
        """The other tasks."""
        others = {other.digest: "" for other in trial.others}
        return {"others": sha256(canonical(others))}

    def _examine(self, trial: Trial) -> Evidence:
        clients = list(self._delivered(trial.task.digest)) if self._delivered else []
        problems = [f"it was delivered to {client} already" for client in clients]
        told = "no books were given" if self._delivered is None else len(clients)
        others = [it for it in trial.others if it.digest != trial.task.digest]
        if len(others) < len(trial.others):
            problems.append("the same task stands among the others, byte for byte")
        if not trial.others and not problems:
            return Evidence(
                gate=self.id,
                status=Status.NOT_APPLICABLE,
                cell="no others",
                why="there is no other task to hold it against",
                figures={"delivered": told},
            )
        found = _compare(trial, others)
        problems += [
            f"the reference of {one.task_id} passes {one.score:.4f} once its names are mapped {one.how}, at most {float(MOST)}"
            for one in found
            if one.passed > MOST * len(trial.task.suite.cases)
        ]
        highest = max((one.score for one in found), default=0.0)
        return self._verdict(
            f"≤ {highest:.2f}, {len(others)} others",
            problems,
            {
                "others": len(others),
                "run": sum(one.run for one in found),
                "highest": round(highest, 4),
                "scores": {
                    one.task_id: round(one.score, 4) for one in found if one.run
                },
                "mapped": dict(sorted(Counter(one.how for one in found).items())),
                "shared_hidden_items": sum(one.shared for one in found),
                "delivered": told,
            },
            {"most": float(MOST)},
        )


@attrs.frozen(kw_only=True)
class _Compared:
    """How another task's reference does."""

    task_id: str
    """The other task."""
    how: str
    """How its names were mapped."""
    passed: int = 0
    """Assertions that it passes."""
    score: float = 0.0
    """The share of them."""
    run: bool = False
    """Whether it had to be run."""
    shared: int = 0
    """Hidden items that both ask."""


def _compare(trial: Trial, others: Sequence[Task]) -> list[_Compared]:
    task = trial.task
    package = installed_reference(task, trial.sandbox, trial.work)
    mine = surface_of(task)
    found = []
    with Lineup(task, package, trial.sandbox, trial.work) as lineup:
        for other in others:
            how = renaming(mine, surface_of(other))
            if how is None:
                found.append(_Compared(task_id=other.contract.task_id, how=LACKS))
                continue
            theirs = installed_reference(other, trial.sandbox, trial.work)
            heard = lineup.judge(_renamed(theirs, other, package, task, how))
            total = len(task.suite.cases)
            passed = total - len(heard.failed) if heard.loads else 0
            found.append(
                _Compared(
                    task_id=other.contract.task_id,
                    how=how.how,
                    passed=passed,
                    score=passed / total,
                    run=True,
                    shared=_shared(task, other, how),
                )
            )
    return found


def _renamed(
    theirs: Installed, other: Task, package: Installed, task: Task, how: Renaming
) -> dict[str, bytes]:
    """Their modules under our names, where ours lie."""
    root = f"{package.root}/" if package.root else ""
    own = other.contract.import_name.replace(".", "/")
    name = task.contract.import_name.replace(".", "/")
    cut = len(theirs.root) + 1 if theirs.root else 0
    return {
        root + name + path[cut:].removeprefix(own): how.apply(data.decode()).encode()
        if path.endswith(".py")
        else data
        for path, data in modules_of(theirs, other.contract.import_name).items()
    }


def _shared(task: Task, other: Task, how: Renaming) -> int:
    """How many hidden items both tasks ask, where their names are mapped exactly."""
    if how.how != BY_ROLE:
        return 0
    asked = {case.source for case in task.suite.cases}
    return sum(how.apply(case.source) in asked for case in other.suite.cases)


GATE = NoveltyGate()
