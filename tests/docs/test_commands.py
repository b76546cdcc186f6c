"""Every command of ours that the documentation shows can be typed as it stands."""

import re
import shlex

import click
import pytest

from shipbar.cli import cli
from tests.repository import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHOWN = re.compile(r"```(?:sh|console)\n(.*?)```", re.DOTALL)


def commands():
    for page in PAGES:
        for block in SHOWN.findall(page.read_text()):
            for line in block.replace("\\\n", " ").splitlines():
                words = line.removeprefix("$ ")
                if words.startswith("shipbar "):
                    yield " ".join(words.partition("  #")[0].split())


def _as_command(group: click.Command) -> click.Command:
    return group


@pytest.mark.parametrize("line", list(dict.fromkeys(commands())))
def test_it_can_be_typed(line, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    words = shlex.split(line.partition(" > ")[0], comments=True)[1:]
    words = ["README.md" if word in ("FILE", "seed.txt") else word for word in words]
    context, command = click.Context(cli), _as_command(cli)
    while isinstance(command, click.Group):
        found = command.get_command(context, words[0])
        assert found is not None, f"no command {words[0]}"
        command, words = found, words[1:]
    command.make_context(command.name, words, parent=context)  # raises on a mistake
