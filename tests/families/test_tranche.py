"""The reference tranche comes out to the same bytes on this machine, passes every gate, and can be implemented from its specifications."""

import json

import pytest
from click.testing import CliRunner

from shipbar import config, wiring
from shipbar.building.tranche import read_pins
from shipbar.cli import build, cli
from shipbar.grading.grader import Grader
from shipbar.grading.intake import take_in
from shipbar.grading.tasks import digest_of, load_task
from shipbar.ports import Written
from tests.repository import ROOT

PINS = read_pins(build.PINS)
INDEPENDENT = ROOT / "tests" / "cases" / "independent"
"""Packages by task, each written from the task's SPEC.md alone."""
WRITTEN = sorted(path.name for path in INDEPENDENT.iterdir())
LEAST_WRITTEN = 4


@pytest.fixture(scope="module")
def tranche(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tranche")
    words = ["build", "reference", "-o", str(folder), "--jobs", "2"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.stderr
    return folder


def test_places_and_names_are_taken_once():
    assert len({pin.number for pin in PINS}) == len(PINS)
    assert len({pin.task_id for pin in PINS}) == len(PINS)
    assert all(pin.digest.startswith("sha256:") for pin in PINS)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_every_task_is_built_to_its_pinned_digest(tranche):
    for pin in PINS:
        folder = tranche / pin.task_id
        assert digest_of(folder) == pin.digest
        assert len(load_task(folder).suite.cases) == pin.assertions


def test_independent_implementations_are_of_pinned_tasks():
    assert set(WRITTEN) <= {pin.task_id for pin in PINS}
    assert len(WRITTEN) >= LEAST_WRITTEN


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("task_id", WRITTEN)
def test_who_read_only_the_specification_ships(task_id, tranche):
    settings = config.current()
    task = load_task(tranche / task_id)
    sandbox = wiring.sandbox(wiring.AUTO, settings)
    guard = wiring.guard(task, settings)
    with Grader(task, sandbox, settings.work, guard=guard) as grader:
        verdict = grader.grade(INDEPENDENT / task_id)
    missed = [case.id for case in verdict.cases if case.outcome != "passed"]
    assert (verdict.shipped, missed) == (True, [])
    assert verdict.copying is not None
    assert not verdict.copying.flagged


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_leaked_reference_is_flagged_and_no_wrong_package_is(tranche):
    settings = config.current()
    for pin in PINS:
        folder = tranche / pin.task_id
        guard = wiring.guard(load_task(folder), settings)
        found = {}
        bad = sorted((folder / "grader" / "known_bad").iterdir())
        for package in [folder / "grader" / "reference", *bad]:
            taken = take_in(package)
            written = Written(files=taken.files, digest=taken.digest)
            found[package.name] = guard.check(written).flagged
        assert [name for name, flagged in found.items() if flagged] == ["reference"]


@pytest.mark.slow
@pytest.mark.timeout(2400)
def test_every_task_passes_every_gate(tranche, monkeypatch, tmp_path):
    monkeypatch.setenv("SHIPBAR_KEYS", str(tmp_path / "keys"))

    def shipbar(*words):
        result = CliRunner().invoke(cli, [str(word) for word in words])
        assert result.exit_code == 0, result.stderr
        return result.stdout

    for name, role in (("ada", "breaker"), ("brook", "senior")):
        shipbar("key", "new", name)
        for pin in PINS:
            shipbar(
                *("review", "sign", tranche / pin.task_id, "--role", role),
                *("--name", name, "--key", name),
            )
    told = json.loads(shipbar("verify", tranche, "--jobs", 2, "--json"))
    found = {
        (task["task_id"], gate["gate"]): gate["status"]
        for task in told["tasks"]
        for gate in task["gates"]
    }
    assert len(found) == len(PINS) * len(wiring.names("gate"))
    invented = {
        pin.task_id for pin in PINS if wiring.family(pin.family).upstream is None
    }
    excused = {(task_id, "G3") for task_id in invented}
    assert {key for key, status in found.items() if status != "passed"} == excused
