"""Judges small suites written in a test, against packages written in a test."""

import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attrs

from shipbar.contract import Contract, Limits
from shipbar.grading.bench import Seat
from shipbar.grading.judge import Judged, judge
from shipbar.ports import Job, Sandbox
from shipbar.sealed.lift import Suite, lift
from shipbar.testing.fakes import Unconfined
from tests.contract.samples import EXPECTED

PACKAGE = "wares"
PATH = "grader/tests/test_wares.py"


def contract(symbols: Iterable[str] = (), **limits: Any) -> Contract:
    """A contract for the package; limits as for a quick test."""
    quick = attrs.evolve(Limits(wall_s=20.0, case_wall_s=5.0), **limits)
    return attrs.evolve(
        EXPECTED,
        import_name=PACKAGE,
        public_symbols=tuple(symbols),
        grader=attrs.evolve(EXPECTED.grader, limits=quick),
    )


def lifted(text: str, symbols: Iterable[str] = ()) -> Suite:
    """Lift a suite of one file that has nothing wrong with it."""
    found = lift({PATH: textwrap.dedent(text)}, PACKAGE, symbols)
    assert found.problems == ()
    return found.suite


def write_package(folder: Path, text: str) -> None:
    """Write the package as one module."""
    folder.joinpath(f"{PACKAGE}.py").write_text(textwrap.dedent(text))


def judged(
    work: Path,
    suite: Suite,
    terms: Contract,
    *,
    package: str = "",
    sandbox: Sandbox | None = None,
) -> Judged:
    """Judge the package; by default with a real runner in a plain process."""
    seat = Seat(sandbox or Unconfined(), Job(limits=terms.grader.limits), work)
    try:
        write_package(seat.folder, package)
        return judge(seat, suite, terms)
    finally:
        seat.leave()


def outcomes(
    work: Path, package: str, text: str, symbols: Iterable[str] = ()
) -> dict[str, str]:
    """Judge the package by a suite; return the outcome of each test by its name."""
    symbols = tuple(symbols)
    suite = lifted(text, symbols)
    result = judged(work, suite, contract(symbols), package=package)
    assert result.structure.ok, result
    names = [case.id.rpartition("::")[2] for case in suite.cases]
    return dict(zip(names, map(str, result.outcomes), strict=True))
