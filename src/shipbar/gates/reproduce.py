"""G6: a verdict depends on the task and the submission, and on nothing else.

The reference, every known-bad and the ladder are graded twenty times each on the
strongest backend: ten times plainly, and once in each of the ten worlds of `worlds`.
On every other backend that works here each is graded once plainly and once in the
world that changes everything. The digested verdicts must be equal bit for bit; where
the cases were asked in another order, after each outcome is put back to its case.

What is found to flicker is then graded in a world that differs in one thing only,
for each thing that differed, so that an author knows where to look.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from shipbar.gates.base import Evidence, Gate
from shipbar.gates.trial import Trial
from shipbar.gates.witness import Witness
from shipbar.gates.worlds import (
    PLAIN,
    WORLDS,
    Elsewhere,
    World,
    busy,
    copy_program,
    permuted,
    put_back,
    room,
)
from shipbar.grading.grader import Grader
from shipbar.ports import Sandbox
from shipbar.sandboxes.runtime import runtime
from shipbar.verdict import Verdict

PLAIN_RUNS = 10
"""Plain runs of a package on the strongest backend."""
OTHER_RUNS = 1
"""Plain runs, and runs in the first world, on each other backend."""
ALONE = 3
"""Flickering packages for which it is looked at what alone makes them flicker."""

Grade = Callable[[Path], Verdict]


class ReproduceGate(Gate):
    """The same packages again and again, in worlds that must not matter."""

    id, name = "G6", "reproduce"
    title = "the verdicts are the same, whatever is changed around them"

    def _examine(self, trial: Trial) -> Evidence:
        packages = (trial.reference, *trial.known_bad, *trial.ladder)
        with room(trial.work) as place:
            lab = _Lab(
                trial=trial,
                place=place,
                program=copy_program("elsewhere", place / "program"),
                library=library_of(trial.cache),
            )
            runs = _Runs({path: trial.verdict(path) for path in packages})
            machine: dict[str, dict[str, Any]] = {"runs": {}, "unperturbed": {}}
            for backend, plain, worlds in schedule(trial):
                witness = lab.witness(backend)
                machine["unperturbed"][backend.name] = witness.unseen(worlds)
                machine["runs"][backend.name] = {
                    "plain": plain,
                    "perturbed": len(worlds),
                }
                for number in range(1, plain + 1):
                    # The first verdict is one of them, where it is this backend's.
                    if number > 1 or backend is not trial.sandbox:
                        runs.make(lab, backend, PLAIN, number)
                for world in worlds:
                    runs.make(lab, backend, world)
            problems = [
                found.told(lab.alone(found) if at < ALONE else "")
                for at, found in enumerate(runs.flickers)
            ]
        steady = len(packages) - len(runs.flickers)
        return self._verdict(
            f"{steady}/{len(packages)}",
            problems,
            {
                "packages": len(packages),
                "steady": steady,
                "digests": {path: it.digest for path, it in runs.first.items()},
            },
            {"worlds": [_as_json(world) for world in WORLDS]},
            machine,
        )


def schedule(trial: Trial) -> Iterator[tuple[Sandbox, int, Sequence[World]]]:
    """Yield each backend, with how often it is used plainly and in which worlds."""
    backends = {it.name: it for it in (*trial.backends, trial.sandbox)}
    for place, backend in enumerate(backends.values()):
        if place == 0:
            yield backend, PLAIN_RUNS, WORLDS
        else:
            yield backend, OTHER_RUNS, WORLDS[:OTHER_RUNS]


def library_of(cache: Path) -> tuple[Path, ...]:
    """Return the files of the runtime root that a subject's start may read."""
    root = runtime(cache).root
    return tuple(
        path
        for path in sorted(root.rglob("*"))
        if path.suffix in {".pyc", ".so"} and path.is_file()
    )


@attrs.frozen(kw_only=True)
class Flicker:
    """A package that got another verdict."""

    package: str
    """Its path in the task."""
    backend: Sandbox
    """On which."""
    world: World
    """In which."""
    number: int
    """Of the plain run; 0 in a perturbed one."""
    first: Verdict
    """The verdict that it got first."""
    other: Verdict
    """The verdict that it got then."""

    def told(self, alone: str) -> str:
        """Say what differs, and what brought it about as far as it was found."""
        where = (
            f"plain run {self.number}" if self.world is PLAIN else self.world.name
        ) + f" on {self.backend.name}"
        return (
            f"{self.package}: another verdict in {where}: {self._difference()}{alone}"
        )

    def _difference(self) -> str:
        pairs = zip(self.first.cases, self.other.cases, strict=True)
        changed = [
            f"{one.id} is {two.outcome}, was {one.outcome}"
            for one, two in pairs
            if one.outcome is not two.outcome
        ]
        if self.first.structure != self.other.structure:
            return f"the structural check says {self.other.structure.why or 'ok'!r}, said {self.first.structure.why or 'ok'!r}"
        if not changed:
            return "no case differs, but how it was installed or read does"
        return f"{len(changed)} cases differ, first {changed[0]}"


class _Runs:
    """The verdicts so far; a package that was seen to flicker is not graded again."""

    def __init__(self, first: Mapping[str, Verdict]) -> None:
        self.first = dict(first)
        self._digests = {path: it.digest for path, it in first.items()}
        self.flickers: list[Flicker] = []

    def make(
        self, lab: "_Lab", backend: Sandbox, world: World, number: int = 0
    ) -> None:
        """Grade every steady package once more."""
        seen = {it.package for it in self.flickers}
        with lab.grade_in(backend, world) as grade:
            for path in self.first:
                if path in seen:
                    continue
                other = grade(lab.trial.task.folder / path)
                if other.digest != self._digests[path]:
                    self.flickers.append(
                        Flicker(
                            package=path,
                            backend=backend,
                            world=world,
                            number=number,
                            first=self.first[path],
                            other=other,
                        )
                    )


@attrs.frozen(kw_only=True)
class _Lab:
    """What it takes to grade in a world."""

    trial: Trial
    place: Path
    program: Path
    library: Sequence[Path]

    @contextlib.contextmanager
    def grade_in(self, backend: Sandbox, world: World) -> Iterator[Grade]:
        """Have a grader in a world; it says each outcome where its case stands in the suite."""
        if world is PLAIN and backend is self.trial.sandbox:
            yield self.trial.grader.grade
            return
        task, places = permuted(self.trial.task, world)
        with contextlib.ExitStack() as stack:
            if world.load:
                stack.enter_context(busy())
            grader = stack.enter_context(
                Grader(
                    task,
                    self._enter(backend, world),
                    self.place if world.moved else self.trial.work,
                    ahead=0 if world.cold else 1,
                    surroundings=world.surroundings,
                )
            )
            yield lambda package: put_back(grader.grade(package), places)

    def _enter(self, backend: Sandbox, world: World) -> Sandbox:
        return Elsewhere(backend, world, self.program, self.library)

    def witness(self, backend: Sandbox) -> Witness:
        """Return who says what a package sees on a backend."""
        return Witness(
            enter=lambda world: self._enter(backend, world),
            work=self.place,
            limits=self.trial.task.contract.grader.limits,
            library=self.library,
        )

    def alone(self, found: Flicker) -> str:
        """Say what of a world makes a package flicker by itself."""
        if found.world is PLAIN:
            return "; nothing was changed: it goes by chance, or is close to a limit"
        kinds = [kind for kind in found.world.kinds if self._differs(found, kind)]
        if not kinds:
            return f"; none of {', '.join(found.world.kinds)} does so alone"
        return f"; what does so alone: {', '.join(kinds)}"

    def _differs(self, found: Flicker, kind: str) -> bool:
        with self.grade_in(found.backend, found.world.only(kind)) as grade:
            other = grade(self.trial.task.folder / found.package)
        return other.digest != found.first.digest


def _as_json(world: World) -> dict[str, Any]:
    told = {name: value for name, value in attrs.asdict(world).items() if value}
    return told | ({"locale": dict(world.locale)} if world.locale else {})


GATE = ReproduceGate()
