"""Completion in a shell: the script, and what it is told."""

import os
import subprocess
import sys

import pytest

from shipbar import cli, wiring


def complete(*words: str) -> list[str]:
    """What a shell is offered for the last of ``words``."""
    done = subprocess.run(
        [sys.executable, "-c", "from shipbar.cli import main; main()"],
        env={
            **os.environ,
            "_SHIPBAR_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(["shipbar", *words]),
            "COMP_CWORD": str(len(words)),
        },
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
    )
    assert done.stderr == ""
    return [line.partition(",")[2] or line for line in done.stdout.split()]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_script(shell):
    done = subprocess.run(
        [sys.executable, "-c", "from shipbar.cli import main; main()"],
        env={**os.environ, "_SHIPBAR_COMPLETE": f"{shell}_source"},
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
    )
    assert f"_SHIPBAR_COMPLETE={shell}_complete" in done.stdout
    assert done.stderr == ""


def test_commands_are_offered_by_their_beginning():
    assert complete("") == sorted(cli.COMMANDS)
    assert complete("gr") == ["grade"]
    assert complete("xy") == []


def test_the_commands_of_a_noun_are_offered():
    assert complete("suite", "") == ["check", "regenerate"]


def test_options_sandboxes_and_ways_to_install_are_offered():
    assert "--require-ship" in complete("grade", "T", "--re")
    assert complete("grade", "T", "--sandbox", "") == ["auto", *wiring.names("sandbox")]
    assert complete("grade", "T", "--sandbox", "b") == ["bubblewrap"]
    assert complete("grade", "T", "--install", "") == ["auto", "tree", "pip"]


def test_a_path_is_left_to_the_shell():
    assert complete("grade", "exam") == ["exam"]
