"""G5: no known way to score without implementing wins anything.

The payload sits on what memory writes, so that there is something to gain. Mechanisms
that a task could open a door to are tried on the task itself; those that depend on no
task are tried on a standing ground, once a sandbox and version (see `standing`).

What an attempt is, and when it succeeds, is told in `attempts`. Attempts that are not
valid on a task are listed with the reason; a task on which hardly any is valid is not
passed, for nothing was shown.
"""

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from shipbar.attacks import Attack, NotApplicable
from shipbar.attacks import corpus as whole_corpus
from shipbar.attacks.fence import works
from shipbar.gates.attempts import DIGITS, Attempt, Grade
from shipbar.gates.base import Evidence, Gate
from shipbar.gates.standing import (
    corpus_digest,
    on_standing_ground,
    record_key,
    sealed,
    try_all,
    try_on,
)
from shipbar.gates.trial import Trial
from shipbar.grading.tasks import Task

LEAST_VALID = 0.5
"""Share of the attempts on a task, and on the standing ground, that must be valid."""
SHOWN = 3
"""Cases named in a problem."""

Corpus = Callable[[], Sequence[Attack | NotApplicable]]
GradeIn = Callable[[Trial, Task], contextlib.AbstractContextManager[Grade]]


class BreakGate(Gate):
    """The break corpus against the sealed grader."""

    id, name = "G5", "break"
    title = "no known trick scores"

    def __init__(
        self, corpus: Corpus = whole_corpus, grade_in: GradeIn | None = None
    ) -> None:
        """Try ``corpus``.

        Args:
            corpus: returns the mechanisms.
            grade_in: opens what grades in place of the sealed grader, to show that the
                gate stops a weak one; nothing is then kept or taken from the cache.
        """
        self._corpus, self._grade_in = corpus, grade_in

    def _examine(self, trial: Trial) -> Evidence:
        mechanisms = self._corpus()
        tried = [it for it in mechanisms if isinstance(it, Attack)]
        levels = {
            level: [attack for attack in tried if attack.level == level]
            for level in ("task", "harness")
        }
        grade_of = partial(self._grade_in or sealed, trial)
        make = try_all if self._grade_in else on_standing_ground
        honest = trial.verdict(trial.known_bad[0])
        found = {
            "task": try_on(trial.task, levels["task"], grade_of, honest, foreign=True),
            "standing": make(trial, levels["harness"], grade_of)
            if levels["harness"]
            else (),
        }
        every = [attempt for half in found.values() for attempt in half]
        valid = [attempt for attempt in every if not attempt.dead]
        wins = [attempt for attempt in every if attempt.succeeded]
        problems = [why for attempt in every for why in _problems(attempt)]
        problems += [why for place in found for why in _too_few(place, found[place])]
        return self._verdict(
            f"{len(wins)}/{len(valid)}",
            problems,
            {
                "valid": len(valid),
                "successes": [attempt.id for attempt in wins],
                "groups": _groups(found),
                **{place: _summary(half) for place, half in found.items()},
                "not_applicable": {
                    it.id: it.why for it in mechanisms if isinstance(it, NotApplicable)
                },
            },
            {
                "corpus": corpus_digest(),
                "least_valid": LEAST_VALID,
            },
            {"standing_record": record_key(trial), "weak_graders_fenced": works()},
        )

    def depends(self, trial: Trial) -> Mapping[str, str]:
        """Name the corpus."""
        del trial
        return {"corpus": corpus_digest()}


def _problems(attempt: Attempt) -> list[str]:
    """Say how an attempt succeeded."""
    if not attempt.succeeded:
        return []
    problems = [f"{attempt.id}: {harm}" for harm in attempt.harm]
    if attempt.shipped:
        problems.append(f"{attempt.id} ships without implementing")
    if len(attempt.gained) > attempt.by_chance:
        shown = ", ".join(attempt.gained[:SHOWN])
        more = len(attempt.gained) - SHOWN
        problems.append(
            f"{attempt.id} passes {len(attempt.gained)} that its honest part fails "
            f"({_told(attempt)}): {shown}{f' and {more} more' if more > 0 else ''}"
        )
    elif attempt.score is not None and attempt.score > attempt.honest:
        problems.append(f"{attempt.id} {_told(attempt)}")
    return problems


def _told(attempt: Attempt) -> str:
    return f"scores {attempt.score or 0.0:.4f}, its honest part {attempt.honest:.4f}"


def _too_few(place: str, attempts: Sequence[Attempt]) -> list[str]:
    valid = sum(not attempt.dead for attempt in attempts)
    if valid >= LEAST_VALID * len(attempts):
        return []
    return [
        f"only {valid} of {len(attempts)} attempts are valid ({place}), expected at least {LEAST_VALID:.0%}: too little was shown"
    ]


def _summary(attempts: Sequence[Attempt]) -> dict[str, Any]:
    """What came of the attempts on one ground."""
    return {
        "tried": len(attempts),
        "valid": sum(not attempt.dead for attempt in attempts),
        "highest": _highest(attempts),
        "honest": round(max((it.honest for it in attempts), default=0.0), DIGITS),
        "not_valid": {it.id: it.dead for it in attempts if it.dead},
        "by_chance": {it.id: it.by_chance for it in attempts if it.by_chance},
        "refused": [it.id for it in attempts if it.score is None and not it.harm],
    }


def _groups(found: Mapping[str, Sequence[Attempt]]) -> dict[str, dict[str, Any]]:
    """Valid attempts, successes and the highest score on each ground, by group."""
    letters = sorted({attempt.id[0] for half in found.values() for attempt in half})
    groups = {}
    for letter in letters:
        halves = {
            place: [attempt for attempt in half if attempt.id[0] == letter]
            for place, half in found.items()
        }
        every = [attempt for half in halves.values() for attempt in half]
        groups[letter] = {
            "valid": sum(not attempt.dead for attempt in every),
            "successes": sum(attempt.succeeded for attempt in every),
            "highest": {
                place: _highest(half) for place, half in halves.items() if half
            },
        }
    return groups


def _highest(attempts: Iterable[Attempt]) -> float:
    """The highest score of what implements nothing."""
    return round(
        max((attempt.score or 0.0 for attempt in attempts), default=0.0), DIGITS
    )


GATE = BreakGate()
