"""`shipbar grade --many`: order, resuming, workers, and what one submission does to the rest."""

import fcntl
import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attrs
import pytest

from shipbar.cli.many import submissions
from shipbar.errors import UserError
from tests.cli import fakes, tiny
from tests.similarity.samples import LIBRARY

HALF = tiny.REFERENCE.replace("return a + b", "return 3")


@pytest.fixture
def work(monkeypatch):
    """A folder to work in, in which no test may leave a thing."""
    with tiny.work_folder() as folder:
        monkeypatch.setenv("SHIPBAR_WORK", str(folder))
        yield folder


@pytest.fixture
def run(capsys, work):
    return tiny.command(capsys)


@pytest.fixture
def task(tmp_path):
    return tiny.task(tmp_path / "task")


@pytest.fixture
def many(tmp_path):
    """Three submissions, one of them none."""
    folder = tmp_path / "many"
    tiny.submission(folder / "a-whole")
    (folder / "b-notes.txt").write_text("no submission")
    tiny.submission(folder / "c-half", HALF)
    tiny.submission(folder / ".hidden")
    return folder


Line = dict[str, Any]


def names(lines: Iterable[Line]) -> list[str]:
    return [Path(line["candidate"]).name for line in lines]


def lines_of(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text().splitlines()]


# -- what is graded, and what is said --------------------------------------------


def test_a_folder_is_graded_in_the_order_of_its_names(run, task, many):
    said = run("grade", task, "--many", many, "--json-lines")
    assert names(said.lines) == ["a-whole", "b-notes.txt", "c-half"]
    whole, notes, half = said.lines
    assert (whole["status"], whole["score"], whole["shipped"]) == ("graded", 1.0, True)
    assert (half["status"], half["score"], half["shipped"]) == ("graded", 0.75, False)
    assert notes["status"] == "refused"
    assert "expected a folder, a tar" in notes["why"]
    assert "score" not in notes
    assert {line["task_id"] for line in said.lines} == {"tally"}
    assert said.err == ""


def test_a_list_is_graded_in_its_own_order_from_its_own_folder(run, task, many):
    listed = many / "list"
    listed.write_text("c-half\n\n  a-whole  \n")
    said = run("grade", task, "--many", listed, "--json-lines")
    assert said.code == 0
    assert names(said.lines) == ["c-half", "a-whole"]


def test_people_get_a_row_each_and_a_sum(run, task, many):
    said = run("grade", task, "--many", many)
    rows = said.out.splitlines()
    assert rows[0].split() == ["shipped", "4/4", "=", "1.0000", str(many / "a-whole")]
    assert rows[1].startswith("refused ")
    assert rows[2].split()[:5] == ["not", "shipped", "3/4", "=", "0.7500"]
    assert rows[3:] == ["3 submissions: 1 shipped, 1 not shipped, 1 refused"]


def test_a_hostile_name_is_made_visible(run, task, tmp_path):
    tiny.submission(tmp_path / "many" / "a\x1b[2Jb")
    said = run("grade", task, "--many", tmp_path / "many")
    assert "\x1b" not in said.out
    assert r"a\x1b[2Jb" in said.out


def test_the_worst_of_all_decides_the_code(run, task, many):
    (many / "b-notes.txt").unlink()
    assert run("grade", task, "--many", many).code == 0
    assert run("grade", task, "--many", many, "--require-ship").code == 1
    (many / "b-notes.txt").touch()
    assert run("grade", task, "--many", many, "--require-ship").code == 2
    assert run("grade", task, "--many", many, "--sandbox", "gaol").code == 2


def test_two_processes_give_the_same_verdicts_as_one(run, task, many):
    one = run("grade", task, "--many", many, "--json-lines").lines
    two = run("grade", task, "--many", many, "--json-lines", "--jobs", "2").lines
    assert names(two) == names(one)
    assert [line.get("digest") for line in two] == [line.get("digest") for line in one]
    assert len({line.get("digest") for line in two}) == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", "names no submission"),
        (b"a\nb\na\n", "named twice"),
        (b"\xff\xfe", "expected a folder of submissions, or a text file"),
        (None, "expected a folder of submissions, or a text file"),
    ],
    ids=["empty", "twice", "binary", "absent"],
)
def test_a_bad_list_is_the_callers_mistake(run, task, tmp_path, text, expected):
    listed = tmp_path / "list"
    if text is not None:
        listed.write_bytes(text)
    out = tmp_path / "out.jsonl"
    said = run("grade", task, "--many", listed, "--json-lines", "--output", out)
    assert (said.code, said.out) == (2, "")
    assert expected in said.err
    assert not out.exists()


def test_an_empty_folder_names_nothing(tmp_path):
    with pytest.raises(UserError, match="names no submission"):
        submissions(str(tmp_path))


# -- resuming --------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2], ids=["alone", "workers"])
def test_a_killed_batch_goes_on_where_it_was(task, tmp_path, work, jobs):
    many, out = tmp_path / "many", tmp_path / "out.jsonl"
    wanted = [f"s{number:02}" for number in range(8)]
    for name in wanted:
        slow = f"import time; time.sleep(0.2); name = {name!r}\n"
        tiny.submission(many / name, tiny.REFERENCE + slow)
    words = ("grade", task, "--many", many, "--jobs", jobs, "--output", out)
    running = tiny.start(*words)
    try:
        tiny.wait_until(lambda: out.exists() and out.read_bytes().count(b"\n") >= 2)
        helpers = children(running.pid)
    finally:
        running.kill()
        running.communicate(timeout=20)
    tiny.wait_until(lambda: not any(map(alive, helpers)))
    tiny.tidy(work)
    before = out.read_text().splitlines(keepends=True)
    assert 2 <= len(before) < len(wanted)

    said = tiny.program(*words)
    assert said.code == 0, said.err
    assert f"resuming: {len(before)} of {len(wanted)} are in {out}" in said.err
    assert out.read_text().startswith("".join(before))
    assert names(lines_of(out)) == wanted
    assert said.out.count("shipped  ") == len(wanted) - len(before)
    assert "8 submissions: 8 shipped" in said.out


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]


def alive(pid: int) -> bool:
    try:
        return (
            Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        )
    except FileNotFoundError:
        return False


@attrs.frozen
class Batch:
    """Grades the same submissions into the same file."""

    run: tiny.Command
    words: tuple[str | Path, ...]
    out: Path

    def __call__(self, *words: str) -> tuple[tiny.Said, list[Line]]:
        """Return what was said, and what the file holds."""
        said = self.run(*self.words, "--json-lines", "--output", self.out, *words)
        return said, lines_of(self.out)


@pytest.fixture
def batch(run, task, many, tmp_path):
    return Batch(run, ("grade", task, "--many", many), tmp_path / "out.jsonl")


def test_nothing_is_graded_twice_but_what_was_refused(batch):
    _, first = batch()
    said, again = batch()
    assert names(said.lines) == ["b-notes.txt"]
    assert sorted(names(again)) == sorted(names(first))
    assert said.code == 2


def test_what_is_compared_with_other_sources_is_graded_again(batch):
    batch("--no-copy-guard")
    said, lines = batch()
    assert names(said.lines) == ["a-whole", "b-notes.txt", "c-half"]
    assert len(lines) == 3
    assert all("copy_guard" in line for line in lines if line["status"] == "graded")
    said, _ = batch()
    assert names(said.lines) == ["b-notes.txt"]


def test_what_was_not_asked_for_quirks_is_graded_again_and_not_the_other_way(batch):
    batch()
    said, lines = batch("--quirks")
    assert names(said.lines) == ["a-whole", "b-notes.txt", "c-half"]
    assert all(it["run"]["quirks"] for it in lines if it["status"] == "graded")
    for words in (["--quirks"], []):
        said, _ = batch(*words)
        assert names(said.lines) == ["b-notes.txt"]


def test_a_copy_is_told_in_its_row(run, task, many, tmp_path):
    text = tiny.REFERENCE + LIBRARY
    tiny.write(task, {"grader/reference/tally/__init__.py": text})
    tiny.submission(many / "d-copy", text)
    said = run("grade", task, "--many", many)
    (row,) = [line for line in said.out.splitlines() if "d-copy" in line]
    assert row.startswith("shipped ")
    assert "d-copy: a copy of the reference: a share of " in row


@pytest.mark.parametrize("cut", [1, 30, -2], ids=["begun", "middle", "end"])
def test_a_half_written_line_is_replaced(batch, cut):
    _, first = batch()
    *whole, last = batch.out.read_text().splitlines(keepends=True)
    batch.out.write_text("".join(whole) + last[:cut])
    said, again = batch()
    assert sorted(names(said.lines)) == ["b-notes.txt", "c-half"]
    assert sorted(names(again)) == sorted(names(first))


def test_a_line_that_lacks_only_its_end_counts(batch):
    batch()
    batch.out.write_text(batch.out.read_text().rstrip("\n"))
    said, again = batch()
    assert names(said.lines) == ["b-notes.txt"]
    assert len(again) == 3


def test_a_changed_submission_is_graded_again(batch, many):
    batch()
    tiny.submission(many / "c-half")
    said, lines = batch()
    assert names(said.lines) == ["b-notes.txt", "c-half"]
    scores = {Path(line["candidate"]).name: line.get("score") for line in lines}
    assert scores == {"a-whole": 1.0, "b-notes.txt": None, "c-half": 1.0}
    assert len(lines) == 3


def test_a_changed_task_is_graded_again_and_another_one_beside_it(
    batch, run, task, many, tmp_path
):
    batch()
    (task / "TASK.md").write_text("Changed.\n")
    said, lines = batch()
    assert names(said.lines) == ["a-whole", "b-notes.txt", "c-half"]
    assert len({line["task_digest"] for line in lines}) == 1
    other = tiny.task(
        tmp_path / "other",
        contract=tiny.contract(('"tally"\ntask_class', '"other"\ntask_class')),
    )
    run("grade", other, "--many", many, "--output", batch.out)
    assert [line["task_id"] for line in lines_of(batch.out)] == 3 * ["tally"] + 3 * [
        "other"
    ]


@pytest.mark.slow
def test_another_way_to_install_is_graded_again(batch, many):
    batch()
    (many / "b-notes.txt").unlink()
    said, _ = batch("--install", "pip")
    assert names(said.lines) == ["a-whole", "c-half"]


@pytest.mark.parametrize(
    "text",
    ["dear diary\n", "dear diary", '{"a": 1}\n', "[1]\n", "\xff\n"],
    ids=["words", "unended", "object", "list", "latin"],
)
def test_another_file_is_left_as_it_is(run, task, many, tmp_path, text):
    out = tmp_path / "diary"
    out.write_text(text, "latin-1")
    said = run("grade", task, "--many", many, "--output", out)
    assert (said.code, said.out) == (2, "")
    assert f"{out}:1: expected a result" in said.err
    assert out.read_text("latin-1") == text


def test_a_file_in_use_is_refused(batch, run, task, many):
    batch()
    before = batch.out.read_bytes()
    with batch.out.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        said = run("grade", task, "--many", many, "--output", batch.out)
    assert (said.code, said.out) == (2, "")
    assert "another batch is writing to it" in said.err
    assert batch.out.read_bytes() == before


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("many", "expected a file"),
        ("gone/out", "No such file"),
        ("task/task.toml/x", "Not a"),
    ],
    ids=["folder", "nowhere", "below-a-file"],
)
def test_a_bad_output_is_the_callers_mistake(
    run, task, many, tmp_path, place, expected
):
    before = tiny.snapshot(tmp_path)
    said = run("grade", task, "--many", many, "--output", tmp_path / place)
    assert (said.code, said.out) == (2, "")
    assert expected in said.err
    assert tiny.snapshot(tmp_path) == before


def test_a_batch_that_cannot_begin_leaves_no_file(run, task, many, tmp_path):
    out = tmp_path / "out.jsonl"
    said = run("grade", task, "--many", many, "--output", out, "--sandbox", "gaol")
    assert (said.code, said.out) == (2, "")
    assert not out.exists()


# -- what fails on our side ------------------------------------------------------


@pytest.mark.slow
def test_a_worker_that_dies_costs_one_submission_and_no_score(
    task, tmp_path, work, monkeypatch
):
    for name in ("a", "b", "c", "d"):
        tiny.submission(tmp_path / "many" / name)
    fuse = tmp_path / "fuse"
    fuse.touch()
    path = fakes.install(tmp_path / "fakes", monkeypatch)
    out = tmp_path / "out.jsonl"
    words = [
        *("grade", task, "--many", tmp_path / "many", "--json-lines", "--jobs", "2"),
        *("--sandbox", "deadly", "--output", out),
    ]
    said = tiny.program(*words, PYTHONPATH=str(path), **{fakes.DEADLY: str(fuse)})
    assert said.code == 3
    assert names(said.lines) == ["a", "b", "c", "d"]
    (lost,) = (line for line in said.lines if line["status"] != "graded")
    rest = [line for line in said.lines if line["status"] == "graded"]
    assert lost["status"] == "not graded"
    assert "signal 9" in lost["why"]
    assert not {"score", "passed", "shipped"} & lost.keys()
    assert [line["shipped"] for line in rest] == [True, True, True]

    tiny.tidy(work)
    again = tiny.program(*words, PYTHONPATH=str(path), **{fakes.DEADLY: str(fuse)})
    assert (again.code, names(again.lines)) == (0, names([lost]))
    assert sorted(names(lines_of(out))) == ["a", "b", "c", "d"]


def test_a_fault_of_ours_is_not_graded(task, many, tmp_path, monkeypatch, run):
    fakes.install(tmp_path / "fakes", monkeypatch)
    (many / "b-notes.txt").unlink()
    said = run("grade", task, "--many", many, "--json-lines", "--sandbox", "faulty")
    assert said.code == 3
    assert [line["status"] for line in said.lines] == ["not graded", "not graded"]
    assert all("score" not in line for line in said.lines)


# -- the progress bar ------------------------------------------------------------


def test_the_bar_is_on_a_terminal_and_never_in_the_results(task, many):
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        running = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "shipbar",
                "grade",
                task,
                "--many",
                many,
                "--json-lines",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
            text=True,
        )
        os.close(theirs)
        shown = b""
        try:
            while more := terminal.read(4096):
                shown += more
        except OSError:
            pass  # how a terminal says that the other side is closed
        out, _ = running.communicate(timeout=20)
    assert b"grading" in shown
    assert b"3/3" in shown
    assert names(map(json.loads, out.splitlines())) == [
        "a-whole",
        "b-notes.txt",
        "c-half",
    ]
    assert "grading" not in out.replace("not graded", "")
