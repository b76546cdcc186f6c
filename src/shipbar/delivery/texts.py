"""The texts of licences: given by the caller, or ours."""

import importlib.resources
from collections.abc import Iterable
from pathlib import Path

from shipbar.errors import UserError


def texts(ids: Iterable[str], given: Path | None) -> dict[str, bytes]:
    """Return the text of each licence, by id.

    Args:
        ids: the licences.
        given: a folder with `ID.txt` files that come before ours.

    Raises:
        UserError: one is nowhere; says where to put it.
    """
    found, missing = {}, []
    for name in sorted(set(ids)):
        text = _text(name, given)
        if text is None:
            missing.append(name)
        else:
            found[name] = text
    if missing:
        folder = given or Path("LICENSES")
        raise UserError(
            f"no text of {', '.join(missing)}, and a bundle holds the text of each licence in it; "
            f"put {', '.join(f'{name}.txt' for name in missing)} into a folder and name it, as in --licences {folder}"
        )
    return found


def _text(name: str, given: Path | None) -> bytes | None:
    ours = importlib.resources.files("shipbar.delivery") / "licences" / f"{name}.txt"
    theirs = None if given is None else given / f"{name}.txt"
    if theirs is not None and theirs.is_file():
        return theirs.read_bytes()
    return ours.read_bytes() if ours.is_file() else None
