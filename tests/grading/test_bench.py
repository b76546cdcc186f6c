"""Seats: one submission each, ready ahead of time, and nothing left behind."""

import stat

import pytest

from shipbar.errors import SandboxError
from shipbar.grading.bench import Bench, Seat, world_readable
from shipbar.ports import Job, Sandbox
from shipbar.testing.fakes import Scripted

JOB = Job()


def idle(actor):
    actor.ready()
    actor.wait()


class Failing(Sandbox):
    """Starts so many, then no more; those may also fail to stop."""

    name = "failing"

    def __init__(self, starts: int, *, stops: bool = True) -> None:
        self._inner, self._left, self._stops = Scripted(idle), starts, stops

    def _start(self, job):
        if self._left == 0:
            raise OSError("out of processes")
        self._left -= 1
        running = self._inner.start(job)
        if not self._stops:
            stop = running.stop

            def fail():
                stop()
                raise SandboxError("did not end")

            running.stop = fail  # type: ignore[method-assign]  # as a broken backend's
        return running

    def available(self):
        raise NotImplementedError


def test_a_seat_has_an_empty_folder_that_its_subject_is_given(tmp_path):
    sandbox = Scripted(idle)
    seat = Seat(sandbox, JOB, tmp_path)
    assert list(seat.folder.iterdir()) == []
    assert sandbox.jobs[0].folders == {"candidate": seat.folder}
    assert seat.started == 1
    seat.leave()
    assert list(tmp_path.iterdir()) == []


def test_a_job_s_own_folders_and_terms_are_kept(tmp_path):
    job = Job(folders={"extra": tmp_path}, tmp_mib=3, surroundings={"A": "1"})
    sandbox = Scripted(idle)
    Seat(sandbox, job, tmp_path).leave()
    [given] = sandbox.jobs
    assert given.folders["extra"] == tmp_path
    assert (given.tmp_mib, given.surroundings) == (3, {"A": "1"})


def test_a_stopped_subject_is_followed_by_a_new_one_in_the_same_folder(tmp_path):
    sandbox = Scripted(idle)
    seat = Seat(sandbox, JOB, tmp_path)
    first = seat.running
    assert seat.running is first
    seat.stop()
    seat.stop()  # again is safe
    assert seat.running is not first
    assert seat.started == 2
    assert sandbox.jobs[0].folders == sandbox.jobs[1].folders
    seat.leave()


def test_two_seats_never_share_a_folder(tmp_path):
    seats = [Seat(Scripted(idle), JOB, tmp_path) for _ in range(3)]
    assert len({seat.folder for seat in seats}) == 3
    for seat in seats:
        seat.leave()


def test_a_folder_is_closed_to_others_unless_root_must_open_it(tmp_path):
    seat = Seat(Scripted(idle), JOB, tmp_path)
    mode = stat.S_IMODE(seat.place.stat().st_mode)
    assert mode == (0o755 if world_readable() else 0o700)
    seat.leave()


def test_nothing_is_started_before_it_is_asked_for(tmp_path):
    sandbox = Scripted(idle)
    bench = Bench(sandbox, JOB, tmp_path, ahead=2)
    assert sandbox.actors == []
    bench.close()
    assert list(tmp_path.iterdir()) == []


def test_seats_are_started_ahead_one_at_a_time_and_taken_in_order(tmp_path):
    sandbox = Scripted(idle)
    bench = Bench(sandbox, JOB, tmp_path, ahead=2)
    for expected in (1, 2, 2, 2):
        bench.refill()
        assert len(sandbox.actors) == expected
    first, second = bench.take(), bench.take()
    assert len(sandbox.actors) == 2
    assert [job.folders["candidate"] for job in sandbox.jobs] == [
        first.folder,
        second.folder,
    ]
    third = bench.take()  # none is ready: a new one
    assert len(sandbox.actors) == 3
    for seat in (first, second, third):
        seat.leave()
    bench.close()


def test_a_bench_that_keeps_none_ahead_never_does(tmp_path):
    sandbox = Scripted(idle)
    bench = Bench(sandbox, JOB, tmp_path, ahead=0)
    bench.refill()
    assert sandbox.actors == []


def test_closing_leaves_what_was_not_taken_and_only_that(tmp_path):
    bench = Bench(Scripted(idle), JOB, tmp_path, ahead=3)
    for _ in range(3):
        bench.refill()
    taken = bench.take()
    bench.close()
    bench.close()
    assert list(tmp_path.iterdir()) == [taken.place]
    taken.leave()
    assert list(tmp_path.iterdir()) == []


def test_a_sandbox_that_does_not_start_leaves_no_folder(tmp_path):
    with pytest.raises(SandboxError, match="out of processes"):
        Seat(Failing(0), JOB, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_one_that_does_not_stop_keeps_neither_its_folder_nor_the_others(tmp_path):
    bench = Bench(Failing(3, stops=False), JOB, tmp_path, ahead=3)
    for _ in range(3):
        bench.refill()
    with pytest.raises(SandboxError, match="did not end"):
        bench.close()
    assert list(tmp_path.iterdir()) == []
    bench.close()
