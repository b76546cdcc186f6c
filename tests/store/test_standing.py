"""How far a task is, and the command that comes next."""

import attrs
import pytest

from shipbar.attest.reviews import Record
from shipbar.attest.tool import tool_digest
from shipbar.store import standing
from shipbar.store.standing import Asked, Standing
from shipbar.store.values import AcceptanceFacts, Delivered, Delivery
from tests.attest.samples import CONDITIONS, RECEIPT
from tests.store.samples import entry, report, reviewed, signed

GATES = (
    Asked(id="G1", name="reference", version=1),
    Asked(id="G2", name="known-bad", version=2),
    Asked(id="G12", name="review", version=1, by_people=True),
)
TALLY = entry("tally")
BEGUN = Standing(folder="tasks/my tally", task_id="tally-1", digest=TALLY.digest)
ALL = ("G1", "G2", "G12")


def receipt(gate, status="passed", version=None, tool=None):
    versions = {it.id: it.version for it in GATES}
    conditions = attrs.evolve(CONDITIONS, tool_digest=tool or tool_digest())
    question = attrs.evolve(
        RECEIPT.question,
        gate=gate,
        version=version or versions[gate],
        conditions=conditions,
    )
    return attrs.evolve(RECEIPT, question=question, status=status)


OTHER_TOOL = "sha256:" + "0" * 64


@pytest.mark.parametrize(
    ("receipts", "word"),
    [
        ([], "missing"),
        ([receipt("G2")], "passed"),
        ([receipt("G2", "not applicable")], "passed"),
        ([receipt("G2", "failed")], "failed"),
        ([receipt("G2"), receipt("G2", "failed")], "failed"),
        ([receipt("G2", "not run")], "stale"),
        ([receipt("G2", version=1)], "stale"),
        ([receipt("G2", tool=OTHER_TOOL)], "stale"),
        ([receipt("G2", "failed", tool=OTHER_TOOL), receipt("G2")], "passed"),
        ([receipt("G1")], "missing"),
    ],
)
def test_what_receipts_say_of_a_gate(receipts, word):
    found = standing.proven(receipts, GATES)
    assert "G2" in getattr(found, word)
    assert sorted(found.passed + found.failed + found.stale + found.missing) == sorted(
        ALL
    )


def test_reviews_are_of_one_digest():
    breaker, _ = reviewed(TALLY, "breaker")
    senior, _ = reviewed(attrs.evolve(TALLY, digest=OTHER_TOOL), "senior")
    records = [Record(path=None, review=it) for it in (breaker, senior)]  # type: ignore[arg-type]  # no file is read
    found = standing.reviewed(records, TALLY.digest)
    assert (found.signed, found.missing) == (("breaker",), ("senior",))


def test_a_rejection_and_a_broken_file_are_problems():
    breaker, _ = reviewed(TALLY, "breaker")
    no = attrs.evolve(breaker, approves=False, why="too easy")
    records = [
        Record(path=None, review=no),  # type: ignore[arg-type]  # no file is read
        Record(path=None, problem="torn"),  # type: ignore[arg-type]
    ]
    found = standing.reviewed(records, TALLY.digest)
    assert found.problems == ("torn", "rejected by Ada the breaker, breaker: too easy")
    assert found.missing == ("breaker", "senior")


def proven(**words):
    return standing.Proven(**{"passed": ALL, **words})


SIGNED = standing.Reviewed(signed=("breaker", "senior"))


@pytest.mark.parametrize(
    ("facts", "next_"),
    [
        ({"problem": "no"}, "shipbar task check 'tasks/my tally'"),
        ({"proven": proven(missing=("G1",))}, "shipbar verify 'tasks/my tally'"),
        ({"proven": proven(stale=("G1",))}, "shipbar verify 'tasks/my tally'"),
        (
            {"proven": proven(failed=("G1", "G2"), missing=("G12",))},
            "shipbar verify 'tasks/my tally' --gate G1 --gate G2",
        ),
        (
            {"reviewed": standing.Reviewed(missing=("senior",))},
            "shipbar review sign 'tasks/my tally' --role senior --name NAME",
        ),
        (
            {"reviewed": standing.Reviewed(problems=("rejected",))},
            "shipbar review show 'tasks/my tally'",
        ),
        (
            {"proven": proven(missing=("G12",))},
            "shipbar verify 'tasks/my tally' --gate review",
        ),
        ({}, "shipbar deliver 'tasks/my tally' -o DIR --client NAME"),
        (
            {"delivery": "reserved", "client": "acme", "serial": 3},
            "shipbar deliver 'tasks/my tally' -o DIR --client acme",
        ),
        (
            {"delivery": "before", "client": "acme", "serial": 3},
            "shipbar deliver 'tasks/my tally' -o DIR --client acme",
        ),
        ({"delivery": "finished", "serial": 3}, "shipbar ledger import REPORT"),
        ({"delivery": "finished", "serial": 3, "split": "eval"}, ""),
        (
            {"delivery": "finished", "serial": 3, "outcome": "rejected"},
            "shipbar ledger show 3",
        ),
        ({"delivery": "finished", "serial": 3, "outcome": "accepted"}, ""),
    ],
)
def test_what_comes_next(facts, next_):
    ready = attrs.evolve(BEGUN, **{"proven": proven(), "reviewed": SIGNED, **facts})
    assert standing.with_next(ready, GATES).next == next_


def delivery(serial, state="finished", digest=TALLY.digest):
    return Delivery(
        serial=serial,
        client="acme",
        date="",
        state=state,
        previous="",
        manifest="",
        tasks=(Delivered(task_id="tally-1", digest=digest),),
    )


def reports(*rejected):
    """Reports on delivery 1, in the order in which they came."""
    made = []
    for number, (buyer, ids) in enumerate(rejected, start=1):
        record = report(delivery(1), rejected=ids, buyer=buyer)
        it = AcceptanceFacts(
            number=number, record=record, statement="", signed=signed(record)
        )
        made.append(it)
    return made


def test_the_latest_delivery_counts():
    earlier = delivery(1, digest=OTHER_TOOL)
    found = standing.delivered(BEGUN, [earlier, delivery(2)], [])
    assert (found.client, found.serial, found.delivery) == ("acme", 2, "finished")
    found = standing.delivered(BEGUN, [earlier], [])
    assert (found.serial, found.delivery, found.is_delivered) == (1, "before", False)
    assert standing.delivered(BEGUN, [], []) == BEGUN


def test_what_a_client_has_is_not_hidden_by_what_was_begun_since():
    begun = delivery(2, state="reserved")
    found = standing.delivered(BEGUN, [delivery(1), begun], [])
    assert (found.serial, found.delivery) == (1, "finished")
    earlier = delivery(1, digest=OTHER_TOOL)
    found = standing.delivered(BEGUN, [earlier, begun], [])
    assert (found.serial, found.delivery) == (2, "reserved")


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        ([], ""),
        ([("one", [])], "accepted"),
        ([("one", ["tally-1"])], "rejected"),
        ([("one", ["tally-1"]), ("one", [])], "accepted"),
        ([("one", ["tally-1"]), ("two", [])], "rejected"),
    ],
)
def test_the_latest_word_of_each_buyer_counts(told, outcome):
    found = standing.delivered(BEGUN, [delivery(1)], reports(*told))
    assert found.outcome == outcome
    assert bool(found.reason) == (outcome == "rejected")


def test_how_a_task_came_about():
    built = {"tally-1": TALLY.digest}
    assert standing.how_built(built, "tally-1", TALLY.digest) == "built"
    assert standing.how_built(built, "tally-1", OTHER_TOOL) == "changed"
    assert standing.how_built(built, "other", TALLY.digest) == "by hand"
