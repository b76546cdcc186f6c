"""The conformance suite of `shipbar.ports.Sandbox`: what every backend has to promise.

Each promise is a function in `PROMISES` with a name that says what it is; a test
suite runs them one by one (`pytest.mark.parametrize`), `check_sandbox` runs them all.
They start real programs and open real doors on the host, and take half a second
each, or as long as the backend takes to start.

A backend that cannot keep a promise says so: an entry of its `lacks` starts with the
promise's name and a colon. Such a promise is not asked for; everything else is.
"""

from collections.abc import Callable

from shipbar.errors import SandboxError
from shipbar.ports import Sandbox
from shipbar.testing.harness import NewSandbox
from shipbar.testing.promises import bounds, port, reach, state

Promise = Callable[[NewSandbox], None]
"""Raises AssertionError, with what was seen, unless the sandbox keeps the promise."""

PROMISES: tuple[Promise, ...] = (
    port.available_says_so,
    port.runner_says_ready,
    port.closing_requests_ends_the_runner,
    port.bytes_pass_unchanged,
    port.late_file_appears,
    port.end_shows_at_once,
    port.errors_are_kept,
    port.stop_twice_is_safe,
    port.stop_at_any_time,
    port.start_fails_with_sandbox_error,
    port.job_folders_stay_as_they_were,
    reach.no_route,
    reach.no_dns,
    reach.no_socket_past_the_network,
    reach.no_abstract_socket,
    reach.no_filesystem_socket,
    reach.no_shared_memory,
    reach.no_host_process,
    reach.no_host_file,
    reach.no_third_party_distribution,
    reach.no_other_program,
    reach.no_special_file,
    reach.jobs_do_not_meet,
    state.nothing_writable_but_tmp,
    state.tmp_starts_empty,
    state.folders_are_named,
    state.environment_is_declared,
    state.descriptors_are_declared,
    state.surroundings_are_fixed,
    state.starts_in_tmp,
    state.host_name_is_fixed,
    state.no_terminal,
    state.not_root,
    state.no_capability,
    state.no_new_privileges,
    state.seccomp_in_force,
    state.no_privileged_call,
    bounds.fork_bomb_is_bounded,
    bounds.thread_bomb_is_bounded,
    bounds.memory_bomb_is_bounded,
    bounds.disk_filler_is_bounded,
    bounds.output_flood_is_bounded,
    bounds.error_flood_is_bounded,
    bounds.cpu_spin_is_bounded,
    bounds.sleeper_is_stopped,
    bounds.deaf_program_is_stopped,
    bounds.daemon_is_stopped,
    bounds.own_signal_ends_it,
)
"""Every promise, cheapest first within its kind."""


def check_sandbox(
    new: NewSandbox, *, report: Callable[[str], None] | None = None
) -> list[str]:
    """Return the names of the promises that a sandbox keeps.

    Args:
        new: makes the sandbox; called once for each promise.
        report: hears each promise's name before it is tried.

    Raises:
        AssertionError: a promise was broken; the message starts with its name and
            says what was seen.
    """
    missing = lacking(new())
    kept = []
    for promise in PROMISES:
        name = promise.__name__
        if name in missing:
            continue
        if report is not None:
            report(name)
        try:
            promise(new)
        except AssertionError as broken:
            raise AssertionError(f"{name}: {broken}") from broken
        except SandboxError as failure:
            raise AssertionError(f"{name}: SandboxError: {failure}") from failure
        kept.append(name)
    return kept


def lacking(sandbox: Sandbox) -> set[str]:
    """Return the names of the promises that ``sandbox`` says it cannot keep."""
    names = {promise.__name__ for promise in PROMISES}
    return names & {entry.partition(":")[0] for entry in sandbox.lacks}
