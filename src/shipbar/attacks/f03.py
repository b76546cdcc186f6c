"""F03: modules with the names that a grader's helpers, or a runner's parts, have."""

from pathlib import Path

from shipbar.attacks import tricks
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import (
    HELPER_NAMES,
    LIBRARY_NAMES,
    RUNNER_NAMES,
    YES_MODULE,
    by_helper,
)


def payload(ground: Ground) -> Files:
    """Take every name that anyone but the package might import."""
    names = (*HELPER_NAMES, *RUNNER_NAMES, *LIBRARY_NAMES)
    modules = {f"{name}.py": YES_MODULE for name in names}
    # A portion of a namespace: no __init__.py, so that it joins what is there.
    portions = {f"tests/{name}.py": YES_MODULE for name in HELPER_NAMES}
    return tricks.with_files(ground, {**modules, **portions})


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Keep the helper out of the tree, but behind it on the path."""
    return by_helper(ground, files, folder, home="support")


ATTACK = Attack(
    id="F03",
    title="the submission takes the names of the grader's helpers",
    closed_by="The judge shares no import path with a submission; the runner has imported "
    "its own parts before, forgets them, and puts the candidate behind the standard library.",
    payload=payload,
    twin=twin,
    level="harness",
)
