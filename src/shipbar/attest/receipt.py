"""The values: a question, and the receipt that answers it.

A question names everything that its answer depends on; so two runs of one question
give one answer, and its digest is what a kept receipt is found by. How long a run took,
and when it was, is told beside the answer and never compared.
"""

import re
from collections.abc import Mapping
from typing import Any

import attrs

from shipbar.attest.plain import plain
from shipbar.errors import GraderFault
from shipbar.verdict import canonical, sha256

PASSED, FAILED = "passed", "failed"
NOT_APPLICABLE, NOT_RUN = "not applicable", "not run"
STATUSES = (PASSED, FAILED, NOT_APPLICABLE, NOT_RUN)
"""How a gate may come out."""
WHOLE = "task"
"""The part that is all the others together."""

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def _digests(found: Mapping[str, str]) -> dict[str, str]:
    for name, digest in found.items():
        if not is_digest(digest):
            raise GraderFault(
                f"{name}: expected a digest, sha256: and 64 hexadecimal digits, got {digest!r}"
            )
    return dict(sorted(found.items()))


def is_digest(text: object) -> bool:
    """Say whether ``text`` is `sha256:` and 64 hexadecimal digits."""
    return isinstance(text, str) and _DIGEST.fullmatch(text) is not None


@attrs.frozen(kw_only=True)
class Conditions:
    """With what it was run."""

    tool_version: str
    """Shipbar's version."""
    tool_digest: str
    """``sha256:…`` over its installed sources."""
    sandbox: str
    """The backend's name."""
    lacks: tuple[str, ...]
    """What that backend does not promise."""
    runtime: str
    """Which interpreter, library and C library packages ran with; made on the machine."""
    interpreter: str
    """The implementation and version of Python."""


@attrs.frozen(kw_only=True)
class Question:
    """What was asked, of what, with what."""

    gate: str
    """The gate's id, such as `G1`."""
    name: str
    """The gate's name, such as `reference`."""
    version: int
    """The version of what that gate asks."""
    task_id: str
    """The task's id."""
    parts: Mapping[str, str] = attrs.field(converter=_digests)
    """``sha256:…`` of each of the task's parts, and of the whole `task`."""
    conditions: Conditions
    """With what it was run."""
    depends: Mapping[str, str] = attrs.field(factory=dict, converter=_digests)
    """``sha256:…`` of whatever else the answer depends on."""

    @property
    def digest(self) -> str:
        """``sha256:…`` over all of it."""
        return sha256(canonical(attrs.asdict(self)))


@attrs.frozen(kw_only=True)
class Receipt:
    """What one gate found on one task."""

    question: Question
    """What was asked."""
    status: str = attrs.field(validator=attrs.validators.in_(STATUSES))
    """How it came out: one of `STATUSES`."""
    cell: str = ""
    """The figure that stands for it in a table."""
    figures: Mapping[str, Any] = attrs.field(factory=dict, converter=plain)
    """What was measured, as JSON values."""
    problems: tuple[str, ...] = ()
    """What fails the task."""
    why: str = ""
    """Why it does not apply or could not run."""
    parameters: Mapping[str, Any] = attrs.field(factory=dict, converter=plain)
    """With what it ran, as JSON values: counts, seeds, bounds."""
    run: Mapping[str, Any] = attrs.field(factory=dict, converter=plain, eq=False)
    """What may differ between honest runs, as JSON values: `seconds`, `date`."""


@attrs.frozen(kw_only=True)
class Difference:
    """Something that two runs of a gate do not agree on."""

    what: str
    """What it is, such as `figures: kill_rate`."""
    recorded: Any
    """As the receipt has it; None if it lacks it."""
    found: Any
    """As it came out now; None if it did not."""


def conditions_that_differ(recorded: Conditions, found: Conditions) -> list[Difference]:
    """Say which conditions of two runs differ; the figures may agree all the same."""
    return _by_name("", attrs.asdict(recorded), attrs.asdict(found))


def answers_that_differ(recorded: Receipt, found: Receipt) -> list[Difference]:
    """Say what two runs of a gate do not agree on: what it depends on first, then the answer."""
    asked, now = recorded.question, found.question
    differences = _by_name("depends: ", asked.depends, now.depends)
    differences += _by_name("parameters: ", recorded.parameters, found.parameters)
    for name in ("status", "cell", "why"):
        before, after = getattr(recorded, name), getattr(found, name)
        if before != after:
            differences.append(Difference(what=name, recorded=before, found=after))
    differences += _by_name("figures: ", recorded.figures, found.figures)
    if recorded.problems != found.problems:
        differences.append(
            Difference(
                what="problems",
                recorded=list(recorded.problems),
                found=list(found.problems),
            )
        )
    return differences


def _by_name(
    head: str, recorded: Mapping[str, Any], found: Mapping[str, Any]
) -> list[Difference]:
    return [
        Difference(what=head + name, recorded=recorded.get(name), found=found.get(name))
        for name in sorted(recorded.keys() | found.keys())
        if recorded.get(name) != found.get(name)
    ]
