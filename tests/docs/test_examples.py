"""What the README, the guide to grading and the reference show is what happens."""

import json
import re
import subprocess
import sys

import pytest

import shipbar
from shipbar.cli.grade import grade
from shipbar.grading.admission import CAPS
from shipbar.grading.install import BUILD_LIMITS
from tests.cli import tiny
from tests.repository import ROOT

PAGES = ["README.md", "docs/guides/grading.md", "docs/reference/python.md"]
EXAMPLE = ROOT / "examples/check-character-36"
SUBMISSIONS = ROOT / "examples/submissions/check-character-36"


def page(name: str) -> str:
    return (ROOT / name).read_text()


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page(name), re.DOTALL)


def numbered(language: str) -> list[tuple[str, int]]:
    return [(name, n) for name in PAGES for n in range(len(blocks(name, language)))]


def settled(text: str) -> list[str]:
    """Lines without what is another at every run, or with every change of the example."""
    text = re.sub(r"sha256:[0-9a-f]+…?", "sha256:…", text)
    return re.sub(r"\d+\.\d\d s$", "… s", text, flags=re.MULTILINE).splitlines()


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder that holds what the checkout's root holds, as far as examples need it."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "build").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("name", "number"), numbered("console"))
def test_a_command_prints_what_is_shown(name, number, place, capsys):
    run = tiny.command(capsys)
    shown = blocks(name, "console")[number]
    for part in re.split(r"^\$ shipbar ", shown, flags=re.MULTILINE)[1:]:
        words, _, expected = part.partition("\n")
        said = run(*words.split())
        assert settled(said.err + said.out) == settled(expected), words


@pytest.mark.parametrize(("name", "number"), numbered("python"))
def test_an_example_in_python_runs(name, number, place):
    # As a file, since one with more than one job is imported by its processes.
    file = place / "example.py"
    file.write_text(blocks(name, "python")[number])
    done = subprocess.run(
        [sys.executable, file], capture_output=True, text=True, timeout=50, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    if "print(" in file.read_text():
        assert "0.7666666666666667" in done.stdout


def test_the_shown_verdict_has_the_shape_of_one():
    (shown,) = blocks("docs/reference/verdict.md", "json")
    told = json.loads(shown)
    made = shipbar.grade(EXAMPLE, SUBMISSIONS / "partial")
    verdict = json.loads(json.dumps(made.as_json()))
    assert list(told) == list(verdict), "the same fields in the same order"
    assert list(told["run"]) == list(verdict["run"])
    assert list(told["structure"]) == list(verdict["structure"])
    assert [case for case in told["cases"] if case not in verdict["cases"]] == []
    same = ("passed", "total", "min_passed", "shipped", "score", "install", "structure")
    assert {name: told[name] for name in same} == {n: verdict[n] for n in same}
    kinds = {name: type(value) for name, value in told.items()}
    assert kinds == {name: type(value) for name, value in verdict.items()}
    kinds = {name: type(value) for name, value in told["run"].items()}
    assert kinds == {name: type(value) for name, value in verdict["run"].items()}


def names(heading: str) -> set[str]:
    """The first column of the table below a heading of the page on verdicts."""
    section = page("docs/reference/verdict.md").partition(f"\n## {heading}\n")[2]
    rows = re.findall(r"^\| (`.+?) \|", section.partition("\n## ")[0], re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def flat(value: dict[str, object]) -> set[str]:
    """The names of a JSON object's fields, as the page writes them."""
    found: set[str] = set()
    for name, inner in value.items():
        if isinstance(inner, dict):
            found |= {f"{name}.{deeper}" for deeper in inner}
            continue
        found.add(name)
        if isinstance(inner, list):
            rows = [item for item in inner if isinstance(item, dict)]
            found |= {f"{name}[].{deeper}" for row in rows for deeper in row}
    return found


def test_every_field_is_explained_where_it_belongs():
    verdict = shipbar.grade(EXAMPLE, SUBMISSIONS / "partial")
    digested = flat(verdict.digested())
    assert names("What is digested") == digested
    assert names("What is not") == flat(verdict.as_json()) - digested
    assert names("Outcomes") == {str(outcome) for outcome in shipbar.Outcome}


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("raise OSError", "raised"),
        ("import os; os._exit(1)", "crashed"),
        ("add = names = None", "symbols missing"),
    ],
    ids=["raised", "crashed", "symbols"],
)
def test_a_kind_of_structural_failure_is_named(source, kind, tmp_path):
    task = tiny.task(tmp_path / "task")
    candidate = tiny.submission(tmp_path / "candidate", source)
    assert shipbar.grade(task, candidate).structure.why == kind
    (row,) = re.findall(
        "^.*`structure.why`.*$", page("docs/reference/verdict.md"), re.MULTILINE
    )
    assert f"`{kind}`" in row


def test_the_limits_that_the_guide_tells_are_those_that_hold():
    text = " ".join(page("docs/guides/grading.md").split())
    mib = 1024 * 1024
    assert (
        f"at most {CAPS.files} files and {CAPS.total_bytes // mib} MiB, "
        f"{CAPS.file_bytes // mib} MiB in one file, {CAPS.depth} folders deep" in text
    )
    assert (BUILD_LIMITS.wall_s, BUILD_LIMITS.memory_mib) == (120, 1024)
    assert "limits of its own, two minutes and 1 GiB" in text


def test_every_option_that_is_told_exists():
    options = {option for parameter in grade.params for option in parameter.opts}
    told = set(re.findall(r"`(--[a-z-]+)", page("docs/guides/grading.md")))
    assert told
    assert told <= options


def test_every_public_name_is_in_the_reference():
    text = page("docs/reference/python.md")
    documented = set(re.findall(r"^\.\. \S+:: shipbar\.(\w+)$", text, re.MULTILINE))
    assert documented == set(shipbar.__all__)


def test_the_manual_lists_every_folder():
    index = page("docs/index.md")
    folders = {path.parent.name for path in (ROOT / "docs").glob("*/*.md")}
    assert {name for name in folders if f"\n{name}/*\n" not in index} == set()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_told_for_each_shell(shell):
    assert f"_SHIPBAR_COMPLETE={shell}_source shipbar" in page("docs/reference/cli.md")
