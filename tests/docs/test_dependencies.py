"""Each dependency is justified, declared and locked, and all lists say the same."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement

from tests.repository import ROOT


def declared(name: str) -> list[str]:
    """Return the names in a requirements file that were chosen, not derived."""
    lines = (ROOT / name).read_text().splitlines()
    text = [line.partition("#")[0].strip() for line in lines]
    return [Requirement(line).name for line in text if line and line[0] != "-"]


def justified(heading: str) -> dict[str, str]:
    page = (ROOT / "docs" / "design" / "dependencies.md").read_text()
    section = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([\w-]+) \| (.+) \|$", section, re.MULTILINE)
    return {name: reason for name, reason in rows if name != "name"}


@pytest.mark.parametrize(
    ("file", "heading"),
    [
        ("requirements.in", "To run Shipbar"),
        ("requirements-dev.in", "To work on Shipbar"),
    ],
    ids=["runtime", "dev"],
)
def test_every_direct_dependency_states_its_case(file, heading):
    reasons = justified(heading)
    assert list(reasons) == declared(file), "same names, same (alphabetic) order"
    assert all(len(reason.split()) > 3 for reason in reasons.values())


def test_the_package_asks_for_what_is_locked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [Requirement(line) for line in project["dependencies"]]
    assert [requirement.name for requirement in asked] == declared("requirements.in")
    locked = dict(
        re.findall(
            r"^([\w-]+)==(\S+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE
        )
    )
    assert [r for r in asked if not r.specifier.contains(locked[r.name])] == []


@pytest.mark.parametrize(
    "name", ["requirements", "requirements-dev"], ids=["runtime", "dev"]
)
def test_a_lock_pins_and_hashes_everything_and_names_no_place(name):
    text = (ROOT / f"{name}.txt").read_text()
    entries = re.split(r"\n(?=\S)", text.strip())
    unsafe = [
        e for e in entries if not re.match(r"[\w.-]+==\S+.*\\\n +--hash=sha256:", e)
    ]
    assert unsafe == []
    assert "://" not in text
    assert "index" not in text.replace("-", " ").split()
    pinned = {entry.partition("==")[0] for entry in entries}
    assert set(declared(f"{name}.in")) <= pinned


def test_both_locks_agree():
    def pins(name: str) -> set[str]:
        return set(re.findall(r"^[\w-]+==\S+", (ROOT / name).read_text(), re.MULTILINE))

    assert pins("requirements.txt") <= pins("requirements-dev.txt")
