"""The demo, as `make demo` runs it: what each submission is worth, and that it can fail."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from types import ModuleType

import click
import pytest

from shipbar.cli import cli
from tests.repository import ROOT

SCRIPT = ROOT / "scripts" / "demo.py"


@pytest.fixture(scope="module")
def shown() -> str:
    """What the demo's first half prints where it is no terminal."""
    done = subprocess.run(
        [sys.executable, SCRIPT, "grade"],
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "80"},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture
def demo() -> ModuleType:
    """The script as a module, to change what it grades."""
    spec = importlib.util.spec_from_file_location("demo", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(text: str) -> dict[str, list[str]]:
    """The table's rows by their first cell."""
    found = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split("[│┃]", line)[1:-1]]
        if cells:
            found[cells[0]] = cells[1:]
    return found


def test_each_submission_scores_what_it_must(shown):
    table = rows(shown)
    whole = ["30/30", "1.0000", "yes", ""]
    assert table["reference"] == whole
    assert table["second implementation"] == whole
    assert table["roman==3.3"] == ["", "", "refused", ""]
    below = {name: row for name, row in table.items() if name.startswith("known-bad ")}
    assert len(below) == 3
    for name, (passed, score, shipped, first) in {
        **below,
        "partial": table["partial"],
    }.items():
        count = int(passed.removesuffix("/30"))
        assert count < 30, name
        assert score == f"{count / 30:.4f}"
        assert (shipped, bool(first)) == ("no", True)
    partial = float(table["partial"][1])
    assert 0.7 < partial < 0.9, "about four fifths of the rules"


def test_a_refusal_says_what_to_hand_in_instead(shown):
    said = " ".join(shown.partition("refused: ")[2].split())
    assert said.startswith("'roman==3.3': no such file or directory; a submission is ")
    assert "names are never resolved and nothing is downloaded" in said
    assert re.search(r"sandbox: \w+; task\s+sha256:[0-9a-f]{64}$", shown.rstrip())


def test_the_readme_shows_what_comes(shown):
    text = (ROOT / "README.md").read_text()
    (block,) = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    lines = [line.rstrip() for line in shown.splitlines()]
    assert block.splitlines() == lines[: len(block.splitlines())]


def test_a_score_that_is_not_as_it_must_be_fails_the_demo(demo, tmp_path, capsys):
    # The second implementation stands in for the partial one, and is too good for it.
    for name in ("second", "partial"):
        shutil.copytree(demo.SUBMISSIONS / "second", tmp_path / name)
    demo.SUBMISSIONS = tmp_path
    assert demo.main(["grade"]) == 1
    assert "not as it must be: partial" in capsys.readouterr().out


@pytest.fixture
def called(demo, monkeypatch, tmp_path):
    """The commands that the second half runs, which here do nothing but end with a code."""
    commands: list[tuple[str, ...]] = []
    codes: dict[str, int] = {}

    def shipbar_(*words):
        commands.append(words)
        return codes.get(words[0], 0)

    monkeypatch.setattr(demo, "shipbar_", shipbar_)
    monkeypatch.setattr(demo, "TRANCHE", tmp_path / "tranche")
    return commands, codes


def test_the_second_half_proves_the_tranche_by_the_four_named_gates(demo, called):
    commands, _ = called
    assert demo.main(["prove"]) == 0
    assert [words[0] for words in commands] == ["upstream", "build", "verify"]
    asked = commands[-1]
    assert [asked[n + 1] for n, word in enumerate(asked) if word == "--gate"] == [
        *("G1", "G2", "G3", "G4")
    ]
    for words in commands:
        cli.make_context("shipbar", list(words))  # raises on what is no command
        command = cli.get_command(click.Context(cli), words[0])
        assert command is not None
        command.make_context(words[0], list(words[1:]))


@pytest.mark.parametrize(("failing", "code"), [("build", 2), ("verify", 3)])
def test_what_fails_in_the_second_half_fails_the_demo(demo, called, failing, code):
    called[1][failing] = code
    assert demo.main(["prove"]) == code


def test_without_an_index_the_demo_goes_on(demo, called):
    commands, codes = called
    codes["upstream"] = 3
    assert demo.main(["prove"]) == 0
    assert commands[-1][0] == "verify"
