"""What any gate must satisfy; the public conformance suite for authors of gates.

A gate has two folders of cases, `pass/` and `stop/`. A case is a folder with a
`case.toml`: the task that it starts from, what is changed in it, and for a stopped one
a text that one of the gate's problems holds.

    task = "check-character-36"
    says = "the reference fails"

    [[edit]]                         # replace a text that stands there once
    path = "grader/reference/ident36.py"
    old = "% 37"
    new = "% 36"

    [[put]]                          # write a file
    path = "solver/notes.txt"
    text = "seen"

    [[remove]]                       # remove a file or a folder
    path = "grader/known_bad/hollow"
"""

import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from shipbar.gates import Evidence, Gate, Status, Trial

PASS, STOP = "pass", "stop"


@attrs.frozen(kw_only=True)
class Case:
    """One case of a gate."""

    folder: Path
    """Where its `case.toml` lies."""
    stops: bool
    """Whether the gate must stop it."""
    facts: Mapping[str, Any]
    """What its `case.toml` says."""

    @property
    def id(self) -> str:
        """`stop/name`."""
        return f"{self.folder.parent.name}/{self.folder.name}"

    def derive(self, bases: Mapping[str, Path], target: Path) -> Path:
        """Copy the case's task to ``target``, change it, and return it."""
        shutil.copytree(bases[self.facts["task"]], target)
        for item in self.facts.get("remove", ()):
            path = target / item["path"]
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for item in self.facts.get("put", ()):
            path = target / item["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(item["text"], "utf-8")
        for item in self.facts.get("edit", ()):
            path = target / item["path"]
            text = path.read_text("utf-8")
            assert text.count(item["old"]) == 1, (
                f"{self.id}: {item['old']!r} stands {text.count(item['old'])} times in {item['path']}"
            )
            path.write_text(text.replace(item["old"], item["new"]), "utf-8")
        return target


def cases_of(gate: Gate, root: Path) -> list[Case]:
    """Return the cases of a gate below ``root``.

    Raises:
        AssertionError: it has none that passes, or none that is stopped.
    """
    found = []
    for half in (PASS, STOP):
        folder = root / gate.name / half
        files = sorted(folder.glob("*/case.toml"))
        assert files, f"{folder}: a gate without such a case shows nothing"
        for file in files:
            facts = tomllib.loads(file.read_text("utf-8"))
            assert half == PASS or facts.get("says"), f"{file}: says what?"
            found.append(Case(folder=file.parent, stops=half == STOP, facts=facts))
    return found


def check_gate(gate: Gate, case: Case, trial: Trial) -> Evidence:
    """Hold a gate to a case whose task is on ``trial``; return the evidence.

    Raises:
        AssertionError: it passed what it must stop, or the other way round; or it
            gives other figures the second time.
    """
    found = gate.examine(trial)
    assert found.gate == gate.id
    assert found.cell, "every outcome has a figure for the table"
    if case.stops:
        assert found.status is Status.FAILED, f"{case.id}: {found.status}: {found.why}"
        said = "\n".join(found.problems)
        assert case.facts["says"] in said, f"{case.id}: the problems are: {said}"
    else:
        assert found.status in (Status.PASSED, Status.NOT_APPLICABLE), (
            f"{case.id}: {found.status}: {found.why} {found.problems}"
        )
        assert not found.problems
    return found
