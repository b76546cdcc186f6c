"""G1: the reference passes every assertion, and there are as many as the contract says."""

from shipbar.gates.base import Evidence, Gate
from shipbar.gates.trial import Trial, failed


class ReferenceGate(Gate):
    """The reference through the grader."""

    id, name = "G1", "reference"
    title = "the reference passes every assertion"

    def _examine(self, trial: Trial) -> Evidence:
        graded = trial.verdict(trial.reference)
        lifted = len(trial.task.suite.cases)
        wanted = trial.task.contract.grader.min_passed
        problems = []
        if not graded.structure.ok:
            problems.append(
                f"the reference does not clear the structural check: {graded.structure.why}"
            )
        problems += [f"the reference fails {case}" for case in sorted(failed(graded))]
        if not graded.passed == wanted == lifted:
            problems.append(
                f"{graded.passed} passed, {lifted} lifted, min_passed {wanted}: expected three equal counts"
            )
        return self._verdict(
            f"{graded.passed}/{graded.total}",
            problems,
            {"passed": graded.passed, "lifted": lifted, "min_passed": wanted},
        )


GATE = ReferenceGate()
