"""The command as a program: help, exit codes, and what is said where."""

import signal
import subprocess
import sys

import click
import pytest

import shipbar
from shipbar import cli
from shipbar.errors import ContractError, GraderFault, UserError
from tests.cli import fakes, tiny


@pytest.fixture
def run(capsys):
    return tiny.command(capsys)


@pytest.fixture
def work():
    with tiny.work_folder() as folder:
        yield folder


def test_a_summary_says_what_the_command_itself_says():
    group = cli.cli
    assert isinstance(group, cli.LazyGroup)
    context = click.Context(group)
    assert cli.SUMMARIES.keys() == cli.COMMANDS.keys()
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert command.help


def test_help_imports_no_command():
    code = (
        "import sys; from shipbar import cli; cli.run(['--help']); "
        "print([m for m in sys.modules if m.startswith('shipbar.cli.')])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert out.splitlines()[-1] == "['shipbar.cli.text']"
    assert all(f"  {name} " in out for name in cli.COMMANDS)


def test_the_version_is_printed(run):
    said = run("--version")
    assert (said.code, said.out) == (0, f"shipbar, version {shipbar.__version__}\n")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("grad",), "No such command 'grad'"),
        (("grade", "--frob"), "No such option '--frob'"),
        (("grade",), "Missing argument 'TASK'"),
        (("doctor", "--json=1"), "does not take a value"),
    ],
    ids=["command", "option", "argument", "value"],
)
def test_a_wrong_word_is_the_callers_mistake(run, words, expected):
    said = run(*words)
    assert (said.code, said.out) == (2, "")
    assert expected in said.err


def test_nothing_at_all_is_answered_with_help(run):
    said = run()
    assert said.code == 2
    assert "Commands:" in said.err


@pytest.mark.parametrize(
    ("error", "code", "expected"),
    [
        (UserError("name \x1b[31mone\x1b[0m"), 2, "shipbar: name \\x1b[31mone\\x1b[0m"),
        (ContractError(["a:1: one"]), 2, "shipbar: a:1: one"),
        (
            ContractError(["a:1: one", "a:2: two"]),
            2,
            "shipbar: 2 problems in the contract:\na:1: one\na:2: two",
        ),
        (GraderFault("ours"), 3, "shipbar: ours"),
        (KeyboardInterrupt(), 130, "shipbar: interrupted"),
        (click.FileError("f", "gone"), 2, "Error: Could not open file 'f': gone"),
    ],
    ids=["escaped", "one", "several", "fault", "interrupt", "click"],
)
def test_an_error_is_a_message_and_a_code(run, monkeypatch, error, code, expected):
    def fail():
        raise error

    monkeypatch.setattr("shipbar.config.current", fail)
    said = run("doctor")
    assert (said.code, said.out) == (code, "")
    assert said.err.strip() == expected


def test_a_fault_of_ours_says_so_with_its_traceback(run, monkeypatch):
    monkeypatch.setattr("shipbar.config.current", lambda: 1 / 0)
    said = run("doctor")
    assert (said.code, said.out) == (3, "")
    assert "ZeroDivisionError" in said.err
    assert said.err.endswith("a fault of Shipbar's; nothing was scored\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 143), (signal.SIGINT, 130)],
    ids=["TERM", "INT"],
)
@pytest.mark.parametrize("jobs", [1, 2], ids=["alone", "workers"])
def test_a_stopped_program_leaves_nothing(tmp_path, work, number, code, jobs):
    task = tiny.task(tmp_path / "task")
    for name in ("a", "b"):
        tiny.submission(tmp_path / "many" / name, "while True: pass\n")
    running = tiny.start(
        *("grade", task, "--many", tmp_path / "many", "--jobs", jobs),
        SHIPBAR_WORK=str(work),
    )
    try:
        tiny.wait_until(lambda: len(list(work.glob("*/candidate/tally"))) == jobs)
        running.send_signal(number)
        out, err = running.communicate(timeout=20)
    finally:
        running.kill()
    assert (running.returncode, out) == (code, "")
    assert "Traceback" not in err


def test_results_to_a_closed_pipe_are_no_fault_of_ours(tmp_path):
    task = tiny.task(tmp_path / "task")
    running = tiny.start("grade", task, task / "grader/reference")
    assert running.stdout is not None
    running.stdout.close()
    assert running.stderr is not None
    err = running.stderr.read()
    running.stderr.close()
    running.wait(timeout=20)
    assert "Traceback" not in err


def test_no_sandbox_is_the_machines_fault(tmp_path, run, monkeypatch):
    task = tiny.task(tmp_path / "task")
    monkeypatch.setattr(
        "shipbar.wiring.BUILT_IN", {"sandbox": {"absent": fakes.ADDED["absent"]}}
    )
    said = run("grade", task, task / "grader/reference", "--json")
    assert (said.code, said.out) == (3, "")
    assert "no sandbox works on this machine" in said.err
    assert "apt install presence" in said.err


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("absent", "absent: cannot start: FileNotFoundError: absent: no such program"),
        ("faulty", "ZeroDivisionError: in the grader's own code"),
    ],
    ids=["absent", "faulty"],
)
def test_a_sandbox_that_fails_is_never_a_score(
    tmp_path, work, monkeypatch, name, expected
):
    task = tiny.task(tmp_path / "task")
    path = fakes.install(tmp_path / "fakes", monkeypatch)
    said = tiny.program(
        *("grade", task, task / "grader/reference", "--json", "--sandbox", name),
        SHIPBAR_WORK=str(work),
        PYTHONPATH=str(path),
    )
    assert (said.code, said.out) == (3, "")
    assert expected in said.err
