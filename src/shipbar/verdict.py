"""What a grade returns, and what of it is the same on every machine.

The digested part holds only what the task, the submission and the rules
determine. Times, paths, the sandbox's name and whatever a candidate printed
are told beside it, never in it.

A verdict's score is the exact fraction of held-out assertions that passed, unless
the task has what the copy guard found turn it into nothing. Whatever is not an
explicit, correct answer is a failure of its own kind (D6): no case is ever absent
from the count.

What the copy guard found is digested: it follows from the task and the submission,
and where a source could not be compared with, that is part of what was found. It is
scores and places in the submission, never a line or a name of a source. A verdict of a
grade without the guard says nothing of it and has the digest that it always had.

Quirks are beside the digest: what a candidate says where the specification leaves it
free, it may say otherwise at each run. They change no score.
"""

import enum
import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import attrs

SCHEMA = 1
"""Version of the JSON form."""


class Outcome(enum.StrEnum):
    """How one case went. Only `passed` counts."""

    PASSED = "passed"
    WRONG = "wrong"
    """Answered with another value, or raised another exception than was expected."""
    RAISED = "raised"
    """An exception where a value was expected, or before the expression was reached."""
    NOT_RAISED = "not raised"
    """A value where an exception was expected."""
    CRASHED = "crashed"
    """The subject ended while it ran."""
    TIMED_OUT = "timed out"
    """No answer within the wall limit."""
    MALFORMED = "malformed"
    """Something came that is no answer, or more than may come."""
    UNREACHED = "unreached"
    """The package did not import, or the limit of the whole run was used up before."""


@attrs.frozen(kw_only=True)
class CaseOutcome:
    """How one assertion went."""

    id: str
    """As pytest names it."""
    rule: str
    """The rule that it exercises."""
    outcome: Outcome
    """What came."""


@attrs.frozen(kw_only=True)
class Structure:
    """Whether the package is there at all."""

    imports: bool
    """Whether `import_name` could be imported."""
    missing: tuple[str, ...] = ()
    """Public symbols that it lacks."""
    why: str = ""
    """For a failure, its kind: `not installed`, `not found`, `raised`, `crashed`, `timed out`, `malformed`."""

    @property
    def ok(self) -> bool:
        """Whether behaviour could be graded."""
        return self.imports and not self.missing


class Level(enum.StrEnum):
    """How like a source a submission is, from least to most."""

    NOT_COMPARED = "not compared"
    """The source could not be had. Says nothing of the submission."""
    TOO_SMALL = "too small to judge"
    """The source has too little code for a share of it to mean anything."""
    CLEAR = "clear"
    NOTE = "note"
    """Worth a look; honest work may come here."""
    REVIEW = "review"
    """A person must look."""
    COPY = "copy"
    """Flagged: no honest implementation that we know of comes here."""


@attrs.frozen(kw_only=True)
class SharedRegion:
    """The longest run of a submission that a source has too."""

    path: str
    """Of the submission's file; hostile text."""
    first: int
    """Its first line, from 1."""
    last: int
    """Its last line."""
    symbols: int
    """How many symbols of the syntax tree, or tokens, it has."""
    share: float
    """Of all that the submission has, in [0, 1]."""


@attrs.frozen(kw_only=True)
class Likeness:
    """How like one source a submission is."""

    source: str
    """`reference` or `upstream`."""
    level: Level
    """What it comes to."""
    reasons: tuple[str, ...] = ()
    """Why it is that, and what a reader must bear in mind."""
    score: float = 0.0
    """The larger of the two shares, in [0, 1]."""
    of_source: float = 0.0
    """Share of the source that is in the submission."""
    of_candidate: float = 0.0
    """Share of the submission that is in the source."""
    basis: str = ""
    """What was counted: `large functions`, `all functions`, `all code`, `tokens`."""
    shared: int = 0
    """Grams that both have."""
    note: float = 0.0
    """Score from which it is `note`, on this basis; so below for the others."""
    review: float = 0.0
    """Score from which it is `review`."""
    copy: float = 0.0
    """Score from which it is `copy`."""
    longest: SharedRegion | None = None
    """The longest run that both have; None if they share nothing that counts."""


@attrs.frozen(kw_only=True)
class Copying:
    """What the copy guard found."""

    metric: int
    """Version of the metric. Scores of two versions cannot be compared."""
    hard_fail: bool
    """Whether a flag turns the score into nothing; the task says so."""
    sources: tuple[Likeness, ...]
    """The submission against each source."""
    held_out: str = ""
    """The held-out package that the submission equals byte for byte, by its path in the
    task; never the reference, which is compared with. Empty: it equals none."""
    remarks: tuple[str, ...] = ()
    """Files that are not compared as they stand: path, colon, what it is. Hostile text."""

    @property
    def level(self) -> Level:
        """The highest level that any source gives."""
        order = list(Level)
        levels = [it.level for it in self.sources]
        return max(levels, key=order.index, default=Level.NOT_COMPARED)

    @property
    def flagged(self) -> bool:
        """Whether the submission is taken for a copy; of a held-out package more is known."""
        return self.level is Level.COPY and not self.held_out

    @property
    def zeroed(self) -> bool:
        """Whether that turns its score into nothing."""
        return self.hard_fail and (self.flagged or bool(self.held_out))

    @property
    def reason(self) -> str:
        """Why it is flagged, or what held-out package it is; empty if neither."""
        if self.held_out:
            return f"it is {self.held_out} of the task, byte for byte"
        copied = [it for it in self.sources if it.level is Level.COPY]
        return "; ".join(f"a copy of the {it.source}: {it.reasons[0]}" for it in copied)

    def as_json(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {
            "metric": self.metric,
            "level": str(self.level),
            "flagged": self.flagged,
            "hard_fail": self.hard_fail,
            "zeroed": self.zeroed,
            "reason": self.reason,
            "held_out": self.held_out,
            "sources": [
                {
                    **attrs.asdict(it),
                    "level": str(it.level),
                    "reasons": list(it.reasons),
                }
                for it in self.sources
            ],
            "remarks": list(self.remarks),
        }


@attrs.frozen(kw_only=True)
class Agreement:
    """How often a submission does what a source does, where it need not."""

    source: str
    """`reference` or `upstream`."""
    asked: int
    """Questions that the source answers."""
    answered: int
    """To how many of them there was any answer."""
    agreed: int
    """To how many it was the source's."""
    examples: tuple[str, ...] = ()
    """Ids of a few cases in which they agree."""


@attrs.frozen(kw_only=True)
class Quirks:
    """What came of the questions that no assertion asks. Told, and never a verdict."""

    version: int
    """Of the way to ask. What two versions found cannot be compared."""
    sources: tuple[Agreement, ...] = ()
    """The submission against each source."""
    missing: tuple[str, ...] = ()
    """Names of sources that could not be had."""
    failure: str = ""
    """Why not everything was asked; empty if it was."""


@attrs.frozen(kw_only=True)
class Run:
    """What may differ between honest runs; not digested."""

    sandbox: str
    """Name of the backend."""
    lacks: tuple[str, ...] = ()
    """What that backend does not promise."""
    seconds: float = 0.0
    """Wall-clock time of the grade."""
    subjects: int = 0
    """Processes that were started for it; more than one means crashes or hangs."""
    left_out: tuple[str, ...] = ()
    """Files of the submission that were not taken in, with the reason."""
    notes: tuple[str, ...] = ()
    """What a reader should know, such as why a way to install was chosen."""
    trace: str = ""
    """The candidate's own traceback or installer's words. Hostile text: escape it before showing it."""
    copy_index: str = ""
    """Names what the copy guard compared with, and by which grammars; empty without it."""
    quirks: Quirks | None = None
    """What was asked beyond the suite; None if nothing was to be."""


@attrs.frozen(kw_only=True)
class Verdict:
    """The result of grading one submission."""

    task_id: str
    """The task's id."""
    task_digest: str
    """``sha256:…`` over the task's files."""
    submission_digest: str
    """``sha256:…`` over the accepted files."""
    install: str
    """How it was installed: `tree` or `pip`."""
    structure: Structure
    """The structural check."""
    cases: tuple[CaseOutcome, ...]
    """One for each assertion, in suite order."""
    min_passed: int
    """The task's ship bar."""
    run: Run = attrs.field(eq=False)
    """The part that is not digested."""
    copying: Copying | None = None
    """What the copy guard found; None if it was off."""

    @property
    def total(self) -> int:
        """Assertions in the suite."""
        return len(self.cases)

    @property
    def passed(self) -> int:
        """Assertions that passed."""
        return sum(case.outcome is Outcome.PASSED for case in self.cases)

    @property
    def behaviour(self) -> Fraction:
        """The exact share of assertions that passed, whatever the copy guard found."""
        return Fraction(self.passed, self.total)

    @property
    def zeroed(self) -> bool:
        """Whether the copy guard turned the score into nothing."""
        return self.copying is not None and self.copying.zeroed

    @property
    def fraction(self) -> Fraction:
        """The exact score."""
        return Fraction(0) if self.zeroed else self.behaviour

    @property
    def score(self) -> float:
        """The score as a decimal in [0, 1]."""
        return 0.0 if self.zeroed else self.passed / self.total

    @property
    def shipped(self) -> bool:
        """Whether the ship bar is met: every assertion passed, and it is no copy that scores nothing."""
        passed = self.passed >= self.min_passed and self.passed == self.total
        return passed and not self.zeroed

    def digested(self) -> dict[str, Any]:
        """The part that two honest runs share, as JSON values."""
        guard = {} if self.copying is None else {"copy_guard": self.copying.as_json()}
        return {
            "schema": SCHEMA,
            "task_id": self.task_id,
            "task_digest": self.task_digest,
            "submission_digest": self.submission_digest,
            "install": self.install,
            "structure": {
                "imports": self.structure.imports,
                "missing": list(self.structure.missing),
                "why": self.structure.why,
            },
            "passed": self.passed,
            "total": self.total,
            "min_passed": self.min_passed,
            "shipped": self.shipped,
            "cases": [
                {"id": c.id, "rule": c.rule, "outcome": str(c.outcome)}
                for c in self.cases
            ],
            **guard,
        }

    @property
    def digest(self) -> str:
        """``sha256:…`` over the digested part."""
        return sha256(canonical(self.digested()))

    def as_json(self) -> dict[str, Any]:
        """The whole verdict as JSON values; `digest` covers all but `digest`, `score`, `behaviour` and `run`."""
        return {
            **self.digested(),
            "score": self.score,
            "behaviour": self.passed / self.total,
            "digest": self.digest,
            "run": {**attrs.asdict(self.run), "seconds": round(self.run.seconds, 4)},
        }


def canonical(value: Mapping[str, Any]) -> bytes:
    """Return the one JSON form of ``value`` that digests are taken over."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    ).encode()


def sha256(data: bytes) -> str:
    """Return `sha256:` and the hexadecimal digest of ``data``."""
    return "sha256:" + hashlib.sha256(data).hexdigest()
