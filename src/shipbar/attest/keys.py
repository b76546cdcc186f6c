"""ed25519 keys in files.

A key is two files: `NAME`, the private half, which only its owner may read, and
`NAME.pub`, the public half, to be given away. A key's id is computed from its public
half, as securesystemslib does. The folder of keys holds a person's own, and the public
halves of those whom they trust.

A file is made in one step and never overwritten: a lost private key signs nothing more.
"""

import os
import re
import stat
import tempfile
from pathlib import Path

import attrs
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)
from securesystemslib.signer import CryptoSigner, SSlibKey

from shipbar.errors import AttestationError, UserError

DEFAULT = "default"
"""The name of the key that signs where none is named."""
PUBLIC = ".pub"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


@attrs.frozen(kw_only=True)
class Named:
    """A key that may be known under a name."""

    name: str
    """The name of its file."""
    key: SSlibKey
    """Its public half."""


@attrs.frozen(kw_only=True)
class Own:
    """A key that signs."""

    signer: CryptoSigner
    """What signs with it."""
    path: Path
    """Where its private half lies."""
    made: bool = False
    """Whether it was made just now."""

    @property
    def id(self) -> str:
        """Its id."""
        return self.signer.public_key.keyid


def public_text(key: SSlibKey) -> str:
    """Return a public key as PEM."""
    raw = bytes.fromhex(key.keyval["public"])
    public = Ed25519PublicKey.from_public_bytes(raw)
    return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def private_path(folder: Path, key: str) -> Path:
    """Return where the private half of a key lies: ``key`` is a name in ``folder``, or a path.

    Raises:
        UserError: it can be neither.
    """
    if "/" in key:
        return Path(key)
    if _NAME.fullmatch(key) is None or key.endswith(PUBLIC):
        raise UserError(
            f"key {key!r}: expected a name of letters, digits, dots, hyphens and underscores that does not end in {PUBLIC}, "
            "or a path with a slash in it"
        )
    return folder / key


def make(path: Path) -> Own:
    """Make a key: ``path`` and ``path.pub``.

    Raises:
        UserError: one of the files is there, or the folder cannot be written.
    """
    signer = CryptoSigner.generate_ed25519()
    public = path.with_name(path.name + PUBLIC)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _create(path, signer.private_bytes, 0o600)
        try:
            _create(public, public_text(signer.public_key).encode(), 0o644)
        except OSError:
            path.unlink()  # it is ours, and no key without its other half
            raise
    except FileExistsError as cause:
        raise UserError(
            f"{path}: there is such a key already, and it is not overwritten; name another"
        ) from cause
    except OSError as cause:
        raise UserError(f"{path}: cannot make a key: {cause.strerror}") from cause
    return Own(signer=signer, path=path, made=True)


def _create(path: Path, data: bytes, mode: int) -> None:
    """Write a file that is not there, whole or not at all."""
    handle, name = tempfile.mkstemp(prefix=".key-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(mode)
        path.hardlink_to(name)  # fails if it is there, unlike a rename
    finally:
        Path(name).unlink()


def load(path: Path) -> Own:
    """Load the key whose private half lies at ``path``.

    Raises:
        UserError: there is none.
        AttestationError: it is no ed25519 key, or others may read it.
    """
    data = _read(path, "make one with `shipbar key new`")
    if (mode := stat.S_IMODE(path.stat().st_mode)) & 0o077:
        raise AttestationError(
            f"{path}: expected a private key that only its owner may use, got mode {mode:04o}; "
            f"chmod 600 {path}, and make another if others had access to it"
        )
    try:
        private = load_pem_private_key(data, None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as cause:
        raise AttestationError(
            f"{path}: expected a private key in PEM: {cause}"
        ) from cause
    if not isinstance(private, Ed25519PrivateKey):
        raise AttestationError(f"{path}: expected an ed25519 key, got another kind")
    public = SSlibKey.from_crypto(private.public_key())
    return Own(signer=CryptoSigner(private, public), path=path)


def load_or_make(folder: Path, key: str = DEFAULT) -> Own:
    """Load a person's own key; make it if they have none, which the caller tells them.

    Several processes may do so at once; they end up with one key.

    Raises:
        UserError: it cannot be made.
        AttestationError: what is there is no key, or others may read it.
    """
    path = private_path(folder, key)
    if not path.exists():
        try:
            return make(path)
        except UserError:
            if not path.exists():
                raise
    return load(path)


def load_public(path: Path) -> Named:
    """Load a public key from a PEM file.

    Raises:
        UserError: there is no such file.
        AttestationError: it holds no ed25519 public key.
    """
    data = _read(path, "give the file of a public key")
    return Named(
        name=path.name.removesuffix(PUBLIC), key=public_from(data, where=str(path))
    )


def public_from(data: bytes, where: str) -> SSlibKey:
    """Read a public key from PEM.

    Raises:
        AttestationError: it is none, or no ed25519 key.
    """
    if b"PRIVATE KEY" in data:
        raise AttestationError(
            f"{where}: that is a private key; give the file beside it that ends in {PUBLIC}"
        )
    try:
        public = load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm) as cause:
        raise AttestationError(
            f"{where}: expected a public key in PEM: {cause}"
        ) from cause
    if not isinstance(public, Ed25519PublicKey):
        raise AttestationError(f"{where}: expected an ed25519 key, got another kind")
    return SSlibKey.from_crypto(public)


def known(folder: Path) -> list[Named]:
    """Return the public keys in a folder, by name; none if there is no such folder."""
    return [load_public(path) for path in sorted(folder.glob(f"*{PUBLIC}"))]


def owned(folder: Path) -> list[Named]:
    """Return the keys in a folder whose private half lies there too."""
    return [it for it in known(folder) if (folder / it.name).is_file()]


def _read(path: Path, do: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as cause:
        raise UserError(
            f"key {path}: cannot be read ({cause.strerror}); {do}"
        ) from cause
