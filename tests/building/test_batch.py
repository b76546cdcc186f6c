import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from shipbar.building import batch
from shipbar.building.batch import (
    DONE,
    SCRATCH,
    Job,
    build_job,
    jobs_of,
    note_done,
    place,
    read_done,
)
from shipbar.building.batch import Done as BatchDone
from shipbar.building.builder import Builder, Order
from shipbar.building.family import Probe
from shipbar.building.rules import distance
from shipbar.errors import UserError
from shipbar.grading.tasks import RECORD
from tests.building.toy.family import FAMILY, Toy


def job_of(output, seed="s1", **more):
    (job,) = jobs_of(Order(family=FAMILY, seed=seed, **more), 1, output)
    return job


def record(folder, rules, split="train", family=FAMILY.name):
    """Lay down what of a built task new ones keep away from."""
    path = folder / RECORD
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"family": family, "rules": rules, "split": split}))


def built_by(output, seed, split, count):
    """Lay down a whole batch; return its selections."""
    jobs = jobs_of(Order(family=FAMILY, seed=seed, split=split), count, output)
    done = read_done(output)
    for job in jobs:
        if job.key not in done:
            task_id = f"t{job.key[:12]}"
            record(output / task_id, job.rules, split)
            note_done(output, BatchDone(key=job.key, task_id=task_id), job)
    return [job.rules for job in jobs]


@pytest.fixture
def finished(monkeypatch):
    """What a builder brings; written as one file."""

    def write(folder, variant, parts):
        folder.mkdir()
        (folder / "TASK.md").write_text(f"{variant.task_id} {parts}")

    monkeypatch.setattr(batch, "write_task", write)
    monkeypatch.setattr(batch, "report", lambda built, folder: str(folder))
    return SimpleNamespace(variant=SimpleNamespace(task_id="moru"), parts="whole")


@pytest.fixture
def builder(finished):
    return SimpleNamespace(build=lambda order, rules: finished)


# -- what keeps variants apart


@pytest.mark.parametrize(("split", "apart"), [("train", 3), ("eval", 4)])
def test_another_seed_into_the_same_folder_keeps_away(split, apart, tmp_path):
    first = built_by(tmp_path, "one", "train", 6)
    second = built_by(tmp_path, "two", split, 6)
    assert min(distance(a, b) for a in first for b in second) >= apart


def test_a_batch_goes_on_to_the_same_selections_whatever_was_built_between(tmp_path):
    first = built_by(tmp_path, "one", "train", 4)
    between = built_by(tmp_path, "two", "eval", 4)
    longer = built_by(tmp_path, "one", "train", 6)
    assert longer[:4] == first
    assert min(distance(a, b) for a in longer for b in between) >= 4


@pytest.mark.parametrize(
    "other", [{"split": "eval"}, {"count": 40}, {"wanted": {"sign": "flip"}}]
)
def test_one_seed_is_for_one_batch_of_a_folder(other, tmp_path):
    built_by(tmp_path, "one", "train", 1)
    with pytest.raises(UserError, match=r"from the same seed, .* take another seed"):
        job_of(tmp_path, "one", **other)
    assert job_of(tmp_path, "two", **other)


def test_too_few_selections_say_how_many_are_used(tmp_path):
    built_by(tmp_path, "one", "eval", 1)
    with pytest.raises(UserError, match=r"from the 1 used .* finds \d+ in all; ask"):
        jobs_of(Order(family=FAMILY, seed="two"), 5000, tmp_path)


def test_too_few_under_fixed_rules_say_so(tmp_path):
    fixed = {axis.id: axis.others[0] for axis in FAMILY.axes[1:]}
    fixed["join"] = "comma"
    with pytest.raises(UserError, match="finds 1 in all with the rules that are fixed"):
        jobs_of(Order(family=FAMILY, seed="s1", wanted=fixed), 2, tmp_path)


@pytest.mark.parametrize(
    "text", ["[]", '{"fam', '{"family": "toy"}', '{"family": "toy", "rules": {"a": 1}}']
)
def test_a_task_that_says_nothing_of_itself_is_named(text, tmp_path):
    path = tmp_path / "other" / RECORD
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(UserError, match=f"other/{RECORD}: expected"):
        job_of(tmp_path)


# -- whole or not at all


def test_a_task_is_noted_and_found_done(builder, tmp_path):
    job = job_of(tmp_path)
    done = build_job(builder, job)
    assert (done.task_id, done.failure, done.exit_code) == ("moru", "", 0)
    assert read_done(tmp_path)[job.key]["digest"] == done.digest
    assert sorted(path.name for path in tmp_path.iterdir()) == [DONE, "moru"]


def test_killed_before_the_move_it_was_never_built(builder, tmp_path, monkeypatch):
    job = job_of(tmp_path)
    child = os.fork()
    if child == 0:  # ends where nothing is tidied up, as `kill -9` does
        monkeypatch.setattr(Path, "rename", lambda *_: os._exit(9))
        build_job(builder, job)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 9
    assert list(tmp_path.glob(f"{SCRATCH}*"))
    assert read_done(tmp_path) == {}
    assert job_of(tmp_path) == job
    assert build_job(builder, job).failure == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == [DONE, "moru"]


def test_killed_after_the_move_it_is_done(builder, tmp_path):
    job = job_of(tmp_path)
    build_job(builder, job)
    assert job.key in read_done(tmp_path)
    # A worker may outlive its parent, and finish what the next batch builds as well.
    assert build_job(builder, job).task_id == "moru"


def test_somebody_elses_task_of_that_name_is_not_touched(finished, tmp_path):
    (tmp_path / "moru").mkdir()
    with pytest.raises(UserError, match="moru is there already; remove it"):
        place(finished, tmp_path, job_of(tmp_path))
    assert list((tmp_path / "moru").iterdir()) == []


def test_a_line_that_was_cut_short_costs_only_itself(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    note_done(tmp_path, BatchDone(key="1", task_id="one"))
    with (tmp_path / DONE).open("a") as log:
        log.write('[1]\n{"key": "x"}\n{"key": "2", "ta')
    note_done(tmp_path, BatchDone(key="2", task_id="two"))
    assert set(read_done(tmp_path)) == {"1", "2"}


@pytest.mark.parametrize(
    ("number", "code", "what_to_do"),
    [(errno.ENOSPC, 3, "make room there"), (errno.EROFS, 2, "name a folder")],
)
def test_a_place_that_takes_nothing_is_told(
    number, code, what_to_do, builder, tmp_path, monkeypatch
):
    def full(folder, variant, parts):
        folder.mkdir()
        raise OSError(number, "x", str(folder / "TASK.md"))

    monkeypatch.setattr(batch, "write_task", full)
    job = job_of(tmp_path)
    done = build_job(builder, job)
    assert done.exit_code == code
    assert what_to_do in done.failure
    assert str(tmp_path) in done.failure
    assert [path.name for path in tmp_path.iterdir()] == [DONE]


# -- whose fault it is


class Careless(Toy):
    folder = Path(__file__).parent

    def probes(self, draw, rng):
        del draw
        nothing: dict[str, Iterator[Probe]] = {}
        return nothing["no such key"]


def build_careless(order, rules):
    del rules
    return list(order.family.probes(None, None))


def failing(output, build):
    order = Order(family=Careless(), seed="s1")
    job = Job(order=order, rules=FAMILY.space.memory, output=output)
    return build_job(cast("Builder", SimpleNamespace(build=build)), job)


def test_a_familys_own_mistake_is_told_with_its_line(tmp_path):
    done = failing(tmp_path, build_careless)
    assert done.exit_code == 2
    assert "test_batch.py:" in done.failure
    assert "KeyError: 'no such key'; mend the family" in done.failure


def test_a_full_folder_for_work_is_the_machines(tmp_path, monkeypatch):
    monkeypatch.setattr(Careless, "folder", tmp_path)

    def build(order, rules):
        raise OSError(errno.ENOSPC, "No space left on device")

    done = failing(tmp_path, build)
    assert done.exit_code == 3
    assert "SHIPBAR_WORK" in done.failure


def test_a_fault_of_ours_is_not_swallowed(tmp_path, monkeypatch):
    monkeypatch.setattr(Careless, "folder", tmp_path)

    def build(order, rules):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing(tmp_path, build)
