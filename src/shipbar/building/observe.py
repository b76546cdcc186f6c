"""Asks packages in the sandbox, and holds their answers against the reference's.

The pool of probes becomes a suite by the same code that writes the final one,
and packages are judged by the same judge that grades: an item is *killed* by a
package if grading would fail it. Probes whose answer is no plain data, or
differs between two runs of the reference under different hash seeds, are dropped
and counted.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from shipbar.building.family import Probe
from shipbar.contract import Contract
from shipbar.errors import GraderFault
from shipbar.grading.asking import HASH_SEEDS, Desk, Question
from shipbar.grading.bench import Seat, world_readable
from shipbar.grading.install import Installed
from shipbar.grading.intake import write_tree
from shipbar.grading.judge import judge
from shipbar.grading.lineage import ask_lineages
from shipbar.grading.lineup import Lineup
from shipbar.grading.probes import Probes, parse_probes
from shipbar.grading.regenerate import PROBES, agreed, freeze
from shipbar.grading.suitetext import Frozen, Raised, suite_text
from shipbar.grading.tasks import Task
from shipbar.ports import Job, Sandbox
from shipbar.sealed.lift import Suite, lift
from shipbar.sealed.literals import LiteralError
from shipbar.verdict import Outcome

Files = Mapping[str, bytes]


@attrs.frozen(kw_only=True)
class Pool:
    """Probes with the reference's answers, as a lifted suite."""

    probes: tuple[Probe, ...]
    """What was kept, in order."""
    suite: Suite
    """One case for each, in the same order."""
    text: str
    """The suite file."""
    dropped: Mapping[str, int]
    """Why probes were dropped, and how many."""


@attrs.frozen(kw_only=True)
class Observer:
    """Where packages of one variant are asked."""

    contract: Contract
    """Names, symbols and limits."""
    head: str
    """The head of the probes file: docstring, imports, helpers."""
    sandbox: Sandbox
    """Where they run."""
    work: Path
    """Folder for the sandbox's own folders."""

    def pool(self, reference: Files, probes: Sequence[Probe]) -> Pool:
        """Ask the reference every probe; keep what can be frozen.

        Raises:
            UserError: the reference cannot be imported.
        """
        parsed = self._parsed(probes)
        desk = self._at(reference)
        questions = [Question(file=0, source=probe.source) for probe in parsed.probes]
        runs = [
            desk.ask([parsed.head], questions, hash_seed=seed) for seed in HASH_SEEDS
        ]
        kept: list[Probe] = []
        frozen: list[Frozen] = []
        dropped: Counter[str] = Counter()
        for probe, answers in zip(probes, zip(*runs, strict=True), strict=True):
            try:
                frozen.append(
                    agreed([freeze(answer, self.contract) for answer in answers])
                )
                kept.append(probe)
            except LiteralError as why:
                dropped[str(why).partition(":")[0].partition("(")[0].strip()] += 1
        text = self._text(desk, kept, frozen)
        suite = lift(
            {f"grader/tests/test_{self.contract.import_name}.py": text},
            self.contract.import_name,
            self.contract.public_symbols,
        )
        if suite.problems:
            raise GraderFault(f"the pool cannot be lifted: {suite.problems[0]}")
        return Pool(
            probes=tuple(kept), suite=suite.suite, text=text, dropped=dict(dropped)
        )

    def answers(
        self, reference: Files, asked: Sequence[tuple[str, str]]
    ) -> list[Frozen | str]:
        """Ask the reference pairs of arrange lines and expression; an answer, or why there is none."""
        parsed = self._parsed(
            [Probe("example", expression, arrange) for arrange, expression in asked]
        )
        desk = self._at(reference)
        questions = [Question(file=0, source=probe.source) for probe in parsed.probes]
        found: list[Frozen | str] = []
        for answer in (
            desk.ask([parsed.head], questions, hash_seed=HASH_SEEDS[0])
            if questions
            else []
        ):
            try:
                found.append(freeze(answer, self.contract))
            except LiteralError as why:
                found.append(str(why))
        return found

    def _at(self, package: Files) -> Desk:
        return Desk(
            Installed(way="tree", files=package, root=""),
            self.contract,
            self.sandbox,
            self.work,
        )

    def _text(
        self, desk: Desk, probes: Sequence[Probe], frozen: Sequence[Frozen]
    ) -> str:
        raised = {
            item.name
            for item in frozen
            if isinstance(item, Raised) and item.module == self.contract.import_name
        }
        errors = ask_lineages(desk, self.contract, raised)
        return suite_text(
            self._parsed(probes), frozen, errors, self.contract.import_name
        )

    def killed(self, package: Files, suite: Suite) -> frozenset[int]:
        """Return the indices of the suite's cases that a package fails; all, if it cannot be imported."""
        seat = Seat(self.sandbox, Job(limits=self.contract.grader.limits), self.work)
        try:
            write_tree(package, seat.folder, "", world_readable=world_readable())
            judged = judge(seat, suite, self.contract)
        finally:
            seat.leave()
        return frozenset(
            number
            for number, outcome in enumerate(judged.outcomes)
            if outcome is not Outcome.PASSED
        )

    def lineup(self, reference: Files, suite: Suite) -> Lineup:
        """Return what judges many packages of this variant on a suite, side by side with the reference."""
        task = Task(folder=self.work, contract=self.contract, suite=suite, digest="")
        package = Installed(way="tree", files=reference, root="")
        return Lineup(task, package, self.sandbox, self.work)

    def _parsed(self, probes: Sequence[Probe]) -> Probes:
        text = probes_text(self.head, probes)
        parsed = parse_probes(PROBES, text, self.contract.import_name)
        if parsed.problems:
            problem = parsed.problems[0]
            line = text.splitlines()[problem.line - 1]
            raise GraderFault(f"a family's probe cannot be used: {problem.why}: {line}")
        return parsed


def probes_text(head: str, probes: Sequence[Probe]) -> str:
    """Return a probes file: the head, then one function a probe, numbered within its rule."""
    numbers: Counter[str] = Counter()
    parts = [head.rstrip()]
    for probe in probes:
        rule = probe.axis.replace("-", "_")
        numbers[rule] += 1
        lines = [
            f"def probe_{rule}_{numbers[rule]:03}():",
            *probe.arrange.splitlines(),
            f"return {probe.expression}",
        ]
        parts.append("\n    ".join(lines))
    return "\n\n\n".join(parts) + "\n"
