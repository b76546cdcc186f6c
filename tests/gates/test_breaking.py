"""The break gate says what won, what proved nothing, and what was left over."""

import contextlib
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from shipbar.attacks import Attack, NotApplicable, corpus, weak
from shipbar.attacks.ground import ground_of, lay_standing_task, tree
from shipbar.gates import Trial, standing
from shipbar.gates.attempts import Arena, Graded, Watched
from shipbar.gates.breaking import BreakGate
from shipbar.gates.standing import (
    RECORDS,
    on_standing_ground,
    record_key,
    sealed,
    try_on,
)
from shipbar.grading.grader import Grader
from shipbar.grading.install import Install
from shipbar.verdict import CaseOutcome, Outcome, Verdict

EXAMPLE = "check-character-36"
IDLE = [sys.executable, "-S", "-c", "import time; time.sleep(60)"]


def attack(id_: str) -> Attack:
    [found] = [it for it in corpus() if it.id == id_]
    assert isinstance(found, Attack)
    return found


@pytest.fixture
def trial(bases, trial_of, tmp_path) -> Trial:
    """The example on trial, with a cache of its own."""
    made: Trial = trial_of(bases[EXAMPLE])
    made.cache = tmp_path / "cache"
    return made


def everything_passes(verdict: Verdict) -> Verdict:
    cases = tuple(
        CaseOutcome(id=case.id, rule=case.rule, outcome=Outcome.PASSED)
        for case in verdict.cases
    )
    return attrs.evolve(verdict, cases=cases)


def passes_also(verdict: Verdict, count: int) -> Verdict:
    """The verdict with so many more cases passed, and as many given away."""
    won, lost, cases = count, count, []
    for case in verdict.cases:
        outcome = case.outcome
        if outcome is Outcome.PASSED and lost:
            outcome, lost = Outcome.WRONG, lost - 1
        elif outcome is not Outcome.PASSED and won:
            outcome, won = Outcome.PASSED, won - 1
        cases.append(CaseOutcome(id=case.id, rule=case.rule, outcome=outcome))
    return attrs.evolve(verdict, cases=tuple(cases))


def answering(graded):
    """Open something that grades every payload alike."""

    @contextlib.contextmanager
    def grade_in(trial, task):
        honest = trial.verdict(trial.known_bad[0])
        yield lambda files: graded(honest)

    return grade_in


def gate_of(*ids: str, **facts) -> BreakGate:
    return BreakGate(lambda: [attack(id_) for id_ in ids], **facts)


# -- what the gate stops ---------------------------------------------------------


def test_a_grader_that_believes_an_exit_status_is_stopped(trial, tmp_path):
    ground = ground_of(trial.task)
    places = iter(range(9))

    @contextlib.contextmanager
    def weak_one(trial, task):
        honest = trial.verdict(trial.known_bad[0])

        def grade(files):
            place = tmp_path / str(next(places))
            place.mkdir()
            fooled = weak.by_exit_code(ground, files, place) == 1.0
            return Graded(verdict=everything_passes(honest) if fooled else honest)

        yield grade

    stopped = gate_of("D02", "A09", grade_in=weak_one).examine(trial)
    assert stopped.status == "failed"
    assert stopped.figures["successes"] == ["A09"]
    assert "A09 ships without implementing" in stopped.problems


def test_a_specification_that_shows_the_solution_is_stopped(bases, trial_of, tmp_path):
    folder = tmp_path / "task"
    shutil.copytree(bases[EXAMPLE], folder)
    parts = tree(folder / "grader" / "reference")
    (folder / "solver" / "SPEC.md").write_text(
        "".join(
            f"### {path}\n\n```python\n{data.decode()}\n```\n\n"
            for path, data in parts.items()
        )
    )
    found = gate_of("E19").examine(trial_of(folder))
    assert found.status == "failed"
    assert "E19 ships without implementing" in found.problems
    assert gate_of("E19").examine(trial_of(bases[EXAMPLE])).status == "passed"


def test_one_case_won_is_too_many_even_if_others_were_given_away(trial):
    swaps = answering(lambda honest: Graded(verdict=passes_also(honest, 1)))
    found = gate_of("D02", grade_in=swaps).examine(trial)
    assert found.status == "failed"
    [problem] = found.problems
    assert problem.startswith("D02 passes 1 that its honest part fails")
    assert "test_tavrick.py::test_" in problem


@pytest.mark.parametrize(("hits", "status"), [(3, "passed"), (4, "failed")])
def test_a_blind_guess_may_hit_a_tenth_of_the_cases(trial, hits, status):
    assert attack("M06").guesses
    lucky = answering(lambda honest: Graded(verdict=passes_also(honest, hits)))
    found = gate_of("M06", grade_in=lucky).examine(trial)
    assert (len(found.figures["task"]["by_chance"]) == 1) is (status == "passed")
    assert found.status == status


@pytest.mark.parametrize(
    ("graded", "says"),
    [
        ({"left": ("left running: process 9",)}, "D02: left running: process 9"),
        ({"broke": "a traceback"}, "D02: the grader broke: a traceback"),
    ],
    ids=lambda it: next(iter(it)) if isinstance(it, dict) else "",
)
def test_harm_is_a_success_of_the_attack(trial, graded, says):
    gate = gate_of("D02", grade_in=answering(lambda honest: Graded(**graded)))
    found = gate.examine(trial)
    assert found.status == "failed"
    assert found.problems == (says,)


def test_what_is_refused_as_a_submission_won_nothing(trial):
    found = gate_of("I05", "D02").examine(trial)
    assert found.status == "passed"
    assert found.figures["standing"]["refused"] == ["I05"]


# -- what proves nothing -----------------------------------------------------------


def test_attempts_that_are_dead_are_told_and_too_many_prove_too_little(trial):
    def fails(ground, files, folder):
        raise RuntimeError("no pytest here")

    def no_payload(ground):
        raise ZeroDivisionError("nothing to divide by")

    dead = [
        attrs.evolve(attack("D02"), id="X01", payload=lambda ground: ground.honest),
        attrs.evolve(attack("D02"), id="X02", twin=lambda *_: 0.5),
        attrs.evolve(attack("D02"), id="X03", twin=fails),
        attrs.evolve(attack("D02"), id="X04", payload=no_payload),
    ]
    found = BreakGate(lambda: [attack("D02"), *dead]).examine(trial)
    assert found.figures["task"]["not_valid"] == {
        "X01": "its weak grader is not fooled",
        "X02": "its weak grader does not pass the reference",
        "X03": "its weak grader failed: RuntimeError: no pytest here",
        "X04": "no payload: ZeroDivisionError: nothing to divide by",
    }
    assert found.cell == "0/1"
    assert "only 1 of 5 attempts are valid" in "".join(found.problems)


def test_what_is_not_tried_is_listed_with_its_reason(trial):
    left_out = NotApplicable(id="X09", title="nothing", why="for no reason")
    found = BreakGate(lambda: [attack("D02"), left_out]).examine(trial)
    assert found.figures["not_applicable"] == {"X09": "for no reason"}


def test_figures_are_told_by_group(trial):
    groups = gate_of("D02", "D06", "M07").examine(trial).figures["groups"]
    honest = round(trial.verdict(trial.known_bad[0]).score, 4)
    assert groups == {
        "D": {"valid": 2, "successes": 0, "highest": {"task": honest}},
        "M": {"valid": 1, "successes": 0, "highest": {"task": honest}},
    }


def test_it_depends_on_the_corpus(trial):
    depends = gate_of("D02").depends(trial)
    assert depends == {"corpus": standing.corpus_digest()}


# -- what is left over -------------------------------------------------------------


class Careless(Grader):
    """A grader that leaves something behind."""

    def __init__(self, verdict: Verdict, leave: Callable[[], None]) -> None:
        self._said, self._leave = verdict, leave

    def grade(self, candidate, how=Install.AUTO) -> Verdict:
        self._leave()
        return self._said


def test_a_file_in_the_work_folder_is_seen(trial, tmp_path):
    honest = trial.verdict(trial.known_bad[0])
    careless = Careless(honest, (tmp_path / "seat").mkdir)
    graded = Watched(careless, tmp_path)({"a.py": b""})
    assert graded.left == ("left on disk: seat",)


def test_a_process_that_is_left_running_is_seen(trial, tmp_path, monkeypatch):
    monkeypatch.setattr("shipbar.gates.attempts.GRACE_S", 0.05)
    honest = trial.verdict(trial.known_bad[0])
    started = []

    def leave():
        started.append(subprocess.Popen(IDLE))

    graded = Watched(Careless(honest, leave), tmp_path)({"a.py": b""})
    [process] = started
    process.kill()
    process.wait()
    assert graded.left == (f"left running: process {process.pid}",)


def test_a_process_that_a_weak_grader_leaves_is_ended(trial, monkeypatch):
    monkeypatch.setattr("shipbar.gates.attempts.GRACE_S", 0.05)
    started = []

    def leaves(ground, files, folder):
        started.append(subprocess.Popen(IDLE, cwd=folder))
        return 1.0

    honest = trial.verdict(trial.known_bad[0])
    arena = Arena(
        ground_of(trial.task),
        honest,
        lambda files: Graded(verdict=honest),
        foreign=False,
    )
    with contextlib.closing(arena):
        found = arena.attempt(attrs.evolve(attack("D02"), twin=leaves))
    assert len(found.harm) == len(started) == 3
    assert {it.wait(5) for it in started} == {-signal.SIGKILL}


def test_the_sealed_grader_leaves_nothing(trial):
    with sealed(trial, trial.task) as grade:
        graded = grade(ground_of(trial.task).honest)
    assert graded.left == ()
    assert graded.verdict is not None
    assert graded.verdict.digest == trial.verdict(trial.known_bad[0]).digest


# -- the record of the standing ground -----------------------------------------------


class Counted:
    """Opens sealed graders, and counts them."""

    def __init__(self, trial: Trial) -> None:
        self.opened, self._trial = 0, trial

    def __call__(self, task):
        self.opened += 1
        return sealed(self._trial, task)


def record_of(trial: Trial) -> Path:
    [found] = (trial.cache / RECORDS).glob("*.json")
    return found


def test_the_standing_ground_is_tried_once(trial):
    counted = Counted(trial)
    first = on_standing_ground(trial, [attack("N04")], counted)
    assert on_standing_ground(trial, [attack("N04")], counted) == first
    assert counted.opened == 1
    assert 0 < (first[0].score or 0) <= first[0].honest
    assert record_key(trial).endswith(record_of(trial).stem)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[:-20],
        lambda text: text.replace('"shipped": false', '"shipped": true'),
        lambda text: "[]",
        lambda text: json.dumps({"attempts": [], "digest": ""}),
    ],
    ids=["cut", "changed", "foreign", "empty"],
)
def test_a_record_that_is_not_whole_is_made_again(trial, spoil):
    counted = Counted(trial)
    first = on_standing_ground(trial, [attack("N04")], counted)
    path = record_of(trial)
    whole = path.read_text()
    path.write_text(spoil(whole))
    assert on_standing_ground(trial, [attack("N04")], counted) == first
    assert counted.opened == 2
    assert path.read_text() == whole


def test_another_list_of_attacks_is_not_answered_by_the_record(trial):
    counted = Counted(trial)
    on_standing_ground(trial, [attack("N04")], counted)
    found = on_standing_ground(trial, [attack("N04"), attack("D02")], counted)
    assert [it.id for it in found] == ["N04", "D02"]
    assert counted.opened == 2


def test_a_success_is_not_kept(trial):
    @contextlib.contextmanager
    def breaks(task):
        with sealed(trial, task) as grade:
            yield lambda files: attrs.evolve(grade(files), left=("something",))

    found = on_standing_ground(trial, [attack("N04")], breaks)
    assert found[0].succeeded
    assert list((trial.cache / RECORDS).glob("*.json")) == []


def test_a_record_is_for_one_sandbox_one_corpus_and_one_set_of_limits(
    trial, trial_of, monkeypatch
):
    keys = {record_key(trial)}
    contract = trial.task.contract
    limits = attrs.evolve(contract.grader.limits, memory_mib=64)
    grader = attrs.evolve(contract.grader, limits=limits)
    other = attrs.evolve(trial.task, contract=attrs.evolve(contract, grader=grader))
    keys.add(record_key(attrs.evolve(trial, task=other)))

    class Elsewhere:
        name, lacks = "elsewhere", ()

    keys.add(record_key(attrs.evolve(trial, sandbox=Elsewhere())))
    monkeypatch.setattr(standing, "corpus_digest", lambda: "sha256:0")
    keys.add(record_key(trial))
    assert len(keys) == 4


def test_a_cache_that_cannot_be_written_costs_time_alone(trial):
    trial.cache.mkdir()
    (trial.cache / RECORDS).write_text("not a folder")
    [found] = on_standing_ground(trial, [attack("N04")], Counted(trial))
    assert not found.succeeded


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_built_task_with_classes_is_tried_in_earnest(bases, trial_of):
    of_task = [it for it in corpus() if isinstance(it, Attack) and it.level == "task"]
    found = BreakGate(lambda: of_task).examine(trial_of(bases["ordered-sets"]))
    assert found.status == "passed", found.problems
    assert found.figures["task"]["valid"] > 0.8 * len(of_task)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_every_mechanism_is_alive_on_the_standing_ground_and_wins_nothing(
    trial, tmp_path
):
    task = lay_standing_task(tmp_path / "standing")
    tried = [it for it in corpus() if isinstance(it, Attack)]
    found = try_on(task, tried, Counted(trial), foreign=False)
    assert {it.id: it.dead for it in found if it.dead} == {}
    assert [it.id for it in found if it.succeeded] == []
    assert list(trial.work.iterdir()) == []


def test_the_reference_of_the_standing_ground_passes(trial, tmp_path, sandbox):
    task = lay_standing_task(tmp_path / "standing")
    with Grader(task, sandbox, trial.work) as grader:
        assert grader.grade(task.folder / "grader" / "reference").shipped
