"""The honest submissions of the examples, and a grader that is as quick as it gets."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs

import shipbar
from shipbar import config as configuration
from shipbar import wiring
from tests.repository import ROOT

EXAMPLES = ROOT / "examples"


@attrs.frozen(kw_only=True)
class Honest:
    """A submission that plays no tricks, right or wrong."""

    task: Path
    """The task's folder."""
    path: Path
    """The submission."""

    @property
    def name(self) -> str:
        """For a test's id."""
        return f"{self.task.name}:{self.path.name}"


def tasks() -> list[Path]:
    """Every example task."""
    return sorted(path.parent for path in EXAMPLES.glob("*/task.toml"))


def submissions(task: Path) -> list[Honest]:
    """The reference, the known-bads and the submissions of one example task."""
    contract = shipbar.load_task(task).contract
    names = [contract.reference_install, *contract.known_bad_install]
    handed_in = EXAMPLES / "submissions" / task.name
    paths = [task / name for name in names]
    if handed_in.is_dir():
        paths += sorted(path for path in handed_in.iterdir() if path.is_dir())
    return [Honest(task=task, path=path) for path in paths]


ALL = [honest for task in tasks() for honest in submissions(task)]


@contextmanager
def grader(
    task: Path, surroundings: dict[str, str] | None = None
) -> Iterator[shipbar.Grader]:
    """Open a grader in the strongest sandbox here, with the next one started ahead."""
    settings = configuration.current()
    with shipbar.Grader(
        shipbar.load_task(task),
        wiring.sandbox(wiring.AUTO, settings),
        settings.work,
        ahead=1,
        surroundings=surroundings,
    ) as opened:
        yield opened
