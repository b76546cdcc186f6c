"""The ground that every attack is tried on: the example task, graded for real."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pytest

from shipbar import config, wiring
from shipbar.attacks import Ground
from shipbar.attacks.base import Files
from shipbar.grading.grader import Grader
from shipbar.grading.tasks import Task, load_task
from shipbar.verdict import Verdict
from tests.repository import ROOT

TASK = ROOT / "examples" / "check-character-36"
SECOND = ROOT / "examples" / "submissions" / "check-character-36" / "second"


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="session")
def task() -> Task:
    return load_task(TASK)


@pytest.fixture(scope="session")
def ground(task: Task) -> Ground:
    contract = task.contract
    [suite] = contract.grader.pytest_paths
    return Ground(
        import_name=contract.import_name,
        symbols=tuple(contract.public_symbols),
        honest=tree(TASK / contract.known_bad_install[0]),
        suite={f"tests/{name}": data for name, data in tree(TASK / suite).items()},
        passing=tree(SECOND / "src"),
        specification=(TASK / "solver" / "SPEC.md").read_bytes(),
    )


def children() -> set[str]:
    """The processes that this one has started and not yet seen the end of."""
    lists = Path("/proc/self/task").glob("*/children")
    return {number for path in lists for number in path.read_text().split()}


@attrs.define(kw_only=True)
class Sealed:
    """A sealed grader, and what there must be nothing left of after each grade."""

    grader: Grader
    work: Path

    def __call__(self, files: Files) -> Verdict:
        before = children()
        with tempfile.TemporaryDirectory() as place:
            for name, data in files.items():
                path = Path(place, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            try:
                return self.grader.grade(place)
            finally:
                assert list(self.work.iterdir()) == [], "left on disk"
                assert children() <= before, "left running"


@pytest.fixture(scope="session")
def sealed_by(task: Task) -> Iterator[Callable[[str], Sealed]]:
    """Make sealed graders by the name of their sandbox, once each."""
    made: dict[str, Sealed] = {}

    def make(name: str) -> Sealed:
        if name not in made:
            sandbox = wiring.sandbox(name, config.current())
            if not (found := sandbox.available()).works:
                pytest.skip(f"{name}: {found.detail}")
            # Not below pytest's own folder, which no other user may enter.
            work = Path(tempfile.mkdtemp(prefix="shipbar-attacks-"))
            work.chmod(0o755)
            made[name] = Sealed(grader=Grader(task, sandbox, work), work=work)
        return made[name]

    yield make
    for sealed in made.values():
        sealed.grader.close()
        shutil.rmtree(sealed.work)


@pytest.fixture(scope="session")
def sealed(sealed_by: Callable[[str], Sealed]) -> Sealed:
    """In the strongest sandbox that works here."""
    return sealed_by(wiring.AUTO)


@pytest.fixture(scope="session")
def honest(sealed: Sealed, ground: Ground) -> Verdict:
    """What the honest part deserves: something, so that losing shows, but far from all."""
    verdict = sealed(ground.honest)
    assert 0.1 < verdict.score < 0.5
    return verdict
