"""Bounds on time, generous enough for a machine that is busy with other tests."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quickly(seconds: float = 1.0) -> Iterator[None]:
    """Fail if the block takes longer, in processor time of this process."""
    start = time.process_time()
    yield
    spent = time.process_time() - start
    assert spent < seconds, f"took {spent:.2f} s, expected less than {seconds} s"
