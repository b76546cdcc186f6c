import pytest

from shipbar import config, wiring
from shipbar.building.builder import Builder, Order
from shipbar.building.rules import child_rng
from tests.building.toy.family import FAMILY

RULES = FAMILY.space.draw(child_rng("s1", "toy"), {})


@pytest.fixture(scope="session")
def builder():
    settings = config.current()
    return Builder(wiring.sandbox("bubblewrap", settings), settings.work)


@pytest.fixture(scope="session")
def built(builder):
    return builder.build(Order(family=FAMILY, seed="s1"), RULES)
