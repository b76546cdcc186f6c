"""A06: options injected through the environment.

The weak twin loads the tree's `.env`, as many harnesses do, before it starts a
script that asserts. `python -O` drops plain `assert` statements.
"""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_code
from shipbar.attacks.weak import believed, script_run, script_text

VARIABLES = {
    "PYTHONOPTIMIZE": "1",
    "PYTEST_ADDOPTS": "--collect-only",
    "PYTEST_PLUGINS": "_plugin",
    "BASH_ENV": "./.profile",
    "COVERAGE_PROCESS_START": "./.coveragerc",
    "PYTHONINSPECT": "",
}
DOTFILES = (".env", ".profile", ".bashrc", ".pam_environment", ".envrc")
CODE = f"""
import os

variables = {VARIABLES!r}
os.environ.update(variables)
for place in (os.environ.get("HOME"), os.getcwd()):
    for name in {DOTFILES!r}:
        try:
            with open(os.path.join(place, name), "a") as file:
                file.writelines(f"export {{it}}\\n" for it in map("=".join, variables.items()))
        except (OSError, TypeError):
            pass
"""


def payload(ground: Ground) -> Files:
    """Set the variables in dotfiles of the tree, and on import in those of the home folder."""
    lines = "".join(f"{name}={value}\n" for name, value in VARIABLES.items())
    return with_code(ground, CODE, dict.fromkeys(DOTFILES, lines))


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Assert in a script whose environment the tree may add to."""
    lines = files.get(".env", b"").decode().splitlines()
    env = dict(line.split("=", 1) for line in lines if "=" in line)
    text = script_text(compare="assert value == expected\nreturn True")
    ran = script_run(ground, files, folder, text, env=env)
    return believed(ran.result, ran.total)


ATTACK = Attack(
    id="A06",
    title="options injected through the environment",
    closed_by=(
        "A subject's environment is a fixed list of variables, set anew for each, "
        "and comparing is done by the judge, whose environment no submission sets."
    ),
    payload=payload,
    twin=twin,
    level="harness",
)
