"""Small tasks, each with names and a content of its own, and receipts that a test key signed."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attrs

from shipbar.attest import envelope, keys, store
from shipbar.attest.keys import Own
from shipbar.attest.receipt import (
    NOT_APPLICABLE,
    PASSED,
    Conditions,
    Question,
    Receipt,
)
from shipbar.attest.statement import statement_of
from shipbar.attest.tool import tool_digest, tool_version
from shipbar.bundles import reading
from shipbar.bundles.reading import Bundle
from shipbar.delivery.deliver import Maker
from shipbar.delivery.proofs import Wanted
from shipbar.gates.receipts import parts_in
from shipbar.grading.tasks import read_contract
from shipbar.store.ledger import Ledger
from tests.cli import tiny

GATES = (
    Wanted(id="G1", name="reference", version=1, title="the reference passes"),
    Wanted(id="G5", name="break", version=1, title="no known trick scores"),
    Wanted(id="G11", name="novelty", version=1, title="nobody has seen it"),
)
BREAK = {
    "valid": 5,
    "successes": [],
    "task": {"valid": 2, "not_valid": {"M06": "its weak grader is not fooled"}},
    "standing": {"valid": 3, "refused": ["I05"]},
}
"""Figures of the break gate, as short as they can be."""

_SOURCE = """\
class {Name}Error(ValueError):
    pass


def {name}_add(a, b):
    if not isinstance(a, int) or not isinstance(b, int):
        raise {Name}Error("numbers only")
    return a + b + {number}


def {name}_names():
    return ["{name}", {number}]
"""
_SUITE = """\
import pytest

from {name} import {Name}Error, {name}_add, {name}_names

ERRORS = {{"{Name}Error": ("ValueError",)}}


def test_adding_001():
    assert {name}_add(1, 2) == {three}


def test_adding_002():
    assert {name}_add(-1, 1) == {number}


def test_faults_001():
    with pytest.raises({Name}Error):
        {name}_add("1", 2)


def test_names_001():
    assert {name}_names() == ["{name}", {number}]
"""
_SPECIFICATION = """\
Write a package `{name}`: `{name}_add(a, b)` adds what it says, `{name}_names()` lists,
and `{Name}Error` is raised for what is no number.
"""


def task(folder: Path, name: str, *, number: int, split: str = "train") -> Path:
    """Make the task called ``name`` below ``folder``; return its folder."""
    words = {"name": name, "Name": name.title(), "number": number, "three": 3 + number}
    contract = tiny.contract(
        ('task_id = "tally"', f'task_id = "{name}"'),
        ('split = "train"', f'split = "{split}"'),
        ('import_name = "tally"', f'import_name = "{name}"'),
        (
            '["TallyError", "add", "names"]',
            f'["{name.title()}Error", "{name}_add", "{name}_names"]',
        ),
        ("5b8f3c1e-0f6c-4d29-9a43-7c1f0f2e9d11", f"{number:032x}"),
        ("LicenseRef-Tally", "LicenseRef-Shipbar-Grader"),
    )
    source = _SOURCE.format(**words)
    return tiny.write(
        folder / name,
        {
            "task.toml": contract,
            "TASK.md": f"# {name}\n\nAn introduction.\n\n## Set up\n\nNothing to install.\n\n## Yet more\n\nOwn words.\n",
            "solver/SPEC.md": _SPECIFICATION.format(**words),
            f"grader/tests/test_{name}.py": _SUITE.format(**words),
            f"grader/reference/{name}/__init__.py": source,
            f"grader/reference/{name}/empty.py": "",
            f"grader/reference/{name}/bare.py": "LAST = 1",
            f"grader/known_bad/hollow/{name}/__init__.py": source.replace(
                "return a + b", "return None or"
            ),
        },
    )


def receipt(folder: Path, gate: Wanted, **changes: Any) -> Receipt:
    """Return a made-up receipt of a gate on the task in a folder."""
    question = Question(
        gate=gate.id,
        name=gate.name,
        version=gate.version,
        task_id=read_contract(folder).task_id,
        parts=parts_in(folder, read_contract(folder)),
        conditions=Conditions(
            tool_version=tool_version(),
            tool_digest=tool_digest(),
            sandbox="made-up",
            lacks=(),
            runtime="none",
            interpreter="none",
        ),
    )
    made = Receipt(
        question=question,
        status=NOT_APPLICABLE if gate.id == "G11" else PASSED,
        cell="4/4",
        figures=BREAK if gate.name == "break" else {"passed": 4},
    )
    return attrs.evolve(made, **changes)


def keep(made: Receipt, own: Own, folder: Path) -> Path:
    """Sign a receipt, and put it where receipts lie; return where."""
    path = store.copy_path(folder, made)
    store.write(path, envelope.sign(statement_of(made), own.signer))
    return path


def prove(
    tasks: Iterable[Path], own: Own, folder: Path, gates: Iterable[Wanted] = GATES
) -> None:
    """Keep made-up receipts of all gates on tasks."""
    for task_folder in tasks:
        for gate in gates:
            keep(receipt(task_folder, gate), own, folder)


@attrs.frozen(kw_only=True)
class House:
    """A maker's tasks, key, receipts and ledger, in one folder."""

    root: Path
    own: Own

    @property
    def tasks(self) -> list[Path]:
        """The tasks' folders."""
        return sorted(it.parent for it in (self.root / "tasks").glob("*/task.toml"))

    @property
    def receipts(self) -> Path:
        """Where receipts lie."""
        return self.root / "receipts"

    @property
    def ledger(self) -> Ledger:
        """The ledger, opened anew."""
        return Ledger.open(str(self.root / "ledger.db"))

    def maker(self, **changes: Any) -> Maker:
        """Return who delivers."""
        made = Maker(
            signer=self.own.signer,
            trusted=[self.own.signer.public_key],
            receipts=[self.receipts],
            gates=GATES,
            mechanisms=(),
            ledger=self.ledger,
            date="2026-01-01",
        )
        return attrs.evolve(made, **changes)


def opened(made: House, out: Path | None = None) -> tuple[Bundle, Bundle]:
    """Return the solver and the grader bundle of a delivery by that house."""
    found = reading.find(out or made.root / "out")
    assert found.solver is not None
    assert found.grader is not None
    keys_of = [made.own.signer.public_key]
    solver = reading.open_bundle(found.solver, keys_of)
    return solver, reading.open_bundle(found.grader, keys_of)


def house(root: Path, *, held: int = 0) -> House:
    """Make two training tasks, ``held`` evaluation tasks, and receipts of all."""
    own = keys.make(root / "keys" / "default")
    task(root / "tasks", "tally", number=1)
    task(root / "tasks", "brevok", number=2)
    for number in range(held):
        name = f"held{'abcdefgh'[number]}"
        task(root / "tasks", name, number=10 + number, split="eval")
    made = House(root=root, own=own)
    prove(made.tasks, own, made.receipts)
    return made


def copied(source: House, root: Path) -> House:
    """Return the same house in another folder, with the same key."""
    shutil.copytree(source.root, root, dirs_exist_ok=True)
    return House(root=root, own=keys.load(root / "keys" / "default"))
