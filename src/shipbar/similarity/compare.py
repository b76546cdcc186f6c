"""The score of a candidate against a source, and what it means.

A share is of the source (how much of it came along) or of the candidate (how much of
what was written is the source's); the score is the larger, so that neither half a
library in a small package nor a whole one in a large package goes unseen.

What is counted is the *basis*: the grams of the source's large functions. A small
function is often all but dictated by the specification, and honest implementations
share many. A source without enough large functions is judged by all its functions,
and one without functions by all its code, both at raised thresholds; one that has
too little of any is too small to judge, and that is said.

A second rule sees what a share of a large candidate does not: functions of the source
of which most is there, if they are many grams together. It asks for a review, never more.
"""

import enum

import attrs

from shipbar.similarity.base import FLOOR, Base
from shipbar.similarity.fingerprints import LARGE, METRIC, Fingerprint, Grams
from shipbar.verdict import Level

RAISED = 1.75
"""By how much thresholds are raised on a basis other than large functions."""
LEAST_BASIS = 60
"""Grams that a source must have to be judged."""


class Basis(enum.StrEnum):
    """What of a source is counted."""

    LARGE = "large functions"
    FUNCTIONS = "all functions"
    CODE = "all code"
    TOKENS = "tokens"


@attrs.frozen(kw_only=True)
class Thresholds:
    """From which score on a candidate is what; a task may state others."""

    note: float = 0.16
    """Share from which a candidate is noted."""
    review: float = 0.20
    """Share from which it must be reviewed."""
    copy: float = 0.30
    """Share from which it is flagged as a copy."""
    least_shared: int = 20
    """Grams that must be shared for any of these."""
    least_mass: int = 80
    """Grams, together, of functions that are mostly there, from which a review is asked for."""

    @classmethod
    def at(cls, copy: float) -> "Thresholds":
        """Return those of a task that flags from ``copy`` on, the others in proportion."""
        plain = cls()
        return attrs.evolve(
            plain,
            note=plain.note * (copy / plain.copy),
            review=plain.review * (copy / plain.copy),
            copy=copy,
        )

    def raised(self) -> "Thresholds":
        """Return those of a weaker basis, on which honest implementations share more."""
        return attrs.evolve(
            self,
            note=min(RAISED * self.note, 1.0),
            review=min(RAISED * self.review, 1.0),
            copy=min(RAISED * self.copy, 1.0),
        )


DEFAULT = Thresholds()
MOSTLY = 0.5
"""Share of a function from which on it is mostly there."""


@attrs.frozen(kw_only=True)
class FunctionShare:
    """A large function of the source, and how much of it the candidate has."""

    name: str
    """As the source calls it."""
    path: str
    """Of the source's file."""
    line: int
    """Where it begins."""
    last_line: int
    """Where it ends."""
    grams: int
    """How many count."""
    share: float
    """Of them in the candidate."""


@attrs.frozen(kw_only=True)
class Comparison:
    """A candidate against one source."""

    source: str
    """The source's name."""
    candidate: str
    """The candidate's name."""
    level: Level
    """What it comes to."""
    reasons: tuple[str, ...]
    """Why it is that, and what a reader must bear in mind."""
    score: float
    """The larger of the two shares, in [0, 1]."""
    of_source: float
    """Share of the source's basis that is in the candidate."""
    of_candidate: float
    """Share of the candidate's basis that is in the source."""
    basis: Basis
    """What was counted."""
    shared: int
    """Grams of the source's basis that are in the candidate."""
    source_grams: int
    """Grams of the source's basis."""
    candidate_grams: int
    """Grams of the candidate's basis."""
    excluded: int
    """Grams of both that are base material."""
    whole: float
    """Share over all code, whatever its basis; told, not judged."""
    functions: tuple[FunctionShare, ...]
    """Large functions of the source that are mostly there, the fullest first."""
    mass: int
    """Grams of these functions together."""
    thresholds: Thresholds
    """By which the level was found."""
    metric: int = METRIC
    """Version of the metric."""

    @property
    def flagged(self) -> bool:
        """Whether it is taken for a copy."""
        return self.level is Level.COPY


@attrs.frozen(kw_only=True)
class _Counted:
    basis: Basis
    of_source: float
    of_candidate: float
    shared: int
    source_grams: int
    candidate_grams: int

    @property
    def score(self) -> float:
        return max(self.of_source, self.of_candidate)


def compare(
    candidate: Fingerprint,
    source: Fingerprint,
    base: Base = Base(),  # noqa: B008  # a frozen value
    thresholds: Thresholds = DEFAULT,
) -> Comparison:
    """Return how like ``source`` the ``candidate`` is."""
    common = (source.grams & candidate.grams) - base.grams
    counted = _by_tree(candidate, source, common, base.grams)
    if candidate.tokens or not candidate.grams:
        listed = _by_tokens(candidate, source, base.tokens)
        if _relative(listed) > _relative(counted):
            counted = listed
    # Fewer shared grams than this are too few for any function to count.
    enough = counted.shared >= thresholds.least_shared
    functions, mass = _functions(source, common, base.grams) if enough else ((), 0)
    used = thresholds if counted.basis is Basis.LARGE else thresholds.raised()
    level, reasons = _level(counted, mass, used)
    if candidate.unread and _ORDER.index(level) < _ORDER.index(Level.REVIEW):
        level, reasons = Level.REVIEW, [*reasons, "not all of the candidate was read"]
    if not (source.calibrated and candidate.calibrated):
        reasons.append("thresholds were not measured for this language")
    return Comparison(
        source=source.name,
        candidate=candidate.name,
        level=level,
        reasons=tuple(reasons),
        score=round(counted.score, 4),
        of_source=round(counted.of_source, 4),
        of_candidate=round(counted.of_candidate, 4),
        basis=counted.basis,
        shared=counted.shared,
        source_grams=counted.source_grams,
        candidate_grams=counted.candidate_grams,
        excluded=_excluded(candidate, source, base.grams),
        whole=round(_whole(candidate, source, common, base.grams), 4),
        functions=functions,
        mass=mass,
        thresholds=used,
    )


def _by_tree(
    candidate: Fingerprint, source: Fingerprint, common: Grams, base: Grams
) -> _Counted:
    # Each side's basis is looked for in all of the other's code: what was a large
    # function here may be cut up there.
    found = None
    for basis, theirs, own in (
        (Basis.LARGE, source.large, candidate.large),
        (Basis.FUNCTIONS, source.inner, candidate.inner),
        (Basis.CODE, source.grams, candidate.grams),
    ):
        found = _counted(basis, (theirs, own), common, base)
        if found.source_grams >= LEAST_BASIS:
            break
    assert found is not None  # noqa: S101  # the loop ran
    return found


def _counted(
    basis: Basis, sides: tuple[Grams, Grams], common: Grams, base: Grams
) -> _Counted:
    theirs, own = sides
    shared, back = len(theirs & common), len(own & common)
    source_grams = len(theirs) - len(theirs & base)
    candidate_grams = len(own) - len(own & base)
    return _Counted(
        basis=basis,
        of_source=shared / max(source_grams, FLOOR),
        of_candidate=back / max(candidate_grams, FLOOR),
        shared=max(shared, back),
        source_grams=source_grams,
        candidate_grams=candidate_grams,
    )


def _by_tokens(candidate: Fingerprint, source: Fingerprint, base: Grams) -> _Counted:
    theirs, own = source.tokens - base, candidate.tokens - base
    shared = len(theirs & own)
    return _Counted(
        basis=Basis.TOKENS,
        of_source=shared / max(len(theirs), FLOOR),
        of_candidate=shared / max(len(own), FLOOR),
        shared=shared,
        source_grams=len(theirs),
        candidate_grams=len(own),
    )


def _relative(counted: _Counted) -> float:
    """Return a score that can be held against that of another basis."""
    return counted.score if counted.basis is Basis.LARGE else counted.score / RAISED


def _excluded(candidate: Fingerprint, source: Fingerprint, base: Grams) -> int:
    theirs, own = base & source.grams, base & candidate.grams
    return len(theirs | own)


def _whole(
    candidate: Fingerprint, source: Fingerprint, common: Grams, base: Grams
) -> float:
    theirs = len(source.grams) - len(source.grams & base)
    own = len(candidate.grams) - len(candidate.grams & base)
    return len(common) / max(min(theirs, own), FLOOR)


def _functions(
    source: Fingerprint, common: Grams, base: Grams
) -> tuple[tuple[FunctionShare, ...], int]:
    """Return the large functions that are mostly there, and their grams together."""
    found, grams = [], set[bytes]()
    for it in source.functions:
        if len(it.grams) < LARGE:
            continue
        counting = it.grams - base
        share = len(it.grams & common) / max(len(counting), 1)
        if len(counting) >= LARGE and share >= MOSTLY:
            # One may stand in another, and counts once.
            grams |= counting
            found.append(
                FunctionShare(
                    name=it.name,
                    path=it.path,
                    line=it.line,
                    last_line=it.last_line,
                    grams=len(counting),
                    share=round(share, 4),
                )
            )
    found.sort(key=lambda it: (-it.share, -it.grams, it.path, it.line))
    return tuple(found), len(grams)


_ORDER = tuple(Level)


def _level(counted: _Counted, mass: int, used: Thresholds) -> tuple[Level, list[str]]:
    if counted.source_grams < LEAST_BASIS:
        return Level.TOO_SMALL, [
            f"the source has {counted.source_grams} grams that count, and {LEAST_BASIS} are needed"
        ]
    reasons = []
    if counted.basis is not Basis.LARGE:
        reasons.append(
            f"judged by {counted.basis}, a weaker basis, at raised thresholds"
        )
    level = Level.CLEAR
    if counted.shared >= used.least_shared:
        for name in (Level.COPY, Level.REVIEW, Level.NOTE):
            least = getattr(used, name.name.lower())
            if counted.score >= least:
                reasons.insert(
                    0, f"a share of {counted.score:.3f} is at or over {least:g}"
                )
                level = name
                break
    if mass >= used.least_mass and _ORDER.index(level) < _ORDER.index(Level.REVIEW):
        level = Level.REVIEW
        reasons.insert(
            0,
            f"functions of the source that are mostly there have {mass} grams together",
        )
    return level, reasons
