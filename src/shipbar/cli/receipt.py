"""`shipbar receipt`: check what gates found, and do the same again."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from shipbar import config, wiring
from shipbar.attest import keys, store
from shipbar.attest.parts import held_to
from shipbar.attest.plain import read_object
from shipbar.attest.receipt import (
    NOT_RUN,
    Conditions,
    Difference,
    Receipt,
    answers_that_differ,
    conditions_that_differ,
)
from shipbar.attest.statement import receipt_of
from shipbar.attest.store import Kept
from shipbar.cli.options import JSON
from shipbar.cli.text import indented, printable
from shipbar.errors import AttestationError, ContractError, SeamError, UserError
from shipbar.gates import Gate, Trial
from shipbar.gates.receipts import (
    conditions_of,
    parts_in,
    parts_of,
    question_of,
    receipt_for,
)
from shipbar.grading.tasks import Task, load_task, read_contract
from shipbar.verdict import sha256

CONTRACT = "contract"
REPRODUCE = "reproduce"
"""The gate that uses every backend; trying them all takes a second."""
DIFFERS = 1
"""Exit code: it was run again, and the figures do not agree."""
KEY = click.option(
    "--key",
    "key_files",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Public key to trust, beside those in your folder of keys; may be repeated.",
)
FILES = click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…"
)


@click.group()
def receipt() -> None:
    """Check receipts of gates, show them, or do the same again."""


@receipt.command()
@FILES
@KEY
@click.option(
    "--task",
    "folder",
    type=click.Path(path_type=Path),
    help="Task to hold the receipts to.",
)
@JSON
def verify(
    files: tuple[Path, ...],
    *,
    key_files: tuple[Path, ...],
    folder: Path | None,
    as_json: bool,
) -> None:
    """Check that each FILE is as a key that you trust signed it.

    With --task also that it is of that task as it is now, part by part. Exits with 2
    if one does not hold.
    """
    names = {it.key.keyid: it.name for it in trusted(key_files)}
    results = [_verified(path, key_files, folder) for path in files]
    if as_json:
        click.echo(json.dumps([_facts(*result) for result in results], indent=2))
    else:
        for path, kept, problem in results:
            click.echo(
                printable(f"{path}: {_one_line(kept, names)}" if kept else problem)
            )
    if any(problem for _, _, problem in results):
        sys.exit(AttestationError.exit_code)


@receipt.command()
@FILES
@KEY
@JSON
def show(
    files: tuple[Path, ...], *, key_files: tuple[Path, ...], as_json: bool
) -> None:
    """Show what each FILE says, and who signed it.

    With --json prints the statements that were signed. Exits with 2 if one was changed
    after it was signed by a key that you trust.
    """
    names = {it.key.keyid: it.name for it in trusted(key_files)}
    kept = [_looked_at(path, key_files) for path in files]
    if as_json:
        said = [read_object(it.signed.payload) for it in kept]
        click.echo(json.dumps(said, indent=2))
    else:
        click.echo("\n\n".join(printable(_told(it, names)) for it in kept))


@receipt.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--task",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    help="The task that the receipt is of.",
)
@KEY
@click.option(
    "--against",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Task that it must not resemble, as it was proven; may be repeated.",
)
@click.option(
    "--image",
    "images",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help="Solver image of the task, as it was proven; may be repeated.",
)
def rerun(
    file: Path,
    *,
    folder: Path,
    key_files: tuple[Path, ...],
    against: tuple[Path, ...],
    images: tuple[Path, ...],
) -> None:
    """Do again what FILE says was done, and say whether the figures agree.

    First holds the task's digests to those that were signed. Then asks the same gate
    in the same sandbox. Exits with 0 if all agrees, 1 if it does not, 2 if the task is
    another one, and 3 if it could not be run.
    """
    recorded = _opened(file, key_files).receipt
    task = _held(recorded, folder, str(file))
    gate = _gate(recorded, str(file))
    found = _again(recorded, gate, task, against, images)
    head = f"{gate.id} {gate.name} on {task.contract.task_id}"
    if found.status == NOT_RUN != recorded.status:
        raise SeamError(f"{head}: could not be run again: {found.why}")
    differences = answers_that_differ(recorded, found)
    if differences:
        click.echo(
            printable("\n".join([f"{head}: does not agree", *_rows(differences)]))
        )
        sys.exit(DIFFERS)
    click.echo(printable(f"{head}: agrees, {found.status} {found.cell}".rstrip()))


def trusted(key_files: Sequence[Path]) -> list[keys.Named]:
    """Return the public keys that count: those named, and those in the user's folder."""
    return [
        *keys.known(config.current().keys),
        *(keys.load_public(path) for path in key_files),
    ]


def _opened(path: Path, key_files: Sequence[Path]) -> Kept:
    return store.open_receipt(path, [it.key for it in trusted(key_files)])


def _looked_at(path: Path, key_files: Sequence[Path]) -> Kept:
    """Open a receipt, also one by a stranger; one that was changed is none."""
    known = {it.key.keyid for it in trusted(key_files)}
    signed = store.read(path)
    if known & set(signed.key_ids):
        return _opened(path, key_files)
    found = receipt_of(signed.payload, str(path))
    return Kept(receipt=found, signed=signed, signers=())


Result = tuple[Path, Kept | None, str]


def _verified(path: Path, key_files: Sequence[Path], folder: Path | None) -> Result:
    try:
        kept = _opened(path, key_files)
        if folder is not None:
            _hold(kept.receipt, folder, str(path))
    except UserError as problem:
        return path, None, str(problem)
    return path, kept, ""


def _facts(path: Path, kept: Kept | None, problem: str) -> dict[str, Any]:
    if kept is None:
        return {"file": str(path), "holds": False, "problem": problem}
    asked = kept.receipt.question
    return {
        "file": str(path),
        "holds": True,
        "gate": asked.gate,
        "task_id": asked.task_id,
        "task_digest": asked.parts["task"],
        "status": kept.receipt.status,
        "cell": kept.receipt.cell,
        "signed_by": list(kept.signers),
    }


def _one_line(kept: Kept, names: dict[str, str]) -> str:
    found, asked = kept.receipt, kept.receipt.question
    return (
        f"{asked.gate} {asked.name} {found.status} {found.cell} on {asked.task_id}, "
        f"signed by {_signers(kept, names)}"
    )


def _signers(kept: Kept, names: dict[str, str]) -> str:
    if not kept.signers:
        return f"{', '.join(kept.signed.key_ids)}, no key that you trust: nothing is checked"
    return ", ".join(f"{names[key]} ({key})" for key in kept.signers)


def _told(kept: Kept, names: dict[str, str]) -> str:
    found, asked = kept.receipt, kept.receipt.question
    used = asked.conditions
    lines = [
        f"{asked.gate} {asked.name}: {found.status} {found.cell}".rstrip(),
        f"task         {asked.task_id}",
        f"signed by    {_signers(kept, names)}",
        f"tool         shipbar {used.tool_version} {used.tool_digest}",
        f"sandbox      {used.sandbox}, runtime {used.runtime}",
        *(f"             lacks {what}" for what in used.lacks),
        f"interpreter  {used.interpreter}",
        *_section("parts", dict(asked.parts)),
        *_section("depends on", dict(asked.depends)),
        *_section("parameters", dict(found.parameters)),
        *_section("figures", dict(found.figures)),
        *_section("run", dict(found.run)),
    ]
    if found.why:
        lines.append(f"why: {found.why}")
    lines += [f"problem: {problem}" for problem in found.problems]
    return "\n".join(lines)


def _section(title: str, values: dict[str, Any]) -> list[str]:
    if not values:
        return []
    width = max(map(len, values))
    return [
        f"{title}:",
        *(
            f"    {name.ljust(width)}  {value if isinstance(value, str) else json.dumps(value)}"
            for name, value in values.items()
        ),
    ]


def _held(recorded: Receipt, folder: Path, where: str) -> Task:
    """Hold the task in a folder to a receipt, then load it."""
    _hold(recorded, folder, where)
    return load_task(folder)


def _hold(recorded: Receipt, folder: Path, where: str) -> None:
    asked = recorded.question
    try:
        contract = read_contract(folder)
    except ContractError as cause:
        # What no longer is a contract is another one: its digest says so first.
        found = sha256((folder / "task.toml").read_bytes())
        signed = {name: it for name, it in asked.parts.items() if name == CONTRACT}
        held_to(signed, {CONTRACT: found}, where)
        raise cause from None
    if contract.task_id != asked.task_id:
        raise AttestationError(
            f"{where}: a receipt of another task: expected {contract.task_id}, which lies in {folder}, got {asked.task_id}"
        )
    held_to(asked.parts, parts_in(folder, contract), where)


def _gate(recorded: Receipt, where: str) -> Gate:
    """Return the gate that a receipt is of."""
    asked, used = recorded.question, recorded.question.conditions
    gate = wiring.gate(asked.name)
    if (gate.id, gate.version) != (asked.gate, asked.version):
        raise AttestationError(
            f"{where}: made by version {asked.version} of {asked.gate} {asked.name}, here is version {gate.version} of {gate.id}, "
            f"which asks something else; use shipbar {used.tool_version}"
        )
    return gate


def _again(
    recorded: Receipt,
    gate: Gate,
    task: Task,
    against: Sequence[Path],
    images: tuple[Path, ...],
) -> Receipt:
    settings = config.current()
    used = recorded.question.conditions
    sandbox = wiring.sandbox(used.sandbox, settings)
    conditions = conditions_of(sandbox, settings.cache)
    _tell_conditions(used, conditions)
    with Trial(
        task=task,
        sandbox=sandbox,
        work=settings.work,
        cache=settings.cache,
        backends=wiring.working_sandboxes(sandbox, settings)
        if gate.name == REPRODUCE
        else (),
        others=tuple(load_task(path) for path in against),
        images=images,
    ) as trial:
        evidence = gate.examine(trial)
        question = question_of(gate, trial, parts_of(task), conditions)
    return receipt_for(question, evidence, seconds=0.0)


def _tell_conditions(recorded: Conditions, found: Conditions) -> None:
    """Say with what else it is run now: it may agree all the same."""
    if recorded.tool_digest != found.tool_digest:
        _note(
            f"a receipt of another tool: made by shipbar {recorded.tool_version} {recorded.tool_digest}, "
            f"this is {found.tool_version} {found.tool_digest}"
        )
    for it in conditions_that_differ(recorded, found):
        if not it.what.startswith("tool_"):
            _note(f"another {it.what}: was {it.recorded}, is {it.found}")


def _note(text: str) -> None:
    click.echo(printable(f"note: {text}"), err=True)


def _rows(differences: Sequence[Difference]) -> list[str]:
    text: Callable[[Any], str] = lambda it: "nothing" if it is None else json.dumps(it)  # noqa: E731
    return [
        indented(
            f"{it.what}:\n    signed {text(it.recorded)}\n    found  {text(it.found)}"
        )
        for it in differences
    ]
