"""Receipts and keys for the tests of this folder."""

import hashlib
from typing import Any

import attrs
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from securesystemslib.signer import CryptoSigner, SSlibKey

from shipbar.attest.receipt import Conditions, Question, Receipt
from shipbar.verdict import sha256

CONDITIONS = Conditions(
    tool_version="0.1.0",
    tool_digest=sha256(b"tool"),
    sandbox="bubblewrap",
    lacks=("quotas",),
    runtime="33af5950b5cdadeb",
    interpreter="CPython 3.11.7",
)
QUESTION = Question(
    gate="G2",
    name="known-bad",
    version=1,
    task_id="strips",
    parts={"task": sha256(b"all"), "suite": sha256(b"suite")},
    conditions=CONDITIONS,
    depends={"upstream": sha256(b"sdist")},
)
RECEIPT = Receipt(
    question=QUESTION,
    status="passed",
    cell="3/3 fail",
    figures={"scores": {"hollow": 0.0, "remembered": 0.25}, "big": 2**60},
    parameters={"seeds": ["a", "b"], "runs": 20},
    run={"seconds": 1.5},
)


def signer(word: str) -> CryptoSigner:
    """The key that a word stands for."""
    seed = hashlib.sha256(word.encode()).digest()
    private = Ed25519PrivateKey.from_private_bytes(seed)
    return CryptoSigner(private, SSlibKey.from_crypto(private.public_key()))


def came_out(status: str, **facts: Any) -> Receipt:
    """The receipt of a gate that came out otherwise."""
    return attrs.evolve(RECEIPT, status=status, **facts)
