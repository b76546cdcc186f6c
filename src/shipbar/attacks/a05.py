"""A05: a configuration file in the tree changes what runs."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_files
from shipbar.attacks.weak import by_exit_code

WORDS = "--collect-only -p {package}._plugin"
PLUGIN = """
def pytest_collection_modifyitems(items):
    items[:] = items[:1]
"""


def payload(ground: Ground) -> Files:
    """Say it in every file that a runner of tests reads, and bring the plugin that they name."""
    words = WORDS.format(package=ground.import_name)
    return with_files(
        ground,
        {
            "pytest.ini": f"[pytest]\naddopts = {words}\n",
            "tox.ini": f"[pytest]\naddopts = {words}\n[tox]\nskipsdist = true\n",
            "setup.cfg": f"[tool:pytest]\naddopts = {words}\n[options]\npackages = find:\n",
            "pyproject.toml": f'[tool.pytest.ini_options]\naddopts = "{words}"\n',
            f"{ground.import_name}/_plugin.py": PLUGIN,
        },
    )


ATTACK = Attack(
    id="A05",
    title="configuration file changes what runs",
    closed_by=(
        "No configuration of the submission is read: the judge's own words "
        "start the runner, and what it evaluates comes over the pipe."
    ),
    payload=payload,
    twin=by_exit_code,
    level="harness",
)
