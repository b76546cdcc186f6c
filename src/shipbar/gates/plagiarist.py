"""G3: the genuine upstream fails, as it is and behind the task's adapter.

The pinned sdist is installed by path and hash, in the sandbox, into an environment of
its own. Two things are graded from there:

- *raw*, the environment as somebody would hand it in. It must fail the structural
  check, and not because the installation is broken: what pip recorded is the pinned
  release, its modules are the sdist's own, and it imports in a subject.
- *adapted*, the task's adapter beside the same environment. It clears the structural
  check, so that what it scores is what the genuine library knows: nearly all of what
  no rule inverts, and little enough of what the rules do invert.

An adapter that fails for a slip of its own would show nothing. So it must not work
without the library, and every case that it fails is asked once more under a tracer,
which tells where exceptions began: a module, a name or an argument that is missing, in
the adapter or in what asks it, is a fault of the adapter.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from shipbar.contract import UpstreamSdist
from shipbar.errors import UserError
from shipbar.gates.base import CannotRunError, Evidence, Gate, Status
from shipbar.gates.trial import Files, Trial, failed
from shipbar.grading.asking import HASH_SEEDS, Answer, Desk, Question
from shipbar.grading.install import Installed, install_pinned
from shipbar.grading.tasks import ADAPTER
from shipbar.grading.upstream import cached, unpacked
from shipbar.sealed.codec import DecodeError, decode
from shipbar.sealed.frames import VALUE
from shipbar.verdict import Verdict

CALIBRATION = 0.95
"""Least share of what no rule inverts that the genuine library passes."""
AXIS_COST = 3
"""Assertions at least that it fails of those that one inverted rule decides."""
SHOWN = 5
"""Cases that a problem names."""
_RECORDS = re.compile(r"([^/]+)-([^-/]+)\.dist-info: ")
_SIGNATURE = re.compile(
    r"(positional|keyword)(-only)? argument|takes (no|exactly|at)|not callable"
    r"|expected (at (least|most) |exactly )?\d+ argument|multiple values for"
)
_SUITE = "suite"

TRACER = """

def case(asked=case):
    import sys
    import types
    seen = []

    def watch(frame, event, found):
        frame.f_trace_lines = False
        if event == "exception" and isinstance(
            found[1], (ImportError, AttributeError, NameError, TypeError)
        ):
            home = frame.f_globals.get("__name__", "")
            # A module that is not there is missed by who imports it.
            if not home.startswith("importlib.") and all(
                error is not found[1] for error, _ in seen
            ):
                seen.append((found[1], home))
        return watch

    def owner(thing):
        named = isinstance(thing, types.ModuleType)
        return thing.__name__ if named else type(thing).__module__

    sys.settrace(watch)
    try:
        asked()()
    except BaseException:
        pass
    finally:
        sys.settrace(None)
    return lambda: [
        [type(error).__name__, home, owner(getattr(error, "obj", None)), str(error)[:300]]
        for error, home in seen
    ]
"""
"""Follows a case, and answers with the exceptions that its author never means: the
class, the module whose code it began in, the module of what lacked something, the text."""


@attrs.frozen(kw_only=True)
class _Library:
    """An installed upstream."""

    files: Files
    """Its environment."""
    modules: tuple[str, ...]
    """What can be imported from it."""
    figures: Mapping[str, Any]
    """What shows that it is genuine and whole."""
    problem: str
    """Why it is not what the contract names; empty if it is."""


class PlagiaristGate(Gate):
    """The genuine upstream through the grader, raw and adapted."""

    id, name = "G3", "plagiarist"
    title = "the genuine upstream fails"

    def depends(self, trial: Trial) -> Mapping[str, str]:
        """The upstream's digest."""
        pin = trial.task.contract.upstream_sdist
        return {} if pin is None else {"upstream": f"sha256:{pin.sha256}"}

    def _examine(self, trial: Trial) -> Evidence:
        pin = trial.task.contract.upstream_sdist
        if pin is None:
            why = "an invented task departs from no library"
            return Evidence(
                gate=self.id, status=Status.NOT_APPLICABLE, cell="n/a", why=why
            )
        sdist = cached(pin, trial.cache)
        if not (trial.task.folder / ADAPTER).is_dir():
            raise CannotRunError(
                f"the task has no {ADAPTER}, its surface over the genuine {pin.name}: write one"
            )
        if not trial.flip_backs:
            raise CannotRunError(
                "no known-bad is called flip-back-RULE, so that nothing tells which assertions a rule decides: add one a rule"
            )
        library = _installed(pin, sdist, trial)
        raw = trial.grade(library.files)
        problems = [library.problem] if library.problem else []
        if raw.structure.ok:
            problems.append(
                f"{pin.name} as it is clears the structural check: its public names are the task's"
            )
        adapted = _Adapted(trial, library)
        problems += adapted.problems()
        return self._verdict(
            f"{100 * adapted.graded.score:.0f} %",
            problems,
            {
                "upstream": library.figures,
                "raw": {
                    "structure": raw.structure.why,
                    "passed": raw.passed,
                    "total": raw.total,
                },
                "adapted": adapted.figures(),
            },
            {"calibration": CALIBRATION, "axis_cost": AXIS_COST},
        )


class _Adapted:
    """The adapter beside the library, graded."""

    def __init__(self, trial: Trial, library: _Library) -> None:
        self._trial, self._library = trial, library
        own = trial.files(ADAPTER)
        self._brings = sorted(set(_modules(own)) & set(library.modules))
        self._files = {**own, **library.files}
        self.graded: Verdict = trial.grade(self._files)
        self._lost = failed(self.graded)
        self._axes = {
            axis: failed(trial.verdict(path)) for axis, path in trial.flip_backs.items()
        }
        inverted = frozenset().union(*self._axes.values())
        self._calibration = [
            case.id for case in self.graded.cases if case.id not in inverted
        ]

    def figures(self) -> dict[str, Any]:
        return {
            "passed": self.graded.passed,
            "total": self.graded.total,
            "score": round(self.graded.score, 4),
            "recall_ceiling": self._trial.task.contract.recall_ceiling,
            "calibration": {
                "passed": len(self._calibration) - len(self._slips()),
                "total": len(self._calibration),
            },
            "fails_of": {
                axis: [len(its & self._lost), len(its)]
                for axis, its in self._axes.items()
            },
        }

    def problems(self) -> list[str]:
        if self._brings:
            return [
                f"the adapter brings its own {name}, which is not the installed one"
                for name in self._brings
            ]
        if not self.graded.structure.ok:
            structure = self.graded.structure
            told = f"{structure.why} {', '.join(structure.missing)}".strip()
            return [
                f"the adapter does not clear the structural check: {told}\n{self.graded.run.trace}".strip()
            ]
        found = []
        if self._trial.verdict(ADAPTER).structure.ok:
            found.append(
                "the adapter works without the upstream: what it scores is not the genuine library's"
            )
        return [*found, *self._scores(), *self._faults()]

    def _slips(self) -> list[str]:
        return [case for case in self._calibration if case in self._lost]

    def _scores(self) -> list[str]:
        ceiling = self._trial.task.contract.recall_ceiling
        found = []
        if self.graded.score > ceiling:
            found.append(
                f"the genuine upstream scores {self.graded.score:.4f}, at most {ceiling}"
            )
        if self.graded.shipped:
            found.append("the genuine upstream passes every assertion")
        slips, total = self._slips(), len(self._calibration)
        if not total:
            found.append(
                "every assertion is decided by an inverted rule: none is left to calibrate the adapter with"
            )
        elif total - len(slips) < CALIBRATION * total:
            found.append(
                f"the genuine upstream passes {total - len(slips)} of {total} that no rule inverts, at least {CALIBRATION:.0%}; it fails {_some(slips)}"
            )
        for axis, its in self._axes.items():
            if len(its & self._lost) < AXIS_COST:
                found.append(
                    f"the genuine upstream fails {len(its & self._lost)} of the {len(its)} that rule {axis} decides, at least {AXIS_COST}"
                )
        return found

    def _faults(self) -> list[str]:
        """Say which failures are the adapter's own."""
        task = self._trial.task
        cases = [case for case in task.suite.cases if case.id in self._lost]
        desk = Desk(
            Installed(way="pip", files=self._files, root=""),
            task.contract,
            self._trial.sandbox,
            self._trial.work,
        )
        asked = [Question(file=it.file, source=it.source + TRACER) for it in cases]
        answers = desk.ask(task.suite.heads, asked, hash_seed=HASH_SEEDS[0])
        told: dict[str, list[str]] = {}
        for case, answer in zip(cases, answers, strict=True):
            for fault in dict.fromkeys(_faults(answer, task.contract.import_name)):
                told.setdefault(fault, []).append(case.id)
        return [
            f"a fault of the adapter, {fault}; it costs {_some(ids)}"
            for fault, ids in told.items()
        ]


def _faults(answer: Answer, package: str) -> list[str]:
    """Return what of a traced case is a fault of the adapter, the package of that name."""
    if answer.frame is None:
        return [answer.lost]
    if answer.frame.kind != VALUE:
        return ["the case cannot be followed"]
    try:
        told = decode(answer.frame.payload)
    except DecodeError:
        return ["the case cannot be followed"]
    return [
        f"{kind} in {'what asks it' if home == _SUITE else home}: {_lasting(text)}"
        for kind, home, owner, text in told
        if _blamed(kind, home, owner, package) and _missing(kind, text)
    ]


def _blamed(kind: str, home: str, owner: str, package: str) -> bool:
    """Whether an exception that began in ``home`` is the adapter's."""

    def within(module: str) -> bool:
        return module == package or module.startswith(f"{package}.")

    if home == _SUITE and kind == "AttributeError":
        return within(owner)  # else the library's answer is of another type
    return home == _SUITE or within(home)


def _missing(kind: str, text: str) -> bool:
    """Whether it says that something is not there, and not that a value is wrong."""
    return kind != "TypeError" or _SIGNATURE.search(text) is not None


def _lasting(text: str) -> str:
    """Return a message without the addresses in it, which no two runs share."""
    return re.sub(r"0x[0-9a-f]+", "0x…", text)


def _installed(pin: UpstreamSdist, sdist: Path, trial: Trial) -> _Library:
    """Install the upstream, and see that it is genuine and imports.

    Raises:
        SeamError: pip could not install it.
        CannotRunError: it does not import here.
    """
    made = install_pinned(sdist, pin.sha256, trial.sandbox, trial.work)
    modules = _modules(made.files)
    records = [found.groups() for it in made.left_out if (found := _RECORDS.match(it))]
    problem = ""
    if [(_slug(name), version) for name, version in records] != [
        (_slug(pin.name), pin.version)
    ]:
        was = ", ".join(f"{name} {version}" for name, version in records) or "nothing"
        problem = (
            f"{pin.file} installs {was}; the contract says {pin.name} {pin.version}"
        )
    sources = [data for path, data in made.files.items() if path.endswith(".py")]
    genuine = set(unpacked(sdist).values())
    return _Library(
        files=made.files,
        modules=modules,
        problem=problem,
        figures={
            "installed": [f"{name} {version}" for name, version in records],
            "sources": len(sources),
            "sources_of_the_sdist": sum(data in genuine for data in sources),
            "public_names": _imported(pin, made.files, modules, trial),
        },
    )


def _imported(
    pin: UpstreamSdist, files: Files, modules: Sequence[str], trial: Trial
) -> dict[str, int]:
    """Import the library in a subject; return how many public names each module has."""
    if not modules:
        raise CannotRunError(f"{pin.file} was installed, and holds no Python module")
    contract = attrs.evolve(
        trial.task.contract,
        import_name=modules[0],
        public_symbols=(),
        reference_install=pin.file,
    )
    desk = Desk(
        Installed(way="pip", files=files, root=""), contract, trial.sandbox, trial.work
    )
    head = "\n".join(f"import {name}" for name in modules)
    asked = [
        Question(
            file=0,
            source=f"def case():\n    return lambda: sum(name[0] != '_' for name in vars({name}))",
        )
        for name in modules
    ]
    try:
        answers = desk.ask([head], asked, hash_seed=HASH_SEEDS[0])
    except UserError as cause:
        raise CannotRunError(f"installed, but of no use here: {cause}") from cause
    counts = {}
    for name, answer in zip(modules, answers, strict=True):
        if answer.frame is None or answer.frame.kind != VALUE:
            raise CannotRunError(f"{pin.file} was installed, and {name} cannot be read")
        counts[name] = decode(answer.frame.payload)
    return counts


def _modules(files: Files) -> tuple[str, ...]:
    """Return what an import finds at the root of a tree."""
    tops = {
        path.removesuffix("/__init__.py").removesuffix(".py")
        for path in files
        if path.endswith(".py")
    }
    return tuple(sorted(name for name in tops if name.isidentifier()))


def _slug(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _some(ids: Sequence[str]) -> str:
    names = [name.rpartition("::")[2] for name in ids[:SHOWN]]
    more = len(ids) - SHOWN
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")


GATE = PlagiaristGate()
