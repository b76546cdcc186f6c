"""What a bundle holds: the digest of every file and every index line, and the signature.

`MANIFEST.json` names every file of the bundle but itself and `MANIFEST.sig`, which is an
envelope around an in-toto statement whose subject is the manifest. Lines of the index
have a digest each beside that of the whole file, so that a changed line is told from the
others. The grader bundle names the solver bundle's manifest, so the two are of one
delivery, and the digest of the grader bundle's manifest is the digest of that delivery.
"""

import json
from collections.abc import Mapping
from typing import Any, Self

import attrs
from securesystemslib.signer import CryptoSigner, Key

from shipbar.attest import envelope
from shipbar.attest.plain import read_object
from shipbar.attest.statement import parts_of, read_statement, written
from shipbar.bundles import paths
from shipbar.bundles.schema import MANIFEST, problems
from shipbar.errors import AttestationError
from shipbar.verdict import sha256

FORMAT = "shipbar-bundle/1"
BUNDLE = "urn:shipbar:attestation:bundle:v0.1"
"""The type of the predicate of a bundle's signature."""
MOST_BYTES = 512 * 2**20
"""A larger manifest is none."""


@attrs.frozen(kw_only=True)
class File:
    """One file, as signed."""

    size: int
    """Bytes."""
    digest: str
    """``sha256:…`` of them."""

    @classmethod
    def of(cls, data: bytes) -> Self:
        """Return what a manifest says of a file with these bytes."""
        return cls(size=len(data), digest=sha256(data))


@attrs.frozen(kw_only=True)
class Manifest:
    """What one bundle holds."""

    kind: str = attrs.field(validator=attrs.validators.in_(paths.KINDS))
    """`solver` or `grader`."""
    tranche: str
    """The tranche's name."""
    client: str
    """Whom it was delivered to."""
    serial: int
    """The delivery's number in the maker's ledger, from 1."""
    previous: str | None = None
    """``sha256:…`` of the client's previous delivery; None for the first."""
    tool_version: str
    """The Shipbar that wrote it."""
    tool_digest: str
    """``sha256:…`` over that Shipbar's sources."""
    solver: str | None = None
    """Of a grader bundle: ``sha256:…`` of the solver bundle's manifest."""
    tasks: Mapping[str, str]
    """``sha256:…`` of each task's line of the index, without its line end."""
    files: Mapping[str, File]
    """Every other file of the bundle, by its path."""

    def render(self) -> bytes:
        """Return `MANIFEST.json`."""
        said = {
            "format": FORMAT,
            "kind": self.kind,
            "tranche": self.tranche,
            "client": self.client,
            "serial": self.serial,
            "previous": self.previous,
            "tool": {"version": self.tool_version, "digest": self.tool_digest},
            "solver": self.solver,
            "tasks": dict(self.tasks),
            "files": {path: attrs.asdict(it) for path, it in self.files.items()},
        }
        text = json.dumps(said, indent=1, sort_keys=True, ensure_ascii=False)
        return text.encode() + b"\n"

    @classmethod
    def parse(cls, data: bytes, where: str) -> Self:
        """Read `MANIFEST.json`.

        Raises:
            AttestationError: it is none, or names a file outside of the bundle.
        """
        it = _read(data, where)
        for path in it["files"]:
            if not paths.is_safe(path):
                raise AttestationError(
                    f"{where}: expected paths inside of the bundle, got {path!r}"
                )
        return cls(
            kind=it["kind"],
            tranche=it["tranche"],
            client=it["client"],
            serial=it["serial"],
            previous=it["previous"],
            tool_version=it["tool"]["version"],
            tool_digest=it["tool"]["digest"],
            solver=it["solver"],
            tasks=it["tasks"],
            files={path: File(**said) for path, said in it["files"].items()},
        )

    def sign(self, data: bytes, signer: CryptoSigner) -> bytes:
        """Return `MANIFEST.sig`.

        Args:
            data: this manifest, rendered.
            signer: the maker's.
        """
        said = written({paths.MANIFEST: sha256(data)}, BUNDLE, self._about())
        return envelope.render(envelope.sign(said, signer))

    def held_to(
        self, data: bytes, signature: bytes, keys: list[Key], where: str
    ) -> tuple[str, ...]:
        """Hold the manifest to its signature; return the ids of the keys that signed.

        Args:
            data: the manifest's bytes.
            signature: `MANIFEST.sig`.
            keys: those that the caller trusts.
            where: the bundle's folder, for messages.

        Raises:
            AttestationError: no key of ``keys`` signed it, or what was signed is not this.
        """
        at = f"{where}/{paths.SIGNATURE}"
        signed = envelope.parse(signature, at)
        signers = envelope.verify(signed, keys, at)
        if not _as_written(signed, signature):
            raise AttestationError(
                f"{at}: the signature holds, and the file was changed around it; ask for the bundle again"
            )
        statement = read_statement(signed.payload, (BUNDLE,), at)
        try:
            said, about = parts_of(statement), dict(statement["predicate"])
        except (KeyError, TypeError, ValueError) as cause:
            raise AttestationError(
                f"{at}: no signature of a bundle: {cause}"
            ) from cause
        if said != {paths.MANIFEST: sha256(data)}:
            raise AttestationError(
                f"{where}/{paths.MANIFEST}: was changed after it was signed: signed "
                f"{said.get(paths.MANIFEST, 'something else')}, found {sha256(data)}; ask for the bundle again"
            )
        if about != self._about():
            raise AttestationError(
                f"{at}: is of another bundle: signed {about}, found {self._about()}"
            )
        return signers

    def _about(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "tranche": self.tranche,
            "client": self.client,
            "serial": self.serial,
        }


def _as_written(signed: envelope.Signed, data: bytes) -> bool:
    """Whether a signature's file says nothing beside it: no byte of it may change unseen."""
    beside = {envelope.SIGNED_DIGEST: signed.digest}
    return envelope.render(signed) == data and all(
        it.unrecognized_fields == beside for it in signed.signatures
    )


def _read(data: bytes, where: str) -> dict[str, Any]:
    if len(data) > MOST_BYTES:
        raise AttestationError(
            f"{where}: expected a manifest of at most {MOST_BYTES} bytes, got {len(data)}"
        )
    try:
        found = read_object(data)
    except ValueError as cause:
        raise AttestationError(f"{where}: no manifest of a bundle: {cause}") from cause
    if wrong := list(problems(found, MANIFEST)):
        raise AttestationError(
            f"{where}: no manifest of a bundle: {'; '.join(wrong[:5])}"
        )
    return found
