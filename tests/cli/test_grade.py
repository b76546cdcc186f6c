"""`shipbar grade` of one submission: what is said, in which order, and every exit code."""

import io
import json
import os
import tarfile
from pathlib import Path

import pytest

import shipbar
from tests.cli import fakes, tiny
from tests.similarity.samples import LIBRARY

HALF = tiny.REFERENCE.replace("return a + b", "return 3")


@pytest.fixture
def run(capsys, monkeypatch):
    """Run in this process, with a work folder of its own in which nothing may be left."""
    run_here = tiny.command(capsys)
    with tiny.work_folder() as work:
        monkeypatch.setenv("SHIPBAR_WORK", str(work))

        def run_and_look(*words):
            said = run_here(*words)
            assert list(work.iterdir()) == []
            return said

        yield run_and_look


@pytest.fixture
def task(tmp_path):
    return tiny.task(tmp_path / "task")


# -- what a person reads ---------------------------------------------------------


def test_a_shipped_submission_says_so_first(run, task):
    said = run("grade", task, task / "grader/reference")
    assert (said.code, said.err) == (0, "")
    first, guard, ways, verdict = said.out.splitlines()
    assert first == "shipped: 4/4 = 1.0000 on tally"
    assert guard.startswith("  copy guard: reference: too small to judge, ")
    assert ways.startswith("  installed by tree, bubblewrap sandbox, ")
    assert verdict.startswith("  verdict sha256:")


@pytest.fixture
def strict(tmp_path):
    """A task whose reference is large enough to judge, and where a copy scores nothing."""
    folder = tiny.task(
        tmp_path / "strict",
        contract=tiny.contract(("hard_fail = false", "hard_fail = true")),
    )
    text = tiny.REFERENCE + LIBRARY
    return tiny.write(folder, {"grader/reference/tally/__init__.py": text})


def test_a_copy_scores_nothing_and_the_place_is_told(run, strict, tmp_path):
    copy = tiny.submission(
        tmp_path / "copy", tiny.REFERENCE + LIBRARY.replace("merged", "acc")
    )
    said = run("grade", strict, copy)
    assert said.code == 0
    first, found, place, *_ = said.out.splitlines()
    assert first == "not shipped: 0.0000, and 4/4 = 1.0000 by behaviour, on tally"
    assert found.startswith("  copy guard: reference: copy, 1.000 (100% of it, ")
    assert place.startswith("  copy guard: longest region tally/__init__.py:")
    assert run("grade", strict, copy, "--require-ship").code == 1


def test_without_the_guard_a_reference_is_graded_by_what_it_does(run, strict):
    said = run("grade", strict, strict / "grader/reference", "--no-copy-guard")
    assert said.out.splitlines()[0] == "shipped: 4/4 = 1.0000 on tally"
    assert "copy guard" not in said.out


def test_quirks_are_told_by_counts_and_change_no_digest(run, task):
    package = task / "grader/reference"
    plain, told = run("grade", task, package), run("grade", task, package, "--quirks")
    assert (
        told.out.splitlines()[2] == "  quirks: reference: 1 of 1 as it does, 1 answered"
    )
    assert told.out.splitlines()[-1] == plain.out.splitlines()[-1]
    assert "quirks" not in plain.out


def test_quirks_without_the_guard_are_a_mistake(run, task):
    package = task / "grader/reference"
    said = run("grade", task, package, "--quirks", "--no-copy-guard")
    assert (said.code, said.out) == (2, "")
    assert "quirks are asked by the copy guard" in said.err


def test_a_held_out_package_is_called_by_its_name(run, strict):
    said = run("grade", strict, strict / "grader/known_bad/hollow")
    assert said.out.splitlines()[0].startswith("not shipped: 0.0000, and 2/4")
    assert "copy guard: it is grader/known_bad/hollow of the task" in said.out


def test_a_failure_names_the_first_case_and_every_rule(run, task, tmp_path):
    said = run("grade", task, tiny.submission(tmp_path / "half", HALF))
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[:3] == [
        "not shipped: 3/4 = 0.7500 on tally",
        "  first failure: rule adding, test_adding_002: wrong",
        "  failed rules: adding 1/2",
    ]


def test_an_import_that_raises_shows_the_candidates_own_traceback(run, task, tmp_path):
    source = "def start():\n    raise OSError('no \\x1b[2J\\x07 luck')\n\nstart()\n"
    said = run("grade", task, tiny.submission(tmp_path / "raising", source))
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] == "not shipped: 0/4 = 0.0000 on tally"
    assert lines[1] == "  structural check failed: importing the package raised"
    assert lines[2] == "    Traceback (most recent call last):"
    assert "line 2, in start" in said.out
    assert r"    OSError: no \x1b[2J\x07 luck" in lines
    assert "\x1b" not in said.out
    assert "\x07" not in said.out


def test_a_flood_of_words_is_cut_to_its_end(run, task, tmp_path):
    source = "raise OSError('\\n'.join(map(str, range(5000))) + 'x' * 5000)\n"
    said = run("grade", task, tiny.submission(tmp_path / "flood", source))
    lines = said.out.splitlines()
    assert len(lines) < 50
    assert max(map(len, lines)) < 500
    assert "lines before; --json has them)" in lines[2]
    assert "    4998" in lines


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"tally/__init__.py": "def add(): ...\n"},
            "  structural check failed: public symbols missing: TallyError, names",
        ),
        (
            {"other/__init__.py": ""},
            "  structural check failed: the package is not in it: expected it at the root or under src/",
        ),
        (
            {"tally/__init__.py": "import os; os._exit(0)\n"},
            "  structural check failed: importing the package ended the process",
        ),
    ],
    ids=["symbols", "absent", "exit"],
)
def test_a_structural_failure_says_why(run, task, tmp_path, files, expected):
    said = run("grade", task, tiny.write(tmp_path / "bad", files))
    assert said.code == 0
    assert said.out.splitlines()[:2] == ["not shipped: 0/4 = 0.0000 on tally", expected]


@pytest.mark.slow
def test_a_failed_install_shows_the_builds_own_words(run, task, tmp_path):
    bad = tiny.submission(tmp_path / "bad")
    tiny.write(bad, {"setup.py": "raise SystemExit('the moon is \\x1b[31mwrong')\n"})
    said = run("grade", task, bad)
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] == "not shipped: 0/4 = 0.0000 on tally"
    assert lines[1] == "  install failed: pip could not build it, and said"
    assert r"the moon is \x1b[31mwrong" in said.out
    assert "  note: built with pip: it has a setup.py" in lines


def test_what_was_left_out_is_named(run, task, tmp_path):
    half = tiny.submission(tmp_path / "half", HALF)
    tiny.write(half, {f"tally/a{number}.pth": "" for number in range(7)})
    said = run("grade", task, half)
    assert said.out.count("  left out: tally/a") == 5
    assert "  left out: 2 more (--json lists them)" in said.out.splitlines()


# -- what a program reads --------------------------------------------------------


def test_json_is_the_verdict_and_nothing_else(run, task, tmp_path):
    half = tiny.submission(tmp_path / "half", HALF)
    said = run("grade", task, half, "--json")
    assert (said.code, said.err) == (0, "")
    told = json.loads(said.out)
    verdict = shipbar.grade(task, half).as_json()
    assert told.keys() == verdict.keys()
    assert told.pop("run").keys() == verdict.pop("run").keys()
    assert told == verdict


@pytest.mark.parametrize("json_words", [(), ("--json",)], ids=["words", "json"])
def test_the_ship_bar_decides_the_code_only_if_asked(run, task, tmp_path, json_words):
    half = tiny.submission(tmp_path / "half", HALF)
    whole = task / "grader/reference"
    assert run("grade", task, half, *json_words).code == 0
    assert run("grade", task, half, "--require-ship", *json_words).code == 1
    assert run("grade", task, whole, "--require-ship", *json_words).code == 0


@pytest.mark.slow
def test_a_way_to_install_is_as_asked(run, task, tmp_path):
    plain = tiny.submission(tmp_path / "plain")
    tiny.write(
        plain,
        {
            "pyproject.toml": '[project]\nname = "tally"\nversion = "1"\n'
            '[build-system]\nrequires = ["setuptools"]\n'
            'build-backend = "setuptools.build_meta"\n'
        },
    )
    for way in ("tree", "pip"):
        said = run("grade", task, plain, "--json", "--install", way)
        told = json.loads(said.out)
        assert (told["install"], told["shipped"]) == (way, True)


def test_a_named_sandbox_is_the_one_that_is_used(run, task):
    said = run(
        "grade", task, task / "grader/reference", "--json", "--sandbox", "bubblewrap"
    )
    assert json.loads(said.out)["run"]["sandbox"] == "bubblewrap"


# -- the caller's mistakes -------------------------------------------------------

WRONG_CONTRACT = tiny.contract(
    ('split = "train"', 'split = "test"'),
    ("recall_ceiling = 0.6\n", ""),
    ("wall_s = 20", "wall_s = true"),
    ("[licence]", "[licenses]"),
)
UNLIFTABLE = """\
from tally import add


def test_adding_001():
    for number in range(3):
        assert add(number, 0) == number


def test_adding_002():
    print("nothing asserted")
"""


@pytest.mark.parametrize("json_words", [(), ("--json",)], ids=["words", "json"])
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("{empty}", "{good}"), ["is no task", "task.toml", "shipbar new"]),
        (("{nowhere}", "{good}"), ["is no task", "No such file"]),
        (
            ("{wrong}", "{good}"),
            ["problems in the contract:", "split", "recall_ceiling", "wall_s", "licen"],
        ),
        (
            ("{unliftable}", "{good}"),
            ["2 problems in the suite:", "test_tally.py:4", "test_tally.py:9"],
        ),
        (("{task}", "{nowhere}"), ["no such file or directory"]),
        (("{task}", "roman"), ["'roman'", "names are never resolved"]),
        (("{task}", "roman==4.1"), ["'roman==4.1'", "names are never resolved"]),
        (("{task}", "https://host/x.whl"), ["nothing is downloaded"]),
        (("{task}", "git+ssh://host/x"), ["nothing is downloaded"]),
        (("{task}", "{good}/tally/__init__.py"), ["expected a folder, a tar"]),
        (("{task}", "{climbing}"), ["climbing.tar", "../out"]),
        (("{task}", "{needy}"), ["roman", "standard library"]),
        (("{task}", "{needy}", "--install", "pip"), ["roman", "standard library"]),
        (
            ("{task}", "{good}", "--sandbox", "gaol"),
            ["no sandbox named 'gaol'", "bubblewrap, podman, docker, landlock"],
        ),
        (("{task}",), ["name one CANDIDATE, or many with --many"]),
        (("{task}", "{good}", "--many", "{good}"), ["name one CANDIDATE, or many"]),
        (("{task}", "{good}", "--jobs", "2"), ["go with --many"]),
        (("{task}", "{good}", "--json-lines"), ["go with --many"]),
        (("{task}", "{good}", "--output", "{out}"), ["go with --many"]),
        (("{task}", "--many", "{good}", "--jobs", "0"), ["--jobs", "x>=1"]),
        (("{task}", "{good}", "--install", "conda"), ["'auto', 'tree', 'pip'"]),
    ],
    ids=[
        *(
            "no-task",
            "no-folder",
            "contract",
            "suite",
            "no-candidate",
            "bare",
            "pinned",
        ),
        *("url", "vcs", "file", "archive", "dependency", "dependency-pip", "sandbox"),
        *("neither", "both", "jobs", "json-lines", "output", "no-jobs", "install"),
    ],
)
def test_bad_input_is_a_message_a_code_and_no_trace(
    run, tmp_path, words, expected, json_words
):
    places = mistakes(tmp_path / "places")
    before = tiny.snapshot(tmp_path)
    said = run("grade", *(word.format(**places) for word in words), *json_words)
    assert (said.code, said.out) == (2, "")
    assert "Traceback" not in said.err
    assert [what for what in expected if what not in said.err] == []
    assert tiny.snapshot(tmp_path) == before


def mistakes(folder: Path) -> dict[str, Path]:
    """Make one of each wrong thing."""
    needy = tiny.submission(folder / "needy")
    project = '[project]\nname = "tally"\nversion = "1"\ndependencies = ["roman"]\n'
    tiny.write(needy, {"pyproject.toml": project})
    (folder / "empty").mkdir()
    with tarfile.open(folder / "climbing.tar", "w") as archive:
        member = tarfile.TarInfo("../out")
        member.size = 1
        archive.addfile(member, io.BytesIO(b"x"))
    return {
        "task": tiny.task(folder / "task"),
        "good": tiny.submission(folder / "good"),
        "needy": needy,
        "empty": folder / "empty",
        "nowhere": folder / "nowhere",
        "out": folder / "out.jsonl",
        "climbing": folder / "climbing.tar",
        "wrong": tiny.task(folder / "wrong", contract=WRONG_CONTRACT),
        "unliftable": tiny.task(folder / "unliftable", suite=UNLIFTABLE),
    }


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's sandboxes change the user")
def test_a_work_folder_that_sandboxes_cannot_enter_is_named(
    capsys, monkeypatch, task, tmp_path
):
    work = tmp_path / "closed" / "work"
    work.mkdir(parents=True)
    work.parent.chmod(0o700)
    monkeypatch.setenv("SHIPBAR_WORK", str(work))
    said = tiny.command(capsys)("grade", task, task / "grader/reference")
    assert (said.code, said.out) == (2, "")
    assert f"chmod o+x {work.parent}" in said.err


def test_a_work_folder_that_is_not_there_is_named(capsys, monkeypatch, task, tmp_path):
    monkeypatch.setenv("SHIPBAR_WORK", str(tmp_path / "gone"))
    said = tiny.command(capsys)("grade", task, task / "grader/reference")
    assert (said.code, said.out) == (2, "")
    assert str(tmp_path / "gone") in said.err
    assert "SHIPBAR_WORK" in said.err


# -- as a program: each code once more, and what other processes would see --------


@pytest.mark.slow
def test_every_code_as_a_program(task, tmp_path, monkeypatch):
    half = tiny.submission(tmp_path / "half", HALF)
    path = fakes.install(tmp_path / "fakes", monkeypatch)

    def code(*words):
        return tiny.program("grade", task, *words, PYTHONPATH=str(path)).code

    assert code(half) == 0
    assert code(half, "--require-ship") == 1
    assert code("roman") == 2
    assert code(half, "--sandbox", "gaol") == 2
    assert code(half, "--sandbox", "absent") == 3
