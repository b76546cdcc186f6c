import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from shipbar.delivery.deliver import deliver
from shipbar.delivery.order import Order
from tests.delivery import making


@attrs.frozen(kw_only=True)
class Delivered:
    """A delivery, and the key that signed it."""

    house: making.House
    place: Path

    @property
    def keys(self):
        return [self.house.own.signer.public_key]


@pytest.fixture(scope="session")
def made() -> Iterator[Delivered]:
    """Two training tasks and one of evaluation, withheld; not to be changed."""
    folder = Path(tempfile.mkdtemp(prefix="shipbar-tests-"))
    house = making.house(folder, held=1)
    order = Order(client="north-lab", tranche="first", withhold=True)
    done = deliver(order, house.tasks, folder / "out", house.maker())
    yield Delivered(house=house, place=done.place)
    shutil.rmtree(folder)


@pytest.fixture
def delivered(made: Delivered, tmp_path: Path) -> Delivered:
    """The same, to be changed."""
    shutil.copytree(made.place, tmp_path / "out")
    return attrs.evolve(made, place=tmp_path / "out")
