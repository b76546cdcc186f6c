"""Tasks that the gates' cases start from."""

import tempfile
from pathlib import Path

import pytest

from shipbar import config, wiring
from shipbar.building.batch import place
from shipbar.building.builder import Builder, Order
from shipbar.building.rules import LEAST_DISTANCE, child_rng
from shipbar.building.upstream import fetch
from shipbar.errors import SeamError
from shipbar.gates import Trial
from shipbar.grading.tasks import load_task
from tests.repository import ROOT

SEED = "gates"
BUILT = ("ordered-sets",)
"""Families of which a variant is built for cases; its task goes by the family's name."""


@pytest.fixture(scope="session")
def settings():
    return config.current()


@pytest.fixture(scope="session")
def sandbox(settings):
    return wiring.sandbox(wiring.AUTO, settings)


@pytest.fixture(scope="session")
def bases(settings, sandbox, tmp_path_factory):
    """Find a base task by its name; built ones are built when first asked for."""
    return _Bases(settings, sandbox, tmp_path_factory.mktemp("bases"))


class _Bases:
    def __init__(self, settings, sandbox, root):
        self._settings, self._sandbox, self._root = settings, sandbox, root
        self._found = {
            "check-character-36": ROOT / "examples" / "check-character-36",
        }

    def __getitem__(self, name):
        if name not in self._found:
            self._found[name] = self._build(name)
        return self._found[name]

    def _build(self, name):
        family = wiring.family(name)
        if family.upstream is not None:
            try:
                fetch(family.upstream, self._settings.cache, self._settings.inherited)
            except SeamError as cause:
                pytest.skip(f"no upstream to hold it against: {cause}")
        rng = child_rng(SEED, name, "rules")
        rules = next(family.space.sequence(rng, {}, LEAST_DISTANCE))
        builder = Builder(self._sandbox, self._settings.work)
        return place(builder.build(Order(family=family, seed=SEED), rules), self._root)


@pytest.fixture
def trial_of(settings, sandbox):
    """Put a folder's task on trial; all are closed at the end."""
    opened = []
    # Not below pytest's own folder, which no other user may enter.
    with tempfile.TemporaryDirectory(prefix="shipbar-gates-") as name:
        work = Path(name)
        work.chmod(0o755)

        def make(folder, **facts):
            trial = Trial(
                task=load_task(folder),
                sandbox=sandbox,
                work=work,
                cache=settings.cache,
                **facts,
            )
            opened.append(trial)
            return trial

        yield make
        for trial in opened:
            trial.close()
