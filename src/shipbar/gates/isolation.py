"""G4: what a solver sees is the specification, and nothing else of the task.

- *The tree* holds one regular file, the specification: no second file, no link, nothing
  hidden in names, rights or attributes.
- *The specification* holds no piece of what is held out, no hidden case with its answer,
  no word of the upstream's, none of the maker's, and no character that does not show.
- *An image* holds the specification once, in a layer that holds nothing else. No other
  layer, environment, label or line of history has anything of the task: not by name,
  not by content, not packed, and not removed again by a later layer.

A layer that was there before the task is held to less: a few windows in common with
some library are no leak, and its times and owners are its own.
"""

import os
import stat
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from shipbar.gates.base import CannotRunError, Evidence, Gate
from shipbar.gates.fragments import TELLING, WINDOW
from shipbar.gates.heldout import ELSEWHERE, HeldOut
from shipbar.gates.images import figures_of, problems_of
from shipbar.gates.layers import ImageError, Store, read_store
from shipbar.gates.tells import denied, leaked
from shipbar.gates.trial import Trial
from shipbar.grading.tasks import SPECIFICATION
from shipbar.grading.upstream import cached, denied_in, unpacked
from shipbar.verdict import sha256

SHOWN = 12
"""Problems of one kind that are told one by one."""
_RUNS = 0o7111
_OTHERS_WRITE = 0o002
_SYSTEM = ("security.selinux", "system.posix_acl")
"""Attributes that a file system sets by itself."""
_UNSEEN = ("Cc", "Cf", "Cn", "Co", "Cs")
"""Categories of characters that do not show: controls, formats, private ones."""
_LAST = 4_102_444_800
"""Seconds to the year 2100."""


class IsolationGate(Gate):
    """The solver-visible tree and the solver images, looked through."""

    id, name = "G4", "isolation"
    title = "a solver sees the specification and nothing else"

    def depends(self, trial: Trial) -> Mapping[str, str]:
        """The digests of the images, and the upstream's."""
        pin = trial.task.contract.upstream_sdist
        found = {} if pin is None else {"upstream": f"sha256:{pin.sha256}"}
        return found | {
            f"image {number}": _digest(path) for number, path in enumerate(trial.images)
        }

    def _examine(self, trial: Trial) -> Evidence:
        pin = trial.task.contract.upstream_sdist
        upstream = {} if pin is None else unpacked(cached(pin, trial.cache))
        held = HeldOut.of(trial, upstream)
        problems = [*_tree(trial.task.folder, held)]
        words = (
            frozenset[str]()
            if pin is None
            else denied(pin.name, upstream, trial.record)
        )
        problems += _specification(trial, held, words)
        stores = [_read(path) for path in trial.images]
        for path, store in zip(trial.images, stores, strict=True):
            problems += [f"{path.name}: {why}" for why in problems_of(store, held)]
        count = len(problems)
        return self._verdict(
            "1 leak" if count == 1 else f"{count} leaks",
            problems,
            {
                "held_out_files": len(held.digests),
                "cases": len(trial.task.suite.cases),
                "denied_words": len(words),
                "phrases": len(held.tells.phrases),
                "images": [it for store in stores for it in figures_of(store, held)],
            },
            {"window": WINDOW, "telling_words": TELLING, "elsewhere": ELSEWHERE},
        )


def _read(path: Path) -> Store:
    try:
        return read_store(path)
    except ImageError as cause:
        raise CannotRunError(f"an image cannot be looked into: {cause}") from cause


def _digest(path: Path) -> str:
    """Return a digest of a file, or of a folder's names and contents."""
    if path.is_file():
        return sha256(path.read_bytes())
    parts = (
        f"{it.relative_to(path).as_posix()} {sha256(it.read_bytes())}"
        for it in sorted(path.rglob("*"))
        if it.is_file()
    )
    return sha256("\n".join(parts).encode())


# -- the tree --------------------------------------------------------------------------


def _tree(folder: Path, held: HeldOut) -> Iterator[str]:
    """What is in the solver's tree beside the specification, or hidden about it."""
    root, spec = (folder / SPECIFICATION).parent, folder / SPECIFICATION
    for path in sorted([root, *root.rglob("*")]):
        name = path.relative_to(folder).as_posix()
        found = path.lstat()
        expected = stat.S_ISDIR if path == root else stat.S_ISREG
        if path not in (root, spec):
            yield f"{name}: {_kind(found.st_mode)} beside the specification{_held(path, found, held)}"
        elif not expected(found.st_mode):
            yield f"{name}: {_kind(found.st_mode)}; a solver's tree holds regular files alone"
        yield from (f"{name}: {why}" for why in _traces(path, found))


def _held(path: Path, found: os.stat_result, held: HeldOut) -> str:
    """Say what a file that should not be there gives away."""
    told = held.tells.within(path.name)
    if stat.S_ISLNK(found.st_mode):
        told.append(f"where it leads, {path.readlink()}")
    elif stat.S_ISREG(found.st_mode):
        told += held.in_own(path.read_bytes())
    return f"; it tells {', '.join(told)}" if told else ""


def _traces(path: Path, found: os.stat_result) -> Iterator[str]:
    if stat.S_ISREG(found.st_mode):
        if found.st_mode & _RUNS:
            yield f"mode {stat.S_IMODE(found.st_mode):04o}; a text is neither run nor given rights"
        if found.st_nlink > 1:
            yield f"is {found.st_nlink} names of one file; copy it instead"
    if not stat.S_ISLNK(found.st_mode) and found.st_mode & _OTHERS_WRITE:
        yield f"mode {stat.S_IMODE(found.st_mode):04o}; anybody may write it"
    if not 0 <= found.st_mtime <= _LAST:
        yield "its time is one that no clock has given"
    for attribute in _attributes(path):
        yield f"has the extended attribute {attribute}"


def _attributes(path: Path) -> list[str]:
    try:
        names = os.listxattr(path, follow_symlinks=False)
    except (AttributeError, OSError):  # no such thing on this system
        return []
    return sorted(name for name in names if not name.startswith(_SYSTEM))


def _kind(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a file" if stat.S_ISREG(mode) else "a special file"


# -- the specification ---------------------------------------------------------------------


def _specification(trial: Trial, held: HeldOut, words: frozenset[str]) -> list[str]:
    """What the specification says that it must not."""
    try:
        text = held.specification.decode("utf-8")
    except UnicodeDecodeError as cause:
        return [f"{SPECIFICATION}: is not UTF-8: {cause}"]
    found: dict[str, list[str]] = {
        "tells": held.in_own(held.specification),
        "says what the upstream says:": [f"`{it}`" for it in denied_in(text, words)],
        "gives a hidden case away with its answer:": [
            f"{case.rpartition('::')[2]}, {what}"
            for case, what in leaked(trial.task, text)
        ],
        "has a character that does not show:": _unseen(text),
    }
    return [
        f"{SPECIFICATION}: {what} {it}"
        for what, its in found.items()
        for it in _few(its)
    ]


def _unseen(text: str) -> list[str]:
    return [
        f"line {number}, U+{ord(char):04X}"
        for number, line in enumerate(text.split("\n"), 1)
        for char in sorted(set(line))
        if char != "\t" and unicodedata.category(char) in _UNSEEN
    ]


def _few(its: list[Any]) -> list[Any]:
    more = len(its) - SHOWN
    return its if more <= 0 else [*its[:SHOWN], f"and {more} more"]


GATE = IsolationGate()
