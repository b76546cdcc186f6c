"""`shipbar doctor`: what works here, what to mend, and that one bad backend hides no other."""

import json

import pytest

import shipbar
from shipbar import wiring
from tests.cli import fakes, tiny


@pytest.fixture
def run(capsys):
    return tiny.command(capsys)


@pytest.fixture
def only(monkeypatch):
    """Leave only some backends, all made from fakes or the one that tests count on."""

    def leave(*names):
        known = {**wiring.BUILT_IN["sandbox"], **fakes.ADDED}
        kept = {"sandbox": {name: known[name] for name in names}}
        monkeypatch.setattr("shipbar.wiring.BUILT_IN", kept)

    return leave


def test_the_strongest_that_works_is_the_one_for_auto(run, only):
    only("absent", "bubblewrap", "deadly")
    said = run("doctor")
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0].startswith(f"shipbar {shipbar.__version__}, Python 3.")
    told = lines[lines.index("absent: does not work") :]
    assert told[1:3] == ["    absent: not there", "    to mend: apt install presence"]
    assert told[3] == "bubblewrap: works (auto takes this one)"
    assert "deadly: works" in told


def test_one_that_does_not_load_hides_no_other(run, only):
    only("unloadable", "bubblewrap")
    said = run("doctor")
    assert said.code == 0
    lines = said.out.splitlines()
    after = lines[lines.index("unloadable: does not work") :]
    assert "cannot be loaded: ModuleNotFoundError" in after[1]
    assert after[2].startswith("    to mend: ")
    assert after[3] == "bubblewrap: works (auto takes this one)"


def test_json_has_the_same_facts(run, only):
    only("absent", "bubblewrap")
    said = run("doctor", "--json")
    assert (said.code, said.err) == (0, "")
    told = json.loads(said.out)
    assert told["auto"] == "bubblewrap"
    absent, bubblewrap = told["sandboxes"]
    assert absent == {
        "name": "absent",
        "works": False,
        "detail": "absent: not there",
        "remedy": "apt install presence",
        "lacks": [],
    }
    assert (bubblewrap["name"], bubblewrap["works"]) == ("bubblewrap", True)


@pytest.mark.parametrize("words", [(), ("--json",)], ids=["words", "json"])
def test_a_machine_on_which_nothing_works_is_code_3(run, only, words):
    only("absent")
    said = run("doctor", *words)
    assert said.code == 3
    assert "no sandbox works on this machine" in said.err
    assert "apt install presence" in said.out
    if words:
        assert json.loads(said.out)["auto"] is None
