"""What the database itself refuses, whoever writes to it and whatever they checked."""

import pytest
import sqlalchemy as sa

from shipbar.errors import UserError
from shipbar.store import schema
from shipbar.store.database import open_database
from tests.store.samples import MANIFEST, delivered, entry, report, signed

TALLY, STRIPS = entry("tally"), entry("strips", "aaaaaa")


@pytest.fixture
def refused(ledger, place):
    """Write past every check; the database has to refuse."""
    ledger.record_task(STRIPS)
    delivery = delivered(ledger, "acme", TALLY)
    record = report(delivery)
    ledger.record_acceptance(record, signed(record))
    database = open_database(place)

    def written(statements):
        with database.writing() as connection:
            for statement in statements:
                connection.execute(statement)

    def write(*statements):
        with pytest.raises(UserError, match="a rule of the ledger stands against it"):
            written(statements)

    return write


def row(table, **values):
    return sa.insert(table).values(**values)


def second(client, state="reserved", manifest=""):
    return row(
        schema.DELIVERIES,
        serial=2,
        client=client,
        date="",
        state=state,
        content="",
        previous="",
        manifest=manifest,
    )


def test_a_task_in_deliveries_to_two_clients(refused):
    inside = {"serial": 2, "digest": TALLY.digest, "task_id": "tally-1"}
    refused(second("brook"), row(schema.DELIVERED, client="brook", **inside))


def test_a_task_in_another_clients_delivery(refused):
    inside = {"serial": 2, "digest": TALLY.digest, "task_id": "tally-1"}
    refused(second("brook"), row(schema.DELIVERED, client="acme", **inside))


def test_another_client_for_a_task_that_one_has(refused):
    tasks = schema.TASKS
    refused(sa.update(tasks).where(tasks.c.task_id == "tally-1").values(client="brook"))


def test_a_digest_under_another_tasks_id(refused):
    inside = {"serial": 2, "digest": TALLY.digest, "task_id": "strips-1"}
    tasks = schema.TASKS
    refused(
        second("brook"),
        sa.update(tasks).where(tasks.c.task_id == "strips-1").values(client="brook"),
        row(schema.DELIVERED, client="brook", **inside),
    )


def test_a_content_of_two_tasks(refused):
    content = {"fingerprint": TALLY.fingerprint, "task_id": "strips-1"}
    refused(row(schema.CONTENTS, **content))


def test_a_name_of_two_tasks(refused):
    refused(row(schema.NAMES, name="tallyread", task_id="strips-1"))


def test_two_variants_with_one_spot(refused, place):
    with open_database(place).reading() as connection:
        spot = connection.execute(sa.select(schema.SPOTS.c.spot)).scalars().first()
    refused(row(schema.SPOTS, family="strips", spot=spot, task_id="tally-1"))


def test_two_open_deliveries_to_one_client(refused):
    third = second("acme").values(serial=3)
    refused(second("acme"), third)


@pytest.mark.parametrize(
    ("state", "manifest"),
    [("finished", ""), ("reserved", MANIFEST), ("lost", "")],
)
def test_a_delivery_in_no_state_that_there_is(refused, state, manifest):
    refused(second("brook", state, manifest))


def test_removing_a_task_that_was_delivered(refused):
    refused(sa.delete(schema.TASKS).where(schema.TASKS.c.task_id == "tally-1"))


def test_an_outcome_of_what_was_not_delivered(refused):
    facts = {"serial": 1, "number": 1, "digest": STRIPS.digest, "reason": ""}
    refused(row(schema.OUTCOMES_, task_id="strips-1", outcome="accepted", **facts))
