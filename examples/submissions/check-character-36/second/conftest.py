import pytest

import tavrick


@pytest.fixture
def kite() -> object:
    return tavrick.issue("KITE5")
