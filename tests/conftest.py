"""What holds for every test: nothing ambient, and no proof that is quietly left out."""

import os
from collections.abc import Generator

import pytest

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
