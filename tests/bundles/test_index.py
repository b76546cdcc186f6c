import json

import attrs
import jsonschema
import pytest

from shipbar.bundles.index import (
    GateLine,
    GraderLine,
    Image,
    SolverLine,
    lines_text,
)
from shipbar.bundles.schema import GRADER_LINE, PUBLISHED, SOLVER_LINE, schema_text
from shipbar.errors import AttestationError
from tests.repository import ROOT

DIGEST = "sha256:" + "a" * 64
IMAGE = Image(name="solver-ab-1", config=DIGEST, manifest=DIGEST)
SOLVER = SolverLine(
    task_id="ab-1",
    task_class="invented",
    language="python",
    split="train",
    licence="CC-BY-4.0",
    path="tasks/ab-1/SPEC.md",
    digest=DIGEST,
    limits={
        "wall_s": 20.0,
        "case_wall_s": 2.0,
        "cpu_s": 10.0,
        "memory_mib": 256,
        "processes": 1,
        "output_kib": 256,
    },
)
GRADER = GraderLine(
    task_id="ab-1",
    task_class="invented",
    language="python",
    split="eval",
    licence="LicenseRef-Ours",
    state="open",
    commitment=DIGEST,
    nonce="b" * 64,
    gates={
        "G1": GateLine(
            status="passed", cell="4/4", receipt="receipts/ab-1/G1.dsse.json"
        )
    },
    digest=DIGEST,
    contract={"task_id": "ab-1", "canary": "a canary of this task"},
    patch="tasks/ab-1/reference.patch",
    notes="tasks/ab-1/TASK.md",
)
LINES = [
    (SOLVER, SOLVER_LINE),
    (attrs.evolve(SOLVER, image=IMAGE), SOLVER_LINE),
    (GRADER, GRADER_LINE),
    (attrs.evolve(GRADER, image=IMAGE), GRADER_LINE),
    (GRADER.closed("withheld"), GRADER_LINE),
    (GRADER.closed("sealed", "sealed/ab-1.tar.age"), GRADER_LINE),
]


@pytest.mark.parametrize(("line", "schema"), LINES)
def test_a_line_is_read_as_it_was_written(line, schema):
    assert type(line).parse(line.render(), "here") == line


@pytest.mark.parametrize(("line", "schema"), LINES)
def test_a_line_conforms_to_the_published_schema(line, schema):
    jsonschema.Draft202012Validator(schema).validate(json.loads(line.render()))


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_reference_holds_the_schemas_that_lines_are_read_by(name):
    jsonschema.Draft202012Validator.check_schema(PUBLISHED[name])
    assert (ROOT / "docs/reference" / name).read_text() == schema_text(PUBLISHED[name])


def test_a_closed_line_tells_nothing_of_the_task_but_how_its_gates_came_out():
    told = GRADER.closed("withheld").render()
    for secret in ("b" * 64, "a canary of this task", "reference.patch"):
        assert secret.encode() not in told
    assert json.loads(told)["gates"]["G1"] == {
        "status": "passed",
        "cell": "4/4",
        "receipt": None,
    }


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"split": "test"}, "split: expected train or eval"),
        ({"task_id": "../x"}, "task_id: expected a text of the form"),
        ({"more": 1}, "more: is not expected here"),
        (
            {"gates": {"G1": {"status": "failed", "cell": "", "receipt": None}}},
            "failed",
        ),
        ({"digest": None}, "digest missing"),
        ({"patch": "../../x"}, "patch: expected"),
        ({"contract": 3}, "contract: expected object or null"),
        ({"image": True}, "image: expected object or null"),
    ],
)
def test_what_is_no_line_is_refused_and_says_where(change, why):
    data = json.dumps(json.loads(GRADER.render()) | change).encode()
    with pytest.raises(AttestationError, match="here") as caught:
        GraderLine.parse(data, "here")
    assert why in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"a":1,"a":2}', b"\xff"])
def test_what_is_no_json_object_is_refused(data):
    with pytest.raises(AttestationError, match="no line of an index"):
        SolverLine.parse(data, "here")


def test_a_line_that_tells_what_it_withholds_is_refused():
    told = json.loads(GRADER.closed("withheld").render()) | {"digest": DIGEST}
    with pytest.raises(AttestationError, match="digest told all the same"):
        GraderLine.parse(json.dumps(told).encode(), "here")


def test_a_sealed_line_without_a_file_is_refused():
    with pytest.raises(AttestationError, match="its path is None"):
        GraderLine.parse(GRADER.closed("sealed").render(), "here")


def test_lines_stand_in_the_order_of_their_tasks():
    assert lines_text({"b": b"2", "a": b"1"}) == b"1\n2\n"


def _members(value, at=()):
    if isinstance(value, dict):
        for name, inner in value.items():
            yield (*at, name)
            yield from _members(inner, (*at, name))


@pytest.mark.parametrize("wrong", [None, 7, "x y", [], {}])
@pytest.mark.parametrize("at", list(_members(json.loads(SOLVER.render()))))
def test_our_reader_and_a_validator_agree(at, wrong):
    value = json.loads(attrs.evolve(SOLVER, image=IMAGE).render())
    place = value
    for name in at[:-1]:
        place = place[name]
    place[at[-1]] = wrong
    valid = jsonschema.Draft202012Validator(SOLVER_LINE).is_valid(value)
    try:
        SolverLine.parse(json.dumps(value).encode(), "here")
        read = True
    except AttestationError:
        read = False
    assert read == valid
