"""A line of `index.jsonl`, for each of the two bundles: parsed and rendered.

A line is a JSON object with sorted names and no blanks, so one value has one line. A
solver's line says nothing of the grader but how much a candidate may use. A grader's
line holds the contract in full, unless the grader is not open: then it says how each
gate came out, and commits to the task without giving anything of it away.
"""

from collections.abc import Mapping
from typing import Any, Self

import attrs

from shipbar.attest.plain import read_object
from shipbar.bundles.schema import GRADER_LINE, SOLVER_LINE, Schema, problems
from shipbar.errors import AttestationError
from shipbar.verdict import canonical

OPEN, SEALED, WITHHELD = "open", "sealed", "withheld"
STATES = (OPEN, SEALED, WITHHELD)
"""Whether a grader is in its bundle, in it and encrypted, or not in it."""


@attrs.frozen(kw_only=True)
class Image:
    """An image in a bundle's `images/`."""

    name: str
    """Its name in the layout."""
    config: str
    """``sha256:…`` of its configuration: what most engines show as its id."""
    manifest: str
    """``sha256:…`` of its manifest."""


@attrs.frozen(kw_only=True)
class SolverLine:
    """What a solver may know of one task."""

    task_id: str
    """The task's id."""
    task_class: str
    """`invented` or `mutated`."""
    language: str
    """What solvers write."""
    split: str
    """`train` or `eval`."""
    licence: str
    """SPDX expression for what solvers see."""
    path: str
    """Where the specification lies in the bundle."""
    digest: str
    """``sha256:…`` of the specification."""
    limits: Mapping[str, float]
    """What a grade may use, as in the contract."""
    image: Image | None = None
    """The solver image."""

    def render(self) -> bytes:
        """Return the line, without its line end."""
        return canonical(
            {
                "task_id": self.task_id,
                "task_class": self.task_class,
                "language": self.language,
                "split": self.split,
                "licence": self.licence,
                "specification": {"path": self.path, "digest": self.digest},
                "limits": dict(self.limits),
                "image": _image_json(self.image),
            }
        )

    @classmethod
    def parse(cls, line: bytes, where: str) -> Self:
        """Read a line.

        Raises:
            AttestationError: it is none; ``where`` begins the message.
        """
        it = _read(line, SOLVER_LINE, where)
        return cls(
            **{name: it[name] for name in _COMMON},
            path=it["specification"]["path"],
            digest=it["specification"]["digest"],
            limits=it["limits"],
            image=_image(it["image"]),
        )


@attrs.frozen(kw_only=True)
class GateLine:
    """What one gate found."""

    status: str
    """`passed` or `not applicable`."""
    cell: str
    """The figure that stands for it."""
    receipt: str | None = None
    """Where its receipt lies in the bundle; None unless the grader is open."""


@attrs.frozen(kw_only=True)
class GraderLine:
    """What a grader bundle says of one task."""

    task_id: str
    """The task's id."""
    task_class: str
    """`invented` or `mutated`."""
    language: str
    """What solvers write."""
    split: str
    """`train` or `eval`."""
    licence: str
    """SPDX expression for the held-out half."""
    state: str = attrs.field(validator=attrs.validators.in_(STATES))
    """One of `STATES`."""
    commitment: str
    """``sha256:…``; see `sealing.commitment`."""
    nonce: str | None = None
    """64 hexadecimal digits; None unless the grader is open."""
    sealed: str | None = None
    """Where the encrypted grader lies; None unless it is sealed."""
    gates: Mapping[str, GateLine]
    """What each gate found, by its id."""
    digest: str | None = None
    """``sha256:…`` of the whole task; None unless the grader is open."""
    contract: Mapping[str, Any] | None = None
    """The contract in full, as `contract_as_json` gives it; None unless the grader is open."""
    patch: str | None = None
    """Where the reference lies as a patch; None unless the grader is open."""
    notes: str | None = None
    """Where the notes for the buyer lie; None unless the grader is open."""
    image: Image | None = None
    """The grader image; None unless the grader is open."""

    def closed(self, state: str, sealed: str | None = None) -> Self:
        """Return the line with nothing left of what a closed grader keeps to itself."""
        return attrs.evolve(
            self,
            state=state,
            sealed=sealed,
            nonce=None,
            gates={
                gate: attrs.evolve(it, receipt=None) for gate, it in self.gates.items()
            },
            digest=None,
            contract=None,
            patch=None,
            notes=None,
            image=None,
        )

    def render(self) -> bytes:
        """Return the line, without its line end."""
        return canonical(
            {
                "task_id": self.task_id,
                "task_class": self.task_class,
                "language": self.language,
                "split": self.split,
                "licence": self.licence,
                "grader": {
                    "state": self.state,
                    "commitment": self.commitment,
                    "nonce": self.nonce,
                    "path": self.sealed,
                },
                "gates": {gate: attrs.asdict(it) for gate, it in self.gates.items()},
                "digest": self.digest,
                "contract": self.contract,
                "patch": self.patch,
                "notes": self.notes,
                "image": _image_json(self.image),
            }
        )

    @classmethod
    def parse(cls, line: bytes, where: str) -> Self:
        """Read a line.

        Raises:
            AttestationError: it is none, or says of a closed grader what only an open
                one tells; ``where`` begins the message.
        """
        it = _read(line, GRADER_LINE, where)
        made = cls(
            **{name: it[name] for name in _COMMON},
            state=it["grader"]["state"],
            commitment=it["grader"]["commitment"],
            nonce=it["grader"]["nonce"],
            sealed=it["grader"]["path"],
            gates={gate: GateLine(**said) for gate, said in it["gates"].items()},
            digest=it["digest"],
            contract=it["contract"],
            patch=it["patch"],
            notes=it["notes"],
            image=_image(it["image"]),
        )
        if why := _at_odds(made):
            raise AttestationError(f"{where}: {why}")
        return made


_COMMON = ("task_id", "task_class", "language", "split", "licence")


def _at_odds(line: GraderLine) -> str:
    """Say what a line says that its state does not go with."""
    told = {
        name: getattr(line, name) is not None
        for name in ("nonce", "digest", "contract", "patch", "notes")
    }
    wrong = [name for name, there in told.items() if there != (line.state == OPEN)]
    if wrong:
        return (
            f"the grader is {line.state}, and {', '.join(wrong)} "
            f"{'missing' if line.state == OPEN else 'told all the same'}"
        )
    if (line.sealed is not None) != (line.state == SEALED):
        return f"the grader is {line.state}, and its path is {line.sealed}"
    return ""


def lines_text(lines: Mapping[str, bytes]) -> bytes:
    """Return `index.jsonl`: rendered lines by task, in the tasks' order."""
    return b"".join(line + b"\n" for _, line in sorted(lines.items()))


def _read(line: bytes, schema: Schema, where: str) -> dict[str, Any]:
    try:
        found = read_object(line)
    except ValueError as cause:
        raise AttestationError(f"{where}: no line of an index: {cause}") from cause
    if wrong := list(problems(found, schema)):
        raise AttestationError(f"{where}: no line of an index: {'; '.join(wrong)}")
    return found


def _image(said: Mapping[str, str] | None) -> Image | None:
    return None if said is None else Image(**said)


def _image_json(image: Image | None) -> dict[str, str] | None:
    return None if image is None else attrs.asdict(image)
