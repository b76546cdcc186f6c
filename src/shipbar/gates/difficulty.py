"""How hard a task looks, without asking any model: features, and a band over them.

The band counts how many features lie on the hard side of a fixed line. The lines are
those that split the reference tranche about in half; they say which of two tasks looks
harder, and nothing about what a given model will score.
"""

import ast
import enum
import re
from collections.abc import Iterator, Mapping

import attrs

from shipbar.gates.base import Evidence
from shipbar.gates.trial import Trial
from shipbar.grading.tasks import SPECIFICATION

HARD_SIDE: Mapping[str, tuple[str, float]] = {
    "rules": (">=", 12),
    "inverted_rules": (">=", 7),
    "recall_score": ("<=", 0.20),
    "specification_words": (">=", 2_000),
    "public_symbols": (">=", 12),
    "reference_statements": (">=", 200),
    "reference_decisions": (">=", 60),
}
"""For each feature, from where on it counts as hard."""
_DECISIONS = (
    *(ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.comprehension),
    *(ast.BoolOp, ast.match_case, ast.Assert),
)


class Band(enum.StrEnum):
    """How many features are on the hard side: up to two, up to four, more."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@attrs.frozen(kw_only=True)
class Difficulty:
    """How hard a task looks."""

    band: Band
    """One word for the features."""
    features: Mapping[str, float]
    """Each feature; shares and scores in [0, 1], the rest counts."""


def difficulty(trial: Trial, known_bad: Evidence | None) -> Difficulty:
    """Return how hard the task on trial looks.

    Args:
        trial: the task.
        known_bad: what gate G2 found, if it was asked: how far recall gets, and what
            tells rules apart.
    """
    contract = trial.task.contract
    sources = [
        data.decode("utf-8", "replace")
        for path, data in trial.files(trial.reference).items()
        if path.endswith(".py")
    ]
    text = (trial.task.folder / SPECIFICATION).read_text("utf-8")
    features: dict[str, float] = {
        "rules": len(trial.record.get("rules", ())) or len(_suite_rules(trial)),
        "inverted_rules": len(trial.flip_backs),
        "specification_words": len(re.findall(r"\w+", text)),
        "public_symbols": len(contract.public_symbols),
        "reference_statements": sum(map(_statements, sources)),
        "reference_decisions": sum(map(_decisions, sources)),
        **dict(_measured(trial, known_bad)),
    }
    hard = sum(_is_hard(name, value) for name, value in features.items())
    band = Band.LOW if hard <= 2 else Band.MEDIUM if hard <= 4 else Band.HIGH  # noqa: PLR2004  # as Band says
    return Difficulty(band=band, features=features)


def _suite_rules(trial: Trial) -> set[str]:
    return {case.rule for case in trial.task.suite.cases}


def _measured(trial: Trial, known_bad: Evidence | None) -> Iterator[tuple[str, float]]:
    if known_bad is None or not known_bad.figures:
        return
    figures = known_bad.figures
    yield "recall_score", figures["scores"][trial.known_bad[0]]
    own: Mapping[str, int] = figures["own"]
    if own:
        alone = sum(count == 1 for count in own.values())
        yield "rules_told_apart_by_one", round(alone / len(own), 4)


def _is_hard(name: str, value: float) -> bool:
    sign, line = HARD_SIDE.get(name, ("", 0.0))
    return value >= line if sign == ">=" else value <= line if sign == "<=" else False


def _statements(source: str) -> int:
    """Count statements, docstrings apart: lines of code whatever the layout."""
    return sum(
        isinstance(node, ast.stmt)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in ast.walk(ast.parse(source))
    )


def _decisions(source: str) -> int:
    return sum(isinstance(node, _DECISIONS) for node in ast.walk(ast.parse(source)))
