"""Signed bytes: a DSSE envelope around a statement, as in-toto reads it.

- The bytes that were signed are kept, and signatures are checked over them as they are.
- One envelope may have several signatures; each says which key made it.
- Beside each signature stands the digest of the bytes that it is over. It proves
  nothing, and is there so that a changed receipt can be told by two digests.
"""

import base64
import binascii
import json
from collections.abc import Sequence
from typing import Any

import attrs
from securesystemslib import dsse
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import CryptoSigner, Key, Signature

from shipbar.attest.plain import read_object
from shipbar.errors import AttestationError
from shipbar.verdict import sha256

PAYLOAD_TYPE = "application/vnd.in-toto+json"
SIGNED_DIGEST = "payloadDigest"
"""Extra field of a signature: the digest of the bytes that it was made over."""
MOST_BYTES = 32 * 2**20
"""A larger file is no receipt."""


@attrs.frozen(kw_only=True)
class Signed:
    """Bytes and who signed them."""

    payload: bytes
    """The bytes that were signed."""
    signatures: tuple[Signature, ...]
    """At least one; no two by one key."""

    @property
    def key_ids(self) -> tuple[str, ...]:
        """The ids of the keys that are said to have signed; nothing is checked yet."""
        return tuple(it.keyid for it in self.signatures)

    @property
    def digest(self) -> str:
        """``sha256:…`` of the bytes."""
        return sha256(self.payload)


def sign(payload: bytes, signer: CryptoSigner) -> Signed:
    """Sign a statement's bytes."""
    return also_signed(Signed(payload=payload, signatures=()), signer)


def also_signed(signed: Signed, signer: CryptoSigner) -> Signed:
    """Add a signature; an earlier one by the same key is replaced."""
    made = _envelope(signed).sign(signer)
    made.unrecognized_fields[SIGNED_DIGEST] = signed.digest
    others = (it for it in signed.signatures if it.keyid != made.keyid)
    return attrs.evolve(signed, signatures=(*others, made))


def verify(signed: Signed, keys: Sequence[Key], where: str) -> tuple[str, ...]:
    """Return the ids of those of ``keys`` that signed it.

    Signatures by other keys say nothing either way and are passed over. One by a key
    that is known must hold.

    Raises:
        AttestationError: none of the keys signed it, or what one signed is not this.
    """
    known = {key.keyid: key for key in keys}
    held = []
    for signature in signed.signatures:
        key = known.get(signature.keyid)
        if key is None:
            continue
        try:
            _envelope(attrs.evolve(signed, signatures=(signature,))).verify([key], 1)
        except VerificationError as cause:
            raise AttestationError(_changed(signed, signature, where)) from cause
        held.append(key.keyid)
    if not held:
        raise AttestationError(
            f"{where}: signed by {', '.join(signed.key_ids)}, none of which is a key that you trust; "
            "give the signer's public key with --key, or put it into the folder that `shipbar key show` names"
        )
    return tuple(held)


def _changed(signed: Signed, signature: Signature, where: str) -> str:
    noted = signature.unrecognized_fields.get(SIGNED_DIGEST)
    if isinstance(noted, str) and noted != signed.digest:
        return (
            f"{where}: was changed after it was signed by {signature.keyid}: "
            f"signed {noted}, found {signed.digest}"
        )
    return (
        f"{where}: the signature by {signature.keyid} does not hold over what is there, {signed.digest}; "
        "the signature, or what was signed, was changed"
    )


def render(signed: Signed) -> bytes:
    """Return the file of an envelope."""
    return json.dumps(_envelope(signed).to_dict(), indent=1).encode() + b"\n"


def parse(data: bytes, where: str) -> Signed:
    """Read an envelope; nothing is checked yet but its form.

    Args:
        data: a file.
        where: names it in messages.

    Raises:
        AttestationError: it is no envelope around a statement.
    """
    if len(data) > MOST_BYTES:
        raise AttestationError(
            f"{where}: expected a signed statement of at most {MOST_BYTES} bytes, got {len(data)}"
        )
    try:
        fields = read_object(data)
        payload = _strict_base64(fields["payload"])
        kind = fields["payloadType"]
        envelope = dsse.Envelope.from_dict(_checked(fields))
    except KeyError as cause:
        raise AttestationError(
            f"{where}: no signed receipt, review, manifest or report: {cause} is missing"
        ) from cause
    except (ValueError, TypeError, AttributeError) as cause:
        raise AttestationError(
            f"{where}: no signed receipt, review, manifest or report: {cause}"
        ) from cause
    if kind != PAYLOAD_TYPE:
        raise AttestationError(
            f"{where}: expected a payload of type {PAYLOAD_TYPE}, got {kind!r}"
        )
    if not envelope.signatures:
        raise AttestationError(f"{where}: nobody signed it")
    return Signed(payload=payload, signatures=tuple(envelope.signatures.values()))


def _checked(fields: dict[str, Any]) -> dict[str, Any]:
    for it in fields["signatures"]:
        _strict_base64(it["sig"])
        if not isinstance(it["keyid"], str):
            raise TypeError(f"keyid: expected a text, got {it['keyid']!r}")
    return fields


def _strict_base64(text: object) -> bytes:
    """Decode what there is one way to write, so that no byte of a file may change unseen."""
    if not isinstance(text, str):
        raise TypeError(f"expected base64, got {text!r}")
    try:
        found = base64.b64decode(text, validate=True)
    except binascii.Error as cause:
        raise ValueError(f"not base64: {cause}") from cause
    if base64.b64encode(found).decode() != text:
        raise ValueError("not base64 as it is written")
    return found


def _envelope(signed: Signed) -> dsse.Envelope:
    signatures = {it.keyid: it for it in signed.signatures}
    return dsse.Envelope(signed.payload, PAYLOAD_TYPE, signatures)
