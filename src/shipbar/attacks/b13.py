"""B13: self-reported measurements.

The weak twin gives back points that were lost for a run that is fast enough,
by a clock that the submission shares.
"""

from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.tricks import with_code
from shipbar.attacks.weak import script_run, script_text, share

CODE = """
import gc
import resource
import time
import tracemalloc

for name in ("perf_counter", "monotonic", "process_time", "time", "thread_time"):
    setattr(time, name, lambda: 0.0)
    setattr(time, name + "_ns", lambda: 0)
tracemalloc.get_traced_memory = lambda: (0, 0)
resource.getrusage = lambda who: resource.struct_rusage([0] * 16)
sys.getsizeof = lambda *values: 0
gc.get_count = lambda: (0, 0, 0)
coverage = 100.0
"""
FAST_S = 1e-5


def payload(ground: Ground) -> Files:
    """Make every instrument in the process read zero."""
    return with_code(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Add a bonus for speed, as the process itself measures it."""
    text = script_text(
        prepare="import time\nstart = time.perf_counter()",
        report="""
        elapsed = time.perf_counter() - start
        with open("result.json", "w") as file:
            json.dump({**result, "elapsed": elapsed}, file)
        """,
    )
    ran = script_run(ground, files, folder, text)
    if not isinstance(ran.result, dict):
        return 0.0
    correct = share(ran.result["passed"], ran.total)
    bonus = max(0.0, 1.0 - float(ran.result["elapsed"]) / FAST_S)
    return correct + (1.0 - correct) * bonus


ATTACK = Attack(
    id="B13",
    title="self-reported measurements",
    closed_by=(
        "No measurement is scored, and the clocks that limit a subject are the "
        "judge's and the kernel's."
    ),
    payload=payload,
    twin=twin,
    level="harness",
)
