import json

import pytest

from shipbar.building.again import job_again, read_burnt
from shipbar.building.batch import Done, jobs_of, note_done
from shipbar.building.builder import Order, _variant
from shipbar.building.rules import distance
from shipbar.building.shares import SHARES, share_of, share_of_text
from shipbar.errors import UserError
from shipbar.grading.tasks import RECORD
from tests.building.toy.family import FAMILY

RULES = FAMILY.space.memory
FACTS = {
    "family": FAMILY.name,
    "names": {"package": "moru"},
    "rules": RULES,
    "assertions_by_rule": {"case": 10, "join": 20},
    "split": "eval",
}


def task(folder, **changed):
    path = folder / RECORD
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({**FACTS, **changed}))
    return folder


def again(folder, output, seed="s1"):
    return job_again(read_burnt(folder), FAMILY, seed, output)


def names_of(job):
    path = (FAMILY.name, job.order.place, 0)
    return set(_variant(job.order, job.rules, path).draw.names.values())


def test_the_skeleton_stays_and_the_rules_do_not(tmp_path):
    job = again(task(tmp_path / "a"), tmp_path)
    assert (job.order.count, job.order.split) == (30, "eval")
    assert distance(job.rules, RULES) >= 3


@pytest.mark.parametrize("seed", ["s1", "s2", "s3", "s4"])
def test_the_seed_it_was_built_with_brings_no_name_and_no_question_back(seed, tmp_path):
    batch = jobs_of(Order(family=FAMILY, seed=seed), SHARES, tmp_path)
    first = batch[0]
    variant = _variant(first.order, first.rules, (FAMILY.name, 0, 0))
    names = dict(variant.draw.names)
    burnt = task(tmp_path / "a", names=names, rules=first.rules, split="train")
    job = again(burnt, tmp_path, seed)
    assert all(names_of(job).isdisjoint(names_of(other)) for other in batch)
    # Names and probes come from shares, and those of two shares never meet.
    share = share_of(job.order.seed, job.order.place)
    assert share != share_of_text(names["package"])


def test_it_keeps_away_from_the_burnt_task_wherever_that_lies(tmp_path):
    (job,) = jobs_of(Order(family=FAMILY, seed="s1"), 1, tmp_path)
    burnt = task(tmp_path / "a", rules=job.rules)
    found = [again(burnt, tmp_path / "b", f"s{n}").rules for n in range(200)]
    assert min(distance(rules, job.rules) for rules in found) >= 3


def test_it_keeps_away_from_everything_in_the_folder(tmp_path):
    burnt = task(tmp_path / "a")
    fresh = again(burnt, tmp_path / "elsewhere").rules
    task(tmp_path / "b", rules=fresh)
    task(tmp_path / "c", rules=fresh, split="train")
    job = again(burnt, tmp_path)
    assert distance(job.rules, fresh) >= 4
    assert distance(job.rules, RULES) >= 3


def test_again_it_is_the_same_whatever_the_folder_is_called(tmp_path, monkeypatch):
    burnt = task(tmp_path / "a")
    job = again(burnt, tmp_path)
    task(tmp_path / "made", rules=job.rules)
    note_done(tmp_path, Done(key=job.key, task_id="made"), job)
    assert again(burnt, tmp_path) == job
    monkeypatch.chdir(burnt)
    assert again(burnt.relative_to(burnt), tmp_path) == job


@pytest.mark.parametrize(
    "changed",
    [
        {"family": 3},
        {"names": {}},
        {"names": "moru"},
        {"rules": []},
        {"rules": {"case": 1}},
        {"assertions_by_rule": {"case": "ten"}},
        {"assertions_by_rule": {"case": -1}},
    ],
)
def test_a_record_that_is_none_is_named(changed, tmp_path):
    with pytest.raises(UserError, match=f"{RECORD}: expected what a built task"):
        read_burnt(task(tmp_path / "a", **changed))


def test_a_family_that_has_other_axes_now_is_told(tmp_path):
    with pytest.raises(UserError, match=r"one value for each axis .* has now"):
        again(task(tmp_path / "a", rules={"hue": "red"}), tmp_path)


def test_a_folder_that_holds_no_task_is_told(tmp_path):
    with pytest.raises(UserError, match=r"--from .*: expected a built task"):
        read_burnt(tmp_path)
