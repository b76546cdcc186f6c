"""The family keeps what any family must promise."""

import pytest

from ladder_calendar.family import FAMILY
from shipbar import config, wiring
from shipbar.testing.check_family import PROMISES, FamilyBench, NotRunError, Promise

VARIANTS = 2
"""Half of them below each of two seeds; 20 before a batch that counts."""


@pytest.fixture(scope="module")
def bench() -> FamilyBench:
    """Return the family with its variants, which are built at the first promise."""
    settings = config.current()
    return FamilyBench(
        family=FAMILY,
        sandbox=wiring.sandbox("auto", settings),
        work=settings.work,
        cache=settings.cache,
        variants=VARIANTS,
    )


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_promise(bench: FamilyBench, promise: Promise) -> None:
    """One promise a test, so that a report names the broken one."""
    try:
        promise(bench)
    except NotRunError as why:
        pytest.skip(str(why))
