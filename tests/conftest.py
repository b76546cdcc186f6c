"""What holds for every test: nothing ambient, and no proof that is quietly left out."""

import os
import uuid
from collections.abc import Generator

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]  # it ships no types

VARIANTS = 2
"""Variants of each family that the families' promises are tried on where nothing else is asked."""
IN_CI = os.environ.get("CI") == "true"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `scripts/families` try more variants than there is time for everywhere."""
    parser.addoption(
        "--variants",
        type=int,
        default=VARIANTS,
        help="variants of each family that its promises are tried on",
    )


class Together(LoadScopeScheduling):  # type: ignore[misc]  # likewise
    """Keeps in one process what looks at the same builds, which take most of the time.

    Goes by the tests' names: the groups that pytest-xdist offers itself are written
    where pytest 9.2 does not look, and are then without effect.
    """

    def _split_scope(self, nodeid: str) -> str:
        path, _, name = nodeid.partition("::")
        if name.startswith("test_promise["):
            return name.rpartition("-")[0]
        return path if path.endswith("test_tranche.py") else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(
    config: pytest.Config, log: object
) -> LoadScopeScheduling | None:
    """Keep families and the tranche together where groups are asked for."""
    asked = config.getvalue("dist") == "loadgroup"
    return Together(config, log) if asked else None


@pytest.fixture(autouse=True)
def clean_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Hide what this machine's owner has set up for themselves, and touch none of it."""
    for name in list(os.environ):
        if name.startswith(("SHIPBAR_", "PYTHON", "PIP_")):
            monkeypatch.delenv(name)
    keys = tmp_path_factory.getbasetemp() / "keys"
    monkeypatch.setenv("SHIPBAR_KEYS", str(keys))
    # One for each test: what a ledger holds it refuses to others.
    ledger = keys.with_name(f"ledger-{uuid.uuid4().hex}.db")
    monkeypatch.setenv("SHIPBAR_LEDGER", str(ledger))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where CI is set, a test that needs an engine fails when it finds none."""
    report = yield
    if IN_CI and report.skipped and item.get_closest_marker("engine"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
        report.outcome = "failed"
        report.longrepr = f"CI has to run this test, but it was skipped: {reason}"
    return report
