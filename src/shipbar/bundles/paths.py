"""Where each file of a task lies in the bundles, and back.

    of the task        bundle   there
    solver/SPEC.md     solver   tasks/TASK/SPEC.md
    task.toml          grader   tasks/TASK/task.toml
    grader/X           grader   tasks/TASK/X
    any other path P   grader   tasks/TASK/as-built/P

So a task is put together again exactly, and its digest is the one that was proven.
Beside these lies what is made for the buyer and is no part of the task's digest: its
notes, and its reference as a patch.
"""

import re

from shipbar.errors import UserError
from shipbar.grading.tasks import SPECIFICATION

SOLVER, GRADER = "solver", "grader"
KINDS = (SOLVER, GRADER)
"""The two bundles."""

MANIFEST, SIGNATURE = "MANIFEST.json", "MANIFEST.sig"
INDEX = "index.jsonl"
REUSE = "REUSE.toml"
LICENCES = "LICENSES"
KEYS = "keys"
TASKS = "tasks"
RECEIPTS = "receipts"
REVIEWS = "reviews"
SEALED = "sealed"
IMAGES = "images"
NOTES, PATCH = "TASK.md", "reference.patch"
"""Made for the buyer, in a task's folder of the grader bundle."""

_SPECIFICATION = "SPEC.md"
_CONTRACT = "task.toml"
_AS_BUILT = "as-built"
_GRADER_TREE = "grader/"
TAKEN = frozenset({_CONTRACT, NOTES, PATCH, _AS_BUILT})
"""Names that nothing directly below a task's `grader/` may have."""
_BY_TASK = frozenset({TASKS, RECEIPTS, REVIEWS})
_AGE = ".tar.age"

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
LONGEST_NAME = 64


def slug(text: str, what: str) -> str:
    """Return ``text`` if it may name a client or a tranche.

    Raises:
        UserError: it is no such name; ``what`` begins the message.
    """
    if _SLUG.fullmatch(text) is None or len(text) > LONGEST_NAME:
        raise UserError(
            f"{what} {text!r}: expected a name of at most {LONGEST_NAME} lower-case letters and digits, in parts joined by "
            'single hyphens; write it like "north-lab"'
        )
    return text


def root(tranche: str, kind: str) -> str:
    """Return the name of a bundle's folder."""
    return f"{tranche}-{kind}"


def specification(task_id: str) -> str:
    """Return where a task's specification lies in the solver bundle."""
    return f"{TASKS}/{task_id}/{_SPECIFICATION}"


def in_grader(task_id: str, path: str) -> str:
    """Return where a file of a task lies in the grader bundle.

    Args:
        task_id: the task.
        path: in the task, and not the specification.

    Raises:
        UserError: its place is taken by something else.
    """
    below = path.removeprefix(_GRADER_TREE)
    if path.startswith(_GRADER_TREE):
        if below.partition("/")[0] in TAKEN:
            raise UserError(
                f"{task_id}: {path}: cannot be delivered under that name, which a bundle uses itself; rename it"
            )
        return f"{TASKS}/{task_id}/{below}"
    if path == _CONTRACT:
        return f"{TASKS}/{task_id}/{_CONTRACT}"
    return f"{TASKS}/{task_id}/{_AS_BUILT}/{path}"


def in_task(path: str) -> str | None:
    """Return where a file below `tasks/TASK/` of the grader bundle lies in the task.

    Args:
        path: below the task's folder in the bundle.

    Returns:
        None for what is no part of the task.
    """
    top, _, below = path.partition("/")
    if path in (NOTES, PATCH):
        return None
    if path == _CONTRACT:
        return _CONTRACT
    if top == _AS_BUILT:
        return below
    return _GRADER_TREE + path


def receipt(task_id: str, gate: str) -> str:
    """Return where the receipt of a gate lies; see also `shipbar.attest.store.copy_path`."""
    return f"{RECEIPTS}/{task_id}/{gate}.dsse.json"


def review(task_id: str, name: str) -> str:
    """Return where a file from the task's folder of reviews lies."""
    return f"{REVIEWS}/{task_id}/{name}"


def sealed(task_id: str) -> str:
    """Return where a sealed grader lies."""
    return f"{SEALED}/{task_id}{_AGE}"


def licence(name: str) -> str:
    """Return where the text of a licence lies."""
    return f"{LICENCES}/{name}.txt"


def key(key_id: str) -> str:
    """Return where the public half of a key lies."""
    return f"{KEYS}/{key_id}.pub"


def notes(task_id: str) -> str:
    """Return where a task's notes for the buyer lie."""
    return f"{TASKS}/{task_id}/{NOTES}"


def patch(task_id: str) -> str:
    """Return where a task's reference lies as a patch."""
    return f"{TASKS}/{task_id}/{PATCH}"


def task_of(path: str) -> str:
    """Return the id of the task that a file of a bundle is of; empty if it is of none alone."""
    top, _, rest = path.partition("/")
    if top == SEALED:
        return rest.removesuffix(_AGE)
    return rest.partition("/")[0] if top in _BY_TASK else ""


def is_safe(path: str) -> bool:
    """Say whether a path stays below where it is written: relative, in one spelling, no `..`."""
    return bool(path) and all(
        part not in ("", ".", "..") and "\\" not in part and "\0" not in part
        for part in path.split("/")
    )


def is_specification(path: str) -> bool:
    """Say whether a path in a task is what the solver bundle holds."""
    return path == SPECIFICATION
