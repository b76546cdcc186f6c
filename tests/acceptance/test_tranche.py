"""A task as families make them, from its build to its acceptance."""

import shutil
import tempfile
from pathlib import Path

import pytest

from shipbar.attest import keys
from tests.acceptance import market
from tests.acceptance.market import Buyer
from tests.cli import tiny
from tests.delivery.making import House

GATES = (
    *("reference", "known-bad", "plagiarist", "isolation", "gradient"),
    *("specification", "agreement", "novelty"),
)
"""All that neither take minutes nor need people."""


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_task_of_a_family_is_accepted_and_a_weaker_suite_is_not(monkeypatch):
    monkeypatch.setattr(market, "GATES", GATES)
    with tempfile.TemporaryDirectory(prefix="shipbar-tests-") as name:
        root = Path(name)
        root.chmod(0o755)
        for it in ("house/tasks", "house/licences", "work", "buyer"):
            (root / it).mkdir(parents=True)
        tasks = root / "house" / "tasks"
        words = ("build", "check-characters", "--seed", "accepting", "-o", tasks)
        building = tiny.start(*words)
        _, said = building.communicate(timeout=300)
        assert building.returncode == 0, said
        house = House(
            root=root / "house", own=keys.make(root / "house" / "keys" / "default")
        )
        market.proven(house, house.tasks, root / "work")
        delivery = market.sold(house, root / "sold", images=False)
        buyer = Buyer(
            root=root,
            own=keys.make(root / "buyer" / "default"),
            maker=root / "house" / "keys" / "default.pub",
        )
        monkeypatch.setattr("shipbar.grading.workers.each", market.inline)
        done = buyer.accept(delivery, gates=GATES)
        assert done.summary.counts == {"accepted": 1, "rejected": 0, "not measured": 0}
        assert done.summary.in_gates > 0.5
        shutil.rmtree(root / "report" / "receipts")
        suite = next(market.root(delivery, "grader").rglob("tests/test_*.py"))
        market.flip(suite)
        assert buyer.accept(delivery, gates=GATES).summary.counts["rejected"] == 1
