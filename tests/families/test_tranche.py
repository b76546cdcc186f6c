"""The reference tranche comes out to the same bytes on this machine."""

import pytest
from click.testing import CliRunner

from shipbar.building.tranche import read_pins
from shipbar.cli import build, cli
from shipbar.grading.tasks import digest_of, load_task

PINS = read_pins(build.PINS)


def test_places_and_names_are_taken_once():
    assert len({pin.number for pin in PINS}) == len(PINS)
    assert len({pin.task_id for pin in PINS}) == len(PINS)
    assert all(pin.digest.startswith("sha256:") for pin in PINS)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_every_task_is_built_to_its_pinned_digest(tmp_path):
    words = ["build", "reference", "-o", str(tmp_path), "--jobs", "2"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.stderr
    for pin in PINS:
        folder = tmp_path / pin.task_id
        assert digest_of(folder) == pin.digest
        assert len(load_task(folder).suite.cases) == pin.assertions
