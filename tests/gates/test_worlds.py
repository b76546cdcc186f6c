"""What is said to be different in a world is different, and ends with it."""

import os
import time

import pytest

from shipbar import wiring
from shipbar.contract import Limits
from shipbar.errors import SandboxError
from shipbar.gates.reproduce import library_of
from shipbar.gates.witness import Witness, cold_reaches, look
from shipbar.gates.worlds import (
    KINDS,
    PLAIN,
    WORLDS,
    Elsewhere,
    World,
    busy,
    copy_program,
    forget,
    held,
    on_one_core,
    permuted,
    put_back,
    room,
)
from shipbar.grading.grader import Grader
from shipbar.grading.tasks import load_task
from shipbar.testing.fakes import Scripted, answering
from tests.repository import ROOT

TASK = ROOT / "examples" / "check-character-36"
LIMITS = Limits()
HOUR = 3600
one_core_here = pytest.mark.skipif(
    len(os.sched_getaffinity(0)) < 2, reason="there is one core only"
)


@pytest.fixture(params=["bubblewrap", "landlock"])
def backend(request, settings):
    tried = wiring.try_sandbox(request.param, settings)
    if not tried.found.works:
        pytest.skip(f"{request.param}: {tried.found.detail}")
    return tried.backend


@pytest.fixture
def place(settings):
    with room(settings.work) as place:
        yield place


@pytest.fixture
def see(backend, place, settings):
    """What a package sees in a world."""
    program = copy_program("elsewhere", place / "program")
    library = library_of(settings.cache)
    return lambda world: look(
        Elsewhere(backend, world, program, library), place, LIMITS
    )


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_a_package_sees_the_world_that_it_is_in(see, world):
    started = time.time()
    plain, there = see(PLAIN), see(world)
    assert there["hash"] != plain["hash"]
    assert there["zone"] != plain["zone"]
    for clock in there["time"]:
        assert abs(clock - started - world.clock_s) < 60
    assert abs(there["monotonic"] - plain["monotonic"] - world.clock_s) < 60
    assert there["user"] == [world.user, f"user{world.user}"]
    assert "ELSEWHERE" not in there["variables"]
    if world.locale:
        assert there["locale"] != plain["locale"]
    if world.one_core:
        assert there["cores"] == 1
    if world.moved:
        assert not set(there["path"]) & set(plain["path"])
        assert there["path"][1].endswith("/elsewhere")


def test_no_two_worlds_share_a_hash_seed_a_zone_a_user_or_an_order():
    for field in ("hash_seed", "zone", "user", "order"):
        assert len({getattr(world, field) for world in WORLDS}) == 10
    assert len({world.clock_s for world in WORLDS} - {0}) == 6


def test_the_first_world_has_all_of_it():
    assert WORLDS[0].kinds == tuple(KINDS)


def test_dates_that_a_package_took_at_its_import_are_moved_as_well(see, monkeypatch):
    source = b"""
from datetime import date, datetime
from time import strftime, time

def look():
    return [time(), date.today().year, datetime.now().year, int(strftime("%Y"))]
"""
    monkeypatch.setattr("shipbar.gates.witness.SOURCE", source + _AS_A_DICT)
    now, *years = see(World(name="later", clock_s=40_000 * 86_400))["seen"]
    assert years == [time.gmtime(now).tm_year] * 3
    assert years[0] > time.gmtime().tm_year + 100


_AS_A_DICT = b"""
_look = look

def look():
    return {"seen": _look()}
"""


def test_a_recursion_has_the_same_depth_left_everywhere(see, monkeypatch):
    source = b"""
def depth():
    try:
        return 1 + depth()
    except RecursionError:
        return 0

look = depth
"""
    monkeypatch.setattr("shipbar.gates.witness.SOURCE", source + _AS_A_DICT)
    world = World(name="moved", clock_s=HOUR, user=1, moved=True)
    assert see(PLAIN)["seen"] == see(world)["seen"]


def test_what_does_not_reach_a_package_is_found_out(sandbox, place):
    # A backend on which worlds change nothing.
    witness = Witness(enter=lambda _: sandbox, work=place, limits=LIMITS, library=())
    assert witness.unseen(WORLDS[:1]) == {
        kind: ["world-1"] for kind in KINDS if kind != "order"
    }


@one_core_here
def test_nothing_is_out_of_reach_here(sandbox, place, settings):
    program = copy_program("elsewhere", place / "program")
    library = library_of(settings.cache)
    witness = Witness(
        enter=lambda world: Elsewhere(sandbox, world, program, library),
        work=place,
        limits=LIMITS,
        library=library,
    )
    assert witness.unseen(WORLDS[:2]) == {}


def test_a_witness_that_is_lost_is_the_machines_fault(place):
    with pytest.raises(SandboxError, match="witness"):
        look(Scripted(lambda actor: actor.ready()), place, LIMITS)


def test_a_start_reads_again_what_was_forgotten(backend, place, settings):
    library = library_of(settings.cache)
    assert cold_reaches(backend, place, LIMITS, library)


def test_a_file_can_be_forgotten(tmp_path):
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.write(bytes(1 << 16))
        file.flush()
        os.fsync(file.fileno())
    path.read_bytes()
    assert held([path]) == 1
    forget([path, tmp_path / "none"])
    if held([path]):
        pytest.skip("this file system keeps its files in memory")


def test_cases_are_asked_in_the_worlds_order_and_answered_in_the_suites(place):
    task = load_task(TASK)
    sources = [case.source for case in task.suite.cases]
    # The third case in suite order ends its subject; all others answer wrongly.
    script = answering(lambda source: None if source == sources[2] else (b"V", b"null"))
    plain = _graded(task, Scripted(script), place)
    assert plain.cases[2].outcome == "crashed"
    for world in WORLDS[:3]:
        there, places = permuted(task, world)
        scripted = Scripted(script)
        verdict = _graded(there, scripted, place)
        asked = [
            request.payload.partition(b"\0")[0].decode().partition("\n")[2]
            for request in scripted.actors[0].heard
            if request.kind == b"C"
        ]
        assert asked != sources[: len(asked)]
        assert asked == [case.source for case in there.suite.cases][: len(asked)]
        assert verdict.digest != plain.digest
        assert put_back(verdict, places).digest == plain.digest


def _graded(task, sandbox, place):
    with Grader(task, sandbox, place) as grader:
        return grader.grade(TASK / "grader" / "reference")


def test_a_world_of_one_thing_differs_in_that_alone():
    for kind in KINDS:
        wanted = {"load", "cores"} if kind == "load" else {kind}
        assert set(WORLDS[0].only(kind).kinds) == wanted


def test_a_load_is_on_one_core_and_ends_with_the_block():
    with busy(2) as processes:
        assert {len(os.sched_getaffinity(it.pid)) for it in processes} == {1}
        assert [it.poll() for it in processes] == [None, None]
    assert all(it.returncode is not None for it in processes)


def test_a_load_ends_whatever_happens_in_the_block():
    processes = []

    def fail():
        with busy(1) as started:
            processes.extend(started)
            raise RuntimeError("inside")

    with pytest.raises(RuntimeError, match="inside"):
        fail()
    assert processes[0].returncode is not None


def test_a_load_that_ended_early_is_told():
    def end_early():
        with busy(1) as started:
            started[0].kill()
            started[0].wait()

    with pytest.raises(SandboxError, match="load"):
        end_early()


def test_a_thread_has_its_cores_back():
    before = os.sched_getaffinity(0)
    with on_one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before
