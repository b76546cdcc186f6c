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
    expect,
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
    expect(isinstance(found, Availability), f"available() returned {found!r}")
    expect(found.works, f"available() says {found.detail!r}; do: {found.remedy!r}")
    expect(found.detail, "available() says nothing of what it found")


def late_file_appears(new: NewSandbox) -> None:
    """What is put into a folder after the start appears inside."""
    with folder() as candidate:
        job = Job(folders={"candidate": candidate}, limits=SMALL)
        with program(new(), "talk.late", job=job, name="late.txt") as inside:
            inside.expect("waiting")
            (candidate / "late.txt").write_text("here now")
            (candidate / "late.txt").chmod(0o644)
            inside.say(b"\n")
            inside.expect("here now")


def bytes_pass_unchanged(new: NewSandbox) -> None:
    """Both pipes carry any bytes, in order, and do not block the one who reads and writes."""
    data = (bytes(range(256)) * (AMOUNT // 256 + 1))[:AMOUNT]
    with program(new(), "talk.echo", count=AMOUNT) as inside:
        for pipe in (inside.running.requests, inside.running.answers):
            expect(not os.get_blocking(pipe), "a pipe blocks")
        echoed = b""
        for at in range(0, AMOUNT, 20_000):  # both pipes hold that much
            inside.say(data[at : at + 20_000])
            echoed += inside.hear(START_S, len(data[at : at + 20_000])).text
        expect(echoed == data, "what was sent came back changed")


def end_shows_at_once(new: NewSandbox) -> None:
    """When a program ends, so does its output."""
    with program(new(), "talk.nothing") as inside:
        inside.expect([])
        heard = inside.hear(3.0)
        expect(heard.ended, "the program ended, its output did not")


def errors_are_kept(new: NewSandbox) -> None:
    """What was written to standard error comes back from stop()."""
    with program(new(), "talk.complain", words=WORDS) as inside:
        inside.line()
        inside.hear(START_S)
        kept = inside.running.stop()
        expect(WORDS in kept, f"stop() returned {kept!r}")


def stop_twice_is_safe(new: NewSandbox) -> None:
    """Stopping again does nothing and returns the same words."""
    with program(new(), "bombs.sleep") as inside:
        inside.line()
        first = inside.running.stop()
        try:
            again = inside.running.stop()
        except Exception as failure:  # noqa: BLE001  # whatever it is, it is one too many
            again = f"an exception: {failure!r}"
        expect(again == first, f"stop() returned {first!r}, then {again!r}")


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
                expect(str(failure), "a SandboxError without a word")
                continue
            except Exception as failure:  # that is what must not come
                raise AssertionError(
                    f"start() raised {failure!r}, expected a SandboxError"
                ) from failure
            inside = Inside(running, "")
            ended = inside.hear(START_S).ended
            said = running.stop()
            expect(ended, "a program that is not there did not end")
            expect(said, "a program that is not there failed without a word")


def runner_says_ready(new: NewSandbox) -> None:
    """Without a program of its own a job gets Shipbar's runner, which says that it is ready."""
    with started(new(), Job(), "none-" * 4) as inside:
        heard = inside.hear(START_S, len(READY))
        expect(
            heard.text == READY, f"expected the runner's greeting, got {heard.text!r}"
        )


def closing_requests_ends_the_runner(new: NewSandbox) -> None:
    """The runner ends when its requests do."""
    with started(new(), Job(), "none-" * 4) as inside:
        inside.hear(START_S, len(READY))
        inside.close_requests()
        heard = inside.hear(STOP_S)
        expect(heard.ended, "the runner did not end with its requests")
        expect(heard.text == b"", f"the runner said {heard.text!r} at its end")


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
        expect(_look(candidate) == before, "a folder of the job was changed")


def _look(place: Path) -> list[tuple[str, int, int]]:
    return sorted(
        (str(path), path.stat().st_mode, path.stat().st_mtime_ns)
        for path in (place, *place.rglob("*"))
    )
