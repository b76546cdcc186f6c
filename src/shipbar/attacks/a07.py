"""A07: a plugin registered by dropping a dist-info folder.

The weak twin is hardened against configuration: it reads no file of the tree
and no conftest, and it loads no plugin but those that it finds installed for
the project. It looks on the import path, and the tree is on that.
"""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import ALL_GREEN, with_files
from shipbar.attacks.weak import lay, passed_in_junit, pytest_run, python, run, share

ENUMERATE = """
from importlib.metadata import entry_points
print(*(entry.name for entry in entry_points(group="pytest11")))
"""


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
    """Allow the plugins that the project has installed, and read the XML report."""
    image = _plugins(lay({}, folder / "image"))
    added = sorted(_plugins(lay(files, folder / "tree")) - image)
    allowed = [word for name in added for word in ("-p", name)]
    hardened = ["-c", "/dev/null", "--rootdir=.", "--noconftest"]
    ran = pytest_run(ground, files, folder, [*hardened, *allowed])
    return share(passed_in_junit(ran.junit), ran.total)


def _plugins(place: Path) -> set[str]:
    """Return the names of the plugins that are installed as seen from a folder."""
    found = run(python("-c", ENUMERATE), place).log
    return set(found.split())


ATTACK = Attack(
    id="A07",
    title="plugin registered by dropping a dist-info",
    closed_by=(
        "Nothing is discovered: the subject has no runner with plugins, and the "
        "judge never has a submission on its import path."
    ),
    payload=payload,
    twin=twin,
    level="harness",
)
