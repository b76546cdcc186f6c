"""What one more task takes in images: bytes and seconds, with 500 tasks on one base.

The tasks are one built variant five hundred times, each with an id and a line of its
own in the specification and in the suite, so that no two share a layer. What is said is the difference
between 500 tasks and one, by 499: the base and a grader's runtime are paid once.

Layers are stored as they are, so that no digest hangs on a compressor, and compressed by
what carries them. So bytes are told both as they lie and as they travel: each file under
gzip by itself, which is the most that a transport has to carry. A grader's image holds
the whole task, known-bads included, and a layer is no smaller than what is in it.
"""

import gzip
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
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
        travels = 0.0
        for kind in oci.KINDS:
            lie, packed, spent = _margins(place, base, tasks, kind)
            travels += packed
            yield told(f"images_{kind}_bytes", spent, lie / MOST_BYTES)
            yield within(f"images_{kind}_seconds", spent, MOST_S)
        yield at_most("images_bytes_as_they_travel", 0.0, travels / MOST_BYTES, 1)


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
) -> tuple[float, float, float]:
    """Return what one more task takes: bytes as they lie, bytes as they travel, seconds."""
    sizes, travels, spent = [], [], []
    for round_ in range(ROUNDS):
        size, packed, seconds = [], [], []
        for some in (tasks[:1], tasks):
            out = place / kind
            shutil.rmtree(out, ignore_errors=True)
            start = time.perf_counter()
            oci.build(some, out, base, kinds=[kind])
            seconds.append(time.perf_counter() - start)
            files = [it for it in out.rglob("*") if it.is_file()]
            size.append(sum(it.stat().st_size for it in files))
            if round_ == 0:
                packed.append(
                    sum(len(gzip.compress(it.read_bytes(), 6)) for it in files)
                )
        sizes.append(_margin(size))
        spent.append(_margin(seconds))
        travels += [_margin(packed)] if packed else []
    return median(sizes), median(travels), median(spent)


def _margin(of: Sequence[float]) -> float:
    """Return what each task beside the first one adds."""
    one, all_of_them = of
    return (all_of_them - one) / (COUNT - 1)
