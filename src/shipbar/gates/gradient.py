"""G8: a score rises step by step with what is right, and no rule decides it alone.

A built task has a ladder: packages with one rule right, then two, and so on; below it
stands the package written from memory, above it the reference. Each step must score
more than the one before, all of the ladder strictly between 0 and 1. What a rule is
worth is what its flip-back loses: something, and at most `LARGEST`.

A task without a ladder gets one by ablation: the reference with its public functions
and methods raising `NotImplementedError`, one more at each step. There each function
must be worth something and none everything, and `LARGEST` holds for the rules that the
names of its tests tell.
"""

import ast
import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

import attrs

from shipbar.gates.base import CannotRunError, Evidence, Gate
from shipbar.gates.trial import Trial, failed
from shipbar.grading.tasks import LADDER

LARGEST = 0.25
"""Share of the assertions that one rule may be worth."""
LEAST_FUNCTIONS = 2
"""Public functions of which a ladder can be made by ablation."""

Files = Mapping[str, bytes]


class GradientGate(Gate):
    """The ladder of near misses through the grader."""

    id, name = "G8", "gradient"
    title = "the score rises step by step"

    def _examine(self, trial: Trial) -> Evidence:
        measured = _of_rules(trial) if trial.ladder else _of_functions(trial)
        total = len(trial.task.suite.cases)
        largest = max(measured.shares.values(), default=0)
        return self._verdict(
            f"{len(measured.steps)} steps, rule ≤ {largest / total:.0%}",
            [*_worth(measured, total), *_steps(measured.steps, total)],
            {
                "steps": {
                    path: round(passed / total, 4)
                    for path, passed in measured.steps.items()
                },
                "worth": {
                    name: round(lost / total, 4)
                    for name, lost in measured.worth.items()
                },
                "largest_rule": round(largest / total, 4),
            },
            {"largest": LARGEST, "ladder": measured.ladder},
        )


@attrs.frozen(kw_only=True)
class _Measured:
    """What the steps of a ladder score, and what its parts are worth; in assertions."""

    ladder: str
    """Where it comes from."""
    steps: Mapping[str, int]
    """What passes, from the poorest package on."""
    worth: Mapping[str, int]
    """What is lost without each part: a rule, or a function."""
    shares: Mapping[str, int]
    """What each rule is worth."""


def _of_rules(trial: Trial) -> _Measured:
    lost = {
        f"rule {rule}": len(failed(trial.verdict(path)))
        for rule, path in trial.flip_backs.items()
    }
    steps = (trial.known_bad[0], *trial.ladder)
    return _Measured(
        ladder="the task's",
        steps={path: trial.verdict(path).passed for path in steps},
        worth=lost,
        shares={**_asserted(trial, set(trial.record.get("rules", ()))), **lost},
    )


def _of_functions(trial: Trial) -> _Measured:
    """The ladder by ablation: what is worth least goes first."""
    files = trial.files(trial.reference)
    names = public_functions(files, trial.task.contract.public_symbols)
    if len(names) < LEAST_FUNCTIONS:
        raise CannotRunError(
            f"the task has no {LADDER}, and {len(names)} public functions make none: add partial implementations there, "
            "from the poorest by name"
        )
    alone = {name: trial.grade(ablated(files, {name})).passed for name in names}
    total = len(trial.task.suite.cases)
    order = sorted(names, key=lambda name: (total - alone[name], name))
    steps = {
        f"without {', '.join(order[:count])}": trial.grade(
            ablated(files, set(order[:count]))
        ).passed
        for count in range(len(order) - 1, 0, -1)
    }
    return _Measured(
        ladder="the reference by ablation",
        steps=steps,
        worth={name: total - passed for name, passed in alone.items()},
        shares=_asserted(trial),
    )


def _asserted(trial: Trial, known: Collection[str] = ()) -> dict[str, int]:
    """How many assertions are there for each rule, as their names tell; for known ones alone if told."""
    words = {rule.replace("-", "_") for rule in known}
    counted = Counter(case.rule for case in trial.task.suite.cases)
    return {
        f"rule {rule.replace('_', '-')}": count
        for rule, count in sorted(counted.items())
        if not words or rule in words
    }


def _worth(measured: _Measured, total: int) -> list[str]:
    problems = []
    for name, lost in measured.worth.items():
        if not lost:
            problems.append(f"{name} is worth nothing: no assertion fails without it")
        if lost == total:
            problems.append(
                f"{name} is worth everything: no assertion passes without it"
            )
    problems += [
        f"{name} is worth {lost} of {total} assertions, at most {LARGEST:.0%}"
        for name, lost in measured.shares.items()
        if lost > LARGEST * total
    ]
    return problems


def _steps(steps: Mapping[str, int], total: int) -> list[str]:
    problems = [
        f"{name} passes {passed} of {total}, expected more than none and fewer than all"
        for name, passed in steps.items()
        if not 0 < passed < total
    ]
    problems += [
        f"{upper} passes {more} of {total}, no more than {lower} with {fewer}"
        for (lower, fewer), (upper, more) in itertools.pairwise(steps.items())
        if more <= fewer
    ]
    return problems


def public_functions(files: Files, symbols: Sequence[str]) -> list[str]:
    """Return the public functions, and the public methods of public classes, of a package."""
    found = []
    for node in _statements(files):
        if isinstance(node, ast.FunctionDef) and node.name in symbols:
            found.append(node.name)
        elif isinstance(node, ast.ClassDef) and node.name in symbols:
            found += [
                f"{node.name}.{it.name}"
                for it in node.body
                if isinstance(it, ast.FunctionDef) and not it.name.startswith("_")
            ]
    return sorted(set(found))


def ablated(files: Files, names: Collection[str]) -> dict[str, bytes]:
    """Return a package in which some functions raise `NotImplementedError`.

    Args:
        files: the package.
        names: functions of modules, and methods as `Class.method`.
    """
    return {
        path: _without(data, names) if path.endswith(".py") else data
        for path, data in files.items()
    }


def _without(data: bytes, names: Collection[str]) -> bytes:
    tree = ast.parse(data)
    gone = [node for node in tree.body if getattr(node, "name", None) in names]
    gone += [
        it
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        for it in node.body
        if f"{node.name}.{getattr(it, 'name', '')}" in names
    ]
    if not gone:
        return data
    for node in gone:
        if isinstance(node, ast.FunctionDef):
            node.body = ast.parse("raise NotImplementedError").body
    return ast.unparse(ast.fix_missing_locations(tree)).encode()


def _statements(files: Files) -> Iterator[ast.stmt]:
    for path, data in sorted(files.items()):
        if path.endswith(".py"):
            yield from ast.parse(data).body


GATE = GradientGate()
