"""A job's limits as the words that `subject/boot.py` applies."""

from shipbar.contract import Limits

MIB = 1024 * 1024
THREADS = 64
"""Threads that a candidate may have beside its processes."""
OPEN_FILES = 64


def limit_words(limits: Limits, tmp_mib: int) -> list[str]:
    """Return the `RLIMIT_…=N` words for ``limits``.

    Address space bounds memory everywhere alike, whatever else a backend adds,
    so that a candidate which asks for too much gets the same MemoryError on
    each of them.
    """
    cpu_s = max(1, round(limits.cpu_s))
    return [
        f"RLIMIT_AS={limits.memory_mib * MIB}",
        f"RLIMIT_CPU={cpu_s}",
        f"RLIMIT_NPROC={limits.processes + THREADS}",
        f"RLIMIT_FSIZE={tmp_mib * MIB}",
        f"RLIMIT_NOFILE={OPEN_FILES}",
        "RLIMIT_CORE=0",
        "RLIMIT_MEMLOCK=0",
        "RLIMIT_MSGQUEUE=0",
    ]
