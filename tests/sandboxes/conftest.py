"""Sandboxes to be tried: each backend as it works on this machine, or the reason why not."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from shipbar.config import Config
from shipbar.ports import Sandbox
from shipbar.sandboxes.bubblewrap import Bubblewrap
from shipbar.sandboxes.container import Container
from shipbar.sandboxes.landlock import Landlock
from tests import engines


@pytest.fixture(scope="session")
def ground() -> Iterator[Config]:
    """A place for the runtime root that any user may enter, unlike pytest's own."""
    with tempfile.TemporaryDirectory(prefix="ground-") as name:
        place = Path(name).resolve()
        place.chmod(0o755)
        (place / "work").mkdir()
        yield Config(cache=place / "cache", work=place / "work", inherited={})


def _working(sandbox: Sandbox) -> Sandbox:
    found = sandbox.available()
    if not found.works:
        pytest.skip(f"{sandbox.name}: {found.detail}; {found.remedy}")
    return sandbox


@pytest.fixture(scope="session")
def bubblewrap(ground: Config) -> Sandbox:
    return _working(Bubblewrap(ground))


@pytest.fixture(scope="session")
def landlock(ground: Config) -> Sandbox:
    return _working(Landlock(ground))


def _container(ground: Config, engine: engines.Private, name: str) -> Container:
    inherited = {"PATH": engine.path, "HOME": str(ground.work)}
    return Container(
        Config(cache=ground.cache, work=ground.work, inherited=inherited),
        engine="docker" if name == "docker" else "podman",
        host=engine.host,
        options=engine.options,
        oci_runtime=engine.oci_runtime,
    )


@pytest.fixture(scope="session")
def docker(ground: Config) -> Iterator[Container]:
    try:
        with engines.docker() as engine:
            yield _container(ground, engine, "docker")
    except engines.NoEngineError as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def podman(ground: Config) -> Iterator[Container]:
    try:
        with engines.podman() as engine:
            yield _container(ground, engine, "podman")
    except engines.NoEngineError as reason:
        pytest.skip(str(reason))
