"""Builds a burnt task again: the same family, count and split, other rules, names and questions.

What is drawn comes from a seed of its own, made from the caller's seed and the burnt
task's record. So neither the same seed as before nor another name of the folder
brings the burnt names back, and building it again twice gives the same task.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import attrs

from shipbar.building.batch import (
    Job,
    Other,
    others_in,
    read_record,
    rules_in,
    run_of,
    used_by,
)
from shipbar.building.builder import Order
from shipbar.building.family import Family
from shipbar.building.rules import LEAST_DISTANCE, Rules, child_rng
from shipbar.building.shares import SHARES, share_of, share_of_text
from shipbar.contract import Split
from shipbar.errors import UserError
from shipbar.grading.tasks import RECORD


@attrs.frozen(kw_only=True)
class Burnt:
    """What a task is built again from."""

    folder: Path
    """Where it lies."""
    family: str
    """Its family's name."""
    package: str
    """Its package's name, which tells its share of the family's probes."""
    rules: Rules
    """Its selection."""
    count: int
    """Its assertions."""
    split: Split
    """Where it went."""
    digest: str
    """Of its record, whatever its folder is called."""


def read_burnt(folder: Path) -> Burnt:
    """Read what a built task notes of itself.

    Raises:
        UserError: it was not built from a family.
    """
    path = folder / RECORD
    if not path.is_file():
        raise UserError(
            f"--from {folder}: expected a built task, with {RECORD}; there is none"
        )
    facts = read_record(path)
    try:
        return Burnt(
            folder=folder,
            family=_text(facts["family"]),
            package=_text(_table(facts["names"])["package"]),
            rules={key: _text(it) for key, it in _table(facts["rules"]).items()},
            count=sum(map(_count, _table(facts["assertions_by_rule"]).values())),
            split="eval" if facts["split"] == "eval" else "train",
            digest=hashlib.sha256(
                json.dumps(facts, sort_keys=True).encode()
            ).hexdigest(),
        )
    except (KeyError, TypeError) as cause:
        raise UserError(
            f"{path}: expected what a built task was made from; wrong or missing: {cause}"
        ) from cause


def job_again(burnt: Burnt, family: Family, seed: str, output: Path) -> Job:
    """Return the job that builds a burnt task again, away from it and from what ``output`` holds.

    Raises:
        UserError: no selection is left; says how many tasks are in the way.
    """
    order = Order(
        family=family,
        seed=f"{seed}\x1freroll\x1f{burnt.digest}",
        count=burnt.count,
        split=burnt.split,
    )
    # Two variants of one share could ask the same.
    order = attrs.evolve(
        order,
        place=next(
            place
            for place in range(SHARES)
            if share_of(order.seed, place) != share_of_text(burnt.package)
        ),
    )
    run = run_of(order)
    rules = rules_in(
        {"family": family.name, "rules": burnt.rules},
        family.space.memory,
        burnt.folder / RECORD,
    )
    others = [
        Other(rules=rules, split=burnt.split),
        *others_in(output, order, run),
    ]
    drawn = family.space.sequence(
        child_rng(order.seed, family.name, "rules"),
        {},
        LEAST_DISTANCE,
        used_by(others, order),
    )
    found = next(drawn, None)
    if found is None:
        raise UserError(
            f"family {family.name}: no selection is left {LEAST_DISTANCE} axes from {burnt.folder} and far enough "
            f"from {len(others) - 1} more in {output}; build into another folder"
        )
    return Job(order=order, rules=found, output=output, run=run)


def _table(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError(f"expected an object, got {value!r}")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a text, got {value!r}")
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or value < 1:
        raise TypeError(f"expected a count, got {value!r}")
    return value
