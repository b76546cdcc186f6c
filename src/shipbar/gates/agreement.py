"""G10: stock pytest and the sealed judge pass the same tests.

The suite that is delivered is an ordinary one, and the sealed judge reads it without
running it. Both readings must agree, on the reference, on every known-bad and on the
whole ladder: each is run under stock pytest, and the ids that pass must be the ids
that pass in the sealed grade. With the reference, pytest must also find exactly the
tests that were lifted.
"""

from collections.abc import Iterable, Mapping

from shipbar.gates.base import Evidence, Gate
from shipbar.gates.stock import Ran, Stock, pytest_digest, pytest_folder
from shipbar.gates.trial import Trial, failed
from shipbar.gates.worlds import copy_program, room
from shipbar.verdict import Verdict

SHOWN = 3
"""Ids that a problem names."""
WORDS = 300
"""Characters of pytest's own words that a problem repeats."""


class AgreementGate(Gate):
    """The suite under stock pytest, with each of the task's packages."""

    id, name = "G10", "agreement"
    title = "stock pytest passes the same tests"

    def _examine(self, trial: Trial) -> Evidence:
        packages = (trial.reference, *trial.known_bad, *trial.ladder)
        problems: list[str] = []
        passed: dict[str, int] = {}
        agree = 0
        with room(trial.work) as place:
            stock = Stock(
                task=trial.task,
                sandbox=trial.sandbox,
                program=copy_program("stock", place / "program"),
                tools=pytest_folder(trial.cache),
                work=place,
            )
            for path in packages:
                ran = stock.run(path)
                if path == trial.reference:
                    lifted = [case.id for case in trial.task.suite.cases]
                    problems += _collected(ran, lifted)
                found = differences(path, ran, trial.verdict(path))
                agree += not found
                problems += found
                passed[path] = len(ran.passed)
        return self._verdict(
            f"{agree}/{len(packages)}",
            problems,
            {"packages": len(packages), "agree": agree, "passed": passed},
            {"pytest": pytest_digest()},
        )

    def depends(self, trial: Trial) -> Mapping[str, str]:
        """Name pytest."""
        del trial
        return {"pytest": pytest_digest()}


def differences(package: str, ran: Ran, sealed: Verdict) -> list[str]:
    """Say where stock pytest and the sealed judge part on a package."""
    judged = frozenset(case.id for case in sealed.cases) - failed(sealed)
    problems = []
    if ran.lost and not judged <= ran.passed:
        return [
            f"{package}: stock pytest was lost, {ran.lost}: {len(judged - ran.passed)} tests that pass in the sealed judge were not reached"
        ]
    if only := ran.passed - judged:
        outcomes = {case.id: case.outcome for case in sealed.cases}
        told = [f"{test} ({outcomes.get(test, 'not lifted')})" for test in sorted(only)]
        problems.append(
            f"{package}: {len(only)} tests pass under stock pytest alone: {_some(told)}"
        )
    if only := judged - ran.passed:
        told = [
            test if test in ran.outcomes else f"{test} (not run)"
            for test in sorted(only)
        ]
        problems.append(
            f"{package}: {len(only)} tests pass in the sealed judge alone: {_some(told)}{_words(ran)}"
        )
    return problems


def _collected(ran: Ran, lifted: Iterable[str]) -> list[str]:
    """Say which tests one of both does not know of."""
    known = set(lifted)
    problems: list[str] = []
    if ran.lost:
        return problems
    if more := sorted(set(ran.outcomes) - known):
        problems.append(f"stock pytest finds tests that were not lifted: {_some(more)}")
    if fewer := sorted(known - set(ran.outcomes)):
        problems.append(
            f"stock pytest does not run tests that were lifted: {_some(fewer)}{_words(ran)}"
        )
    return problems


def _some(told: list[str]) -> str:
    more = f" and {len(told) - SHOWN} more" if len(told) > SHOWN else ""
    return ", ".join(told[:SHOWN]) + more


def _words(ran: Ran) -> str:
    """Return what pytest said last, where no test was run at all: then they say why."""
    return f"; pytest says: {ran.words[-WORDS:]!r}" if not ran.outcomes else ""


GATE = AgreementGate()
