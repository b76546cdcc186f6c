"""`make bench`: measure, print medians and ratios, write `build/bench.json`.

One object a figure: `name`, `median_s` (what is measured), `ratio` (against what
it is compared with), `goal`, `sense` (whether the ratio must be at least or at most
the goal), `met`. A figure that could not be measured here has null for all but its name
and goal, and `why`. `python -m bench PART…` measures some parts: grading, building,
proving, canaries, images, copies, accepting.
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial

from rich.console import Console
from rich.table import Table

from bench import docker, subjects
from bench.accepting import accepting
from bench.building import building
from bench.canaries import canaries
from bench.copies import copies
from bench.figures import Figure, at_least, at_most, not_run, told
from bench.images import images
from bench.measure import medians
from bench.proving import proving
from bench.tasks import ROOT, task_of

SIZES = (30, 150)
ROUNDS = 15


def grading(size: int, engine: docker.Engine | docker.Missing) -> Iterator[Figure]:
    """The figures of one grade at ``size`` assertions."""
    task = task_of(size)
    with ExitStack() as stack:
        ways: dict[str, Callable[[], None]] = {
            "sealed": stack.enter_context(subjects.warm(task)),
            "sustained": stack.enter_context(subjects.sustained(task)),
            "pytest": subjects.stock_pytest(task),
            "floor": stack.enter_context(subjects.floor(task)),
            "cold": subjects.cold(task),
        }
        if isinstance(engine, docker.Engine):
            ways["docker"] = stack.enter_context(docker.graded(engine, task))
        times = medians(ways, rounds=ROUNDS)
    sealed = times["sealed"]
    yield at_least(f"sealed_vs_pytest_{size}", sealed, times["pytest"] / sealed, 10)
    if "docker" in times:
        yield at_least(f"sealed_vs_docker_{size}", sealed, times["docker"] / sealed, 20)
    elif isinstance(engine, docker.Missing):
        yield not_run(f"sealed_vs_docker_{size}", 20, engine.why)
    yield at_most(f"sealed_vs_floor_{size}", sealed, sealed / times["floor"], 1.5)
    in_a_row = times["sustained"] / subjects.BATCH
    yield told(f"sustained_vs_pytest_{size}", in_a_row, times["pytest"] / in_a_row)
    if size == SIZES[0]:
        yield at_least(
            f"cold_vs_pytest_{size}", times["cold"], times["pytest"] / times["cold"], 1
        )


def batches() -> Iterator[Figure]:
    """What a second job brings."""
    task = task_of(SIZES[0])
    with subjects.batch(task, count=300) as run:
        times = medians({"one": partial(run, 1), "two": partial(run, 2)}, rounds=3)
    yield at_least("jobs2_speedup", times["two"], times["one"] / times["two"], 1.8)


def show(figures: list[Figure]) -> None:
    """Print the figures as a table."""
    table = Table(
        "figure",
        "median",
        "ratio",
        "goal",
        "met",
        title="medians and ratios, one run, one machine",
    )
    for figure in figures:
        if figure["ratio"] is None:
            table.add_row(
                figure["name"], "", "", str(figure["goal"]), f"not run: {figure['why']}"
            )
            continue
        if figure["goal"] is None:
            table.add_row(
                figure["name"],
                f"{figure['median_s'] * 1000:.1f} ms",
                f"{figure['ratio']:.2f}",
                "",
                "",
            )
            continue
        table.add_row(
            figure["name"],
            f"{figure['median_s'] * 1000:.1f} ms",
            f"{figure['ratio']:.2f}",
            f"{figure['sense']} {figure['goal']}",
            "yes" if figure["met"] else "no",
        )
    Console().print(table)


def graded() -> Iterator[Figure]:
    """The figures of grading."""
    with docker.engine() as engine:
        for size in SIZES:
            yield from grading(size, engine)
    yield from batches()


PARTS = {
    "grading": graded,
    "building": building,
    "proving": proving,
    "canaries": canaries,
    "images": images,
    "copies": copies,
    "accepting": accepting,
}


def main(parts: list[str]) -> int:
    """Measure all parts, or the named ones; return 0 whatever the figures say, since a figure is no test."""
    figures = [figure for part in parts or PARTS for figure in PARTS[part]()]
    show(figures)
    out = ROOT / "build" / "bench.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(figures, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
