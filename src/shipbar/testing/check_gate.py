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

    [[review]]                       # then have somebody sign it, before what is late
    role = "senior"
    name = "Ada"
    key = "ada"                      # one key a word
    why = "the answers leak"         # a rejection; left out, an approval

    [[late]]                         # replace a text, as `edit` does, after the reviews
    path = "solver/SPEC.md"          # `../task.reviews/…` are the reviews themselves
    old = "modulo 37"
    new = "modulo 36"

    [[other]]                        # another task, for gates that compare; changed
    task = "check-character-36"      # in the same ways, as [[other.edit]] and so on
"""

import hashlib
import shutil
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from securesystemslib.signer import CryptoSigner, SSlibKey

from shipbar.attest import reviews
from shipbar.attest.reviews import Review
from shipbar.gates import Evidence, Gate, Status, Trial
from shipbar.gates.receipts import parts_of
from shipbar.grading.tasks import load_task

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
        self._edit(target, self.facts.get("edit", ()))
        for item in self.facts.get("review", ()):
            _review(target, item)
        self._edit(target, self.facts.get("late", ()))
        return target

    def others(self, bases: Mapping[str, Path], target: Path) -> list[Path]:
        """Make the other tasks of the case below ``target``, and return them."""
        return [
            Case(folder=self.folder, stops=self.stops, facts=facts).derive(
                bases, target / f"other-{number}"
            )
            for number, facts in enumerate(self.facts.get("other", ()))
        ]

    def _edit(self, target: Path, edits: Iterable[Mapping[str, str]]) -> None:
        for item in edits:
            path = target / item["path"]
            text = path.read_text("utf-8")
            assert text.count(item["old"]) == 1, (
                f"{self.id}: {item['old']!r} stands {text.count(item['old'])} times in {item['path']}"
            )
            path.write_text(text.replace(item["old"], item["new"]), "utf-8")


def _review(folder: Path, item: Mapping[str, str]) -> None:
    """Sign the task in a folder with a key that its word stands for."""
    private = Ed25519PrivateKey.from_private_bytes(
        hashlib.sha256(item["key"].encode()).digest()
    )
    signer = CryptoSigner(private, SSlibKey.from_crypto(private.public_key()))
    task = load_task(folder)
    review = Review(
        task_id=task.contract.task_id,
        parts=parts_of(task),
        role=item["role"],
        name=item["name"],
        date="2026-01-01",
        approves="why" not in item,
        why=item.get("why", ""),
        tool_version="0",
        key_id=signer.public_key.keyid,
    )
    reviews.write(folder, review, reviews.signed_review(review, signer))


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
