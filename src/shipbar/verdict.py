"""What a grade returns, and what of it is the same on every machine.

The digested part holds only what the task, the submission and the rules
determine. Times, paths, the sandbox's name and whatever a candidate printed
are told beside it, never in it.

A verdict's score is the exact fraction of held-out assertions that passed.
Whatever is not an explicit, correct answer is a failure of its own kind (D6):
no case is ever absent from the count.
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

    @property
    def total(self) -> int:
        """Assertions in the suite."""
        return len(self.cases)

    @property
    def passed(self) -> int:
        """Assertions that passed."""
        return sum(case.outcome is Outcome.PASSED for case in self.cases)

    @property
    def fraction(self) -> Fraction:
        """The exact score."""
        return Fraction(self.passed, self.total)

    @property
    def score(self) -> float:
        """The score as a decimal in [0, 1]."""
        return self.passed / self.total

    @property
    def shipped(self) -> bool:
        """Whether the ship bar is met: every assertion passed."""
        return self.passed >= self.min_passed and self.passed == self.total

    def digested(self) -> dict[str, Any]:
        """The part that two honest runs share, as JSON values."""
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
        }

    @property
    def digest(self) -> str:
        """``sha256:…`` over the digested part."""
        return sha256(canonical(self.digested()))

    def as_json(self) -> dict[str, Any]:
        """The whole verdict as JSON values; `digest` covers all but `digest`, `score` and `run`."""
        return {
            **self.digested(),
            "score": self.score,
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
