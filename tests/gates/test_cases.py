"""Every gate lets good tasks through, and is seen to stop bad ones."""

import pytest

from shipbar import wiring
from shipbar.grading.tasks import load_task
from shipbar.testing.check_gate import cases_of, check_gate
from tests.gates.conftest import BUILT
from tests.repository import ROOT

CASES = ROOT / "tests" / "cases" / "gates"
GATES = [wiring.gate(name) for name in wiring.names("gate")]


def params():
    for gate in GATES:
        for case in cases_of(gate, CASES):
            tasks = [it["task"] for it in (case.facts, *case.facts.get("other", ()))]
            slow = case.facts.get("slow") or not set(BUILT).isdisjoint(tasks)
            marks = [pytest.mark.slow] if slow else []
            yield pytest.param(gate, case, id=f"{gate.id}-{case.id}", marks=marks)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("gate", "case"), list(params()))
def test_case(gate, case, bases, trial_of, tmp_path):
    others = tuple(map(load_task, case.others(bases, tmp_path)))
    trial = trial_of(case.derive(bases, tmp_path / "task"), others=others)
    first = check_gate(gate, case, trial)
    again = trial_of(trial.task.folder, others=others)
    assert gate.examine(again) == first, "twice the same"


def test_every_case_belongs_to_a_gate():
    assert {path.name for path in CASES.iterdir()} == {gate.name for gate in GATES}


def test_a_gate_that_breaks_is_not_run(bases, trial_of, monkeypatch, caplog):
    gate = GATES[0]
    monkeypatch.setattr(type(gate), "_examine", lambda self, trial: 1 // 0)
    found = gate.examine(trial_of(bases["check-character-36"]))
    assert (found.status, found.problems) == ("not run", ())
    assert "ZeroDivisionError" in found.why
    assert "Traceback" in caplog.text
