import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.delivery import making
from tests.delivery.making import House


@pytest.fixture(scope="session")
def built() -> Iterator[House]:
    """Two training tasks and one for evaluation, proven; made once, and not to be changed."""
    folder = Path(tempfile.mkdtemp(prefix="shipbar-tests-"))
    yield making.house(folder, held=1)
    shutil.rmtree(folder)


@pytest.fixture
def house(built: House, tmp_path: Path) -> House:
    """The same, to be changed."""
    return making.copied(built, tmp_path / "house")
