"""Loads a task folder: contract, layout and lifted suite, with every problem told at once."""

import functools
from collections.abc import Iterator
from pathlib import Path

import attrs

from shipbar.contract import Contract, check_count, parse_contract
from shipbar.errors import ContractError, SuiteError, UserError
from shipbar.sealed.lift import Lifted, Problem, Suite, lift
from shipbar.verdict import canonical, sha256

CACHES = frozenset(
    {"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"}
)
"""Folders that tools leave behind; no part of a task."""

SPECIFICATION = "solver/SPEC.md"
LADDER = "grader/ladder"
"""Folder of partial implementations, from the poorest by name; a task may have none."""
ADAPTER = "grader/adapter"
"""Folder with the task's surface over the genuine upstream; a task may have none."""
RECORD = "grader/variant.json"
"""What a built variant was made from, for the grader's side alone. No seed is in it."""


@attrs.frozen(kw_only=True)
class Task:
    """A task that can be graded."""

    folder: Path
    """Where it lies."""
    contract: Contract
    """What its `task.toml` says."""
    suite: Suite
    """Its held-out suite, lifted."""
    digest: str
    """``sha256:…`` over all its files."""


def load_task(folder: str | Path) -> Task:
    """Load the task in ``folder``.

    Raises:
        UserError: there is no such folder, or it holds no `task.toml`.
        ContractError: the contract or the layout is wrong.
        SuiteError: a test cannot be lifted.
    """
    folder = Path(folder)
    contract = read_contract(folder)
    if problems := layout_problems(folder, contract):
        raise ContractError(problems)
    lifted = lift_suite(folder, contract)
    if lifted.problems:
        raise SuiteError([str(problem) for problem in lifted.problems])
    check_count(contract, len(lifted.suite.cases), where=str(folder / "task.toml"))
    return Task(
        folder=folder, contract=contract, suite=lifted.suite, digest=digest_of(folder)
    )


def read_contract(folder: Path) -> Contract:
    """Read the contract of the task in ``folder``; see `load_task` for what it raises."""
    path = folder / "task.toml"
    try:
        data = path.read_bytes()
    except OSError as cause:
        raise UserError(
            f"{folder} is no task: cannot read {path} ({cause.strerror}); a task is a folder with a task.toml, "
            "`shipbar new TASK_ID` makes one"
        ) from cause
    return parse_contract(data, where=str(path))


def layout_problems(folder: Path, contract: Contract) -> list[str]:
    """Say what of a task's layout is missing, or too much."""
    wanted = (
        *(SPECIFICATION, "TASK.md", *contract.grader.pytest_paths),
        *(contract.reference_install, *contract.known_bad_install),
    )
    problems = [
        f"{folder / name}: expected by the contract, not there"
        for name in wanted
        if not (folder / name).exists()
    ]
    visible = {
        path.relative_to(folder).as_posix() for path in _files(folder / "solver")
    }
    problems += [
        f"{folder / extra}: the solver-visible tree holds {SPECIFICATION} and nothing else; move it away"
        for extra in sorted(visible - {SPECIFICATION})
    ]
    return problems


def lift_suite(folder: Path, contract: Contract) -> Lifted:
    """Lift the suite of the task in ``folder``."""
    files: dict[str, str] = {}
    problems: list[Problem] = []
    for path in suite_files(folder, contract):
        name = path.relative_to(folder).as_posix()
        if path.name == "__init__.py" and not path.read_bytes().strip():
            continue
        if not path.name.startswith("test_") or path.suffix != ".py":
            problems.append(
                Problem(
                    path=name,
                    line=1,
                    why="a suite holds test_*.py files only; conftest files, helpers and data cannot be lifted",
                )
            )
            continue
        try:
            files[name] = path.read_text("utf-8")
        except UnicodeDecodeError as cause:
            problems.append(Problem(path=name, line=1, why=f"not UTF-8: {cause}"))
    lifted = _lift(
        tuple(files.items()), contract.import_name, tuple(contract.public_symbols)
    )
    return Lifted(suite=lifted.suite, problems=(*problems, *lifted.problems))


def suite_files(folder: Path, contract: Contract) -> list[Path]:
    """Every file below the contract's `pytest_paths`, sorted, without what tools leave behind."""
    found: set[Path] = set()
    for name in contract.grader.pytest_paths:
        path = folder / name
        found.update(_files(path) if path.is_dir() else [path])
    return sorted(found)


@functools.lru_cache(maxsize=256)
def _lift(
    files: tuple[tuple[str, str], ...], package: str, symbols: tuple[str, ...]
) -> Lifted:
    """Lift once for each content."""
    return lift(dict(files), package, symbols)


def digest_of(folder: Path) -> str:
    """Return `sha256:…` over the paths and contents of all files of a task.

    Raises:
        UserError: a file's name is no UTF-8.
    """
    return sha256(canonical(listing_of(folder)))


def listing_of(folder: Path) -> dict[str, str]:
    """Return `sha256:…` of each file of a task, by its path."""
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes())
        for path in _files(folder)
    }


def _files(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.is_symlink():
            if path.name not in CACHES:
                yield from _files(path)
        elif path.suffix != ".pyc":
            if not _is_text(path.name):
                raise UserError(
                    f"{folder}: a file is called {path.name!r}, which is no UTF-8; rename it, or move it away"
                )
            yield path


def _is_text(name: str) -> bool:
    """Whether a file's name can be digested: bytes that are no text come as halves of characters."""
    return not any("\ud800" <= it <= "\udfff" for it in name)
