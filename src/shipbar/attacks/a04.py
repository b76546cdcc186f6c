"""A04: a conftest deselects, skips or expects the failure of every test."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_files
from shipbar.attacks.weak import by_failures

CONFTEST = """
import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    for number, item in enumerate(items):
        mark = pytest.mark.skip if number % 2 else pytest.mark.xfail
        item.add_marker(mark(reason="not on this platform"))
"""


def payload(ground: Ground) -> Files:
    """Bring the hook, and say the same to the runners of the standard library."""
    return with_files(
        ground,
        {
            "conftest.py": CONFTEST,
            "tests/conftest.py": CONFTEST,
            f"{ground.import_name}/conftest.py": CONFTEST,
            "load_tests.py": "def load_tests(loader, tests, pattern):\n    return loader.suiteClass()\n",
        },
    )


ATTACK = Attack(
    id="A04",
    title="conftest deselects, skips or xfails",
    closed_by=(
        "The judge's own list of cases is the denominator, and a case without "
        "an answer that was compared stays a failure; nothing can be skipped."
    ),
    payload=payload,
    twin=by_failures,
    level="harness",
)
