"""Where Shipbar keeps things, and the only read of the environment.

Folders default by who runs: root's must be enterable by the unprivileged user
that its sandboxes run as, so they do not lie under root's home. Keys and the ledger
do: nobody else reads them.
"""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import attrs


@attrs.frozen(kw_only=True)
class Config:
    """Settings of one process."""

    cache: Path
    """Folder of what can be made again: sandbox runtimes, fetched upstreams."""
    work: Path
    """Folder in which each grade makes, and removes, a folder of its own."""
    inherited: Mapping[str, str]
    """What tools that we start outside a sandbox (an engine's client) may see."""
    keys: Path = attrs.field(
        default=attrs.Factory(lambda self: self.cache / "keys", takes_self=True)
    )
    """Folder of the keys that this user signs with, and of those that they trust."""
    ledger: str = attrs.field(
        default=attrs.Factory(
            lambda self: str(self.cache / "ledger.db"), takes_self=True
        )
    )
    """The file or URL of the ledger."""


_INHERITED = (
    "PATH",
    "HOME",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "DOCKER_HOST",
    "CONTAINER_HOST",
)


def config_from(env: Mapping[str, str], *, uid: int) -> Config:
    """Read SHIPBAR_CACHE, _WORK, _KEYS and _LEDGER; what is not set keeps its default.

    Args:
        env: an environment.
        uid: the effective user id that the process runs as.
    """
    home = Path(env.get("HOME") or "/")
    caches = Path(env.get("XDG_CACHE_HOME") or home / ".cache")
    cache = Path("/var/cache/shipbar") if uid == 0 else caches / "shipbar"
    settings = Path(env.get("XDG_CONFIG_HOME") or home / ".config")
    data = Path(env.get("XDG_DATA_HOME") or home / ".local/share")
    return Config(
        cache=Path(env.get("SHIPBAR_CACHE") or cache),
        work=Path(
            env.get("SHIPBAR_WORK") or env.get("TMPDIR") or tempfile.gettempdir()
        ),
        inherited={name: env[name] for name in _INHERITED if name in env},
        keys=Path(env.get("SHIPBAR_KEYS") or settings / "shipbar" / "keys"),
        ledger=env.get("SHIPBAR_LEDGER") or str(data / "shipbar" / "ledger.db"),
    )


def current() -> Config:
    """Return the settings of this process."""
    return config_from(os.environ, uid=os.geteuid())
