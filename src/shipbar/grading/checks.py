"""Checks a suite and a task, and finds everything that is wrong at once.

A suite is in order when every test lifts, `ERRORS` says what the reference has,
the reference passes twice (another hash seed, another order), the contract has the right count, and
the probes, if there are any, give just this suite. What is liftable but worth
little is warned of: see `cautions`.

A task is in order when its contract, layout and suite are, the reference ships,
and every known-bad installs, clears the structural check and does not ship, the
first with a score of at most `recall_ceiling`.

A sandbox that fails is an error and never a finding.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from shipbar.contract import Contract, check_count
from shipbar.errors import ContractError, ProblemsError, UserError
from shipbar.grading.asking import (
    Answer,
    Desk,
    Question,
    open_reference,
    shown,
)
from shipbar.grading.cautions import cautions, place
from shipbar.grading.grader import Grader
from shipbar.grading.judge import outcome_of
from shipbar.grading.lineage import ask_lineages, difference
from shipbar.grading.regenerate import PROBES, regenerate
from shipbar.grading.suitetext import errors_text
from shipbar.grading.tasks import (
    Task,
    digest_of,
    layout_problems,
    lift_suite,
    read_contract,
    suite_files,
)
from shipbar.ports import Sandbox
from shipbar.sealed.codec import DecodeError, decode, decode_names
from shipbar.sealed.compare import Approx, Raises
from shipbar.sealed.frames import ESCAPED, VALUE, Frame
from shipbar.sealed.lift import Case, Suite
from shipbar.sealed.literals import LiteralError, Writer
from shipbar.sealed.shape import Shape
from shipbar.verdict import Outcome, Verdict

LONGEST = 120
"""Characters of a value that a problem shows."""


@attrs.frozen(kw_only=True)
class SuiteReport:
    """What a suite's check found."""

    problems: tuple[str, ...]
    """What must be mended."""
    warnings: tuple[str, ...]
    """What may be better otherwise."""
    rules: Mapping[str, int]
    """For each rule, its assertions."""
    errors: str
    """The binding of `ERRORS` that the reference calls for; empty if it needs none."""
    suite: Suite | None
    """The suite, if all of it could be lifted."""

    @property
    def ok(self) -> bool:
        """Whether nothing must be mended."""
        return not self.problems

    @property
    def count(self) -> int:
        """Assertions that could be lifted."""
        return sum(self.rules.values())

    def as_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "ok": self.ok,
            "assertions": self.count,
            "rules": dict(self.rules),
            "problems": list(self.problems),
            "warnings": list(self.warnings),
            "errors": self.errors,
        }


@attrs.frozen(kw_only=True)
class PackageReport:
    """How one of a task's own packages did."""

    path: str
    """Where it lies in the task."""
    role: str
    """`reference` or `known-bad`."""
    verdict: Verdict | None
    """Its grade; None if it is no submission."""
    problem: str
    """Why it is not what its role asks for; empty if it is."""

    def as_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        graded = self.verdict
        return {
            "path": self.path,
            "role": self.role,
            "install": graded.install if graded else None,
            "structure": graded.structure.ok if graded else False,
            "passed": graded.passed if graded else None,
            "total": graded.total if graded else None,
            "shipped": graded.shipped if graded else None,
            "problem": self.problem,
        }


@attrs.frozen(kw_only=True)
class TaskReport:
    """What a task's check found."""

    contract: Contract | None
    """The contract, if it could be read."""
    layout: tuple[str, ...]
    """What is wrong with the contract or the layout."""
    suite: SuiteReport | None
    """What its suite's check found, if there was one to check."""
    packages: tuple[PackageReport, ...]
    """The reference and the known-bads, if the suite could be lifted."""

    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that must be mended."""
        found = [*self.layout, *(self.suite.problems if self.suite else ())]
        found += [package.problem for package in self.packages if package.problem]
        return tuple(dict.fromkeys(found))

    @property
    def ok(self) -> bool:
        """Whether the task is in order."""
        return not self.problems

    def as_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "ok": self.ok,
            "task_id": self.contract.task_id if self.contract else None,
            "problems": list(self.problems),
            "suite": self.suite.as_json() if self.suite else None,
            "packages": [package.as_json() for package in self.packages],
        }


def check_task(folder: Path, sandbox: Sandbox, work: Path) -> TaskReport:
    """Check the task in ``folder``.

    Raises:
        UserError: there is no task.
        SandboxError, GraderFault: the machine's or our fault; nothing was found.
    """
    try:
        contract = read_contract(folder)
    except ContractError as error:
        return TaskReport(contract=None, layout=error.problems, suite=None, packages=())
    suite = check_suite(folder, contract, sandbox, work)
    packages: tuple[PackageReport, ...] = ()
    if suite.suite is not None:
        task = Task(
            folder=folder,
            contract=contract,
            suite=suite.suite,
            digest=digest_of(folder),
        )
        with Grader(task, sandbox, work) as grader:
            packages = tuple(_packages(task, grader))
    return TaskReport(
        contract=contract,
        layout=tuple(layout_problems(folder, contract)),
        suite=suite,
        packages=packages,
    )


def _packages(task: Task, grader: Grader) -> Iterator[PackageReport]:
    contract = task.contract
    for number, path in enumerate(
        (contract.reference_install, *contract.known_bad_install)
    ):
        role = "known-bad" if number else "reference"
        try:
            verdict = grader.grade(task.folder / path)
        except UserError as error:
            yield PackageReport(path=path, role=role, verdict=None, problem=str(error))
            continue
        why = _unfit_bad(verdict) if number else _unfit_reference(verdict)
        if not why and number == 1 and verdict.score > contract.recall_ceiling:
            why = (
                f"scores {verdict.score:.4f}, over recall_ceiling, which is {contract.recall_ceiling}; "
                "ask more of what memory gets wrong, or put it later in known_bad_install"
            )
        yield PackageReport(
            path=path,
            role=role,
            verdict=verdict,
            problem=f"{task.folder / path}: {why}" if why else "",
        )


def _unfit_reference(verdict: Verdict) -> str:
    if not verdict.structure.ok:
        return f"the reference must import: {_structure(verdict)}"
    if verdict.passed == verdict.total:  # whether min_passed is right is told elsewhere
        return ""
    failed = [case for case in verdict.cases if case.outcome is not Outcome.PASSED]
    return (
        f"the reference must ship, and passes {verdict.passed} of {verdict.total}; "
        f"{failed[0].id.rpartition('::')[2]}: {failed[0].outcome}"
    )


def _unfit_bad(verdict: Verdict) -> str:
    if not verdict.structure.ok:
        return f"a known-bad must install and clear the structural check: {_structure(verdict)}"
    if verdict.passed == verdict.total:
        return "a known-bad must fail, and passes every assertion; add an assertion on what it gets wrong"
    return ""


def _structure(verdict: Verdict) -> str:
    found = verdict.structure
    if found.missing:
        return f"public symbols missing: {', '.join(found.missing)}"
    last = shown(verdict.run.trace).rpartition("\n")[2]
    return f"{found.why}: {last}" if last else found.why


def check_suite(
    folder: Path, contract: Contract, sandbox: Sandbox, work: Path
) -> SuiteReport:
    """Check the held-out suite of the task in ``folder``.

    Raises:
        SandboxError: no sandbox could be had.
    """
    missing = [
        f"{folder / name}: expected by the contract, not there"
        for name in (*contract.grader.pytest_paths, contract.reference_install)
        if not (folder / name).exists()
    ]
    if missing:
        return SuiteReport(
            problems=tuple(missing), warnings=(), rules={}, errors="", suite=None
        )
    lifted = lift_suite(folder, contract)
    suite, complete = lifted.suite, not lifted.problems
    problems = [str(problem) for problem in lifted.problems]
    if complete:
        problems += _count_problems(folder, contract, suite)
    errors = ""
    try:
        desk = open_reference(folder, contract, sandbox, work)
        errors, wrong = _errors(folder, contract, suite, desk)
        problems += wrong
        problems += _reference_problems(suite, desk)
    except UserError as error:
        problems.append(str(error))
    if not problems:
        problems += _stale(folder, sandbox, work)
    rules: dict[str, int] = {}
    for case in suite.cases:
        rules[case.rule] = rules.get(case.rule, 0) + 1
    return SuiteReport(
        problems=tuple(problems),
        warnings=tuple(cautions(suite)),
        rules=rules,
        errors=errors,
        suite=suite if complete else None,
    )


def _count_problems(folder: Path, contract: Contract, suite: Suite) -> tuple[str, ...]:
    try:
        check_count(contract, len(suite.cases), where=str(folder / "task.toml"))
    except ContractError as error:
        return error.problems
    return ()


def _errors(
    folder: Path, contract: Contract, suite: Suite, desk: Desk
) -> tuple[str, list[str]]:
    """Return the binding that the reference calls for, and how the suite's own differs."""
    declared: dict[str, tuple[str, ...]] = {}
    for path in suite_files(folder, contract):
        shape = Shape(path.name, contract.import_name, "test")
        shape.parse(path.read_text("utf-8", "replace"))
        declared |= shape.errors
    expected = {
        case.expectation.error
        for case in suite.cases
        if isinstance(case.expectation, Raises) and "." not in case.expectation.error
    }
    known = {name for name in declared if name in contract.public_symbols}
    real = ask_lineages(desk, contract, expected | known)
    if not real:
        return "", []
    text = errors_text(real)
    # One that is not declared at all is a problem of lifting already.
    wrong = difference(declared, {name: real[name] for name in sorted(known)})
    if not wrong:
        return text, []
    return text, [f"ERRORS is not what the reference has: {'; '.join(wrong)}"]


def _stale(folder: Path, sandbox: Sandbox, work: Path) -> tuple[str, ...]:
    """Whether the probes, if there are any, give another suite."""
    if not (folder / PROBES).is_file():
        return ()
    try:
        made = regenerate(folder, sandbox, work)
    except ProblemsError as error:
        return error.problems
    except UserError as error:
        return (str(error),)
    if not made.changed:
        return ()
    return (
        f"{made.path}: differs from what {PROBES} gives; run `shipbar suite regenerate`, or remove the probes",
    )


# -- the reference


def _reference_problems(suite: Suite, desk: Desk) -> Iterator[str]:
    """Say which cases the reference fails, or answers differently at another run."""
    questions = [Question(file=case.file, source=case.source) for case in suite.cases]
    answered = desk.ask_twice(suite.heads, questions)
    for case, answers in zip(suite.cases, answered, strict=True):
        failed = [answer for answer in answers if not _passes(case, answer)]
        if len(failed) == len(answers):
            yield (
                f"{place(case)}: the reference does not pass it: {_found(case, failed[0])}; "
                "correct one of the two, or run `shipbar suite regenerate`"
            )
        elif failed:
            yield (
                f"{place(case)}: not repeatable: with another hash seed or in another order the reference does not pass it: "
                f"{_found(case, failed[0])}; sort what has no order, and let each test stand alone"
            )


def _passes(case: Case, answer: Answer) -> bool:
    return answer.frame is not None and outcome_of(case, answer.frame) is Outcome.PASSED


def _found(case: Case, answer: Answer) -> str:
    if answer.frame is None:
        return answer.lost
    return f"it {_said(answer.frame)}, expected {_wanted(case)}"


def _said(frame: Frame) -> str:
    try:
        if frame.kind == VALUE:
            return f"answers {_short(decode(frame.payload))}"
        name = decode_names(frame.payload)[0].removeprefix("builtins.")
    except (DecodeError, IndexError):
        return "answers what is no plain data"
    where = ", already in the arrange part" if frame.kind == ESCAPED else ""
    return f"raises {name}{where}"


def _wanted(case: Case) -> str:
    expected = case.expectation
    if isinstance(expected, Raises):
        return f"it to raise {expected.error.removeprefix('builtins.')}"
    close = "about " if isinstance(expected, Approx) else ""
    return close + _short(expected.value)


def _short(value: object) -> str:
    try:
        text = Writer().write(value)
    except LiteralError as cause:
        return f"what cannot be expected ({cause})"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
