"""A14: support files outside the list of what is reset.

The weak twin restores the tests. They import a helper that lies beside them,
which it leaves as it is where there is one.
"""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import ALL_GREEN, with_files
from shipbar.attacks.weak import believed, script_run, script_text

HELPER = "tests/support.py"
HONEST = b"def same(value, expected):\n    return value == expected\n"
LYING = """
def __getattr__(name):
    return lambda *values, **named: True
"""


def payload(ground: Ground) -> Files:
    """Leave helpers that agree with everything wherever tests may look for theirs."""
    names = ("support", "helpers", "utils", "common", "util")
    helpers = {f"tests/{name}.py": LYING for name in names}
    return with_files(
        ground,
        {**helpers, "tests/conftest.py": ALL_GREEN, "tests/__init__.py": ""},
    )


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Compare through the helper that lies in the tree."""
    tree = {HELPER: HONEST, **files}
    text = script_text(
        prepare="sys.path.insert(0, os.path.join(sys.argv[1], 'tests'))\nfrom support import same",
        compare="return same(value, expected)",
    )
    ran = script_run(ground, tree, folder, text)
    return believed(ran.result, ran.total)


ATTACK = Attack(
    id="A14",
    title="support files outside the reset list",
    closed_by=(
        "The suite and what it needs never lie in a submission's tree; "
        "its helpers are sent over the pipe and comparing uses none of them."
    ),
    payload=payload,
    twin=twin,
    level="harness",
)
