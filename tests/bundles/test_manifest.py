import json

import attrs
import jsonschema
import pytest

from shipbar.attest import keys
from shipbar.bundles.manifest import File, Manifest
from shipbar.bundles.schema import MANIFEST
from shipbar.errors import AttestationError

DIGEST = "sha256:" + "a" * 64
MADE = Manifest(
    kind="grader",
    tranche="first",
    client="north-lab",
    serial=3,
    previous=DIGEST,
    tool_version="1",
    tool_digest=DIGEST,
    solver=DIGEST,
    tasks={"ab-1": DIGEST},
    files={"index.jsonl": File(size=3, digest=DIGEST)},
)


@pytest.fixture
def own(tmp_path):
    return keys.make(tmp_path / "key")


def test_a_manifest_is_read_as_it_was_written():
    assert Manifest.parse(MADE.render(), "here") == MADE


def test_it_conforms_to_the_published_schema():
    jsonschema.Draft202012Validator(MANIFEST).validate(json.loads(MADE.render()))


def test_its_signature_holds_and_names_the_key(own):
    data = MADE.render()
    signed = MADE.sign(data, own.signer)
    held = MADE.held_to(data, signed, [own.signer.public_key], "here")
    assert held == (own.id,)


def test_the_same_manifest_has_the_same_signature(own):
    data = MADE.render()
    assert MADE.sign(data, own.signer) == MADE.sign(data, own.signer)


def test_a_changed_manifest_is_refused(own):
    signed = MADE.sign(MADE.render(), own.signer)
    other = attrs.evolve(MADE, files={})
    with pytest.raises(AttestationError, match=r"here/MANIFEST\.json: was changed"):
        other.held_to(other.render(), signed, [own.signer.public_key], "here")


def test_a_stranger_s_signature_counts_for_nothing(own, tmp_path):
    data = MADE.render()
    stranger = keys.make(tmp_path / "other")
    with pytest.raises(AttestationError, match="none of which is a key that you trust"):
        MADE.held_to(
            data,
            MADE.sign(data, stranger.signer),
            [own.signer.public_key],
            "here",
        )


def test_a_signature_of_the_same_bytes_for_another_client_is_refused(own):
    data = MADE.render()
    signed = attrs.evolve(MADE, client="south-lab").sign(data, own.signer)
    with pytest.raises(AttestationError, match="of another bundle"):
        MADE.held_to(data, signed, [own.signer.public_key], "here")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", "both"),
        ("serial", 0),
        ("serial", 1.5),
        ("serial", True),
        ("format", "shipbar-bundle/2"),
        ("files", {"../up": {"size": 1, "digest": DIGEST}}),
        ("files", {"/etc/x": {"size": 1, "digest": DIGEST}}),
        ("files", {"x": {"size": 1}}),
        ("tasks", {"ab-1": "sha256:short"}),
    ],
)
def test_what_is_no_manifest_is_refused(name, value):
    data = json.dumps(json.loads(MADE.render()) | {name: value}).encode()
    with pytest.raises(AttestationError, match="here: "):
        Manifest.parse(data, "here")
