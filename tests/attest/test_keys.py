"""Keys are private, are never overwritten, and are who they say they are."""

import stat
import threading

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from securesystemslib.signer import SSlibKey

from shipbar.attest import envelope, keys
from shipbar.config import config_from
from shipbar.errors import AttestationError, UserError


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "settings" / "keys"


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_only_the_owner_may_read_the_private_half(folder):
    made = keys.make(folder / "ada")
    assert mode(folder) == 0o700
    assert mode(made.path) == 0o600
    assert sorted(path.name for path in folder.iterdir()) == ["ada", "ada.pub"]


def test_what_one_half_signs_the_other_checks(folder):
    made = keys.make(folder / "ada")
    signed = envelope.sign(b"{}", keys.load(folder / "ada").signer)
    public = keys.load_public(folder / "ada.pub")
    assert public.name == "ada"
    assert envelope.verify(signed, [public.key], "x") == (made.id,)


def test_the_id_is_the_one_that_securesystemslib_computes(folder):
    made = keys.make(folder / "ada")
    private = made.signer.private_bytes
    assert made.id == made.signer.public_key.keyid
    assert (folder / "ada").read_bytes() == private
    public = keys.load_public(folder / "ada.pub").key
    assert public == SSlibKey.from_dict(made.id, public.to_dict())


def test_a_key_is_never_overwritten(folder):
    made = keys.make(folder / "ada")
    before = made.path.read_bytes()
    with pytest.raises(UserError, match="not overwritten"):
        keys.make(folder / "ada")
    assert made.path.read_bytes() == before


def test_a_public_half_is_not_overwritten_either(folder):
    keys.make(folder / "ada")
    (folder / "ada").unlink()
    before = (folder / "ada.pub").read_bytes()
    with pytest.raises(UserError, match="not overwritten"):
        keys.make(folder / "ada")
    assert [path.name for path in folder.iterdir()] == ["ada.pub"]
    assert (folder / "ada.pub").read_bytes() == before


def test_a_private_key_that_others_may_read_does_not_sign(folder):
    keys.make(folder / "ada").path.chmod(0o640)
    with pytest.raises(AttestationError, match=r"mode 0640; chmod 600 .*/ada"):
        keys.load(folder / "ada")


def test_whoever_has_no_key_gets_one_and_is_told(folder):
    first, second = keys.load_or_make(folder), keys.load_or_make(folder)
    assert (first.made, second.made) == (True, False)
    assert first.id == second.id


def test_two_at_once_end_up_with_one_key(folder):
    found, start = [], threading.Barrier(6)

    def come():
        start.wait(timeout=10)
        found.append(keys.load_or_make(folder))

    threads = [threading.Thread(target=come) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=10)
    assert len({own.id for own in found}) == 1
    assert [own.made for own in found].count(True) == 1
    assert len(found) == 6
    assert sorted(path.name for path in folder.iterdir()) == ["default", "default.pub"]


def pem(kind: str) -> bytes:
    other = ec.generate_private_key(ec.SECP256R1())
    if kind == "private":
        return other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return other.public_key().public_bytes(
        Encoding.PEM, PublicFormat.SubjectPublicKeyInfo
    )


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "expected a private key in PEM"),
        (b"-----BEGIN PRIVATE KEY-----\nAAAA\n", "expected a private key in PEM"),
        (pem("private"), "expected an ed25519 key"),
    ],
    ids=["empty", "cut", "other-kind"],
)
def test_what_is_no_private_key_is_refused(data, why, folder):
    folder.mkdir(parents=True)
    path = folder / "odd"
    path.write_bytes(data)
    path.chmod(0o600)
    with pytest.raises(AttestationError, match=why):
        keys.load(path)


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"x", "expected a public key in PEM"), (pem("public"), "an ed25519 key")],
    ids=["text", "other-kind"],
)
def test_what_is_no_public_key_is_refused(data, why, tmp_path):
    (tmp_path / "odd.pub").write_bytes(data)
    with pytest.raises(AttestationError, match=why):
        keys.load_public(tmp_path / "odd.pub")
    with pytest.raises(AttestationError, match=why):
        keys.known(tmp_path)


def test_a_private_key_is_not_taken_for_a_public_one(folder):
    keys.make(folder / "ada")
    with pytest.raises(
        AttestationError, match=r"the file beside it that ends in \.pub"
    ):
        keys.load_public(folder / "ada")


def test_a_missing_key_says_how_to_make_one(folder):
    with pytest.raises(UserError, match="shipbar key new"):
        keys.load(folder / "ada")
    assert keys.known(folder) == []


@pytest.mark.parametrize("name", ["", ".ada", "a b", "ada.pub", "-ada", "a\nb"])
def test_a_name_that_is_none_is_refused(name, folder):
    with pytest.raises(UserError, match="expected a name"):
        keys.private_path(folder, name)


@pytest.mark.parametrize(
    ("env", "place"),
    [
        ({"HOME": "/home/ada"}, "/home/ada/.config/shipbar/keys"),
        ({"HOME": "/h", "XDG_CONFIG_HOME": "/c"}, "/c/shipbar/keys"),
        ({"HOME": "/h", "SHIPBAR_KEYS": "/k"}, "/k"),
    ],
    ids=["home", "xdg", "ours"],
)
def test_keys_lie_with_the_user_s_settings(env, place):
    assert str(config_from(env, uid=0).keys) == place
