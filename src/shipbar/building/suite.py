"""Writes a built variant as a task folder."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from shipbar.building.family import Draw, Family, Probe
from shipbar.building.mutants import Files
from shipbar.building.observe import probes_text
from shipbar.contract import (
    Contract,
    CopyGuard,
    GraderSection,
    Licence,
    Limits,
    Split,
    UpstreamSdist,
    render_contract,
)
from shipbar.grading.tasks import ADAPTER, LADDER, RECORD

RECALL_CEILING = 0.60


@attrs.frozen(kw_only=True)
class Variant:
    """What determines a task, apart from its seed."""

    family: Family
    """Its family."""
    draw: Draw
    """Rules, names and parameters."""
    task_id: str
    """The task's id."""
    split: Split
    """`train` or `eval`."""
    canary: str
    """A string that stands nowhere else."""
    count: int
    """Assertions wanted."""


def contract_of(variant: Variant, bad: Sequence[str]) -> Contract:
    """Return the contract of a task with those known-bads, in order."""
    draw = variant.draw
    upstream = variant.family.upstream
    return Contract(
        task_id=variant.task_id,
        task_class=variant.family.task_class,
        language="python",
        split=variant.split,
        import_name=draw.names["package"],
        public_symbols=public_symbols(variant.family, draw),
        reference_install="grader/reference",
        known_bad_install=tuple(f"grader/known_bad/{name}" for name in bad),
        upstream_sdist=None
        if upstream is None
        else UpstreamSdist(
            name=upstream.name,
            version=upstream.version,
            file=upstream.file,
            sha256=upstream.sha256,
            licence=upstream.licence,
        ),
        recall_ceiling=RECALL_CEILING,
        canary=variant.canary,
        grader=GraderSection(
            min_passed=variant.count, pytest_paths=("grader/tests",), limits=Limits()
        ),
        copy_guard=CopyGuard(reference=0.3, upstream=0.3, hard_fail=False),
        licence=Licence(solver="CC-BY-4.0", grader="LicenseRef-Shipbar-Grader"),
        raw=b"",
    )


def public_symbols(family: Family, draw: Draw) -> tuple[str, ...]:
    """Return the names that the package must have."""
    return tuple(sorted(draw.names[role.id] for role in family.roles if role.public))


def head_of(family: Family, draw: Draw) -> str:
    """Return the head of the probes: imports, then the family's own helpers."""
    package, symbols = draw.names["package"], public_symbols(family, draw)
    imports = f"from {package} import {', '.join(symbols)}"
    if len(imports) > 88:  # noqa: PLR2004  # the house's line length
        imports = (
            f"from {package} import (\n"
            + "".join(f"    {name},\n" for name in symbols)
            + ")"
        )
    parts = [f'"""What {package} must answer."""', imports, family.head(draw).strip()]
    return "\n\n".join(part for part in parts if part) + "\n"


@attrs.frozen(kw_only=True)
class Parts:
    """Everything that a task folder holds."""

    contract: Contract
    """Its contract, counted."""
    specification: str
    """`solver/SPEC.md`."""
    probes: tuple[Probe, ...]
    """The chosen ones, in suite order."""
    suite: str
    """The suite file's text."""
    reference: Files
    """The reference."""
    bad: Mapping[str, Files]
    """The known-bads by name."""
    ladder: Mapping[str, Files]
    """Partial implementations by name, from the poorest."""
    adapter: Files
    """The new surface over the genuine upstream; empty for an invented task."""
    record: Mapping[str, Any]
    """What goes into `RECORD`."""


def write_task(folder: Path, variant: Variant, parts: Parts) -> None:
    """Write a task into ``folder``, which must not exist."""
    files: dict[str, bytes] = {
        "task.toml": render_contract(parts.contract),
        "TASK.md": _card(parts).encode(),
        "solver/SPEC.md": parts.specification.encode(),
        "grader/probes.py": probes_text(
            head_of(variant.family, variant.draw), parts.probes
        ).encode(),
        f"grader/tests/test_{parts.contract.import_name}.py": parts.suite.encode(),
        RECORD: (json.dumps(parts.record, indent=2, sort_keys=True) + "\n").encode(),
    }
    packages = {
        parts.contract.reference_install: parts.reference,
        ADAPTER: parts.adapter,
        **{f"grader/known_bad/{name}": package for name, package in parts.bad.items()},
        **{f"{LADDER}/{name}": package for name, package in parts.ladder.items()},
    }
    for root, package in packages.items():
        files |= {f"{root}/{path}": data for path, data in package.items()}
    for path, data in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def by_rule(probes: Sequence[Probe]) -> dict[str, int]:
    """Count assertions by the rule that each is for."""
    return dict(sorted(Counter(probe.axis for probe in probes).items()))


def _card(parts: Parts) -> str:
    contract = parts.contract
    counts = "\n".join(
        f"| {rule} | {count} |" for rule, count in by_rule(parts.probes).items()
    )
    bad = "\n".join(f"- `{name}`" for name in parts.bad)
    return f"""\
# {contract.task_id}

A {contract.task_class} task in {contract.language}: a solver receives `solver/SPEC.md`
and hands in a package `{contract.import_name}`. {len(parts.probes)} held-out assertions.

## Set up

Nothing to install: `shipbar grade` runs the package in a sandbox with the standard
library. `shipbar task check` proves the task.

## Expected behaviour

The reference passes every assertion. The known-bads import, have every symbol, and fail:

{bad}

| rule | assertions |
|---|---|
{counts}

## How it could be gamed, and what closes it

- *Recall.* Names are invented, and at least five rules differ from what is remembered;
  `remembered` is what memory would write.
- *Reading the answers.* They are in the judge's process, never in the sandbox.
- *Low-entropy guesses.* Packages without behaviour earn next to nothing; the record
  says how much.
- *Copying the reference.* It is nowhere a solver or a candidate can look; the copy guard
  compares what is handed in.
"""
