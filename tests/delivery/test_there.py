"""What lies at a delivery's place already: this very delivery, or something that is left alone."""

from typing import Any

import attrs
import pytest

from shipbar.delivery.deliver import deliver
from shipbar.delivery.order import Order
from shipbar.errors import UserError
from shipbar.oci.tars import Entry
from shipbar.store.ledger import Ledger
from tests.cli import tiny
from tests.oci.places import BASE, small_base

ORDER = Order(client="north-lab", tranche="first", withhold=True)


def _deliver(house, order=ORDER, target=None, **changes):
    out = house.root / "out" if target is None else target
    return deliver(order, house.tasks, out, house.maker(**changes))


def test_a_delivery_that_the_ledger_was_not_told_of_is_finished(house):
    class Deaf(Ledger):
        def finish_delivery(self, serial, manifest, **_):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _deliver(house, ledger=Deaf.open(str(house.root / "ledger.db")))
    before = tiny.snapshot(house.root / "out")
    assert house.ledger.delivery(1).state == "reserved"
    done = _deliver(house)
    assert done.was_there
    assert tiny.snapshot(house.root / "out") == before
    assert house.ledger.delivery(1).state == "finished"
    assert house.ledger.delivery(1).manifest == done.digest


def test_the_same_again_changes_nothing(house):
    first = _deliver(house)
    again = _deliver(house)
    assert (again.serial, again.digest, again.was_there) == (1, first.digest, True)


@pytest.mark.parametrize(
    "changed", ["holder", "licences", "images", "no images", "base"]
)
def test_what_is_there_by_other_options_is_not_taken_for_what_is_ordered(
    house, changed
):
    bare = small_base(house.root / "bare")
    other = small_base(
        house.root / "other", [*BASE, Entry(path="etc/more", content=b"more\n")]
    )
    tiny.write(house.root / "texts", {"CC-BY-4.0.txt": "Other words.\n"})
    pictured: dict[str, Any] = {"images": ("solver",), "base": bare}
    before = pictured if changed in ("no images", "base") else {}
    now: dict[str, dict[str, Any]] = {
        "holder": {"holder": "somebody else"},
        "licences": {"licences": house.root / "texts"},
        "images": pictured,
        "no images": {},
        "base": {**pictured, "base": other},
    }
    _deliver(house, attrs.evolve(ORDER, **before))
    assert _deliver(house, attrs.evolve(ORDER, **before)).was_there
    kept = tiny.snapshot(house.root / "out")
    with pytest.raises(UserError, match="something else is there"):
        _deliver(house, attrs.evolve(ORDER, **now[changed]))
    assert tiny.snapshot(house.root / "out") == kept
    assert [it.state for it in house.ledger.deliveries()] == ["finished"]


def test_again_at_the_place_of_the_first_leaves_no_reservation(house):
    _deliver(house)
    with pytest.raises(UserError, match="something else is there"):
        _deliver(house, again=True)
    states = [it.state for it in house.ledger.deliveries()]
    assert states == ["finished", "withdrawn"]
    assert {it.client for it in house.ledger.tasks()} == {"north-lab"}


def test_a_delivery_is_not_written_into_one_of_its_tasks(house):
    task = house.tasks[0]
    with pytest.raises(UserError, match="lies in the task"):
        _deliver(house, target=task / "out")
    assert not list(task.glob("*out*"))
    assert house.ledger.deliveries() == []


@pytest.mark.parametrize("what", ["another client's", "damaged", "something else"])
def test_what_is_there_is_left_alone(house, what):
    out = house.root / "out"
    if what == "something else":
        out.mkdir()
        (out / "mine.txt").write_text("mine")
    else:
        _deliver(house)
    if what == "damaged":
        (out / "first-solver/tasks/tally/SPEC.md").write_text("changed")
    before = tiny.snapshot(out)
    order = ORDER if what != "another client's" else attrs.evolve(ORDER, tranche="b")
    with pytest.raises(UserError, match="move it away"):
        _deliver(house, order)
    assert tiny.snapshot(out) == before
