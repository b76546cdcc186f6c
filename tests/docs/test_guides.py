"""What the guides show is what happens."""

import re

import pytest

from shipbar.sealed.lift import lift
from tests.cli.tiny import command
from tests.grading.authoring import PROBES, REFERENCE, append, edit
from tests.repository import ROOT

GUIDE = (ROOT / "docs/guides/writing-suites.md").read_text()
TUTORIAL = (ROOT / "docs/tutorial/first-task.md").read_text()
SYMBOLS = ["Lot", "Malformed", "StampError", "parse"]
HEAD = "import math\nfrom stamps import Stamp, f, parse\n"


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def reshaped(column: int) -> list[str]:
    """The assertions of the reshaping table: what cannot be lifted, or what to write."""
    table = GUIDE.partition("## Reshaping")[2].partition("\n`shipbar")[0]
    cells = [row.split(" | ")[column] for row in table.splitlines() if " | " in row]
    quoted = [re.search(r"`(assert [^`]*)`", cell) for cell in cells]
    return [match[1] for match in quoted if match]


def problems(test: str) -> list[str]:
    text = f"{HEAD}\n\ndef test_a_1():\n    {test}\n"
    return [str(item) for item in lift({"test_x.py": text}, "stamps", SYMBOLS).problems]


def test_the_suite_that_the_guide_shows_can_be_lifted():
    (shown,) = blocks(GUIDE, "python")
    lifted = lift({"test_stamps.py": shown}, "stamps", SYMBOLS)
    assert lifted.problems == ()
    assert [case.rule for case in lifted.suite.cases] == [
        "lots",
        "parsing",
        "parsing",
        "prices",
    ]


@pytest.mark.parametrize("test", reshaped(0))
def test_what_the_guide_calls_not_liftable_is_not(test):
    (problem,) = problems(test)
    assert "test_x.py:5: not liftable: " in problem


@pytest.mark.parametrize("test", reshaped(1))
def test_what_the_guide_says_to_write_can_be_lifted(test):
    assert problems(test) == []


def test_the_tutorial_goes_as_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shipbar, folder = command(capsys), tmp_path / "strips"
    (added,) = blocks(TUTORIAL, "python")
    steps = {
        "## 2": lambda: edit(folder / REFERENCE, "total *= 3", "total *= 2"),
        "## 3": lambda: append(folder / PROBES, f"\n\n{added}"),
    }
    for section in re.split(r"\n(?=## )", TUTORIAL):
        steps.get(section[:4], lambda: None)()
        for block in blocks(section, "console"):
            for shown in re.split(r"^\$ shipbar ", block, flags=re.MULTILINE)[1:]:
                words, *lines = shown.splitlines()
                said = shipbar(*words.split())
                told = said.out + said.err
                seen = [*told.splitlines(), "  …"]
                assert [line for line in lines if line not in seen] == []
