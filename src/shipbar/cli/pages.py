"""Pages and reports that people asked for: written whole or not at all."""

import os
import tempfile
from pathlib import Path

from shipbar.errors import UserError

READABLE = 0o644
"""Who may read one: they are for colleagues, and temporary files are not."""


def write_whole(path: Path, text: str, option: str) -> None:
    """Write the file that ``option`` named.

    Raises:
        UserError: it cannot be written.
    """
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=".page-", delete=False
        ) as beside:
            fresh = Path(beside.name)
            try:
                beside.write(text)
                beside.close()
                fresh.chmod(READABLE)
                fresh.replace(path)
            except OSError:
                fresh.unlink(missing_ok=True)
                raise
    except OSError as cause:
        why = os.strerror(cause.errno) if cause.errno else cause
        raise UserError(
            f"{option} {path}: cannot be written: {why}; name a file in a folder that is there"
        ) from cause
