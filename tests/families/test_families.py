"""Every family that ships keeps what any family must promise."""

import pytest

from shipbar import config, wiring
from shipbar.building.upstream import fetch
from shipbar.errors import SeamError
from shipbar.testing.check_family import (
    PROMISES,
    FamilyBench,
    NoInterpreterError,
    NotRunError,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module", params=wiring.names("family"))
def bench(request):
    settings = config.current()
    family = wiring.family(request.param)
    if family.upstream is not None:
        try:
            fetch(family.upstream, settings.cache, settings.inherited)
        except SeamError as cause:
            pytest.skip(f"no upstream to hold it against: {cause}")
    return FamilyBench(
        family=family,
        sandbox=wiring.sandbox("bubblewrap", settings),
        work=settings.work,
        cache=settings.cache,
        variants=request.config.getoption("variants"),
    )


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_promise(bench, promise):
    try:
        promise(bench)
    except NoInterpreterError as why:
        pytest.skip(str(why))
    except NotRunError as why:
        pytest.fail(f"not run is not kept: {why}")
