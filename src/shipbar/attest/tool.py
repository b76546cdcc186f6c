"""Which Shipbar this is: its version, and the digest of its installed sources."""

import functools
import platform
from importlib import metadata
from pathlib import Path

from shipbar.verdict import canonical, sha256


@functools.cache
def tool_digest() -> str:
    """Return ``sha256:…`` over every file that Shipbar is made of.

    A changed line anywhere is another tool: what an older one found is not taken
    for what this one would find.
    """
    root = Path(__file__).resolve().parent.parent
    return sha256(
        canonical(
            {
                path.relative_to(root).as_posix(): sha256(path.read_bytes())
                for path in sorted(root.rglob("*"))
                if path.is_file()
                and "__pycache__" not in path.parts
                and path.suffix != ".pyc"
            }
        )
    )


@functools.cache
def tool_version() -> str:
    """Return the version of Shipbar that is installed."""
    return metadata.version("shipbar")


def interpreter() -> str:
    """Return the implementation and version of the running Python."""
    return f"{platform.python_implementation()} {platform.python_version()}"
