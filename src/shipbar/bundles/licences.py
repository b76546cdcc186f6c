"""Licence expressions of a bundle's files, and `REUSE.toml`, which says which file has which.

An expression is SPDX, read by a maintained library against SPDX's own list; a licence
that is not on it is named `LicenseRef-…`. The text of each id that a bundle uses lies in
its `LICENSES/`, and no other: a text that nothing uses is an error to the REUSE tool.
"""

import functools
import json
import re
from collections.abc import Iterable, Mapping

from license_expression import (  # type: ignore[import-untyped]  # ships no types
    ExpressionError,
    get_spdx_licensing,
)

from shipbar.bundles import paths
from shipbar.errors import UserError

IMAGE_BASE = "LicenseRef-Shipbar-Image-Base"
"""Stands for the many licences of what a base image is made of, which that image states."""
_REF = re.compile(r"(?:DocumentRef-[A-Za-z0-9.-]+:)?LicenseRef-[A-Za-z0-9.-]+")


def ids(expression: str, where: str) -> tuple[str, ...]:
    """Return the ids of licences and exceptions in an SPDX expression, sorted.

    Raises:
        UserError: it is none, or an id is neither on SPDX's list nor a LicenseRef;
            ``where`` begins the message.
    """
    try:
        found, unknown = _read(expression)
    except (ExpressionError, ValueError, TypeError) as cause:
        raise UserError(
            f"{where}: expected an SPDX licence expression, got {expression!r}: {cause}"
        ) from cause
    if unknown or not found:
        raise UserError(
            f"{where}: {', '.join(unknown) or repr(expression)}: expected ids of SPDX's list, or LicenseRef- and a name of your own "
            "for a licence that is not on it"
        )
    return found


@functools.cache
def _read(expression: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids in an expression, and those of them that are none; read once each."""
    licensing = get_spdx_licensing()  # a thousand licences, which takes a while
    found = tuple(sorted(licensing.license_keys(expression, unique=True)))
    unknown = [it for it in found if it not in licensing.known_symbols]
    return found, tuple(it for it in unknown if _REF.fullmatch(it) is None)


def joined(expressions: Iterable[str]) -> str:
    """Return the expression under which files that belong to several are."""
    found = sorted(set(expressions))
    return found[0] if len(found) == 1 else " AND ".join(_bracketed(it) for it in found)


def _bracketed(expression: str) -> str:
    return f"({expression})" if " OR " in expression else expression


def reuse_toml(licence_of: Mapping[str, str], holder: str, *, images: bool) -> bytes:
    """Return `REUSE.toml`.

    Args:
        licence_of: the expression of each task in the bundle.
        holder: who holds the copyright.
        images: whether there are images, whose base has licences of its own.
    """
    whole = joined(licence_of.values())
    tables = [("**", whole)]
    if images:
        tables.append((f"{paths.IMAGES}/**", f"{_bracketed(whole)} AND {IMAGE_BASE}"))
    for task_id, expression in sorted(licence_of.items()):
        if expression != whole:
            tables += [(it, expression) for it in _globs(task_id)]
    said = "".join(_annotation(path, licence, holder) for path, licence in tables)
    return f"version = 1\n{said}".encode()


def _globs(task_id: str) -> list[str]:
    folders = (paths.TASKS, paths.RECEIPTS, paths.REVIEWS)
    return [*(f"{it}/{task_id}/**" for it in folders), paths.sealed(task_id)]


def _annotation(path: str, expression: str, holder: str) -> str:
    """One table; of those that match a path the last counts."""
    return "\n".join(
        [
            "",
            "[[annotations]]",
            f"path = {_toml(path)}",
            'precedence = "override"',
            f"SPDX-FileCopyrightText = {_toml(holder)}",
            f"SPDX-License-Identifier = {_toml(expression)}",
            "",
        ]
    )


def _toml(text: str) -> str:
    # JSON's escapes are a part of TOML's.
    return json.dumps(text, ensure_ascii=False)
