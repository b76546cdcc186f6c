"""What goes into our images: one recipe for a solver, one for a grader.

- *Solver*: the base, and a layer with the specification, `SPEC.md` in `/work`. Nothing
  else of the task is in it, and no label says more than the task's id.
- *Grader*: the base, a layer with what grades (`/opt/shipbar`: Shipbar's grading side
  and the libraries that it needs), and a layer with the task (`/task`). Some of those
  libraries are compiled for one version of Python and one kind of processor, so that a
  base which has another is refused. If asked for, the task's pinned upstream is in it
  too, where the copy guard looks for it. Its entry point is the command line; it grades
  `/candidate` if told nothing else, and needs neither network nor a writable root but
  for `/tmp` and `/var/cache/shipbar`.

Nothing here looks at clocks, users or hosts. A rebuild gives the same bytes as long
as the base, the task and Shipbar are the same.
"""

import functools
import importlib.metadata
import importlib.resources
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

from shipbar.contract import Contract
from shipbar.errors import UserError
from shipbar.grading.tasks import SPECIFICATION, digest_of, listing_of, read_contract
from shipbar.oci.bases import Base
from shipbar.oci.minimal import architecture
from shipbar.oci.tars import Entry, tree
from shipbar.oci.values import TASK_DIGEST, VERSION, version
from shipbar.oci.writer import Layer, Plan, Store

WORK = "/work"
"""Where a solver starts, inside."""
SPEC = f"{WORK}/SPEC.md"
"""Where the specification is, inside a solver's image."""
HOME = "/opt/shipbar"
"""Where Shipbar is, inside a grader's image."""
TASK = "/task"
"""Where the task is, inside a grader's image."""
CANDIDATE = "/candidate"
"""What a grader's image grades if told nothing else."""
CACHE = "/var/cache/shipbar"
"""Where a grader keeps what it can make again, inside."""
UPSTREAM = f"{CACHE}/upstream".lstrip("/")
"""Where the copy guard looks for the pinned upstream, inside, as a layer names it."""
KINDS = ("solver", "grader")

LIBRARIES = (
    *("attrs", "click"),
    *("packaging", "pip", "setuptools", "wheel"),  # to build what is handed in
    "tree-sitter",  # for the copy guard, with every grammar that it names
    *("tree-sitter-c", "tree-sitter-c-sharp", "tree-sitter-cpp", "tree-sitter-go"),
    *("tree-sitter-java", "tree-sitter-javascript", "tree-sitter-php"),
    *("tree-sitter-python", "tree-sitter-typescript"),
)
"""Distributions that grading uses."""
PARTS = (
    *("cli", "contract", "grading", "sandboxes", "sealed", "similarity", "subject"),
)
"""Packages of Shipbar that grading uses, beside its modules."""
_KEPT = ("METADATA", "WHEEL", "entry_points.txt", "top_level.txt")
"""What of a distribution's metadata does not depend on how it was installed."""
_OWN_RECORD = re.compile(r"[^/]+\.dist-info/RECORD")
_MAIN = b'"""Starts the command line."""\n\nfrom shipbar.cli import main\n\nif __name__ == "__main__":\n    main()\n'

SOLVER_SETTINGS: Mapping[str, object] = {"WorkingDir": WORK}


@attrs.frozen(kw_only=True)
class Recipe:
    """Makes the image of one task, of one kind."""

    kind: str
    """`solver` or `grader`."""
    base: Base
    """What it stands on."""
    runtime: Layer | None = None
    """A grader's: the layer with Shipbar."""
    python: str = ""
    """A grader's: its Python, inside."""

    def plan(
        self,
        store: Store,
        task: Path,
        labels: Mapping[str, str] | None = None,
        *,
        sdist: bytes | None = None,
    ) -> Plan:
        """Write the layer of ``task`` and say what its image is made of.

        Args:
            store: where the layer goes.
            task: the task's folder.
            labels: more labels.
            sdist: a grader's: the pinned upstream, which the copy guard compares with.

        Raises:
            UserError: there is no task in that folder.
        """
        contract = read_contract(task)
        if self.runtime is None:
            made = store.layer(solver_entries(task), made_by="shipbar: specification")
            layers: tuple[Layer, ...] = (made,)
            own: dict[str, str] = {}
        else:
            entries = [*task_entries(task), *upstream_entries(contract, sdist)]
            made = store.layer(entries, made_by="shipbar: task")
            layers = (self.runtime, made)
            own = {VERSION: version(), TASK_DIGEST: digest_of(task)}
        return Plan(
            kind=self.kind,
            task=contract.task_id,
            base=self.base,
            layers=layers,
            labels=labels or {},
            settings=settings_of(self.kind, self.python),
            own_labels=own,
        )


def recipe(kind: str, base: Base, store: Store) -> Recipe:
    """Return the recipe of one kind on a base; for a grader its runtime layer is written.

    Raises:
        UserError: there is no such kind, or the base has not the Python and the processor
            that our compiled libraries are for.
    """
    if kind == "solver":
        return Recipe(kind=kind, base=base)
    if kind != "grader":
        raise UserError(f"image kind {kind!r}: expected one of {', '.join(KINDS)}")
    _require_our_processor(base)
    python = base.python(sys.version_info.minor)
    runtime = store.layer(runtime_entries(), made_by=f"shipbar: {version()}")
    return Recipe(kind=kind, base=base, runtime=runtime, python=python)


def _require_our_processor(base: Base) -> None:
    theirs = str(base.config.get("architecture"))
    if theirs != (ours := architecture()):
        raise UserError(
            f"{base.path}: the base is for {theirs}, and this machine is {ours}; a grader has compiled libraries: build its image on a machine of that kind"
        )


def settings_of(kind: str, python: str) -> dict[str, object]:
    """Return the fields of a config that a recipe sets over the base's."""
    if kind == "solver":
        return dict(SOLVER_SETTINGS)
    return {
        "WorkingDir": "/",
        "Entrypoint": [python, "-I", "-B", HOME],
        "Cmd": ["grade", TASK, CANDIDATE, "--json"],
        "User": "0:0",  # it gives up its rights itself, for each candidate
    }


def solver_entries(task: Path) -> list[Entry]:
    """Return the layer of a solver's image.

    Raises:
        UserError: the specification cannot be read.
    """
    try:
        specification = (task / SPECIFICATION).read_bytes()
    except OSError as cause:
        raise UserError(
            f"{task / SPECIFICATION}: cannot be read ({cause.strerror}); a task has its specification there"
        ) from cause
    return [Entry(path=SPEC.lstrip("/"), content=specification)]


def task_entries(task: Path) -> list[Entry]:
    """Return the layer of a grader's image that holds the task.

    It holds the files that the task's digest is over, so that both are the same inside.
    """
    return [
        Entry(path=f"{TASK}/{name}".lstrip("/"), content=(task / name).read_bytes())
        for name in listing_of(task)
    ]


def upstream_entries(contract: Contract, sdist: bytes | None) -> list[Entry]:
    """Return the pinned upstream where grading looks for it; nothing without one."""
    if sdist is None or contract.upstream_sdist is None:
        return []
    return [Entry(path=f"{UPSTREAM}/{contract.upstream_sdist.file}", content=sdist)]


def runtime_entries() -> list[Entry]:
    """Return the layer of a grader's image that holds Shipbar and its libraries."""
    return list(_runtime())


@functools.cache
def _runtime() -> tuple[Entry, ...]:
    home = HOME.lstrip("/")
    # What the sandbox needs to be there on a root that is read-only.
    places = [
        Entry(path="tmp", kind="folder", mode=0o1777),
        Entry(path=CACHE.lstrip("/"), kind="folder"),
        Entry(path=CANDIDATE.lstrip("/"), kind="folder"),
        Entry(path=f"{home}/__main__.py", content=_MAIN),
    ]
    found = [*places, *_shipbar(f"{home}/shipbar")]
    for name in LIBRARIES:
        found += _library(name, home)
    return tuple(found)


def _shipbar(at: str) -> Iterator[Entry]:
    """Yield what grades of Shipbar itself."""
    with importlib.resources.as_file(importlib.resources.files("shipbar")) as root:
        yield from (
            Entry(path=f"{at}/{path.name}", content=path.read_bytes())
            for path in sorted(root.glob("*.py"))
        )
        for name in PARTS:
            for entry in tree(root / name, f"{at}/{name}", leave_out=["__pycache__"]):
                yield attrs.evolve(entry, mode=None)


def _library(name: str, at: str) -> Iterator[Entry]:
    """Yield a distribution: its code, and what its metadata says whoever installed it."""
    listed: list[str] = []
    record = ""
    for file in importlib.metadata.files(name) or ():
        source, path = Path(str(file.locate())), file.as_posix()
        if ".." in file.parts or not source.is_file() or _left_out(path):
            continue
        if _OWN_RECORD.fullmatch(path):  # others are of what it carries within itself
            record = path
            continue
        listed.append(path)
        yield Entry(path=f"{at}/{path}", content=source.read_bytes())
    if not record:
        raise UserError(
            f"{name}: expected it to be installed with a RECORD of its files; install Shipbar with pip"
        )
    lines = [f"{path},,\n" for path in sorted([*listed, record])]
    yield Entry(path=f"{at}/{record}", content="".join(lines).encode())


def _left_out(path: str) -> bool:
    """Whether a file depends on who installed it, or is of no use on Linux."""
    folder, _, name = path.rpartition("/")
    if ".dist-info" in path:
        licence = "/licenses" in folder
        return name not in _KEPT and name != "RECORD" and not licence
    return path.endswith((".pyc", ".exe", ".pyi")) or name.startswith("__editable__")
