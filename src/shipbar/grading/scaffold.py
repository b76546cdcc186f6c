"""Makes a task folder that passes its own checks: a small complete example to replace.

It is made beside its place and moved there whole, so that a failure leaves
nothing. The suite comes ready; a test of ours holds it to what its probes give.
"""

import importlib.resources
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path

from shipbar.contract.parse import parse_contract
from shipbar.contract.values import MODULE, SLUG
from shipbar.errors import UserError

PACKAGE = "PACKAGE"
"""Stands for the import name in the template's paths."""
SUFFIX = ".txt"
"""Ends the name of each file of the template, so that none is taken for code of ours."""
CONTRACT, UPSTREAM = "task.toml", "upstream.toml"
LONGEST_NAME = 48


def make_task(task_id: str, folder: Path, *, mutated: bool = False) -> None:
    """Make the folder of a new task.

    Args:
        task_id: the task's name.
        folder: the folder to make; what it lies in must be there.
        mutated: whether the task changes the rules of a public library.

    Raises:
        UserError: the id is none, the folder is there already or cannot be made.
    """
    if not SLUG.fits(task_id):
        raise UserError(
            f"task id: expected {SLUG.expected}, at most {SLUG.longest} characters, got {task_id!r}; {SLUG.do}"
        )
    if folder.exists() or folder.is_symlink():
        raise UserError(
            f"{folder}: expected nothing there, something is; choose another place with -o, or move it away"
        )
    if not folder.parent.is_dir():
        raise UserError(
            f"{folder.parent}: expected a folder to make the task in, there is none; make it first"
        )
    files = dict(_files(task_id, mutated=mutated))
    parse_contract(files[CONTRACT].encode())
    try:
        _write(files, folder)
    except OSError as cause:
        raise UserError(
            f"{folder}: cannot be made: {cause.strerror}; choose another place with -o"
        ) from cause


def import_name_for(task_id: str) -> str:
    """Return a module name that resembles a task's id and hides nothing."""
    name = task_id.replace("-", "_")[:LONGEST_NAME]
    for candidate in (name, f"{name}_kit"):
        if MODULE.fits(candidate):
            return candidate
    return f"kit_{name}"


def _files(task_id: str, *, mutated: bool) -> Iterator[tuple[str, str]]:
    """Yield the paths and texts of a new task."""
    import_name = import_name_for(task_id)
    words = {
        "@task_id@": task_id,
        "@task_class@": "mutated" if mutated else "invented",
        "@import_name@": import_name,
        "@canary@": f"shipbar-canary-{uuid.uuid4()}",
    }
    template = dict(_read(_template(), ""))
    upstream = template.pop(UPSTREAM)
    if mutated:
        template[CONTRACT] += upstream
    for path, text in template.items():
        for word, meaning in words.items():
            text = text.replace(word, meaning)  # noqa: PLW2901  # one text, word by word
        yield path.replace(PACKAGE, import_name), text


def _template() -> Traversable:
    return importlib.resources.files("shipbar") / "grading" / "template"


def _read(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _read(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(SUFFIX):
            yield prefix + entry.name.removesuffix(SUFFIX), entry.read_text("utf-8")


def _write(files: dict[str, str], folder: Path) -> None:
    """Write the files into a folder beside the wanted one, then give it its name."""
    place = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        made = place / folder.name
        for path, text in sorted(files.items()):
            (made / path).parent.mkdir(parents=True, exist_ok=True)
            (made / path).write_text(text, "utf-8")
        made.rename(folder)
    finally:
        shutil.rmtree(place, ignore_errors=True)
