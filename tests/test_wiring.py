"""Names become objects: ours, those that others add, and none in silence."""

from pathlib import Path

import pytest

from shipbar import wiring
from shipbar.config import Config
from shipbar.errors import GraderFault, SandboxError, UnknownNameError
from shipbar.grading.tasks import load_task
from shipbar.ports import Availability, Sandbox
from shipbar.similarity import quirks
from shipbar.testing.fakes import Unconfined
from tests.cli import fakes, tiny

CONFIG = Config(cache=Path("/nowhere"), work=Path("/nowhere"), inherited={})


@pytest.fixture
def added(tmp_path, monkeypatch):
    fakes.install(tmp_path / "fakes", monkeypatch)


@pytest.mark.parametrize("name", wiring.BUILT_IN["sandbox"])
def test_every_name_of_ours_is_a_sandbox_of_that_name(name):
    backend = wiring.sandbox(name, CONFIG)
    assert isinstance(backend, Sandbox)
    assert backend.name == name


def test_the_strongest_comes_first():
    assert wiring.names("sandbox")[0] == "bubblewrap"
    assert wiring.names("sandbox")[-1] == "landlock"


def test_what_others_add_comes_after_ours_and_is_used(added):
    ours = list(wiring.BUILT_IN["sandbox"])
    assert wiring.names("sandbox") == [*ours, *sorted(fakes.ADDED)]
    assert isinstance(wiring.sandbox("absent", CONFIG), fakes.Absent)


def test_nobody_takes_the_place_of_ours(added, monkeypatch):
    monkeypatch.setitem(wiring.BUILT_IN["sandbox"], "faulty", fakes.ADDED["absent"])
    assert isinstance(wiring.sandbox("faulty", CONFIG), fakes.Absent)
    assert wiring.names("sandbox").count("faulty") == 1


def test_an_unknown_name_is_answered_with_the_known(added):
    with pytest.raises(UnknownNameError) as caught:
        wiring.sandbox("gaol", CONFIG)
    assert str(caught.value).startswith("no sandbox named 'gaol'; known: bubblewrap, ")
    assert caught.value.known == tuple(wiring.names("sandbox"))
    assert set(fakes.ADDED) <= set(caught.value.known)


def test_what_cannot_be_called_is_no_sandbox(monkeypatch):
    monkeypatch.setitem(wiring.BUILT_IN["sandbox"], "text", "shipbar.wiring:AUTO")
    with pytest.raises(SandboxError, match="sandbox text: expected something that is"):
        wiring.sandbox("text", CONFIG)


def test_auto_takes_the_first_that_works(monkeypatch):
    tried = []

    class Present(fakes.Absent):
        def available(self):
            tried.append(self)
            return Availability(works=True, detail="here")

    monkeypatch.setattr(fakes, "Present", Present, raising=False)
    known = {name: f"tests.cli.fakes:{name}" for name in ("Absent", "Present")}
    later = {"unloadable": fakes.ADDED["unloadable"]}
    monkeypatch.setattr(wiring, "BUILT_IN", {"sandbox": known | later})
    backend = wiring.sandbox("auto", CONFIG)
    assert isinstance(backend, Present)
    assert tried == [backend], "nothing weaker is tried, or even imported"


def test_where_none_works_each_says_what_to_mend(monkeypatch):
    known = {"absent": fakes.ADDED["absent"]}
    monkeypatch.setattr(wiring, "BUILT_IN", {"sandbox": known})
    with pytest.raises(SandboxError) as caught:
        wiring.sandbox("auto", CONFIG)
    assert str(caught.value).splitlines() == [
        "no sandbox works on this machine, and there is no grading without one:",
        "  absent: absent: not there",
        "    apt install presence",
    ]


def test_sources_that_cannot_be_observed_are_tried_once(tmp_path, monkeypatch):
    tried = []

    def failing(task, place):
        tried.append(task)
        raise GraderFault("a source ends before it can be asked")

    monkeypatch.setattr(quirks, "habits_of", failing)
    task = load_task(tiny.task(tmp_path / "task"))
    guard = wiring.guard(task, CONFIG, Unconfined())
    for _ in range(2):
        with pytest.raises(GraderFault, match="before it can be asked"):
            guard.habits()
    assert len(tried) == 1
    assert wiring.guard(task, CONFIG).habits() is None
