"""Regenerates a suite: asks the reference every probe, and freezes what it answers.

- The reference runs in the sandbox, twice, in two subjects: with different hash seeds
  and in opposite order. What is no plain data, equals nothing or differs between the
  two is an error that names the probe.
- A value becomes `assert EXPR == LITERAL` (`is` for True, False and None), an
  exception `with pytest.raises(CLASS)`, where CLASS is the most specific public
  symbol in its MRO, or else class of the standard library.
- The new suite is lifted and the reference graded through it before anything is
  written, so that a failure leaves the task as it was.
- The same probes and reference give the same bytes at every run.
"""

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from shipbar.contract import Contract
from shipbar.contract.lines import locate
from shipbar.errors import SuiteError, UserError
from shipbar.grading.asking import (
    Answer,
    Desk,
    Question,
    open_reference,
)
from shipbar.grading.grader import Grader
from shipbar.grading.lineage import BUILTINS, TOP, ask_lineages, is_library
from shipbar.grading.probes import Probe, Probes, parse_probes
from shipbar.grading.suitetext import (
    Frozen,
    Raised,
    UnwritableError,
    Value,
    suite_text,
)
from shipbar.grading.tasks import Task, digest_of, read_contract, suite_files
from shipbar.ports import Sandbox
from shipbar.sealed.codec import DecodeError, decode, decode_names
from shipbar.sealed.frames import ESCAPED, RAISED, VALUE, Frame
from shipbar.sealed.lift import Suite, lift
from shipbar.sealed.literals import LiteralError, Writer
from shipbar.verdict import Outcome

PROBES = "grader/probes.py"


@attrs.frozen(kw_only=True)
class Regenerated:
    """A suite that was made and proved, not yet written."""

    folder: Path
    """The task's."""
    path: Path
    """The suite file."""
    text: str
    """What it is to hold."""
    changed: bool
    """Whether that differs from what it holds."""
    count: int
    """Cases of the whole suite with it."""
    stated: int
    """What the contract's `min_passed` says."""
    contract: bytes
    """What `task.toml` is to hold, its `min_passed` set right."""

    @property
    def miscounted(self) -> str:
        """What is wrong with the contract's `min_passed`; empty if nothing is."""
        if self.count == self.stated:
            return ""
        line = locate(self.contract.decode()).of(("grader", "min_passed"))
        return f"{self.folder / 'task.toml'}:{line}: grader.min_passed: expected {self.count}, the cases of the new suite, got {self.stated}"


def regenerate(folder: Path, sandbox: Sandbox, work: Path) -> Regenerated:
    """Make the suite of the task in ``folder`` from its probes; write nothing.

    Raises:
        UserError: there are no probes, or the reference cannot be asked.
        ContractError: the contract is wrong.
        SuiteError: a probe cannot be used, or its answer cannot be frozen.
        SandboxError: no sandbox could be had.
    """
    contract = read_contract(folder)
    target = suite_path(contract)
    probes = read_probes(folder, contract)
    if probes.problems:
        raise SuiteError([str(problem) for problem in probes.problems])
    desk = open_reference(folder, contract, sandbox, work)
    answers = _frozen(probes, contract, desk)
    raised = {
        item.name
        for item in answers
        if isinstance(item, Raised) and item.module == contract.import_name
    }
    errors = ask_lineages(desk, contract, raised)
    try:
        text = suite_text(probes, answers, errors, contract.import_name)
    except UnwritableError as cause:
        raise SuiteError([str(cause)]) from cause
    suite = _lifted(folder, contract, target, text, probes)
    _prove(folder, contract, suite, sandbox, work)
    path = folder / target
    return Regenerated(
        folder=folder,
        path=path,
        text=text,
        changed=not path.is_file() or path.read_bytes() != text.encode(),
        count=len(suite.cases),
        stated=contract.grader.min_passed,
        contract=with_count(contract.raw, len(suite.cases)),
    )


def write(made: Regenerated, *, set_count: bool) -> None:
    """Write the suite, and the contract's `min_passed` if ``set_count``.

    Raises:
        UserError: the count differs and is not to be set, or a file cannot be
            written; nothing was.
    """
    if made.miscounted and not set_count:
        raise UserError(
            f"{made.miscounted}; run again with --set-count, or correct the probes. Nothing was written"
        )
    try:
        made.path.parent.mkdir(parents=True, exist_ok=True)
        if made.changed:
            _replace(made.path, made.text.encode())
        if made.miscounted:
            _replace(made.folder / "task.toml", made.contract)
    except OSError as cause:
        raise UserError(
            f"cannot write {cause.filename or made.path}: {cause.strerror}; make the task folder writable"
        ) from cause


def read_probes(folder: Path, contract: Contract) -> Probes:
    """Parse the probes of the task in ``folder``.

    Raises:
        UserError: there are none.
    """
    path = folder / PROBES
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as cause:
        raise UserError(
            f"cannot read {path}: {cause.strerror}; probes are functions `probe_<rule>_<number>` in {PROBES}"
        ) from cause
    except UnicodeDecodeError as cause:
        raise UserError(f"{path}: expected UTF-8: {cause}; save it as UTF-8") from cause
    return parse_probes(PROBES, text, contract.import_name)


def suite_path(contract: Contract) -> str:
    """Return where in a task its regenerated suite lies.

    Raises:
        UserError: the contract names several places.
    """
    paths = contract.grader.pytest_paths
    if len(paths) != 1:
        raise UserError(
            f"grader.pytest_paths: expected one folder or file to write the suite to, got {', '.join(paths)}; name one"
        )
    if paths[0].endswith(".py"):
        return paths[0]
    return f"{paths[0]}/test_{contract.import_name}.py"


def with_count(contract: bytes, count: int) -> bytes:
    """Return a contract's bytes with another `min_passed`, and nothing else changed."""
    line = locate(contract.decode().replace("\r\n", "\n")).of(("grader", "min_passed"))
    lines = contract.split(b"\n")
    lines[line - 1] = re.sub(
        rb"(min_passed\s*=\s*)\+?[0-9][0-9a-zA-Z_]*",
        rb"\g<1>" + str(count).encode(),
        lines[line - 1],
        count=1,
    )
    return b"\n".join(lines)


def _replace(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    mode = path.stat().st_mode if path.exists() else 0o644
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(name).chmod(mode & 0o777)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


# -- answers


def _frozen(probes: Probes, contract: Contract, desk: Desk) -> list[Frozen]:
    """Ask every probe twice, and freeze the answers."""
    questions = [Question(file=0, source=probe.source) for probe in probes.probes]
    answered = desk.ask_twice([probes.head], questions)
    frozen, problems = [], []
    for probe, answers in zip(probes.probes, answered, strict=True):
        try:
            frozen.append(agreed([freeze(item, contract) for item in answers]))
        except LiteralError as cause:
            problems.append(_problem(probes, probe, str(cause)))
    if problems:
        raise SuiteError(problems)
    return frozen


def _problem(probes: Probes, probe: Probe, why: str) -> str:
    return f"{probes.path}:{probe.line}: {probe.name}: {why}"


def freeze(answer: Answer, contract: Contract) -> Frozen:
    """Return what an answer says.

    Raises:
        LiteralError: it cannot be frozen; the text says why.
    """
    frame = answer.frame
    if frame is None:
        raise LiteralError(f"no answer: {answer.lost}")
    try:
        if frame.kind == VALUE:
            value = decode(frame.payload)
            Writer().write(value)
            return Value(value=value)
        if frame.kind in (RAISED, ESCAPED):
            return _raised(frame, contract)
    except DecodeError as cause:
        raise LiteralError(f"not plain data: {cause}") from cause
    except LiteralError:
        raise
    except ValueError as cause:  # a number of more digits than Python would write
        raise LiteralError(f"not plain data: {cause}") from cause
    raise LiteralError("no answer: what came is none")


def _raised(frame: Frame, contract: Contract) -> Raised:
    names = decode_names(frame.payload)
    own = names[0].removeprefix(BUILTINS) if names else "?"
    if frame.kind == ESCAPED:
        raise LiteralError(
            f"its arrange part raises {own}; only the expression that it returns may raise"
        )
    found = next((name for name in names if name in contract.public_symbols), "")
    if found:
        return Raised(module=contract.import_name, name=found)
    library = next((name for name in names if "." in name and is_library(name)), "")
    module, _, name = library.rpartition(".")
    if not library or name in TOP:
        raise LiteralError(
            f"it raises {own}, which is neither a public symbol nor says more than Exception; "
            "make its class public, or correct the reference"
        )
    return Raised(module=module, name=name)


def agreed(answers: Sequence[Frozen]) -> Frozen:
    """Return what all runs say.

    Raises:
        LiteralError: they differ.
    """
    first, *others = answers
    if all(_exactly(other) == _exactly(first) for other in others):
        return first
    if isinstance(first, Value):
        tidy = Value(value=_ordered(first.value))
        # Only the order of a dict may differ: it is no part of equality.
        if all(
            isinstance(other, Value)
            and _exactly(Value(value=_ordered(other.value))) == _exactly(tidy)
            for other in others
        ):
            return tidy
    shown = " and ".join(sorted({_exactly(answer)[:60] for answer in answers}))
    raise LiteralError(
        f"not repeatable: with another hash seed and in another order it gave another answer ({shown}); ask for something that no hashing, time, chance or earlier probe decides"
    )


def _exactly(answer: Frozen) -> str:
    """Text that tells apart what `==` does not, such as 1 and True."""
    if isinstance(answer, Raised):
        return f"the exception {answer.module}.{answer.name}"
    return Writer().write(answer.value)


def _ordered(value: object) -> object:
    """The value with each dict in the order of its keys' text."""
    if isinstance(value, dict):
        pairs = sorted(value.items(), key=lambda pair: Writer().write(pair[0]))
        return {key: _ordered(item) for key, item in pairs}
    if isinstance(value, list):
        return [_ordered(item) for item in value]
    if isinstance(value, tuple):
        return tuple(_ordered(item) for item in value)
    return value


# -- proof


def _lifted(
    folder: Path, contract: Contract, target: str, text: str, probes: Probes
) -> Suite:
    """Lift the suite as it will be, and make sure that it asks what the probes ask."""
    files: Mapping[str, str] = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in suite_files(folder, contract)
        if path.name.startswith("test_") and path.suffix == ".py"
    } | {target: text}
    lifted = lift(files, contract.import_name, contract.public_symbols)
    if lifted.problems:
        raise SuiteError([str(problem) for problem in lifted.problems])
    asked = {
        case.id.rpartition("::")[2]: case.source
        for case in lifted.suite.cases
        if case.id.startswith(f"{target}::")
    }
    if asked != {probe.test: probe.source for probe in probes.probes}:
        raise SuiteError(
            [
                f"{probes.path}:1: its layout cannot be kept; put each statement of the module on lines of its own"
            ]
        )
    return lifted.suite


def _prove(
    folder: Path, contract: Contract, suite: Suite, sandbox: Sandbox, work: Path
) -> None:
    """Grade the reference through the new suite: it must pass everything."""
    task = Task(folder=folder, contract=contract, suite=suite, digest=digest_of(folder))
    with Grader(task, sandbox, work) as grader:
        verdict = grader.grade(folder / contract.reference_install)
    failed = [case for case in verdict.cases if case.outcome is not Outcome.PASSED]
    if failed:
        raise SuiteError(
            [
                f"{case.id}: the reference does not pass its own suite: {case.outcome}; each probe must stand alone"
                for case in failed
            ]
        )
