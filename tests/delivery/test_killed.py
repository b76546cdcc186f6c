"""Killed at any point, a delivery leaves nothing half-written, and the next run finishes it."""

import os
import signal
import sys
import warnings

import attrs
import pytest

from shipbar.bundles import reading
from shipbar.delivery.deliver import deliver
from shipbar.delivery.order import Order
from tests.delivery import making

ORDER = Order(client="north-lab", tranche="first", withhold=True)
POINTS = 50
_CHANGES = (
    *("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod"),
    *("os.truncate", "fcntl.flock", "sqlite3.connect"),
)
_READ = os.O_RDONLY | os.O_CLOEXEC


def _deliver(house):
    return deliver(ORDER, house.tasks, house.root / "out", house.maker())


def _in_child(house, stop_before):
    """Deliver in a process that kills itself before its n-th change of the disk.

    Returns the number of changes that it came to, or None if it was killed.
    """
    reads, writes = os.pipe()

    def work():
        count = 0

        def heard(event, arguments):
            nonlocal count
            if event not in _CHANGES:
                return
            if event == "open" and (arguments[2] | os.O_CLOEXEC) == _READ:
                return
            count += 1
            if count == stop_before:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(heard)
        _deliver(house)
        os.write(writes, str(count).encode())

    child = _forked(work)
    os.close(writes)
    with os.fdopen(reads) as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if said:
        return int(said)
    assert os.WIFSIGNALED(status), "the delivery failed by itself"
    return None


def _is_whole(house):
    """Say whether the delivery is at its place; it must be whole if anything of it is."""
    out = house.root / "out"
    if not out.exists():
        return False
    for bundle in making.opened(house):
        assert list(reading.damages(bundle)) == []
    return True


def _check(built, folder, point):
    house = making.copied(built, folder)
    assert _in_child(house, point) is None
    there = _is_whole(house)
    told = house.ledger.deliveries()
    assert len(told) <= 1
    if there:
        assert told, "written, and the ledger knows of nothing"
    if told and told[0].state == "finished":
        assert there, "the ledger says that it is finished"
    done = _deliver(house)
    assert done.was_there == there
    assert _is_whole(house)
    (only,) = house.ledger.deliveries()
    assert (only.state, only.manifest) == ("finished", done.digest)
    assert not (house.root / ".out.partial").exists()


def _forked(work):
    """Do something in a process of its own; return its id."""
    with warnings.catch_warnings():
        # The child only delivers and is gone; it waits for no thread of ours.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return child


def test_of_two_clients_at_once_one_gets_the_tasks(built, tmp_path):
    house = making.copied(built, tmp_path / "house")
    clients = ["north-lab", "south-lab"]
    children = [
        _forked(
            lambda client=client: deliver(
                attrs.evolve(ORDER, client=client),
                house.tasks,
                house.root / client,
                house.maker(),
            )
        )
        for client in clients
    ]
    codes = [os.waitpid(child, 0)[1] for child in children]
    assert sorted(code == 0 for code in codes) == [False, True]
    (winner,) = [name for name in clients if (house.root / name).exists()]
    (only,) = house.ledger.deliveries()
    assert (only.client, only.state) == (winner, "finished")


def _points(built, folder, count):
    total = _in_child(making.copied(built, folder), None)
    assert total > count
    return sorted({1 + round(at * (total - 1) / (count - 1)) for at in range(count)})


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_killed_at_fifty_points(built, tmp_path):
    points = _points(built, tmp_path / "whole", POINTS)
    assert len(points) == POINTS
    for point in points:
        _check(built, tmp_path / str(point), point)


def test_killed_at_the_first_the_last_and_in_the_middle(built, tmp_path):
    for point in _points(built, tmp_path / "whole", 3):
        _check(built, tmp_path / str(point), point)
