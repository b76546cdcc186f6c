import json
from itertools import combinations

import pytest
from click.testing import CliRunner

from shipbar import wiring
from shipbar.building.batch import Done, note_done
from shipbar.building.tranche import read_pins
from shipbar.cli import build, cli
from shipbar.errors import UnknownNameError, UserError
from shipbar.grading.tasks import RECORD

FAMILY = "integer-spans"


def run(*words):
    result = CliRunner().invoke(cli, words)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.mark.parametrize(
    ("words", "known"),
    [
        (["no-such-family"], FAMILY),
        ([FAMILY, "--rule", "colour=red"], "pop"),
        ([FAMILY, "--rule", "pop=sideways"], "longest-run"),
    ],
)
def test_an_unknown_name_lists_the_known(words, known, tmp_path):
    with pytest.raises(UnknownNameError, match=known):
        run("build", *words, "-o", str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([FAMILY, "--rule", "pop"], "expected AXIS=VALUE"),
        ([], "name a FAMILY"),
        ([FAMILY, "--reroll"], "name a FAMILY"),
        ([FAMILY, "--seed-file", "missing"], "--seed-file missing"),
        (["--from", ".", "--reroll"], "expected a built task"),
        (["reference", "--seed", "x"], "--seed: not with the reference tranche"),
        (["reference", "--count", "3"], "--count: not with the reference tranche"),
        (["--from", ".", "--reroll", "--split", "eval"], "--split: not with --reroll"),
        ([FAMILY, "--rule", "pop=least", "--rule", "pop=greatest"], "each axis once"),
    ],
)
def test_a_mistake_says_what_was_expected(words, why, tmp_path):
    with pytest.raises(UserError, match=why):
        run("build", *words, "-o", str(tmp_path))


def test_no_such_sandbox_is_told_before_anything_is_made(tmp_path):
    with pytest.raises(UnknownNameError, match="bubblewrap"):
        run("build", FAMILY, "--sandbox", "sandcastle", "-o", str(tmp_path / "t"))
    assert not (tmp_path / "t").exists()


def test_a_place_that_cannot_be_written_is_told_before_anything_is_built(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"cannot write tasks into .*; name a folder"):
        run("build", FAMILY, "-o", str(tmp_path / "file"))


@pytest.mark.parametrize(
    ("ends", "code"),
    [([0, 0], 0), ([0, 2], 2), ([3, 2], 3), ([3, 0], 3)],
)
def test_the_exit_code_says_whose_fault_it_was(ends, code, tmp_path, monkeypatch):
    def each(todo, jobs, sandbox):
        del jobs, sandbox
        for job, end in zip(todo, ends, strict=True):
            yield Done(
                key=job.key, failure="why" if end else "", report="r", exit_code=end
            )

    monkeypatch.setattr(build, "_each", each)
    said = run("build", FAMILY, "--count", "2", "-o", str(tmp_path / "t"))
    assert said.exit_code == code
    assert f"{ends.count(0)} built, {2 - ends.count(0)} not built" in said.stderr


def test_a_process_that_was_lost_is_the_machines_fault():
    assert build._lost("0", "signal 9").exit_code == 3


def test_the_tranche_is_held_against_what_lies_there_not_what_was_noted(tmp_path):
    for pin in read_pins(build.PINS):
        job = build._pinned(pin, tmp_path)
        (tmp_path / pin.task_id).mkdir()
        note_done(
            tmp_path, Done(key=job.key, task_id=pin.task_id, digest=pin.digest), job
        )
    said = run("build", "reference", "-o", str(tmp_path))
    assert said.exit_code == 1
    assert "integer-spans-1: expected sha256:" in said.stderr
    assert "remove the folder and build again" in said.stderr
    assert said.stdout == ""


def test_an_empty_seed_file_is_refused(tmp_path):
    (tmp_path / "seed").write_text("\n")
    with pytest.raises(UserError, match="it is empty"):
        run("build", FAMILY, "--seed-file", str(tmp_path / "seed"), "-o", str(tmp_path))


def test_a_family_is_described():
    facts = json.loads(run("families", FAMILY, "--json").stdout)[0]
    assert facts["class"] == "mutated"
    assert facts["assertions"] == 104
    assert 10 <= len(facts["axes"]) <= 13
    assert all(axis["remembered"] in axis["values"] for axis in facts["axes"])
    assert facts["upstream"]["name"] == "intspan"


def test_every_folder_of_families_is_found():
    assert FAMILY in wiring.names("family")
    assert wiring.family(FAMILY).name == FAMILY


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_variant_is_built_shown_skipped_and_rolled_again(tmp_path):
    seed = tmp_path / "seed"
    seed.write_text("between these two walls\n")
    words = ["build", "numerals", "--seed-file", str(seed), "-o", str(tmp_path / "t")]
    assert "58 assertions" in run(*words).stdout
    assert "resuming: 1 of 1" in run(*words).stderr
    (task,) = [path for path in (tmp_path / "t").iterdir() if path.is_dir()]
    for path in task.rglob("*"):
        if path.is_file():
            assert b"between these" not in path.read_bytes()
    page = tmp_path / "card.html"
    assert "assertions by rule" in run("show", str(task), "--html", str(page)).stdout
    assert task.name in page.read_text()
    seed.write_text("between other walls\n")
    again = ["--from", str(task), "--reroll", "--seed-file", str(seed)]
    assert run("build", *again, "-o", str(tmp_path / "t")).exit_code == 0
    rules = [
        json.loads(record.read_text())["rules"]
        for record in (tmp_path / "t").glob(f"*/{RECORD}")
    ]
    assert len(rules) == 2
    # The first seed brings none of the burnt names back.
    seed.write_text("between these two walls\n")
    assert run("build", *again, "-o", str(tmp_path / "t")).exit_code == 0
    names = [
        set(json.loads(record.read_text())["names"].values())
        for record in (tmp_path / "t").glob(f"*/{RECORD}")
    ]
    assert len(names) == 3
    assert all(a.isdisjoint(b) for a, b in combinations(names, 2))
    assert sum(rules[0][axis] != rules[1][axis] for axis in rules[0]) >= 3
