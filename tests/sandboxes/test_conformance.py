"""Every backend keeps every promise, and a sandbox that holds nothing back keeps few."""

import os
from collections.abc import Iterator

import pytest

from shipbar.config import Config
from shipbar.ports import Sandbox
from shipbar.testing import PROMISES, Promise, check_sandbox, lacking
from shipbar.testing.harness import processes_of, program
from shipbar.testing.promises import bounds
from tests.sandboxes.weak import Faults, Weak

BACKENDS = [
    "bubblewrap",
    "landlock",
    pytest.param("docker", marks=[pytest.mark.engine, pytest.mark.slow]),
    pytest.param("podman", marks=[pytest.mark.engine, pytest.mark.slow]),
]
BY_NAME = {promise.__name__: promise for promise in PROMISES}

# What a plain process keeps: it starts, talks and ends like any other.
KEPT_BY_WEAK = {
    "available_says_so",
    "bytes_pass_unchanged",
    "closing_requests_ends_the_runner",
    "deaf_program_is_stopped",
    "end_shows_at_once",
    "error_flood_is_bounded",
    "errors_are_kept",
    "folders_are_named",
    "descriptors_are_declared",
    "no_capability",
    "no_terminal",
    "not_root",
    "job_folders_stay_as_they_were",
    "late_file_appears",
    "output_flood_is_bounded",
    "own_signal_ends_it",
    "runner_says_ready",
    "sleeper_is_stopped",
    "start_fails_with_sandbox_error",
    "stop_at_any_time",
    "stop_twice_is_safe",
}
# And the fault by which each of those is broken.
FAULTS = {
    "available_says_so": Faults(unavailable=True),
    "bytes_pass_unchanged": Faults(blocks=True),
    "closing_requests_ends_the_runner": Faults(deaf=True),
    "deaf_program_is_stopped": Faults(never_kills=True),
    "end_shows_at_once": Faults(holds_output=True),
    "error_flood_is_bounded": Faults(never_kills=True),
    "folders_are_named": Faults(nameless=True),
    "errors_are_kept": Faults(forgets_errors=True),
    "job_folders_stay_as_they_were": Faults(writes_into_folders=True),
    "late_file_appears": Faults(copies_folders=True),
    "output_flood_is_bounded": Faults(mute=True),
    "own_signal_ends_it": Faults(holds_output=True),
    "runner_says_ready": Faults(mute=True),
    "sleeper_is_stopped": Faults(never_kills=True),
    "start_fails_with_sandbox_error": Faults(forgets_errors=True),
    "stop_at_any_time": Faults(never_kills=True),
    "stop_twice_is_safe": Faults(stops_once=True),
    "descriptors_are_declared": Faults(leaks=True),
    "no_terminal": Faults(terminal=True),
    "not_root": Faults(privileged=True),
    "no_capability": Faults(privileged=True),
}
COUNTED = ("fork_bomb_is_bounded", "thread_bomb_is_bounded")
BROKEN_BY_WEAK = [
    # As many processes of one user would leave none to a backend that counts by user.
    pytest.param(name, marks=[pytest.mark.slow] * (name in COUNTED))
    for name in sorted(BY_NAME.keys() - KEPT_BY_WEAK)
]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up soon: what is waited for here does not come."""
    monkeypatch.setattr(bounds, "END_S", 1.5)
    for module in ("harness", "promises.bounds", "promises.port"):
        for name, seconds in (("START_S", 3.0), ("STOP_S", 2.0), ("GONE_S", 0.2)):
            monkeypatch.setattr(
                f"shipbar.testing.{module}.{name}", seconds, raising=False
            )


@pytest.fixture
def weak(ground: Config) -> Iterator[Weak]:
    sandbox = Weak(ground)
    yield sandbox
    sandbox.clean_up()


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
@pytest.mark.parametrize("backend", BACKENDS)
def test_promise(backend: str, promise: Promise, request: pytest.FixtureRequest):
    sandbox: Sandbox = request.getfixturevalue(backend)
    if promise.__name__ in lacking(sandbox):
        said = [one for one in sandbox.lacks if one.startswith(promise.__name__)]
        assert said[0].partition(": ")[2], "what is lacking is said in words"
        return
    promise(lambda: sandbox)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_suite_sees_the_processes_that_it_looks_for(
    backend: str, request: pytest.FixtureRequest
):
    sandbox: Sandbox = request.getfixturevalue(backend)
    with program(sandbox, "bombs.sleep") as inside:
        inside.expect("asleep")
        assert processes_of(inside.mark) != []


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", BROKEN_BY_WEAK)
def test_a_plain_process_breaks_it(name: str, weak: Weak):
    with pytest.raises(AssertionError):
        BY_NAME[name](lambda: weak)


@pytest.mark.parametrize("name", sorted(KEPT_BY_WEAK))
def test_a_plain_process_keeps_it(name: str, weak: Weak):
    BY_NAME[name](lambda: weak)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("name", "faults"), FAULTS.items(), ids=FAULTS.keys())
def test_a_faulty_one_breaks_it(name: str, faults: Faults, ground: Config):
    if faults.privileged and os.geteuid() != 0:
        pytest.skip("only root can give a program root's rights")
    sandbox = Weak(ground, faults)
    try:
        with pytest.raises(AssertionError):
            BY_NAME[name](lambda: sandbox)
    finally:
        sandbox.clean_up()


def test_a_start_that_raises_anything_else_breaks_its_promise(ground: Config):
    sandbox = Weak(ground, Faults(raises_what_comes=True))
    with pytest.raises(AssertionError, match="FileNotFoundError"):
        BY_NAME["start_fails_with_sandbox_error"](lambda: sandbox)


def test_the_whole_suite_names_the_promise_that_was_broken(weak: Weak):
    heard: list[str] = []
    with pytest.raises(AssertionError, match=r"^no_route: "):
        check_sandbox(lambda: weak, report=heard.append)
    assert heard[-1] == "no_route"
    assert heard == [promise.__name__ for promise in PROMISES][: len(heard)]


def test_what_a_sandbox_says_that_it_lacks_is_not_asked_for(weak: Weak):
    weak.lacks = (*(f"{name}: so it is" for name in BY_NAME.keys() - {"no_terminal"}),)
    assert lacking(weak) == BY_NAME.keys() - {"no_terminal"}
    weak.lacks = (*weak.lacks, "no_terminal: nor that")
    assert check_sandbox(lambda: weak) == []
    weak.lacks = ("no promise of that name: but a word to the reader",)
    assert lacking(weak) == set()


def test_every_promise_has_a_name_and_a_sentence():
    assert len(BY_NAME) == len(PROMISES)
    assert [name for name, promise in BY_NAME.items() if not promise.__doc__] == []
