"""Many writers at once, and processes that are killed: nothing lost, nothing half-written."""

import itertools
import json
import subprocess
import sys

import pytest

from shipbar.store.ledger import Ledger
from tests.repository import ROOT
from tests.store import race

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


def program(name, *words):
    run = subprocess.run(
        [sys.executable, "-m", f"tests.store.{name}", *map(str, words)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request, tmp_path):
    """A place where there is no ledger yet."""
    if request.param == "postgresql":
        return request.getfixturevalue("server").url()
    return str(tmp_path / "ledger.db")


def test_eight_processes_write_to_a_ledger_that_none_of_them_has_seen(where, tmp_path):
    results = program("race", where, 8)
    assert [it["status"] for it in results] == [0] * 8
    got = sorted(itertools.chain(*(it["got"] for it in results)))
    assert got == [f"wanted{number}-1" for number in range(race.WANTED)]
    refused = list(itertools.chain(*(it["refused"] for it in results)))
    assert len(refused) == 8 * race.WANTED - race.WANTED
    assert all("no task goes to two clients" in why for why in refused)
    ledger = Ledger.open(where)
    serials = sorted(itertools.chain(*(it["serials"] for it in results)))
    assert serials == [it.serial for it in ledger.deliveries()] == [1, 2, 3, 4, 5, 6]
    assert len(ledger.tasks()) == race.WANTED + 8 * race.OWN
    assert len(ledger.receipts()) == len(ledger.reviews()) == 8 * race.OWN
    for client in (it["client"] for it in results):
        manifests = ["", *(it.manifest for it in ledger.deliveries(client))]
        assert [it.previous for it in ledger.deliveries(client)] == manifests[:-1]


def check(found):
    assert [it for it in found if not it["between_steps"]] == [], "half-written"
    assert [it for it in found if it["lost"]] == [], "lost"
    assert [it for it in found if not it["finished"]] == [], "not finished again"
    assert [it for it in found if not it["whole"]] == [], "damaged"


def test_a_process_that_is_killed_at_sixty_points_leaves_whole_facts(tmp_path):
    found = program("killing", "points", tmp_path, 60)
    assert len({it["at"] for it in found}) == 60
    assert [it for it in found if not it["killed"]] == []
    check(found)


def test_a_process_that_is_killed_from_outside_leaves_whole_facts(tmp_path):
    found = program("killing", "times", tmp_path, 20)
    assert sum(it["killed"] for it in found) >= 10
    check(found)


def test_so_does_one_that_writes_to_a_server(server, tmp_path):
    found = program("killing", "points", tmp_path, 20, server.url())
    assert [it for it in found if not it["killed"]] == []
    check(found)
