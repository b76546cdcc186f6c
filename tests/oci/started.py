"""Engines of our own, as the loader of images takes them."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_NOFILE, RLIMIT_NPROC, getrlimit

import attrs
import pytest

from shipbar.oci.engines import Engine
from tests import engines


@attrs.frozen(kw_only=True)
class Started:
    """An engine that runs."""

    engine: Engine
    words: tuple[str, ...]
    """Words of `run` that this engine needs on this machine."""

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run a container without a network."""
        command = ("run", "--rm", "--network", "none", "--pull", "never")
        before = ("--runtime", "runc") if self.engine.name == "podman" else ()
        return subprocess.run(
            self.engine.command(*before, *command, *self.words, *words),
            capture_output=True,
            text=True,
            check=False,
            env=dict(self.engine.env),
        )


@contextlib.contextmanager
def started_or_skip(name: str, home: Path) -> Iterator[Started]:
    """Start an engine, and end it; a machine that cannot skips the test."""
    env = {"HOME": str(home)}
    try:
        with getattr(engines, name)() as it:
            env["PATH"] = it.path
            options = it.options if it.host is None else ("--host", str(it.host))
            engine = Engine(name=name, options=options, env=env)
            # Podman's own limits are above what an unprivileged machine may set.
            yield Started(
                engine=engine, words=tuple(_limits()) if name == "podman" else ()
            )
    except engines.NoEngineError as reason:
        pytest.skip(str(reason))


def _limits() -> Iterator[str]:
    for name, number in (("nofile", RLIMIT_NOFILE), ("nproc", RLIMIT_NPROC)):
        most = getrlimit(number)[1]
        bound = 4096 if most == RLIM_INFINITY else min(most, 4096)
        yield from ("--ulimit", f"{name}={bound}:{bound}")
