"""`shipbar key`."""

import json
import stat

import pytest

from tests.cli.tiny import Command, command


@pytest.fixture
def shipbar(capsys) -> Command:
    return command(capsys)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SHIPBAR_KEYS", str(tmp_path / "keys"))
    return tmp_path / "keys"


def test_a_new_key_is_told_of_and_shown(shipbar, folder):
    said = shipbar("key", "new", "ada")
    assert said.code == 0
    key = said.out.split()[-1]
    assert said.out.splitlines()[0] == f"private half: {folder / 'ada'}"
    assert stat.S_IMODE((folder / "ada").stat().st_mode) == 0o600
    assert shipbar("key", "show").out == f"{key}  ada\n"
    one = shipbar("key", "show", "ada").out
    assert one == f"{key}  ada\n{(folder / 'ada.pub').read_text()}"
    assert shipbar("key", "show", "ada.pub").out == one
    assert shipbar("key", "show", str(folder / "ada.pub")).out == one
    (shown,) = json.loads(shipbar("key", "show", "--json").out)
    assert shown["id"] == key


def test_the_private_half_is_never_shown(shipbar, folder):
    shipbar("key", "new")
    for words in ([], ["default"], ["--json"], [str(folder / "default")]):
        said = shipbar("key", "show", *words)
        assert said.code == 0
        assert "PRIVATE" not in said.out + said.err


def test_a_key_is_not_made_twice(shipbar, folder):
    shipbar("key", "new")
    before = (folder / "default").read_bytes()
    said = shipbar("key", "new")
    assert said.code == 2
    assert "not overwritten" in said.err
    assert (folder / "default").read_bytes() == before


def test_a_key_may_lie_elsewhere(shipbar, folder, tmp_path):
    assert shipbar("key", "new", "--output", tmp_path / "deep" / "k").code == 0
    assert (tmp_path / "deep" / "k.pub").is_file()
    assert not folder.exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["new", "ada", "--output", "x"], "expected one of them"),
        (["new", "../ada"], "--output takes a path"),
        (["new", ".ada"], "expected a name"),
        (["show"], "make one with `shipbar key new`"),
        (["show", "ada"], "cannot be read"),
    ],
    ids=["both", "path", "hidden", "none", "missing"],
)
def test_a_mistake_says_what_was_expected(words, why, shipbar, folder):
    said = shipbar("key", *words)
    assert said.code == 2
    assert why in said.err
    assert "Traceback" not in said.err
    assert not folder.exists()
