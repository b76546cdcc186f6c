"""Grounds: the one of a task at hand, and a standing one for what depends on no task."""

import tomllib
from importlib.resources import files
from pathlib import Path

from shipbar.attacks.base import Files, Ground
from shipbar.grading.tasks import (
    CACHES,
    SPECIFICATION,
    Task,
    load_task,
    suite_files,
)

STANDING = "standing.toml"
"""Holds the standing ground: a task, file by file."""


def ground_of(task: Task) -> Ground:
    """Return the ground that a task is: the payload sits on what memory writes."""
    contract = task.contract
    return Ground(
        import_name=contract.import_name,
        symbols=tuple(contract.public_symbols),
        honest=tree(task.folder / contract.known_bad_install[0]),
        suite=_suite(task),
        passing=tree(task.folder / contract.reference_install),
        specification=(task.folder / SPECIFICATION).read_bytes(),
    )


def tree(folder: Path) -> Files:
    """Return the files of a package's folder, without what tools leave behind."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not CACHES & set(path.parts)
    }


def lay_standing_task(folder: Path) -> Task:
    """Write the standing ground's task into ``folder``, which is empty, and load it."""
    text = files(__package__).joinpath(STANDING).read_text("utf-8")
    for name, file in tomllib.loads(text).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file["text"], "utf-8")
    return load_task(folder)


def _suite(task: Task) -> Files:
    """The suite's files, as they lie below a weak grader's folder of tests."""
    found = {}
    for path in suite_files(task.folder, task.contract):
        for root in task.contract.grader.pytest_paths:
            place = task.folder / root
            if path.is_relative_to(place):
                name = path.relative_to(place if place.is_dir() else place.parent)
                found[f"tests/{name.as_posix()}"] = path.read_bytes()
    return found
