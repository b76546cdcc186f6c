"""What is not open: a commitment to it, and a file that only the recipient can read.

- A commitment is SHA-256 over the task's digest and a nonce. It tells nothing of the
  task to whoever lacks the nonce, and no other task can be shown for it later.
- A sealed grader is one age file a task, encrypted to the recipient. Its content is a
  plain tar of the very files that an open grader has in the bundle, and `LINE.json`, the
  open line of the index. Encryption draws at random, so two runs give other bytes.
- age says nothing about who encrypted. The bundle's manifest holds the digest of the
  ciphertext and is signed: hold the file to it before opening it.
"""

import io
import tarfile
from collections.abc import Mapping
from typing import NewType, cast

import pyrage  # type: ignore[import-untyped]  # ships no types

from shipbar.bundles import paths
from shipbar.errors import AttestationError, UserError
from shipbar.verdict import canonical, sha256

LINE = "LINE.json"
"""In a sealed grader: its line of the index, as it would be were it open."""
MOST_BYTES = 256 * 2**20
"""What a sealed grader may come to."""
_PUBLIC, _SSH = "age1", "ssh-"
_SECRET = "AGE-SECRET-KEY-1"  # noqa: S105  # how one begins

Recipient = NewType("Recipient", object)
"""Whom a grader is encrypted to; see `recipient_of`."""
Identity = NewType("Identity", object)
"""What opens it; see `identity_of`."""


def commitment(digest: str, nonce: str) -> str:
    """Return the commitment to a task.

    Args:
        digest: ``sha256:…`` of the whole task.
        nonce: 64 hexadecimal digits.
    """
    return sha256(canonical({"task": digest, "nonce": nonce}))


def recipient_of(text: str) -> Recipient:
    """Return the recipient whose public key is ``text``: age's own, or an SSH key.

    Raises:
        UserError: it is none.
    """
    text = text.strip()
    if text.upper().startswith(_SECRET):
        raise UserError(
            "recipient: that is a secret key, and whoever has seen it can read what is encrypted to it; "
            f"give the public one, which begins with {_PUBLIC}"
        )
    try:
        if text.startswith(_SSH):
            return Recipient(pyrage.ssh.Recipient.from_str(text))
        return Recipient(pyrage.x25519.Recipient.from_str(text))
    except pyrage.RecipientError as cause:
        raise UserError(
            f"recipient {text[:80]!r}: expected an age public key, which begins with {_PUBLIC}, or an ssh-ed25519 or ssh-rsa public key: "
            f"{cause}"
        ) from cause


def identity_of(text: str, where: str) -> Identity:
    """Return the identity in a file's text: age's own, or an SSH private key.

    Raises:
        UserError: it is none; ``where`` begins the message.
    """
    lines = [line.strip() for line in text.splitlines()]
    secret = next((line for line in lines if line.startswith(_SECRET)), None)
    try:
        if secret is not None:
            return Identity(pyrage.x25519.Identity.from_str(secret))
        return Identity(pyrage.ssh.Identity.from_buffer(text.encode()))
    except (pyrage.IdentityError, ValueError) as cause:
        raise UserError(
            f"{where}: expected an age identity, a line that begins with {_SECRET}, or an SSH private key without a passphrase: {cause}"
        ) from cause


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return a tar of ``files``, by path: the same files give the same bytes."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, data in sorted(files.items()):
            member = tarfile.TarInfo(path)
            member.size, member.mode = len(data), 0o644
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


def sealed(files: Mapping[str, bytes], recipient: Recipient) -> bytes:
    """Return ``files`` encrypted to a recipient."""
    return cast("bytes", pyrage.encrypt(packed(files), [recipient]))


def opened(data: bytes, identity: Identity, where: str) -> dict[str, bytes]:
    """Return the files of a sealed grader, by path.

    Args:
        data: the file, already held to the manifest.
        identity: the recipient's.
        where: names the file in messages.

    Raises:
        UserError: it is not encrypted to that identity, or is damaged.
        AttestationError: what is inside is no grader.
    """
    try:
        plain = pyrage.decrypt(data, [identity])
    except pyrage.DecryptError as cause:
        raise UserError(
            f"{where}: cannot be opened with that identity ({cause}); give the one whose public key it was encrypted to"
        ) from cause
    if len(plain) > MOST_BYTES:
        raise AttestationError(
            f"{where}: expected at most {MOST_BYTES} bytes, got {len(plain)}"
        )
    return _unpacked(plain, where)


def _unpacked(plain: bytes, where: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
            for member in archive:
                # One that is sparse says that it is larger than what lies there.
                plain_file = member.isreg() and not member.issparse()
                content = archive.extractfile(member) if plain_file else None
                if content is None or not paths.is_safe(member.name):
                    raise AttestationError(
                        f"{where}: expected plain files inside, got {member.name!r}"
                    )
                found[member.name] = content.read()
    except (tarfile.TarError, EOFError, ValueError) as cause:
        raise AttestationError(f"{where}: holds no tar: {cause}") from cause
    if LINE not in found:
        raise AttestationError(f"{where}: holds no {LINE}")
    return found
