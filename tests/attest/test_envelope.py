"""Nobody changes a byte of a receipt unseen."""

import base64
import json

import attrs
import pytest

from shipbar.attest import envelope
from shipbar.attest.statement import statement_of
from shipbar.errors import AttestationError
from tests.attest.samples import RECEIPT, signer

ADA, BROOK = signer("ada"), signer("brook")
PAYLOAD = statement_of(RECEIPT)
SIGNED = envelope.sign(PAYLOAD, ADA)
FILE = envelope.render(SIGNED)


def check(data: bytes, *signers) -> tuple[str, ...]:
    keys = [it.public_key for it in signers]
    return envelope.verify(envelope.parse(data, "here"), keys, "here")


def test_what_was_signed_comes_back_byte_for_byte():
    odd = b'{ "b":1,\n "a" : 1.0 }'
    read = envelope.parse(envelope.render(envelope.sign(odd, ADA)), "here")
    assert read.payload == odd
    assert envelope.verify(read, [ADA.public_key], "here") == (ADA.public_key.keyid,)


def test_several_sign_one_receipt():
    both = envelope.also_signed(SIGNED, BROOK)
    assert both.payload == SIGNED.payload
    ids = (ADA.public_key.keyid, BROOK.public_key.keyid)
    assert check(envelope.render(both), ADA, BROOK) == ids
    assert check(envelope.render(both), BROOK) == ids[1:]
    assert check(envelope.render(envelope.also_signed(both, ADA)), ADA) == ids[:1]


def test_a_stranger_s_signature_counts_for_nothing():
    with pytest.raises(AttestationError, match="none of which is a key that you trust"):
        check(FILE, BROOK)
    with pytest.raises(AttestationError, match="none of which is a key that you trust"):
        check(FILE)


def test_one_good_signature_does_not_make_up_for_a_bad_one():
    forged = attrs.evolve(envelope.sign(b"else", BROOK), payload=PAYLOAD)
    both = attrs.evolve(SIGNED, signatures=(*SIGNED.signatures, *forged.signatures))
    with pytest.raises(AttestationError, match=BROOK.public_key.keyid):
        check(envelope.render(both), ADA, BROOK)


def test_a_changed_receipt_is_told_by_two_digests():
    fields = json.loads(FILE)
    other = PAYLOAD.replace(b"strips", b"stripe")
    fields["payload"] = base64.b64encode(other).decode()
    with pytest.raises(AttestationError) as caught:
        check(json.dumps(fields).encode(), ADA)
    assert SIGNED.digest in str(caught.value)
    assert attrs.evolve(SIGNED, payload=other).digest in str(caught.value)


def test_no_byte_that_counts_can_be_changed():
    seen = json.loads(FILE)
    for at in range(0, len(FILE), 7):
        data = bytearray(FILE)
        data[at] ^= 1
        try:
            check(bytes(data), ADA)
        except AttestationError:
            continue
        # What is left says the same of the same bytes: blanks, and the noted digest.
        now = json.loads(data)
        assert now["payload"] == seen["payload"]
        assert now["payloadType"] == seen["payloadType"]
        assert now["signatures"][0]["sig"] == seen["signatures"][0]["sig"]


def edited(**changes: object) -> bytes:
    fields = json.loads(FILE)
    for name, value in changes.items():
        if value is None:
            del fields[name]
        else:
            fields[name] = value
    return json.dumps(fields).encode()


SIGNATURE = json.loads(FILE)["signatures"][0]
TEXT = json.loads(FILE)["payload"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        FILE[: len(FILE) // 2],
        FILE + b"{}",
        edited(payload=None),
        edited(payload=7),
        edited(payload=TEXT + "\n"),
        edited(payload=TEXT.replace("=", "")[:-1] + "*"),
        edited(payloadType="text/plain"),
        edited(signatures=[]),
        edited(signatures=None),
        edited(signatures=["x"]),
        edited(signatures=[{"sig": SIGNATURE["sig"]}]),
        edited(signatures=[{**SIGNATURE, "keyid": 7}]),
        edited(signatures=[{**SIGNATURE, "sig": "??"}]),
        edited(signatures=[SIGNATURE, SIGNATURE]),
        b'{"payload": "", ' + FILE[1:],
    ],
)
def test_what_is_no_envelope_is_refused_in_words(data):
    with pytest.raises(AttestationError, match=r"^here: "):
        envelope.parse(data, "here")


def test_base64_is_written_in_one_way(monkeypatch):
    # The last digit of "QQ==" has bits that decode to nothing.
    signed = envelope.sign(b"A", ADA)
    loose = envelope.render(signed).replace(b'"QQ=="', b'"QR=="')
    with pytest.raises(AttestationError, match="base64"):
        envelope.parse(loose, "here")


def test_a_huge_file_is_not_read_as_a_receipt(monkeypatch):
    monkeypatch.setattr(envelope, "MOST_BYTES", len(FILE) - 1)
    with pytest.raises(AttestationError, match="at most"):
        envelope.parse(FILE, "here")
