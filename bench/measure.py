"""Times things in turn, so that a machine whose speed drifts slows all of them alike."""

import time
from collections.abc import Callable, Mapping
from statistics import median

Timed = Callable[[], object]


def medians(subjects: Mapping[str, Timed], *, rounds: int) -> dict[str, float]:
    """Run each of ``subjects`` once a round after one warm-up; return median seconds by name."""
    times: dict[str, list[float]] = {name: [] for name in subjects}
    for number in range(rounds + 1):
        for name, run in subjects.items():
            start = time.perf_counter()
            run()
            if number:
                times[name].append(time.perf_counter() - start)
    return {name: median(values) for name, values in times.items()}
