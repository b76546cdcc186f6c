"""What one more task takes in images: bytes and seconds, with 500 tasks on one base.

The tasks are one built variant five hundred times, each with an id and a line of its
own in the specification and in the suite, so that no two share a layer. What is said is the difference
between 500 tasks and one, by 499: the base and a grader's runtime are paid once.

A grader's image holds the whole task, which no layer is smaller than; what it comes to
under gzip, one layer by itself, is what the transport has to carry at most.
"""

import gzip
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench.accounting import run
from bench.figures import Figure, at_most, told, within
from shipbar import oci
from shipbar.cli.image import least_base

FAMILY = "recurrence"
"""One of the larger ones: its tasks have about 290 KB."""
COUNT = 500
ROUNDS = 3
MOST_BYTES = 50_000
MOST_S = 0.1


def images() -> Iterator[Figure]:
    """The figures of images."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        tasks = _tasks(place)
        base = least_base()
        for kind in oci.KINDS:
            sizes, spent = _margins(place, base, tasks, kind)
            size, seconds = median(sizes), median(spent)
            if kind == "solver":
                yield at_most("images_solver_bytes", seconds, size / MOST_BYTES, 1)
            else:
                yield told("images_grader_bytes", seconds, size / MOST_BYTES)
                packed = _packed(place / "grader")
                yield told("images_grader_packed", seconds, packed / MOST_BYTES)
            yield within(f"images_{kind}_seconds", seconds, MOST_S)


def _tasks(place: Path) -> list[Path]:
    """Make the tasks from one variant."""
    run("build", FAMILY, "--seed", "bench", "-o", str(place / "built"))
    [first] = [path.parent for path in (place / "built").glob("*/task.toml")]
    contract = (first / "task.toml").read_text()
    said = f'task_id = "{first.name}"'
    assert said in contract
    found = []
    for number in range(COUNT):
        folder = place / "tasks" / f"copy-{number}"
        shutil.copytree(first, folder)
        own = contract.replace(said, f'task_id = "{folder.name}"')
        (folder / "task.toml").write_text(own)
        for path in (folder / "solver/SPEC.md", *folder.glob("grader/tests/*.py")):
            with path.open("a") as file:
                file.write(f"\n# {folder.name}\n")
        found.append(folder)
    return found


def _margins(
    place: Path, base: oci.Base, tasks: list[Path], kind: str
) -> tuple[list[float], list[float]]:
    """Bytes and seconds that one more task takes, of each round."""
    sizes, spent = [], []
    for _ in range(ROUNDS):
        size, seconds = [], []
        for some in (tasks[:1], tasks):
            out = place / kind
            shutil.rmtree(out, ignore_errors=True)
            start = time.perf_counter()
            oci.build(some, out, base, kinds=[kind])
            seconds.append(time.perf_counter() - start)
            size.append(sum(it.stat().st_size for it in out.rglob("*") if it.is_file()))
        sizes.append((size[1] - size[0]) / (COUNT - 1))
        spent.append((seconds[1] - seconds[0]) / (COUNT - 1))
    return sizes, spent


def _packed(place: Path) -> int:
    """Bytes of one task's layer under gzip."""
    layout = oci.Layout.open(place)
    with layout.layer(layout.images[0], -1) as file:
        return len(gzip.compress(file.read(), 6))
