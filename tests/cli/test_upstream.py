import pytest
from click.testing import CliRunner

from shipbar import wiring
from shipbar.cli import cli, upstream
from shipbar.errors import SeamError, UnknownNameError

PINS = {
    it.upstream.name: it.upstream
    for it in map(wiring.family, wiring.names("family"))
    if it.upstream is not None
}


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SHIPBAR_CACHE", str(tmp_path))
    (tmp_path / "upstream").mkdir()
    return tmp_path / "upstream"


def run(*words):
    return CliRunner().invoke(cli, ["upstream", *words])


def test_what_is_not_fetched_is_told_with_the_command(cache):
    said = run("list")
    assert said.exit_code == 0
    told = [line.split(": ")[1] for line in said.stdout.splitlines()]
    assert told == [
        f"not fetched; run `shipbar upstream fetch {name}`" for name in sorted(PINS)
    ]


def test_a_damaged_file_is_named_and_the_others_are_listed(cache):
    (cache / PINS["chevron"].file).write_bytes(b"something else")
    said = run("list")
    assert len(said.stdout.splitlines()) == len(PINS)
    assert "chevron 0.14.0 (MIT): not the pinned file" in said.stdout
    assert isinstance(said.exception, SeamError)
    assert "remove it, and run `shipbar upstream fetch chevron`" in str(said.exception)


def test_one_that_cannot_be_had_does_not_keep_the_others_back(cache, monkeypatch):
    def fetch(pin, where, environment):
        del environment
        if pin.name in {"chevron", "roman"}:
            raise SeamError(f"{pin.file}: no index")
        return where / pin.file

    monkeypatch.setattr(upstream, "fetch", fetch)
    said = run("fetch")
    assert len(said.stdout.splitlines()) == len(PINS) - 2
    assert isinstance(said.exception, SeamError)
    assert str(said.exception).count("no index") == 2


def test_an_unknown_one_lists_the_known(cache):
    said = run("fetch", "leftpad")
    assert isinstance(said.exception, UnknownNameError)
    assert "intspan" in str(said.exception)
