"""The card of a built task: rules, counts by rule, scores, what is proven. For the grader's side."""

import importlib.resources
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import jinja2

from shipbar.errors import UserError
from shipbar.gates.base import Evidence, Gate
from shipbar.gates.difficulty import Difficulty, difficulty
from shipbar.gates.trial import Trial
from shipbar.grading.tasks import RECORD, Task

LIMITATION = (
    "A grader proves that a task can be scored, not that it is hard: "
    "what a given model scores is found by running it."
)
NOT_PROVEN = "not proven; run `shipbar verify`"


@attrs.frozen(kw_only=True)
class Card:
    """What there is to know about a built task."""

    task: Task
    """The task."""
    family: str
    """Its family's name."""
    rules: Mapping[str, str]
    """Its selection."""
    by_rule: Mapping[str, int]
    """Assertions by rule."""
    scores: Mapping[str, float]
    """Scores of wrong packages, as built."""
    proven: Mapping[str, Evidence | None]
    """What each gate found, by what it proves; None for one of which nothing is kept."""
    difficulty: Difficulty
    """How hard it looks."""


def card_of(trial: Trial, found: Mapping[Gate, Evidence | None]) -> Card:
    """Return the card of the task on trial.

    Args:
        trial: a built task.
        found: what is kept of each gate.

    Raises:
        UserError: it was not built from a family.
    """
    record = trial.record
    try:
        return Card(
            task=trial.task,
            family=record["family"],
            rules=record["rules"],
            by_rule=record["assertions_by_rule"],
            scores=record["scores"],
            proven={f"{gate.id} {gate.title}": it for gate, it in found.items()},
            difficulty=difficulty(
                trial, next((it for g, it in found.items() if g.id == "G2"), None)
            ),
        )
    except KeyError as cause:
        raise UserError(
            f"{trial.task.folder}: expected a task built from a family, with {RECORD}; it lacks {cause}"
        ) from cause


def proven_figures(card: Card) -> list[tuple[str, str]]:
    """Return what is proven, a line a gate."""
    return [
        (title, NOT_PROVEN if it is None else f"{it.status}  {it.cell}")
        for title, it in card.proven.items()
    ]


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
        "",
        "  proven",
        *(f"    {title:<56} {told}" for title, told in proven_figures(card)),
        "",
        f"  structural difficulty: {card.difficulty.band}",
        *(
            f"    {_words(name):<32} {value:g}"
            for name, value in card.difficulty.features.items()
        ),
        "",
        f"  {LIMITATION}",
    ]


def card_page(card: Card) -> str:
    """Return the card as a page that needs nothing else: tables with bars."""
    source = importlib.resources.files("shipbar.gates") / "card.html.j2"
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.from_string(source.read_text("utf-8")).render(
        card=card,
        contract=card.task.contract,
        largest=max(card.by_rule.values(), default=1),
        proven=_with_figures(card),
        words=_words,
        limitation=LIMITATION,
    )


def _with_figures(card: Card) -> Sequence[tuple[str, str, Mapping[str, Any]]]:
    figures = [it.figures if it else {} for it in card.proven.values()]
    return [
        (title, told, it)
        for (title, told), it in zip(proven_figures(card), figures, strict=True)
    ]


def _words(name: str) -> str:
    return name.replace("_", " ")
