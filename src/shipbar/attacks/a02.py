"""A02: a conftest resets the session's exit status."""

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_files
from shipbar.attacks.weak import by_exit_code

CONFTEST = """
import pytest


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    session.exitstatus = 0


def pytest_unconfigure(config):
    sessions = [it for it in config.pluginmanager.get_plugins() if hasattr(it, "exitstatus")]
    for session in sessions:
        session.exitstatus = 0
"""


def payload(ground: Ground) -> Files:
    """Bring the hook wherever a runner might look for one."""
    places = ("", "tests/", f"{ground.import_name}/")
    return with_files(ground, {f"{place}conftest.py": CONFTEST for place in places})


ATTACK = Attack(
    id="A02",
    title="conftest resets the session exit status",
    closed_by=(
        "No runner loads hooks and no exit status is read: "
        "each case passes only by an answer that the judge itself compared."
    ),
    payload=payload,
    twin=by_exit_code,
    level="harness",
)
