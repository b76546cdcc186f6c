"""Taking a task through gates: sharing, keeping, stopping, telling."""

import pytest

from shipbar.gates import Evidence, Gate, Status
from shipbar.gates.proving import Found, Proof, prove, totals


class Asked(Gate):
    """A gate that answers what it was made with, and counts."""

    name, title = "asked", "answers"

    def __init__(self, id_, status):
        self.gate, self.status, self.times = id_, status, 0

    @property
    def id(self):  # type: ignore[override]  # each of these has an id of its own
        return self.gate

    def _examine(self, trial):
        self.times += 1
        return Evidence(gate=self.gate, status=self.status, cell=str(self.status))


class Memory:
    """A keeper that keeps in memory."""

    def __init__(self):
        self.kept = {}

    def find(self, gate, trial):
        return self.kept.get(gate.id)

    def keep(self, gate, trial, found):
        if found.evidence.status is Status.NOT_RUN:
            return
        self.kept[gate.id] = Found(
            evidence=found.evidence, seconds=found.seconds, reused=True
        )


@pytest.fixture
def trial(bases, trial_of):
    return trial_of(bases["check-character-36"])


def test_what_is_kept_is_not_asked_again(trial):
    gate, keeper = Asked("G1", Status.PASSED), Memory()
    first = prove(trial, [gate], keeper)
    second = prove(trial, [gate], keeper)
    assert gate.times == 1
    assert [it.reused for proof in (first, second) for it in proof.found] == [
        False,
        True,
    ]
    assert second.found[0].evidence == first.found[0].evidence


def test_what_could_not_be_run_is_asked_again(trial):
    gate, keeper = Asked("G1", Status.NOT_RUN), Memory()
    for _ in range(2):
        assert prove(trial, [gate], keeper).unproven
    assert gate.times == 2


@pytest.mark.parametrize("status", [Status.FAILED, Status.NOT_RUN])
def test_failing_fast_stops_at_the_first_gate_that_is_not_passed(trial, status):
    gates = [
        Asked("G1", Status.NOT_APPLICABLE),
        Asked("G2", status),
        Asked("G3", Status.PASSED),
    ]
    told: list[str] = []
    proof = prove(trial, gates, Memory(), fail_fast=True, tell=told.append)
    assert told == ["G1", "G2"]
    assert proof.evidence("G3") is None
    assert len(prove(trial, gates, Memory()).found) == 3


def proof_of(*statuses):
    found = tuple(
        Found(
            evidence=Evidence(gate=f"G{number}", status=status, cell="1/1"), seconds=1.0
        )
        for number, status in enumerate(statuses, 1)
    )
    return Proof(folder="tasks/a", task_id="a", digest="sha256:0", found=found)


def test_not_run_is_neither_passed_nor_failed():
    proof = proof_of(Status.PASSED, Status.NOT_RUN)
    assert (proof.failed, proof.unproven) == (False, True)
    assert totals([proof], "G2")[Status.PASSED] == 0


def test_a_task_that_cannot_be_loaded_fails():
    proof = Proof(folder="x", task_id="", digest="", found=(), failure="no suite")
    assert proof.failed
