import errno
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import attrs
import pytest

from shipbar import wiring
from shipbar.acceptance import measuring, record, reporting, sampling
from shipbar.attacks import fence
from shipbar.attest import keys, store
from shipbar.bundles import reading
from shipbar.errors import AttestationError, SeamError, UserError
from shipbar.gates import Evidence, Status
from shipbar.gates.agreement import AgreementGate
from shipbar.gates.breaking import BreakGate
from shipbar.gates.reference import ReferenceGate
from shipbar.grading import workers
from shipbar.store.acceptance import read_report
from shipbar.store.ledger import Ledger
from tests.acceptance import market


@pytest.fixture
def counted(monkeypatch):
    """Every gate that is run, and not found again, by task."""
    ran: list[str] = []
    plain = AgreementGate._examine

    def examine(self, trial):
        ran.append(trial.task.contract.task_id)
        return plain(self, trial)

    monkeypatch.setattr(AgreementGate, "_examine", examine)
    return ran


def test_an_honest_delivery_is_accepted(buyer, delivery):
    done = buyer.accept(delivery)
    assert market.outcomes(done) == {"helda": "not measured"}
    assert done.summary.counts == {"accepted": 2, "rejected": 0, "not measured": 1}
    assert (done.summary.by_design, done.summary.open_questions) == (1, 0)
    assert "withheld" in market.reasons(done, "helda")
    assert done.summary.rate == 1.0
    assert done.summary.met


# -- what is written -------------------------------------------------------------------------


def test_the_reports_say_the_same_to_people_and_machines(buyer, delivery):
    market.flip(market.root(delivery, "grader") / "receipts/brevok/G4.dsse.json")
    buyer.accept(delivery, target=0.9)
    folder = buyer.root / "report"
    said = json.loads((folder / "report.json").read_text())
    assert {it["task_id"]: it["outcome"] for it in said["tasks"]} == {
        "brevok": "rejected",
        "helda": "not measured",
        "tally": "accepted",
    }
    assert (said["rate"], said["target"], said["met"]) == (0.5, 0.9, False)
    gates = said["tasks"][2]["asked"]
    assert [it["gate"] for it in gates] == ["G1", "G3", "G4", "G10", "G11"]
    assert {it["claimed"] for it in gates if it["gate"] == "G10"} == {"passed 2/2"}
    suites = ElementTree.parse(folder / "junit.xml").getroot()
    assert [
        (it.get("name"), it.get("failures"), it.get("errors"), it.get("skipped"))
        for it in suites
    ] == [
        ("brevok", "1", "0", "0"),
        ("helda", "0", "0", "1"),
        ("tally", "0", "0", "2"),  # invented, and without another task beside it
    ]
    page = (folder / "report.html").read_text()
    assert "50.0 % accepted" in page
    assert "G4.dsse.json: was changed" in page
    left = {it.name for it in folder.iterdir()}
    assert left == {
        *("acceptance.dsse.json", "junit.xml", "receipts", "report.html"),
        "report.json",
    }


def test_what_a_delivery_says_is_escaped_on_the_page(buyer, delivery, proven):
    path = "<script>alert(1)</script>"
    (market.root(delivery, "grader") / "tasks/tally" / "<script>").mkdir()
    (market.root(delivery, "grader") / "tasks/tally/<script>/x").write_text(path)
    buyer.accept(delivery)
    page = (buyer.root / "report" / "report.html").read_text()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


# -- home to the maker -----------------------------------------------------------------------


def test_the_maker_s_ledger_takes_the_signed_report_in(buyer, proven):
    delivery = market.sold(proven, buyer.root / "sold")
    market.flip(market.root(delivery, "grader") / "tasks/tally/tests/test_tally.py")
    done = buyer.accept(delivery, target=0.5)
    assert done.signed
    path = buyer.root / "report" / record.NAME
    known = [buyer.own.signer.public_key]
    found, signed = read_report(path.read_bytes(), known, str(path))
    assert {it.task_id: it.outcome for it in found.tasks} == {
        "brevok": "accepted",
        "tally": "rejected",
    }
    assert (found.client, found.rate, found.target) == ("north-lab", 0.5, 0.5)
    assert found.buyer == buyer.own.id
    ledger = Ledger.open(str(buyer.root / "sold.db"))
    assert ledger.record_acceptance(found, signed)


def test_the_signed_report_is_the_buyer_s_and_nobody_else_s(buyer, delivery, proven):
    buyer.accept(delivery)
    data = (buyer.root / "report" / record.NAME).read_bytes()
    with pytest.raises(AttestationError, match="none of which is a key that you trust"):
        read_report(data, [proven.own.signer.public_key], "here")


# -- going on --------------------------------------------------------------------------------


def test_what_was_measured_is_not_measured_again(buyer, delivery, counted):
    shutil.rmtree(buyer.root / "report")
    first = buyer.accept(delivery)
    assert sorted(counted) == ["brevok", "tally"]
    again = buyer.accept(delivery)
    assert sorted(counted) == ["brevok", "tally"]
    assert again.summary.counts == first.summary.counts
    assert again.summary.in_gates == 0.0


def test_the_time_of_what_is_reused_is_that_of_as_many_processes(buyer, delivery):
    start = time.monotonic()
    done = buyer.accept(delivery, jobs=2)
    wall = time.monotonic() - start
    told = json.loads((buyer.root / "report" / "report.json").read_text())
    before = sum(it["before"] for it in told["tasks"])
    assert before > 0
    assert done.summary.seconds == pytest.approx(wall + before / 2, abs=before / 4)


@pytest.mark.parametrize("damage", ["torn", "changed", "by another key", "of another"])
def test_a_kept_receipt_that_is_not_just_ours_is_as_if_it_were_not_there(
    buyer, delivery, counted, damage
):
    kept = buyer.root / "report" / "receipts"
    path = kept / "tally" / "G10.dsse.json"
    if damage == "torn":
        path.write_bytes(path.read_bytes()[:100])
    elif damage == "changed":
        market.flip(path)
    elif damage == "of another":
        shutil.copy(kept / "brevok" / "G10.dsse.json", path)
    else:
        shutil.copy(
            market.root(delivery, "grader") / "receipts/tally/G10.dsse.json", path
        )
    assert "tally" not in market.outcomes(buyer.accept(delivery))
    assert counted == ["tally"]


def test_an_end_halfway_loses_only_the_gate_that_was_running(
    buyer, delivery, counted, monkeypatch
):
    shutil.rmtree(buyer.root / "report")
    examine = ReferenceGate._examine

    def die(self, trial):
        if trial.task.contract.task_id == "tally":
            raise KeyboardInterrupt
        return examine(self, trial)

    monkeypatch.setattr(ReferenceGate, "_examine", die)
    with pytest.raises(KeyboardInterrupt):
        buyer.accept(delivery)
    assert counted == ["brevok"]
    assert not (buyer.root / "report" / "report.json").exists()
    monkeypatch.setattr(ReferenceGate, "_examine", examine)
    assert buyer.accept(delivery).summary.counts["accepted"] == 2
    assert counted == ["brevok", "tally"]


def test_two_at_once_do_not_share_a_report(buyer, delivery):
    from shipbar.acceptance.places import report_folder

    with (
        report_folder(buyer.root / "report"),
        pytest.raises(UserError, match="another `shipbar accept` writes there"),
    ):
        buyer.accept(delivery)


def test_what_a_killed_run_left_is_removed_unless_somebody_still_has_it(
    buyer, delivery
):
    from shipbar.acceptance.places import holding

    dead, alive = buyer.root / "report" / ".work-dead", buyer.root / "report/.work-old"
    for it in (dead, alive):
        it.mkdir()
        (it / ".lock").touch()
    with holding(alive):
        buyer.accept(delivery)
        assert alive.is_dir()
    assert not dead.exists()


def test_a_process_that_ends_costs_its_task_and_no_other(buyer, delivery, monkeypatch):
    def lose(paths, *, jobs, opener, lost, heard):
        with opener() as result_of:
            yield lost(paths[0], "signal 9")
            yield from (result_of(path) for path in paths[1:])

    monkeypatch.setattr(workers, "each", lose)
    done = buyer.accept(delivery)
    assert market.outcomes(done)["brevok"] == "not measured"
    assert "signal 9" in market.reasons(done, "brevok")
    assert done.summary.counts["accepted"] == 1
    assert done.summary.open_questions == 1


def test_a_disk_that_is_full_before_a_gate_is_asked_says_what_to_do(
    buyer, delivery, monkeypatch
):
    place = Path.mkdir

    def full(path, *words, **facts):
        if path.name == "task":
            raise OSError(errno.ENOSPC, "No space left on device")
        place(path, *words, **facts)

    monkeypatch.setattr(Path, "mkdir", full)
    with pytest.raises(SeamError, match="make room, and run the same command again"):
        buyer.accept(delivery)


def test_a_full_disk_is_the_machine_s_fault_and_no_rejection(
    buyer, delivery, monkeypatch
):
    def full(path, signed):
        raise UserError(f"{path}: cannot be written (No space left on device)")

    shutil.rmtree(buyer.root / "report")
    monkeypatch.setattr(store, "write", full)
    done = buyer.accept(delivery)
    assert done.summary.counts == {"accepted": 0, "rejected": 0, "not measured": 3}
    assert "No space left" in market.reasons(done, "tally")
    assert not (buyer.root / "report" / record.NAME).exists()


def test_a_report_that_cannot_be_written_says_so_and_leaves_none_half_written(
    buyer, delivery, monkeypatch
):
    def full(out, summary, results):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(reporting, "write_page", full)
    with pytest.raises(SeamError, match="make room, and run the same command again"):
        buyer.accept(delivery)
    assert not (buyer.root / "report" / "report.html").exists()


# -- samples ---------------------------------------------------------------------------------


def test_a_sample_is_drawn_by_nonce_and_anybody_can_draw_it_again(buyer, delivery):
    nonce = "5d6e" * 16
    done = buyer.accept(delivery, sample=1, nonce=nonce)
    digest = done.summary.delivery["digest"]
    first = min(["brevok", "tally"], key=lambda it: sampling.lot(nonce, digest, it))
    said = json.loads((buyer.root / "report" / "report.json").read_text())
    assert [it["task_id"] for it in said["tasks"]] == [first]
    assert said["sample"] == {"count": 1, "of": 2, "nonce": nonce}


def test_a_drawn_nonce_is_kept_for_the_next_run_and_not_for_another_delivery(
    buyer, delivery, proven
):
    first = buyer.accept(delivery, sample=1).summary.sample["nonce"]
    assert buyer.accept(delivery, sample=1).summary.sample["nonce"] == first
    other = market.sold(proven, buyer.root / "other", images=False)
    assert buyer.accept(other, sample=1).summary.sample["nonce"] != first


def test_damage_outside_of_the_sample_is_told_all_the_same(buyer, delivery):
    market.flip(market.root(delivery, "grader") / "tasks/brevok/tests/test_brevok.py")
    done = buyer.accept(delivery, sample=1)
    assert market.outcomes(done) == {"brevok": "rejected"}
    assert done.summary.counts["accepted"] == 1


def test_every_task_has_the_same_chance():
    ids = [f"task-{number}" for number in range(20)]
    hits = dict.fromkeys(ids, 0)
    for number in range(400):
        for it in sampling.drawn(ids, 5, f"nonce-{number}", "sha256:0"):
            hits[it] += 1
    assert 60 < min(hits.values()) <= max(hits.values()) < 140


# -- a stranger's packages -------------------------------------------------------------------


@pytest.mark.parametrize("unfenced", [False, True])
def test_weak_graders_are_not_run_where_no_fence_can_be_put_up(
    buyer, delivery, monkeypatch, unfenced
):
    ran = []

    def examine(self, trial):
        ran.append(trial.task.contract.task_id)
        return Evidence(gate="G5", status=Status.PASSED, cell="0/9")

    monkeypatch.setattr(BreakGate, "_examine", examine)
    monkeypatch.setattr(fence, "works", lambda: False)
    gate = measuring._fit(wiring.gate("break"), _work(unfenced=unfenced))
    trial: Any = SimpleNamespace(
        task=SimpleNamespace(folder="", contract=SimpleNamespace(task_id="tally"))
    )
    found = gate.examine(trial)
    assert bool(ran) == unfenced
    if not unfenced:
        assert found.status is Status.NOT_RUN
        assert "--unfenced" in found.why


def _work(**changes):
    here = Path()
    made = measuring.Work(
        folder=here, kept=here, images=None, pictured={}, tasks={}, states={}
    )
    return attrs.evolve(made, **changes)


# -- however many tasks -------------------------------------------------------------------------

GROWTH = """\
import resource, sys
from pathlib import Path
from shipbar.acceptance.reporting import Summary, counted, write_all
from shipbar.acceptance.measuring import RESULTS, read_result, write_result
from shipbar.acceptance.values import Asked, Result

folder, count = Path(sys.argv[1]), int(sys.argv[2])
(folder / RESULTS).mkdir(parents=True)
gates = [
    Asked(gate=f"G{n}", name="x", status="passed", figures={"digests": ["0" * 64] * 200})
    for n in range(12)
]
names = [f"task-{n:05}" for n in range(count)]
short = []
for name in names:
    result = Result(task_id=name, outcome="accepted", asked=gates)
    write_result(folder, result)
    short.append(result.short())
summary = Summary(
    delivery={}, closed="", counts=counted(short), by_design=0, sample=None, target=1.0,
    buyer="", date="", seconds=1.0, in_gates=1.0, notes={}, measured_by={},
)
write_all(folder, summary, lambda: (read_result(folder, name) for name in names))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
def test_the_report_takes_no_more_memory_for_more_tasks(tmp_path):
    def peak(count):
        words = [sys.executable, "-c", GROWTH, str(tmp_path / str(count)), str(count)]
        done = subprocess.run(
            words, capture_output=True, text=True, check=True, env=dict(os.environ)
        )
        return int(done.stdout)

    few, many = peak(20), peak(400)
    assert (tmp_path / "400" / "report.json").stat().st_size > 50 * 2**20
    assert many - few < 20 * 1024


def test_another_task_is_read_when_it_is_asked_for(proven):
    folder = proven.root / "tasks" / "tally"
    other = measuring.Neighbour(folder, "sha256:1")
    assert other.digest == "sha256:1"
    assert other.contract.task_id == "tally"
    assert len(other.suite.cases) == 4


def test_keys_that_sign_the_delivery_are_those_that_the_report_names(buyer, delivery):
    done = buyer.accept(delivery)
    maker = keys.load_public(buyer.maker).key.keyid
    assert done.summary.delivery["signed by"] == [maker]
    (solver,) = [it for it in [reading.find(delivery).solver] if it]
    assert done.summary.delivery["tranche"] == "first" == solver.name.partition("-")[0]
