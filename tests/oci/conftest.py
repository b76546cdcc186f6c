"""A base, tasks and a layout of their images."""

from pathlib import Path

import pytest

from shipbar import oci
from tests.oci.places import small_base, two_tasks


@pytest.fixture
def base(tmp_path: Path) -> oci.Base:
    return small_base(tmp_path / "base")


@pytest.fixture
def tasks(tmp_path: Path) -> list[Path]:
    (tmp_path / "tasks").mkdir()
    return two_tasks(tmp_path / "tasks")


@pytest.fixture
def layout(tmp_path: Path, base: oci.Base, tasks: list[Path]) -> oci.Layout:
    return oci.build(tasks, tmp_path / "images", base, kinds=["solver"])
