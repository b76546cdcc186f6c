"""A family in a package of its own is as good as ours, and its guide tells the truth."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from shipbar import cli, wiring
from shipbar.errors import UnknownNameError, UserError
from shipbar.grading.tasks import RECORD
from shipbar.testing.check_family import PROMISES
from tests.repository import ROOT, SOURCE

HOME = ROOT / "examples" / "ladder-calendar"
PROJECT = tomllib.loads((HOME / "pyproject.toml").read_text())["project"]
NAME = "ladder-calendar"
GUIDE = ROOT / "docs" / "guides" / "add-a-family.md"
SECRET = "what nobody guesses"


def installed(folder: Path, entries: dict[str, str] | None = None) -> Path:
    """Put the package into a folder as an installer does, with what it declares."""
    (group,) = PROJECT["entry-points"]
    lines = [
        f"{k} = {v}" for k, v in (entries or PROJECT["entry-points"][group]).items()
    ]
    shutil.copytree(HOME / "src", folder)
    told = folder / f"ladder_calendar-{PROJECT['version']}.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {PROJECT['version']}\n"
    )
    (told / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]) + "\n")
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return installed(tmp_path_factory.mktemp("private") / "site")


def run(site, *words, cwd=None):
    """Run Python where the package is installed and the checkout's root is not the place."""
    return subprocess.run(
        [sys.executable, "-m", *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=cwd or site,
        capture_output=True,
        text=True,
        check=False,
    )


def shown() -> list[tuple[str, list[str]]]:
    """Commands of the guide, each with the lines that it is said to print."""
    blocks = re.findall(r"```console\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    parts = [part for block in blocks for part in block.split("$ ")[1:]]
    return [(part.splitlines()[0], part.splitlines()[1:]) for part in parts]


def commands() -> list[str]:
    """Every call of Shipbar in the guide."""
    return re.findall(r"^(?:\$ )?shipbar (.+)$", GUIDE.read_text(), re.MULTILINE)


def missing(wanted: list[str], said: str) -> list[str]:
    """Lines that are not said, in their order and whatever the numbers are.

    `…` stands for lines, or for the rest of one.
    """
    left = iter([re.sub(r"[\d.]+", "#", line) for line in said.splitlines()])
    starts = [re.sub(r"[\d.]+", "#", line.partition("…")[0]) for line in wanted]
    return [
        start
        for start in starts
        if start.strip() and not any(line.startswith(start) for line in left)
    ]


def test_a_missing_line_is_told_from_one_that_is_there():
    said = "one 1.5\n  two: x\nthree\n"
    assert missing(["one 2.0", "  …", "three"], said) == []
    assert missing(["  two: …"], said) == []
    assert missing(["three", "  two: x"], said) == ["  two: x"]
    assert missing(["four"], said) == ["four"]


def test_nothing_of_ours_knows_the_family():
    named = [
        path
        for path in SOURCE.rglob("*")
        if path.is_file() and re.search(rb"ladder.calendar", path.read_bytes())
    ]
    assert named == []


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_it_is_found_by_its_entry_point_and_described_as_the_guide_shows(site):
    ((_, wanted),) = [item for item in shown() if "shipbar families" in item[0]]
    told = run(site, "shipbar", "families", NAME)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.splitlines()[:6] == wanted[:6], "without a number replaced"
    assert missing(wanted, told.stdout) == []


def test_it_comes_after_ours(site, monkeypatch):
    monkeypatch.syspath_prepend(site)
    names = wiring.names("family")
    assert names.index(NAME) > names.index("unit-amounts")
    assert wiring.family(NAME).name == NAME


@pytest.mark.parametrize(
    ("entry", "where", "why"),
    [
        ("broken", "no_such_module.family:FAMILY", "broken: cannot be loaded: Module"),
        ("vague", "ladder_calendar.family:NONE", "vague: cannot be loaded: Attribute"),
        ("alias", "ladder_calendar.family:FAMILY", f"which is {NAME}"),
        ("loud", "raises_on_import:FAMILY", "loud: cannot be loaded: ZeroDivision"),
        ("text", "ladder_calendar.family:__name__", "expected a Family, got str"),
    ],
)
def test_a_family_that_cannot_be_used_is_its_authors_to_mend(
    entry, where, why, tmp_path, monkeypatch
):
    monkeypatch.syspath_prepend(installed(tmp_path / "site", {entry: where}))
    (tmp_path / "site" / "raises_on_import.py").write_text("1 / 0\n")
    with pytest.raises(UserError, match=why) as caught:
        wiring.family(entry)
    assert not isinstance(caught.value, UnknownNameError)
    listed = CliRunner().invoke(cli.cli, ["upstream", "list"])
    assert listed.exit_code == 0, "nobody else has to wait for that"
    assert why in listed.stderr
    assert "cannot be loaded" not in listed.stdout


@pytest.mark.slow
def test_others_are_listed_beside_one_that_cannot_be_used(tmp_path, monkeypatch):
    broken = {"broken": "no_such_module.family:FAMILY"}
    monkeypatch.syspath_prepend(installed(tmp_path / "site", broken))
    listed = CliRunner().invoke(cli.cli, ["families"])
    assert isinstance(listed.exception, UserError)
    assert "broken: cannot be loaded" in str(listed.exception)
    assert len(listed.stdout.splitlines()) == len(wiring.names("family")) - 1


@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_guide_has_those_options(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = command.split()
    found: click.Command | None = cli.cli
    context = click.Context(cli.cli)
    while isinstance(found, click.Group):
        found = found.get_command(context, words.pop(0))
    assert found is not None
    found.make_context(found.name, words)


def test_the_guide_has_commands():
    assert len(commands()) >= 6
    assert len(shown()) >= 4


REASONS = [
    reason
    for row in re.findall(r"^\| (`.+?) \|", GUIDE.read_text(), re.MULTILINE)
    for reason in re.findall(r"`(.+?)`", row)
]


@pytest.mark.parametrize(
    "reason",
    [
        *REASONS,
        *("repeated", "shown in the specification", "not plain data", "not repeatable"),
        *("a template asks for", "a template renders no Python"),
        *("has no answer to show", "a family's probe cannot be used"),
    ],
)
def test_a_reason_that_the_guide_explains_is_one_that_is_given(reason):
    assert f"`{reason}" in GUIDE.read_text()
    source = "".join(
        path.read_text()
        for folder in ("building", "grading")
        for path in (SOURCE / folder).rglob("*.py")
    )
    # Numbers and packages come from constants, which stand in braces there.
    written = re.sub(r"\d+(\.\d+)?|^remembered|^over-inverter", "CONSTANT", reason)
    pattern = re.escape(written).replace("CONSTANT", r"\{[A-Z_]+\}")
    assert re.search(pattern, source), pattern


def test_each_reason_is_explained_once():
    assert len(REASONS) == len(set(REASONS)) >= 11


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("rule", "break_it"),
    [
        (
            "missing-day",
            """\
from ladder_calendar.questions import Questions as Q
Q._years_blank = Q._years_blank_two = Q._months
""",
        ),
        (
            "week-restart",
            """\
from ladder_calendar.family import LadderCalendar as L
drawn = L.parameters
L.parameters = lambda *a: {**drawn(*a), "days": 35, "week": 7}
""",
        ),
    ],
)
def test_a_draw_is_dropped_for_the_reason_that_the_guide_tells(
    rule, break_it, site, tmp_path
):
    # Processes that build import it as well, and so are broken alike.
    (tmp_path / "broken.py").write_text(f"""\
{break_it}
from shipbar.building import builder
from shipbar.cli import main
builder.TRIES = 1
if __name__ == "__main__":
    main()
""")
    words = ["build", NAME, "--seed", "guide", "-o", tmp_path / "tasks"]
    done = run(f"{site}:{tmp_path}", "broken", *words, cwd=tmp_path)
    reason = f"fewer than 3 probes that only one rule decides: {rule} (0 found)"
    assert reason in done.stderr
    assert reason in GUIDE.read_text()
    assert done.returncode == UserError.exit_code


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_guides_build_is_what_comes_out(site, tmp_path):
    for command, wanted in shown():
        program, *words = command.split()
        if program == "shipbar" and words[0] in ("build", "task"):
            done = run(site, program, *words, cwd=tmp_path)
            assert done.returncode == 0, done.stderr
            assert missing(wanted, done.stdout) == [], command


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_solver_sees_neither_family_nor_rules_nor_seed(site, tmp_path):
    (tmp_path / "seed.txt").write_text(SECRET + "\n")
    words = ["--seed-file", tmp_path / "seed.txt", "-o", tmp_path / "tasks"]
    done = run(site, "shipbar", "build", NAME, *words)
    assert done.returncode == 0, done.stderr
    (task,) = [path for path in (tmp_path / "tasks").iterdir() if path.is_dir()]
    rules = json.loads((task / RECORD).read_text())["rules"]
    for path in (tmp_path / "tasks").rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes(), path
    seen = [path for path in (task / "solver").rglob("*") if path.is_file()]
    assert seen
    for path in seen:
        text = path.read_text()
        assert not [word for word in (NAME, "ladder", *rules) if word in text], path


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_package_installs_with_all_that_it_needs(tmp_path):
    shutil.copytree(HOME, tmp_path / "source")
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--quiet"]
    where = ["--target", tmp_path / "site", tmp_path / "source"]
    done = run(
        tmp_path, "pip", "install", "--disable-pip-version-check", *offline, *where
    )
    assert done.returncode == 0, done.stderr
    wrong = ["--rule", "colour=red", "-o", tmp_path / "tasks"]
    told = run(tmp_path / "site", "shipbar", "build", NAME, *wrong)
    assert "no axis named 'colour'; known: blank-month, " in told.stderr
    home = HOME / "src" / "ladder_calendar"
    wanted = {path.name for path in home.iterdir() if path.is_file()}
    assert wanted <= {
        path.name for path in (tmp_path / "site/ladder_calendar").iterdir()
    }


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_it_keeps_what_any_family_must_promise(site, tmp_path):
    shutil.copytree(HOME / "tests", tmp_path / "tests")
    plain = ["-p", "no:cacheprovider", "-p", "no:randomly", "-o", "timeout=800"]
    done = run(site, "pytest", "-q", "-rs", *plain, "tests", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert f"{len(PROMISES)} passed" in GUIDE.read_text()
    skipped = re.findall(r"^SKIPPED .*?: (.*)$", done.stdout, re.MULTILINE)
    assert [why for why in skipped if "is installed" not in why] == []
