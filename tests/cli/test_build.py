import json

import pytest
from click.testing import CliRunner

from shipbar import wiring
from shipbar.cli import cli
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
    ],
)
def test_a_mistake_says_what_was_expected(words, why, tmp_path):
    with pytest.raises(UserError, match=why):
        run("build", *words, "-o", str(tmp_path))


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
    assert sum(rules[0][axis] != rules[1][axis] for axis in rules[0]) >= 3
