"""G02: compiled helpers that are never compared with their source."""

import sys
from pathlib import Path

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
    """Add a cache of compiled modules for everything that a grader might import."""
    names = (*HELPER_NAMES, *RUNNER_NAMES, *LIBRARY_NAMES)
    tag = sys.implementation.cache_tag
    cache = {
        f"{folder}__pycache__/{name}.{tag}.pyc": compiled(YES_MODULE, name)
        for name in names
        for folder in ("", "tests/", f"{ground.import_name}/")
    }
    return {**ground.honest, **cache}


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Restore the helper's source, and leave the cache beside it."""
    return by_helper(ground, files, folder, home="tree")


ATTACK = Attack(
    id="G02",
    title="a compiled helper that is never compared with its source",
    closed_by="Caches and compiled code are left out at intake, by name and by their first "
    "bytes, and the judge imports nothing from where a submission lies.",
    payload=payload,
    twin=twin,
    level="harness",
)
