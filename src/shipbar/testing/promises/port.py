"""How a sandbox behaves towards the one who uses it."""

import os
import time
from pathlib import Path

from shipbar.errors import SandboxError
from shipbar.ports import Availability, Job
from shipbar.sealed.frames import READY
from shipbar.testing.harness import (
    SMALL,
    START_S,
    STOP_S,
    Inside,
    NewSandbox,
    folder,
    program,
    started,
)

LATE_S = (0.0, 0.005, 0.05, 0.3)
"""Seconds after a start at which it is stopped again."""
AMOUNT = 300_000
WORDS = "that went wrong: ä"


def available_says_so(new: NewSandbox) -> None:
    """The backend tries itself and says that it works and how."""
    found = new().available()
    assert isinstance(found, Availability), f"available() returned {found!r}"
    assert found.works, f"available() says {found.detail!r}; do: {found.remedy!r}"
    assert found.detail, "available() says nothing of what it found"


def late_file_appears(new: NewSandbox) -> None:
    """What is put into a folder after the start appears inside."""
    with folder() as candidate:
        job = Job(folders={"candidate": candidate}, limits=SMALL)
        with program(new(), "talk.late", job=job, name="late.txt") as inside:
            assert inside.line() == "waiting"
            (candidate / "late.txt").write_text("here now")
            (candidate / "late.txt").chmod(0o644)
            inside.say(b"\n")
            assert inside.line() == "here now"


def bytes_pass_unchanged(new: NewSandbox) -> None:
    """Both pipes carry any bytes, in order, and do not block the one who reads and writes."""
    data = (bytes(range(256)) * (AMOUNT // 256 + 1))[:AMOUNT]
    with program(new(), "talk.echo", count=AMOUNT) as inside:
        for pipe in (inside.running.requests, inside.running.answers):
            assert not os.get_blocking(pipe), "a pipe blocks"
        echoed = b""
        for at in range(0, AMOUNT, 20_000):  # both pipes hold that much
            inside.say(data[at : at + 20_000])
            echoed += inside.hear(START_S, len(data[at : at + 20_000])).text
        assert echoed == data, "what was sent came back changed"


def end_shows_at_once(new: NewSandbox) -> None:
    """When a program ends, so does its output."""
    with program(new(), "talk.nothing") as inside:
        assert inside.line() == []
        heard = inside.hear(3.0)
        assert heard.ended, "the program ended, its output did not"


def errors_are_kept(new: NewSandbox) -> None:
    """What was written to standard error comes back from stop()."""
    with program(new(), "talk.complain", words=WORDS) as inside:
        inside.line()
        inside.hear(START_S)
        kept = inside.running.stop()
        assert WORDS in kept, f"stop() returned {kept!r}"


def stop_twice_is_safe(new: NewSandbox) -> None:
    """Stopping again does nothing and returns the same words."""
    with program(new(), "bombs.sleep") as inside:
        inside.line()
        first = inside.running.stop()
        assert inside.running.stop() == first


def stop_at_any_time(new: NewSandbox) -> None:
    """A job can be stopped before it came to its program, or on the way there."""
    sandbox = new()
    for seconds in LATE_S:
        with program(sandbox, "bombs.sleep"):
            time.sleep(seconds)


def start_fails_with_sandbox_error(new: NewSandbox) -> None:
    """A job that cannot be started raises SandboxError, or its stop() says why, and leaves nothing."""
    with folder() as empty:
        for place in (empty / "missing", empty):
            job = Job(program=place, limits=SMALL)
            try:
                running = new().start(job)
            except SandboxError as failure:
                assert str(failure), "a SandboxError without a word"
                continue
            inside = Inside(running, "")
            ended = inside.hear(START_S).ended
            said = running.stop()
            assert ended, "a program that is not there did not end"
            assert said, "a program that is not there failed without a word"


def runner_says_ready(new: NewSandbox) -> None:
    """Without a program of its own a job gets Shipbar's runner, which says that it is ready."""
    with started(new(), Job(), "none-" * 4) as inside:
        heard = inside.hear(START_S, len(READY))
        assert heard.text == READY, f"expected the runner's greeting, got {heard.text!r}"


def closing_requests_ends_the_runner(new: NewSandbox) -> None:
    """The runner ends when its requests do."""
    with started(new(), Job(), "none-" * 4) as inside:
        assert inside.hear(START_S, len(READY)).text == READY
        inside.close_requests()
        heard = inside.hear(STOP_S)
        assert heard.ended, "the runner did not end with its requests"
        assert heard.text == b"", f"the runner said {heard.text!r} at its end"


def job_folders_stay_as_they_were(new: NewSandbox) -> None:
    """A job changes nothing in the host folders that it was given."""
    with folder() as candidate:
        (candidate / "package").mkdir()
        for path in (candidate / "package" / "__init__.py", candidate / "data.txt"):
            path.write_text("X = 1\n")
        before = _look(candidate)
        job = Job(folders={"candidate": candidate}, limits=SMALL)
        with program(new(), "talk.nothing", job=job) as inside:
            inside.line()
        assert _look(candidate) == before, "a folder of the job was changed"


def _look(place: Path) -> list[tuple[str, int, int]]:
    return sorted(
        (str(path), path.stat().st_mode, path.stat().st_mtime_ns)
        for path in (place, *place.rglob("*"))
    )
