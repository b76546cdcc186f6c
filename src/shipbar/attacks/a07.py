"""A07: a plugin registered by dropping a dist-info folder.

The weak twin is hardened against configuration: it reads no file of the tree
and no conftest. But it lets the runner find its plugins on the import path,
and `python -m` puts the tree there.
"""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import ALL_GREEN, with_files
from shipbar.attacks.weak import passed_in_junit, pytest_run, share


def payload(ground: Ground) -> Files:
    """Register a plugin that calls every test passed, under each group that a runner looks up."""
    metadata = f"Metadata-Version: 2.1\nName: {ground.import_name}\nVersion: 1.0\n"
    groups = ("pytest11", "console_scripts", "shipbar", "shipbar.sandbox")
    entries = "".join(
        f"[{group}]\nreporting = {ground.import_name}._plugin\n" for group in groups
    )
    return with_files(
        ground,
        {
            f"{ground.import_name}-1.0.dist-info/METADATA": metadata,
            f"{ground.import_name}-1.0.dist-info/entry_points.txt": entries,
            f"{ground.import_name}/_plugin.py": ALL_GREEN,
        },
    )


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Read the XML report of a run that takes no configuration from the tree."""
    ran = pytest_run(
        ground,
        files,
        folder,
        ["-c", "/dev/null", "--rootdir=.", "--noconftest", "-p", "no:randomly"],
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": ""},
    )
    return share(passed_in_junit(ran.junit), ran.total)


ATTACK = Attack(
    id="A07",
    title="plugin registered by dropping a dist-info",
    closed_by=(
        "Nothing is discovered: the subject has no runner with plugins, and the "
        "judge never has a submission on its import path."
    ),
    payload=payload,
    twin=twin,
)
