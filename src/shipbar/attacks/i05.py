"""I05: declared dependencies through which chosen code comes in.

The sealed grader gives this payload no score at all: it is refused at intake
with a `RequirementError`.
"""

import re
import tomllib
from pathlib import Path

from shipbar.attacks import tricks, weak
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.i01 import INSTALLED
from shipbar.attacks.weak_d import graded, package_root

_PROJECT = """
[project]
name = "{name}"
version = "1.0"
dependencies = [
  "{name}-core @ https://downloads.example.invalid/{name}-1.0.tar.gz",
  "{name}_core @ git+https://code.example.invalid/{name}.git@main",
  "{name}core @ file:///tmp/{name}",
  "{name}-c0re>=1.0",
]

[tool.uv]
extra-index-url = ["https://index.example.invalid/simple"]
"""


def payload(ground: Ground) -> Files:
    """Ask for look-alikes by link, by version control, by path and by name; use what comes."""
    project = _PROJECT.format(name=ground.import_name)
    return tricks.with_code(ground, INSTALLED, {"pyproject.toml": project})


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Resolve what is declared; the index has what an attacker has put there."""
    site = folder / "site-packages"
    index = {f"{ground.import_name}-core": ground.passing}
    project = tomllib.loads(files.get("pyproject.toml", b"").decode()).get(
        "project", {}
    )
    for requirement in project.get("dependencies", []):
        found = re.match(r"[\w.-]+", requirement)
        weak.lay(index.get(found[0], {}) if found else {}, site)
    env = {"PYTHONPATH": str(package_root(ground, site))}
    return graded(ground, files, folder, env=env)


ATTACK = Attack(
    id="I05",
    title="dependencies that bring in chosen code",
    closed_by="A submission that declares a dependency other than the standard library is "
    "refused at intake; nothing is ever resolved or downloaded.",
    payload=payload,
    twin=twin,
    level="harness",
)
