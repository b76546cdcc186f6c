"""A receipt as an in-toto statement, and back.

- The statement is `Statement` version 1; its subjects are the task's parts.
- A gate that passed or failed is a test result, with `PASSED` or `FAILED`. One that
  does not apply or was not run is no test result at all, but of a type of its own that
  has no `result`: whoever asks for a test that passed finds none.
- `configuration` says with what it was run: the tool, the sandbox, the interpreter, the
  parameters, and by digest whatever else the outcome depends on.
- What gates measure and in-toto has no name for is in `shipbarEvidence`. What may
  differ between honest runs is apart from that, in `shipbarRun`.
- Both directions are checked by the in-toto project's own library. Its messages keep
  numbers as floating point, so the signed bytes are written from our own values.
"""

from collections.abc import Mapping
from typing import Any

from google.protobuf import json_format
from in_toto_attestation.predicates.test_result.v0 import (
    test_result_pb2,
)
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import (
    STATEMENT_TYPE_URI,
    Statement,
)

from shipbar.attest.plain import plain, read_object
from shipbar.attest.receipt import (
    FAILED,
    PASSED,
    WHOLE,
    Conditions,
    Question,
    Receipt,
)
from shipbar.errors import AttestationError, GraderFault
from shipbar.verdict import canonical, sha256

TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1"
"""The type of the predicate of a gate that passed or failed."""
NOT_TESTED = "urn:shipbar:attestation:not-tested:v0.1"
"""The type of the predicate of a gate that does not apply or was not run."""
EVIDENCE, RUN = "shipbarEvidence", "shipbarRun"
DEPENDS = "depends on "
"""Begins the name of what else the outcome depends on."""
_RESULTS = {PASSED: "PASSED", FAILED: "FAILED"}


def statement_of(receipt: Receipt) -> bytes:
    """Return the bytes to sign for a receipt."""
    asked = receipt.question
    result = _RESULTS.get(receipt.status)
    predicate: dict[str, Any] = {"configuration": _configuration(receipt)}
    if result is not None:
        test = [f"{asked.gate} {asked.name}"]
        predicate |= {
            "result": result,
            "passedTests": test if receipt.status == PASSED else [],
            "failedTests": test if receipt.status == FAILED else [],
        }
    predicate[EVIDENCE] = {
        "gate": asked.gate,
        "name": asked.name,
        "version": asked.version,
        "taskId": asked.task_id,
        "status": receipt.status,
        "cell": receipt.cell,
        "figures": receipt.figures,
        "problems": list(receipt.problems),
        "why": receipt.why,
    }
    predicate[RUN] = receipt.run
    kind = NOT_TESTED if result is None else TEST_RESULT
    return written(asked.parts, kind, predicate)


def receipt_of(payload: bytes, where: str) -> Receipt:
    """Read a receipt from the bytes that were signed.

    Args:
        payload: a statement.
        where: names it in messages.

    Raises:
        AttestationError: it is no statement, or none of a gate.
    """
    statement = read_statement(payload, (TEST_RESULT, NOT_TESTED), where)
    try:
        receipt = _receipt(statement)
    except (KeyError, TypeError, ValueError, AttributeError, GraderFault) as cause:
        raise AttestationError(
            f"{where}: no receipt of a gate: {type(cause).__name__}: {cause}"
        ) from cause
    said = statement["predicate"].get("result")
    wanted = _RESULTS.get(receipt.status)
    if WHOLE not in receipt.question.parts:
        raise AttestationError(f"{where}: no receipt of a gate: it names no {WHOLE}")
    if said != wanted or (wanted is None) != (statement["predicateType"] == NOT_TESTED):
        raise AttestationError(
            f"{where}: says {said or 'no result'} and {receipt.status!r} of one gate; do not count it"
        )
    return receipt


def written(parts: Mapping[str, str], kind: str, predicate: Mapping[str, Any]) -> bytes:
    """Return the bytes of a statement about a task's parts.

    Raises:
        GraderFault: it would be no valid statement.
    """
    statement = {
        "_type": STATEMENT_TYPE_URI,
        "subject": [
            {"name": name, "digest": _in_toto(digest)} for name, digest in parts.items()
        ],
        "predicateType": kind,
        "predicate": plain(predicate),
    }
    try:
        _validate(statement)
    except ValueError as cause:
        raise GraderFault(f"cannot put this into a statement: {cause}") from cause
    return canonical(statement)


def read_statement(
    payload: bytes, kinds: tuple[str, ...], where: str
) -> dict[str, Any]:
    """Read a statement of one of ``kinds``.

    Raises:
        AttestationError: it is none.
    """
    try:
        statement = read_object(payload)
        _validate(statement)
    except ValueError as cause:
        raise AttestationError(f"{where}: no in-toto statement: {cause}") from cause
    if statement["predicateType"] not in kinds:
        raise AttestationError(
            f"{where}: expected a statement of type {' or '.join(kinds)}, got {statement['predicateType']}"
        )
    return statement


def parts_of(statement: Mapping[str, Any]) -> dict[str, str]:
    """Return the digests that a statement is about, by name.

    Raises:
        ValueError: a name stands twice.
        KeyError: one has no name, or no digest by SHA-256.
    """
    found = {
        it["name"]: "sha256:" + it["digest"]["sha256"] for it in statement["subject"]
    }
    if len(found) < len(statement["subject"]):
        raise ValueError("two subjects have one name")
    return found


def _validate(statement: Mapping[str, Any]) -> None:
    """Raise ValueError unless in-toto's own library takes it."""
    try:
        message = statement_pb2.Statement()
        json_format.ParseDict(statement, message, ignore_unknown_fields=True)
        # Through a copy, since making one by its constructor fills in the type.
        Statement.copy_from_pb(message).validate()
        if message.predicate_type == TEST_RESULT:
            result = test_result_pb2.TestResult()
            json_format.ParseDict(
                statement["predicate"], result, ignore_unknown_fields=True
            )
            if result.result not in _RESULTS.values():
                raise ValueError(f"expected PASSED or FAILED, got {result.result!r}")
            if not result.configuration:
                raise ValueError("a test result says with what it was run")
    except (json_format.ParseError, TypeError, AttributeError, RecursionError) as cause:
        raise ValueError(f"{type(cause).__name__}: {cause}") from cause


def _configuration(receipt: Receipt) -> list[dict[str, Any]]:
    asked, used = receipt.question, receipt.question.conditions
    return [
        {
            "name": "shipbar",
            "digest": _in_toto(used.tool_digest),
            "annotations": {"version": used.tool_version},
        },
        {
            "name": "sandbox",
            "annotations": {
                "backend": used.sandbox,
                "lacks": list(used.lacks),
                "runtime": used.runtime,
            },
        },
        {"name": "interpreter", "annotations": {"version": used.interpreter}},
        {
            "name": "parameters",
            "digest": _in_toto(sha256(canonical(receipt.parameters))),
            "annotations": receipt.parameters,
        },
        *(
            {"name": DEPENDS + name, "digest": _in_toto(digest)}
            for name, digest in asked.depends.items()
        ),
    ]


def _receipt(statement: Mapping[str, Any]) -> Receipt:
    predicate = statement["predicate"]
    said, used = predicate[EVIDENCE], _by_name(predicate["configuration"])
    sandbox = used["sandbox"]["annotations"]
    return Receipt(
        question=Question(
            gate=str(said["gate"]),
            name=str(said["name"]),
            version=int(said["version"]),
            task_id=str(said["taskId"]),
            parts=parts_of(statement),
            conditions=Conditions(
                tool_version=str(used["shipbar"]["annotations"]["version"]),
                tool_digest=_ours(used["shipbar"]),
                sandbox=str(sandbox["backend"]),
                lacks=tuple(map(str, sandbox["lacks"])),
                runtime=str(sandbox["runtime"]),
                interpreter=str(used["interpreter"]["annotations"]["version"]),
            ),
            depends={
                name.removeprefix(DEPENDS): _ours(it)
                for name, it in used.items()
                if name.startswith(DEPENDS)
            },
        ),
        status=str(said["status"]),
        cell=str(said["cell"]),
        figures=dict(said["figures"]),
        problems=tuple(map(str, said["problems"])),
        why=str(said["why"]),
        parameters=dict(used["parameters"].get("annotations", {})),
        run=dict(predicate[RUN]),
    )


def _by_name(described: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    found = {str(it["name"]): it for it in described}
    if len(found) < len(described):
        raise ValueError("two parts of the configuration have one name")
    return found


def _in_toto(digest: str) -> dict[str, str]:
    """Our `sha256:…` as in-toto writes it."""
    return {"sha256": digest.removeprefix("sha256:")}


def _ours(described: Mapping[str, Any]) -> str:
    return "sha256:" + str(described["digest"]["sha256"])
