import io
import tarfile

import pyrage  # type: ignore[import-untyped]  # ships no types
import pytest

from shipbar.bundles import sealing
from shipbar.errors import AttestationError, UserError

DIGEST = "sha256:" + "a" * 64
FILES = {"LINE.json": b"{}\n", "tasks/ab-1/tests/test_a.py": b"x = 1\n"}


@pytest.fixture(scope="module")
def identity():
    return pyrage.x25519.Identity.generate()


@pytest.fixture(scope="module")
def recipient(identity):
    return sealing.recipient_of(f" {identity.to_public()}\n")


def test_the_recipient_reads_what_was_sealed(identity, recipient):
    data = sealing.sealed(FILES, recipient)
    mine = sealing.identity_of(f"# created: today\n{identity}\n", "key")
    assert sealing.opened(data, mine, "here") == FILES
    assert b"test_a.py" not in data


def test_nobody_else_does(recipient):
    data = sealing.sealed(FILES, recipient)
    other = sealing.identity_of(str(pyrage.x25519.Identity.generate()), "key")
    with pytest.raises(UserError, match="here: cannot be opened with that identity"):
        sealing.opened(data, other, "here")


@pytest.mark.parametrize("at", [0, 60, -1])
def test_a_flipped_byte_is_told(identity, recipient, at):
    data = bytearray(sealing.sealed(FILES, recipient))
    data[at] ^= 1
    mine = sealing.identity_of(str(identity), "key")
    with pytest.raises(UserError, match="here: "):
        sealing.opened(bytes(data), mine, "here")


@pytest.mark.parametrize("path", ["../up", "/etc/x", "a/../../x"])
def test_a_path_that_leads_out_is_refused(identity, path):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(tarfile.TarInfo(path))
    data = pyrage.encrypt(out.getvalue(), [identity.to_public()])
    with pytest.raises(AttestationError, match="expected plain files inside"):
        sealing.opened(data, sealing.identity_of(str(identity), "key"), "here")


def test_a_link_is_refused(identity):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        link = tarfile.TarInfo("LINE.json")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    data = pyrage.encrypt(out.getvalue(), [identity.to_public()])
    with pytest.raises(AttestationError, match="expected plain files inside"):
        sealing.opened(data, sealing.identity_of(str(identity), "key"), "here")


def test_a_tar_without_its_line_is_refused(identity, recipient):
    data = sealing.sealed({"a": b""}, recipient)
    with pytest.raises(AttestationError, match=r"holds no LINE\.json"):
        sealing.opened(data, sealing.identity_of(str(identity), "key"), "here")


def test_what_is_packed_does_not_depend_on_the_order_of_files():
    assert sealing.packed(FILES) == sealing.packed(dict(reversed(FILES.items())))


@pytest.mark.parametrize("text", ["", "age1nothing", "ssh-rsa nothing", "hello"])
def test_what_is_no_recipient_is_refused(text):
    with pytest.raises(UserError, match="expected an age public key"):
        sealing.recipient_of(text)


def test_a_secret_key_for_a_recipient_is_refused_and_not_shown(identity):
    with pytest.raises(UserError, match="that is a secret key") as caught:
        sealing.recipient_of(str(identity))
    assert str(identity) not in str(caught.value)


@pytest.mark.parametrize("text", ["", "nothing", "AGE-SECRET-KEY-1NOTHING"])
def test_what_is_no_identity_is_refused_and_not_shown(text):
    with pytest.raises(UserError, match="key: expected an age identity"):
        sealing.identity_of(text, "key")


def test_a_commitment_depends_on_task_and_nonce():
    one = sealing.commitment(DIGEST, "b" * 64)
    assert one == sealing.commitment(DIGEST, "b" * 64)
    assert one != sealing.commitment(DIGEST, "c" * 64)
    assert one != sealing.commitment("sha256:" + "d" * 64, "b" * 64)
