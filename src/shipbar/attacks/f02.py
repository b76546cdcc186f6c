"""F02: folders and compiled modules that come before a restored module's source."""

from pathlib import Path

from shipbar.attacks import tricks
from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak_d import (
    HELPER_NAMES,
    LIBRARY_NAMES,
    RUNNER_NAMES,
    YES_MODULE,
    by_helper,
    compiled,
)


def payload(ground: Ground) -> Files:
    """Add a package for every name of a helper, and modules without source."""
    folders = {f"{name}/__init__.py": YES_MODULE for name in HELPER_NAMES}
    sourceless = {
        f"{name}.pyc": compiled(YES_MODULE, name)
        for name in (*RUNNER_NAMES, *LIBRARY_NAMES)
    }
    return {**tricks.with_files(ground, folders), **sourceless}


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Restore the helper's source in the submission's tree, then trust its name."""
    return by_helper(ground, files, folder, home="tree")


ATTACK = Attack(
    id="F02",
    title="a folder or compiled module that is found before the restored source",
    closed_by="Nothing of the judge is imported from where a submission lies, compiled code "
    "is left out at intake, and the candidate's folder comes last on the subject's path.",
    payload=payload,
    twin=twin,
    level="harness",
)
