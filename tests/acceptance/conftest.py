import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from shipbar.attest import keys
from shipbar.grading import workers
from tests.acceptance import market
from tests.acceptance.market import Buyer
from tests.delivery.making import House


@pytest.fixture(scope="session")
def proven() -> Iterator[House]:
    """Three tasks that went through gates; made once, and not to be changed."""
    folder = Path(tempfile.mkdtemp(prefix="shipbar-tests-"))
    (folder / "work").mkdir()
    folder.chmod(0o755)
    yield market.house(folder / "house", folder / "work")
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def honest(proven: House) -> Path:
    """What an honest maker delivers; not to be changed."""
    return market.sold(proven, proven.root / "honest")


@pytest.fixture(scope="session")
def measured(proven: House, honest: Path) -> Path:
    """The report of a buyer who accepted it; not to be changed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "each", market.inline)
        keys.make(proven.root / "buyer" / "default")
        buyer = Buyer(
            root=proven.root,
            own=keys.load(proven.root / "buyer" / "default"),
            maker=proven.root / "keys" / "default.pub",
        )
        buyer.accept(honest, "measured")
    return proven.root / "measured"


@pytest.fixture
def house(proven: House, tmp_path: Path) -> House:
    """The maker's house, to be changed."""
    copied = shutil.ignore_patterns("honest*", "measured", "cache", "buyer")
    shutil.copytree(proven.root, tmp_path / "house", ignore=copied)
    return House(
        root=tmp_path / "house", own=keys.load(tmp_path / "house" / "keys" / "default")
    )


@pytest.fixture
def delivery(honest: Path, tmp_path: Path) -> Path:
    """The honest delivery, to be changed."""
    return Path(shutil.copytree(honest, tmp_path / "delivery"))


@pytest.fixture
def buyer(proven: House, measured: Path, tmp_path: Path, monkeypatch) -> Buyer:
    """A buyer who has measured the honest delivery before: what did not change is not run again."""
    monkeypatch.setattr(workers, "each", market.inline)
    (tmp_path / "report").mkdir()
    shutil.copytree(measured / "receipts", tmp_path / "report" / "receipts")
    return Buyer(
        root=tmp_path,
        own=keys.load(proven.root / "buyer" / "default"),
        maker=proven.root / "keys" / "default.pub",
    )
