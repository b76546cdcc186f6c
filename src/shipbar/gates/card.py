"""The card of a built task: rules, counts by rule, scores, digests. For the grader's side."""

import html
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from shipbar.errors import UserError
from shipbar.grading.tasks import RECORD, Task


@attrs.frozen(kw_only=True)
class Card:
    """What there is to know about a built task."""

    task: Task
    """The task."""
    family: str
    """Its family's name."""
    rules: Mapping[str, str]
    """Its selection."""
    names: Mapping[str, str]
    """Its names by role."""
    by_rule: Mapping[str, int]
    """Assertions by rule."""
    scores: Mapping[str, float]
    """Scores of wrong packages, as built."""


def card_of(task: Task) -> Card:
    """Read the card of a built task.

    Raises:
        UserError: it was not built from a family.
    """
    path = task.folder / RECORD
    try:
        facts: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return Card(
            task=task,
            family=facts["family"],
            rules=facts["rules"],
            names=facts["names"],
            by_rule=facts["assertions_by_rule"],
            scores=facts["scores"],
        )
    except (OSError, ValueError, KeyError) as cause:
        raise UserError(
            f"{task.folder}: expected a task built from a family, with {RECORD}: {type(cause).__name__}: {cause}"
        ) from cause


def card_lines(card: Card) -> list[str]:
    """Return the card as lines for a terminal."""
    contract = card.task.contract
    return [
        f"{contract.task_id}: {contract.task_class}, {contract.split}, family {card.family}",
        f"  digest {card.task.digest}",
        f"  {contract.grader.min_passed} assertions, {len(contract.public_symbols)} public symbols, package {contract.import_name}",
        "",
        "  rules",
        *(f"    {axis:<24} {value}" for axis, value in card.rules.items()),
        "",
        "  assertions by rule",
        *(
            f"    {rule:<24} {count:>4}  {'#' * count}"
            for rule, count in card.by_rule.items()
        ),
        "",
        "  scores of wrong packages",
        *(
            f"    {name:<32} {score:.4f}  {'#' * round(score * 40)}"
            for name, score in card.scores.items()
        ),
    ]


def write_page(card: Card, path: Path) -> None:
    """Write the card as a page that needs nothing else: tables with bars."""
    contract = card.task.contract
    largest = max(card.by_rule.values(), default=1)
    parts = [
        "<!doctype html><meta charset='utf-8'>",
        f"<title>{_text(contract.task_id)}</title>",
        (
            "<style>body{font:16px/1.5 system-ui;max-width:60em;margin:2em auto;padding:0 1em}"
            "table{border-collapse:collapse;width:100%}td{padding:.2em .6em;border-bottom:1px solid #ddd}"
            ".bar{background:#4a7;height:1em}.n{text-align:right;font-variant-numeric:tabular-nums}</style>"
        ),
        f"<h1>{_text(contract.task_id)}</h1>",
        (
            f"<p>{_text(contract.task_class)} task, split {_text(contract.split)}, family {_text(card.family)}, "
            f"{contract.grader.min_passed} assertions<br><code>{_text(card.task.digest)}</code></p>"
        ),
        "<h2>Rules</h2>",
        _table([(axis, value, None) for axis, value in card.rules.items()]),
        "<h2>Assertions by rule</h2>",
        _table(
            [
                (rule, str(count), count / largest)
                for rule, count in card.by_rule.items()
            ]
        ),
        "<h2>Scores of wrong packages</h2>",
        _table([(name, f"{score:.4f}", score) for name, score in card.scores.items()]),
    ]
    path.write_text("\n".join(parts) + "\n", "utf-8")


def _table(rows: list[tuple[str, str, float | None]]) -> str:
    cells = []
    for name, value, share in rows:
        bar = (
            ""
            if share is None
            else f"<td><div class='bar' style='width:{share * 100:.1f}%'></div></td>"
        )
        cells.append(
            f"<tr><td>{_text(name)}</td><td class='n'>{_text(value)}</td>{bar}</tr>"
        )
    return f"<table>{''.join(cells)}</table>"


def _text(text: str) -> str:
    return html.escape(text)
