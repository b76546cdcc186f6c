"""G2: every wrong package installs, clears the structural check, and fails.

Where a task was built from a family its rules are known, and the score bands of the
design hold as well. Packages without behaviour, made from the reference's names, earn
next to nothing.
"""

from collections.abc import Mapping

from shipbar.gates.base import Evidence, Gate
from shipbar.gates.trial import Trial, failed
from shipbar.grading.nulls import nulls
from shipbar.verdict import Verdict

NULL_MOST = 0.10
"""Most that a package without behaviour may score."""
FLIP_LEAST = 0.80
"""Least that a package with one rule wrong scores."""
FLIP_COST = 3
"""Assertions that one wrong rule costs at least."""
BANDS = {"over-inverter": (0.60, 0.85)}
"""Where other known-bads of a built task lie, by name."""
MEMORY = (0.05, 0.40)
"""Where the package written from memory lies, in a built task."""


class KnownBadGate(Gate):
    """Every known-bad, and the packages without behaviour, through the grader."""

    id, name = "G2", "known-bad"
    title = "every wrong package fails"

    def _examine(self, trial: Trial) -> Evidence:
        graded = {path: trial.verdict(path) for path in trial.known_bad}
        battery = {
            name: trial.grade(files)
            for name, files in battery_of(trial.files(trial.reference)).items()
        }
        problems = [why for path, it in graded.items() for why in _unfit(path, it)]
        problems += _recall(trial, graded)
        if trial.record:
            problems += _bands(trial, graded)
        problems += [
            f"{name} scores {it.score:.4f}, at most {NULL_MOST}"
            for name, it in battery.items()
            if it.score > NULL_MOST
        ]
        fails = sum(not it.shipped for it in graded.values())
        return self._verdict(
            f"{fails}/{len(graded)} fail",
            problems,
            {
                "scores": {path: round(it.score, 4) for path, it in graded.items()},
                "nulls": {name: round(it.score, 4) for name, it in battery.items()},
                "own": {axis: len(cases) for axis, cases in _own(trial).items()},
                "recall_ceiling": trial.task.contract.recall_ceiling,
            },
        )


def battery_of(reference: Mapping[str, bytes]) -> dict[str, dict[str, bytes]]:
    """Return the packages without behaviour by name; `empty` has not even the names."""
    empty = {
        path: b"" for path in reference if path.count("/") == 1 and "__init__" in path
    }
    return {"empty": empty, **{name: dict(it) for name, it in nulls(reference).items()}}


def _unfit(path: str, graded: Verdict) -> list[str]:
    if not graded.structure.ok:
        return [f"{path} does not clear the structural check: {graded.structure.why}"]
    if graded.passed == graded.total:
        return [f"{path} passes every assertion"]
    return []


def _recall(trial: Trial, graded: Mapping[str, Verdict]) -> list[str]:
    memory, ceiling = trial.known_bad[0], trial.task.contract.recall_ceiling
    if graded[memory].score > ceiling:
        return [f"{memory} scores {graded[memory].score:.4f}, at most {ceiling}"]
    return []


def _bands(trial: Trial, graded: Mapping[str, Verdict]) -> list[str]:
    """The bands of a task that was built from a family."""
    wanted = {
        path: BANDS[path.rpartition("/")[2]]
        for path in graded
        if path.rpartition("/")[2] in BANDS
    }
    wanted[trial.known_bad[0]] = MEMORY
    problems = [
        f"{path} scores {graded[path].score:.4f}, expected {low} to {high}"
        for path, (low, high) in wanted.items()
        if not low <= graded[path].score <= high
    ]
    for axis, cases in _own(trial).items():
        if len(cases) < FLIP_COST:
            problems.append(
                f"rule {axis} has {len(cases)} assertions of its own, at least {FLIP_COST}"
            )
        score = graded[trial.flip_backs[axis]].score
        if score < FLIP_LEAST:
            problems.append(
                f"rule {axis} alone wrong scores {score:.4f}, at least {FLIP_LEAST}"
            )
    return problems


def _own(trial: Trial) -> dict[str, frozenset[str]]:
    """For each rule, the assertions that it alone decides."""
    lost = {
        axis: failed(trial.verdict(path)) for axis, path in trial.flip_backs.items()
    }
    return {
        axis: cases.difference(*(it for name, it in lost.items() if name != axis))
        for axis, cases in lost.items()
    }


GATE = KnownBadGate()
