"""`shipbar accept`: what a buyer types, and what comes out."""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest

from shipbar import wiring
from shipbar.attest import keys
from tests.acceptance import market
from tests.cli import tiny
from tests.cli.tiny import Command, command

GATES = {
    name: where
    for name, where in wiring.BUILT_IN["gate"].items()
    if name in market.GATES
}
ELSEWHERE = """\
import os, socket, sys


class Gone:
    def find_spec(self, name, path=None, target=None):
        parts = name.split(".")
        if parts[0] == "shipbar" and parts[1:2] and parts[1] in {maker!r}:
            raise ImportError(name + " is the maker's")


def no_network(*args, **more):
    raise OSError("there is no network here")


sys.meta_path.insert(0, Gone())
socket.getaddrinfo = socket.create_connection = no_network
if os.environ.get("GATES"):
    from shipbar import wiring

    wiring.BUILT_IN["gate"] = {gates!r}
"""
MAKER = ("building", "delivery", "exports", "families", "line", "store")


@pytest.fixture(scope="module")
def proven():
    folder = Path(tempfile.mkdtemp(prefix="shipbar-tests-"))
    (folder / "work").mkdir()
    folder.chmod(0o755)
    yield market.house(folder / "house", folder / "work")
    shutil.rmtree(folder)


@pytest.fixture
def delivery(proven, tmp_path):
    return market.sold(proven, tmp_path / "delivery", images=False)


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A place where nothing of the maker's can be imported, nor anybody reached, in no process."""
    place = tmp_path / "elsewhere"
    text = ELSEWHERE.format(maker=MAKER, gates=GATES)
    tiny.write(place, {"sitecustomize.py": text})
    monkeypatch.setenv("PYTHONPATH", str(place))
    monkeypatch.setenv("GATES", "few")
    monkeypatch.setenv("SHIPBAR_KEYS", str(tmp_path / "buyer"))
    return place


@pytest.fixture
def shipbar(capsys) -> Command:
    return command(capsys)


@pytest.fixture
def words(proven, delivery, tmp_path):
    public = proven.root / "keys" / "default.pub"
    return ("accept", delivery, "-o", tmp_path / "report", "--key", public)


@pytest.mark.slow
def test_it_needs_nothing_of_the_maker_s(words, elsewhere, delivery, tmp_path):
    said = tiny.program(*words, "--jobs", "2")
    assert (said.code, said.err.count("made a key")) == (0, 1), said.err
    assert "delivery 1 to north-lab" in said.out
    assert "2 accepted, 0 rejected, 1 not measured" in said.out
    assert "rate 100.0 %, target 100.0 %: met" in said.out
    public = tmp_path / "buyer" / "default.pub"
    taken = tiny.program(
        *("ledger", "import", tmp_path / "report", "--key", public),
        *("--ledger", delivery.with_suffix(".db")),
        PYTHONPATH="",
        SHIPBAR_KEYS=tmp_path / "maker",
    )
    assert taken.code == 0, taken.err
    assert "imported" in taken.out


def test_nothing_of_the_maker_s_can_be_imported_there(elsewhere):
    said = tiny.program("ledger", "list")
    assert said.code == 3
    assert "is the maker's" in said.err


@pytest.mark.slow
def test_killed_at_any_point_and_called_again_it_goes_on(words, elsewhere, tmp_path):
    kept = tmp_path / "report" / "receipts"
    for count in (1, 3, 6):
        _killed_after(words, kept, count)
    before = {it: it.stat().st_mtime_ns for it in kept.rglob("*.dsse.json")}
    said = tiny.program(*words)
    assert said.code == 0, said.err
    assert {it: it.stat().st_mtime_ns for it in before} == before
    assert [it.name for it in (tmp_path / "report").glob(".*")] == []


def _killed_after(words, kept, count) -> None:
    """Start it, and kill it once so many receipts are there; wait until its processes are gone."""
    running = tiny.start(*words)
    tiny.wait_until(
        lambda: (
            len(list(kept.rglob("*.dsse.json"))) >= count or running.poll() is not None
        )
    )
    if running.poll() is None:
        os.kill(running.pid, signal.SIGKILL)
    running.communicate(timeout=30)
    tiny.wait_until(lambda: all(map(_is_free, kept.parent.glob(".work-*/.lock"))))


def _is_free(lock: Path) -> bool:
    with lock.open("rb") as file, contextlib.suppress(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


@pytest.mark.slow
def test_a_rejected_task_is_told_with_its_reason_and_exits_with_1(
    words, elsewhere, delivery
):
    market.flip(market.root(delivery, "grader") / "tasks/tally/tests/test_tally.py")
    said = tiny.program(*words)
    assert said.code == 1
    assert "  tally: rejected\n" in said.out
    assert "tests/test_tally.py: was changed: signed sha256:" in said.out
    assert "rate 50.0 %, target 100.0 %: missed" in said.out
    assert tiny.program(*words, "--target", "0.5").code == 0
    (facts,) = [json.loads(tiny.program(*words, "--json").out)]
    assert [it["task_id"] for it in facts["tasks_not_accepted"]] == ["helda", "tally"]


def test_a_wrong_key_rejects_everything_and_says_why(
    shipbar, words, tmp_path, monkeypatch
):
    other = keys.make(tmp_path / "other")
    said = shipbar(*words[:-1], other.path.with_name("other.pub"))
    assert said.code == 1
    assert "none of which is a key that you trust" in said.out
    assert "3 rejected" in said.out
    assert "no signed report: there is no delivery that it could name" in said.out


def test_what_cannot_be_done_is_said_with_what_to_do(shipbar, words, tmp_path):
    said = shipbar("accept", tmp_path / "nowhere", *words[2:])
    assert (said.code, "cannot read it" in said.err) == (2, True)
    said = shipbar(*words[:-2])
    assert (said.code, "--key" in said.err) == (2, True)
    said = shipbar(*words, "--nonce", "5d6e5d6e5d6e")
    assert (said.code, "--sample" in said.err) == (2, True)
    said = shipbar(*words, "--sample", "1", "--nonce", "a b")
    assert (said.code, "expected 8 to 200" in said.err) == (2, True)
    said = shipbar(*words, "--identity", tmp_path / "nowhere")
    assert (said.code, "--identity" in said.err) == (2, True)
    said = shipbar(*words, "--sign-with", "nobody")
    assert (said.code, "make one with `shipbar key new`" in said.err) == (2, True)
    assert not (tmp_path / "report" / "report.json").exists()


def test_only_what_is_withheld_leaves_nothing_to_accept(
    shipbar, words, delivery, proven
):
    market.resigned(
        delivery,
        proven.own,
        {
            kind: dict.fromkeys(
                it
                for task in ("tally", "brevok")
                for it in market.bundle(delivery, kind, proven.own).files_of(task)
            )
            for kind in ("solver", "grader")
        },
        drop=("tally", "brevok"),
    )
    said = shipbar(*words)
    assert said.code == 3
    assert "nothing could be measured" in said.out
