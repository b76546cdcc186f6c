"""What a program may use, what happens when it wants more, and that nothing outlives it."""

import signal
import time

from shipbar.contract import Limits
from shipbar.ports import Job, Sandbox
from shipbar.testing.harness import (
    SMALL,
    START_S,
    Inside,
    NewSandbox,
    expect,
    program,
    told,
)

THREADS = 128
"""Processes and threads beside those of a job's limits that are still called bounded."""
MANY = 400
"""What a bomb tries; enough to tell a bound from none, and little enough to clean up."""
MEMORY_MIB = 96
TMP_MIB = 16
FLOOD = 8 << 20
FLOOD_S = 1.0
"""Seconds in which a flood that was announced is under way."""
END_S = 10.0
"""Seconds within which the kernel has ended what passed a limit of one second."""


def fork_bomb_is_bounded(new: NewSandbox) -> None:
    """With one process allowed none can be started; with eight the number is bounded."""
    sandbox = new()
    with program(sandbox, "bombs.forks_and_stays", most=MANY) as inside:
        count = inside.line()
        expect(count == 0, f"with one process allowed {count} more were started")
    job = Job(limits=_limits(processes=8))
    with program(sandbox, "bombs.forks_and_stays", job=job, most=MANY) as inside:
        count = _number(inside)
        expect(
            0 < count <= 8 + THREADS, f"with 8 processes allowed {count} were started"
        )
    _next_job_works(sandbox)


def thread_bomb_is_bounded(new: NewSandbox) -> None:
    """The number of threads is bounded."""
    sandbox = new()
    count = told(sandbox, "bombs.threads_and_ends")
    expect(
        count <= 1 + THREADS, f"with one process allowed {count} threads were started"
    )
    _next_job_works(sandbox)


def memory_bomb_is_bounded(new: NewSandbox) -> None:
    """More memory than allowed is an error inside, and the program can go on."""
    sandbox = new()
    job = Job(limits=_limits(memory_mib=MEMORY_MIB))
    with program(sandbox, "bombs.memory", job=job, most_mib=8 * MEMORY_MIB) as inside:
        held = _number(inside)
        expect(held < MEMORY_MIB, f"{held} MiB were had, the limit is {MEMORY_MIB}")
        expect(
            held > MEMORY_MIB // 4, f"only {held} of {MEMORY_MIB} MiB were to be had"
        )
    with program(sandbox, "bombs.out_of_memory_in_c", job=job) as inside:
        expect(inside.hear(END_S).ended, "a program without memory did not end")
    _next_job_works(sandbox)


def disk_filler_is_bounded(new: NewSandbox) -> None:
    """The one folder that may be written to takes what the job says and no more."""
    sandbox = new()
    job = Job(limits=_limits(memory_mib=256), tmp_mib=TMP_MIB)
    half = TMP_MIB // 2
    with program(sandbox, "bombs.disk", job=job, most_mib=half) as inside:
        inside.expect(half)
    with program(sandbox, "bombs.disk", job=job, most_mib=8 * TMP_MIB) as inside:
        heard = inside.hear(START_S)
        # A backend may end who writes too much, in place of an error.
        written = int(heard.text or 0)
        expect(heard.ended, "a program that fills its folder did not end")
    expect(
        written <= TMP_MIB + 1, f"{written} MiB were written, the limit is {TMP_MIB}"
    )
    _next_job_works(sandbox)


def output_flood_is_bounded(new: NewSandbox) -> None:
    """A program that writes for ever waits for its reader, and ends when it is stopped."""
    sandbox = new()
    with program(sandbox, "bombs.flood", descriptor=1) as inside:
        heard = inside.hear(START_S, FLOOD)
        expect(
            len(heard.text) >= FLOOD, f"only {len(heard.text)} bytes came of a flood"
        )
        expect(set(heard.text) == {ord("x")}, "a flood came through changed")
    _next_job_works(sandbox)


def error_flood_is_bounded(new: NewSandbox) -> None:
    """Standard error may be flooded; what is kept of it is short."""
    sandbox = new()
    with program(sandbox, "bombs.flood", descriptor=2) as inside:
        inside.expect("flooding")
        time.sleep(FLOOD_S)
        kept = inside.running.stop()
        expect(
            len(kept) <= 1 << 20, f"{len(kept)} characters of standard error were kept"
        )
    _next_job_works(sandbox)


def cpu_spin_is_bounded(new: NewSandbox) -> None:
    """A program that passes its processor time is ended by the kernel, deaf or not."""
    sandbox = new()
    job = Job(limits=_limits(cpu_s=1.0))
    with program(sandbox, "bombs.spin", job=job) as inside:
        inside.expect("spinning")
        heard = inside.hear(END_S)
        expect(heard.ended, f"one second of processor time lasted over {END_S:.0f} s")
    _next_job_works(sandbox)


def sleeper_is_stopped(new: NewSandbox) -> None:
    """A program that sleeps for ever is ended by stop()."""
    _stays(new, "bombs.sleep", "asleep")


def deaf_program_is_stopped(new: NewSandbox) -> None:
    """So is one that ignores every signal."""
    _stays(new, "bombs.deaf", "asleep")


def daemon_is_stopped(new: NewSandbox) -> None:
    """A process that left its session and its parents ends with the job, at the latest."""
    sandbox = new()
    for processes in (1, 8):
        for keeps_output in (False, True):
            job = Job(limits=_limits(processes=processes))
            call = "bombs.daemon"
            with program(sandbox, call, job=job, keeps_output=keeps_output) as inside:
                expected = "refused" if processes == 1 else "left behind"
                heard = inside.line()
                expect(
                    heard == expected,
                    f"with {processes} processes a daemon was {heard}",
                )
    _next_job_works(sandbox)


def own_signal_ends_it(new: NewSandbox) -> None:
    """A program that sends itself a deadly signal ends, as it does anywhere."""
    sandbox = new()
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGABRT):
        with program(sandbox, "reach.die", number=number) as inside:
            heard = inside.hear(START_S)
            expect(heard.ended, f"a program that sent itself {number.name} went on")
            expect(
                heard.text == b"",
                f"{number.name} to itself left a program {heard.text!r}",
            )


def _stays(new: NewSandbox, call: str, word: str) -> None:
    sandbox = new()
    with program(sandbox, call) as inside:
        inside.expect(word)
        heard = inside.hear(0.1)
        expect(not heard.ended, "a program that waits for ever ended by itself")
    _next_job_works(sandbox)


def _next_job_works(sandbox: Sandbox) -> None:
    """What a job did does not show in the next."""
    seen = told(sandbox, "bombs.leave", name="next")
    expect(
        seen == ["next", "next-folder"], f"the next job found its folder to hold {seen}"
    )


def _number(inside: Inside) -> int:
    number = inside.line()
    expect(isinstance(number, int), f"expected a number, got {number!r}")
    return int(number)


def _limits(
    *, cpu_s: float = 10.0, memory_mib: int = SMALL.memory_mib, processes: int = 1
) -> Limits:
    return Limits(wall_s=30.0, cpu_s=cpu_s, memory_mib=memory_mib, processes=processes)
