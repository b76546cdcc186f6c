import json

import pytest

from tests.cli.tiny import Command, command
from tests.grading.authoring import PROBES, SUITE, contents, edit, new_task


@pytest.fixture
def shipbar(capsys) -> Command:
    return command(capsys)


@pytest.fixture
def folder(tmp_path):
    return new_task(tmp_path)


def test_a_suite_in_order(shipbar, folder):
    said = shipbar("suite", "check", folder)
    assert (said.code, said.out) == (0, "suite in order: 12 assertions, 4 rules\n")


def test_problems_say_how_to_reshape_and_give_the_errors_to_paste(shipbar, folder):
    edit(folder / SUITE, 'ERRORS = {"StripFault": ("ValueError",)}\n', "")
    edit(folder / SUITE, "assert count(\"|'.''.|.\") == 255", "assert count('|')")
    said = shipbar("suite", "check", folder)
    assert said.code == 2
    assert "write `assert (count('|')) is True`" in said.out
    assert '    ERRORS = {"StripFault": ("ValueError",)}\n' in said.out


def test_warnings_alone_change_no_exit_code(shipbar, folder):
    (folder / PROBES).unlink()
    edit(folder / SUITE, "def test_gaps_003", "def test_a_gap")
    said = shipbar("suite", "check", folder)
    assert said.code == 0
    assert "warning: tests not called test_<rule>_<number>" in said.out


def test_json_is_alone_on_standard_output(shipbar, folder):
    said = shipbar("suite", "check", folder, "--json")
    assert said.code == 0
    assert json.loads(said.out) == {
        "ok": True,
        "assertions": 12,
        "rules": {"signs": 3, "gaps": 3, "cutting": 3, "faults": 3},
        "problems": [],
        "warnings": [],
        "errors": 'ERRORS = {"StripFault": ("ValueError",)}',
    }


def test_regenerating_what_is_up_to_date_changes_nothing(shipbar, folder):
    before = contents(folder)
    assert "unchanged" in shipbar("suite", "regenerate", folder).out
    assert shipbar("suite", "regenerate", folder, "--check").code == 0
    assert contents(folder) == before


def test_check_shows_what_would_change_and_writes_nothing(shipbar, folder):
    edit(folder / PROBES, "[1, 6, 7, 8, 20]", "[1, 6, 7, 8, 27]")
    before = contents(folder)
    said = shipbar("suite", "regenerate", folder, "--check")
    assert said.code == 1
    assert "+        \"|||''''''\"," in said.out.splitlines()
    assert contents(folder) == before
    assert shipbar("suite", "regenerate", folder).code == 0
    assert shipbar("suite", "regenerate", folder, "--check").code == 0


def test_another_count_is_refused_until_it_is_asked_for(shipbar, folder):
    text = (folder / PROBES).read_text()
    (folder / PROBES).write_text(
        text + "\n\ndef probe_gaps_004():\n    return count('..')\n"
    )
    before = contents(folder)
    assert shipbar("suite", "regenerate", folder, "--check").code == 1
    said = shipbar("suite", "regenerate", folder)
    assert said.code == 2
    assert "expected 13, the cases of the new suite, got 12" in said.err
    assert contents(folder) == before
    said = shipbar("suite", "regenerate", folder, "--set-count")
    assert said.code == 0
    assert "min_passed = 13" in said.out
    assert shipbar("suite", "check", folder).code == 0


def test_probes_that_cannot_be_frozen_are_all_named(shipbar, folder):
    text = (folder / PROBES).read_text()
    for number, asked in ((4, "object()"), (5, "float('nan')")):
        text += f"\n\ndef probe_gaps_00{number}():\n    return {asked}\n"
    (folder / PROBES).write_text(text)
    said = shipbar("suite", "regenerate", folder, "--set-count")
    assert said.code == 2
    assert "2 problems in the suite" in said.err
    assert "probe_gaps_004" in said.err
    assert "probe_gaps_005" in said.err
