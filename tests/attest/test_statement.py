"""What a stranger reads in a statement, and which statements are none of ours."""

import json

import attrs
import pytest

from shipbar.attest.statement import TEST_RESULT, receipt_of, statement_of
from shipbar.errors import AttestationError, GraderFault
from tests.attest.samples import QUESTION, RECEIPT, came_out

ALL = [
    RECEIPT,
    came_out("failed", problems=("hollow ships",)),
    came_out("not applicable", why="an invented task"),
    came_out("not run", why="run `shipbar upstream fetch`"),
]


def said(receipt):
    return json.loads(statement_of(receipt))


@pytest.mark.parametrize("receipt", ALL, ids=lambda it: it.status)
def test_what_is_read_is_what_was_written(receipt):
    read = receipt_of(statement_of(receipt), "x")
    assert read == receipt
    assert read.run == receipt.run


def test_a_stranger_finds_the_test_its_result_and_what_was_tested():
    statement = said(RECEIPT)
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["predicateType"] == TEST_RESULT
    assert statement["predicate"]["result"] == "PASSED"
    assert statement["predicate"]["passedTests"] == ["G2 known-bad"]
    assert statement["predicate"]["failedTests"] == []
    digests = {it["name"]: it["digest"]["sha256"] for it in statement["subject"]}
    assert digests["suite"] == QUESTION.parts["suite"].removeprefix("sha256:")
    named = [it["name"] for it in statement["predicate"]["configuration"]]
    assert named == [
        *("shipbar", "sandbox", "interpreter", "parameters"),
        "depends on upstream",
    ]


def test_a_failure_is_among_the_failed():
    predicate = said(came_out("failed"))["predicate"]
    assert predicate["result"] == "FAILED"
    assert predicate["passedTests"] == []
    assert predicate["failedTests"] == ["G2 known-bad"]


@pytest.mark.parametrize("status", ["not run", "not applicable"])
def test_what_was_not_tested_is_no_test_result_at_all(status):
    statement = said(came_out(status))
    assert statement["predicateType"] != TEST_RESULT
    assert "result" not in statement["predicate"]
    assert "passedTests" not in statement["predicate"]
    assert "PASSED" not in json.dumps(statement)


def test_times_lie_apart_from_what_is_compared():
    slow = attrs.evolve(RECEIPT, run={"seconds": 9.0})
    assert slow == RECEIPT
    assert said(slow)["predicate"]["shipbarRun"] == {"seconds": 9.0}
    assert "9.0" not in json.dumps(said(slow)["predicate"]["shipbarEvidence"])


def test_numbers_keep_every_digit():
    assert receipt_of(statement_of(RECEIPT), "x").figures["big"] == 2**60


def changed(path: str, value: object) -> bytes:
    statement = said(RECEIPT)
    *folders, last = path.split("/")
    at = statement
    for name in folders:
        at = at[int(name) if name.isdigit() else name]
    if value is None:
        del at[last]
    else:
        at[last] = value
    return json.dumps(statement).encode()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("_type", "https://in-toto.io/Statement/v0.1"),
        ("_type", None),
        ("subject", []),
        ("subject/0/digest", {}),
        ("subject/0/digest/sha256", "abc"),
        ("subject/1/name", "suite"),
        ("predicateType", "https://slsa.dev/provenance/v1"),
        ("predicate/result", "WARNED"),
        ("predicate/result", "FAILED"),
        ("predicate/result", None),
        ("predicate/passedTests", "G2"),
        ("predicate/configuration", []),
        ("predicate/shipbarEvidence", None),
        ("predicate/shipbarEvidence/status", "failed"),
        ("predicate/shipbarEvidence/status", "not run"),
        ("predicate/shipbarEvidence/status", "perfect"),
        ("predicate/shipbarEvidence/version", "one"),
        ("predicate/configuration/0/digest", {}),
        ("predicate/configuration/1/annotations", {}),
        ("predicate/configuration/2/name", "shipbar"),
    ],
)
def test_a_statement_that_says_something_else_is_no_receipt(path, value):
    with pytest.raises(AttestationError, match=r"^here: "):
        receipt_of(changed(path, value), "here")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"\xff",
        b"{}",
        b"[" * 100_000,
        b'{"a": 1, "a": 2}',
        b'{"a": NaN}',
    ],
    ids=["empty", "list", "bytes", "nothing", "deep", "twice", "no-number"],
)
def test_what_is_no_statement_is_refused(data):
    with pytest.raises(AttestationError, match=r"^here: no in-toto statement"):
        receipt_of(data, "here")


def test_the_whole_task_is_always_named():
    only = attrs.evolve(QUESTION, parts={"suite": QUESTION.parts["suite"]})
    payload = statement_of(attrs.evolve(RECEIPT, question=only))
    with pytest.raises(AttestationError, match="names no task"):
        receipt_of(payload, "x")


@pytest.mark.parametrize("figure", [float("nan"), float("inf"), b"x", {1, 2}], ids=str)
def test_only_json_values_are_figures(figure):
    with pytest.raises(GraderFault, match="must be JSON values"):
        came_out("passed", figures={"x": figure})


def test_what_it_depends_on_is_named_by_digest():
    with pytest.raises(GraderFault, match="expected a digest"):
        attrs.evolve(QUESTION, depends={"upstream": "2.4.0"})
