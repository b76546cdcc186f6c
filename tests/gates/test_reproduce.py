"""Every package is graded as often as is said, and one that flickers is found."""

import pytest

from shipbar.gates.reproduce import GATE, schedule
from shipbar.gates.witness import Witness
from shipbar.sealed.frames import LOAD
from shipbar.testing.fakes import Scripted, always, answering
from tests.repository import ROOT

TASK = ROOT / "examples" / "check-character-36"
PACKAGES = 4


class Named(Scripted):
    """A script under a name."""

    def __init__(self, name, *scripts):
        super().__init__(*scripts)
        self.name = name

    @property
    def graded(self):
        """How many packages were asked for."""
        return sum(
            any(frame.kind == LOAD for frame in actor.heard) for actor in self.actors
        )


@pytest.fixture(autouse=True)
def blind(monkeypatch):
    """Scripts see no world."""
    monkeypatch.setattr(Witness, "unseen", lambda self, worlds: {"path": []})


def on(trial_of, sandbox, *others):
    trial = trial_of(TASK, backends=(sandbox, *others))
    trial.sandbox = sandbox
    return trial


def test_every_package_is_graded_twenty_times_and_twice_elsewhere(trial_of):
    strongest, other = Named("one", always(b"null")), Named("two", always(b"null"))
    found = GATE.examine(on(trial_of, strongest, other))
    assert (found.status, found.cell) == ("passed", "4/4")
    assert strongest.graded == PACKAGES * 20
    assert other.graded == PACKAGES * 2
    assert found.machine["runs"] == {
        "one": {"plain": 10, "perturbed": 10},
        "two": {"plain": 1, "perturbed": 1},
    }
    assert len(set(found.figures["digests"].values())) == PACKAGES
    assert found.machine["unperturbed"] == {"one": {"path": []}, "two": {"path": []}}


def test_what_goes_by_chance_is_found_in_a_plain_run(trial_of):
    # Four packages and a spare: the sixth subject answers what none did before.
    scripts = [always(b"null")] * 5 + [always(b"1")] + [always(b"null")]
    scripts[5] = answering(lambda source: (b"R", b'["list"]'))
    found = GATE.examine(on(trial_of, Named("one", *scripts)))
    assert (found.status, found.cell) == ("failed", "3/4")
    assert "another verdict in plain run 2 on one" in found.problems[0]
    assert "it goes by chance" in found.problems[0]


def test_a_backend_that_sees_another_package_is_named(trial_of):
    other = Named("two", answering(lambda source: (b"R", b'["list"]')))
    found = GATE.examine(on(trial_of, Named("one", always(b"null")), other))
    assert (found.status, found.cell) == ("failed", "0/4")
    assert "another verdict in plain run 1 on two" in found.problems[0]
    assert len(found.problems) == PACKAGES


def test_without_a_list_of_backends_it_is_the_trials_own(trial_of):
    trial = trial_of(TASK)
    ((backend, plain, worlds),) = schedule(trial)
    assert (backend, plain, len(worlds)) == (trial.sandbox, 10, 10)
