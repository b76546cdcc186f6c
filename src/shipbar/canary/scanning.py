"""Searches many files, in this process or in several, and hands out what comes of each.

- Results come in the order of the walk, whoever is done first.
- Memory is flat in the number of files: small ones are handed out by the bundle, and a
  bounded number of bundles at a time.
- A process that ends without an answer costs the files that it held, which are unread.
"""

import functools
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from shipbar.canary.known import Known
from shipbar.canary.look import Advance, Bounds, Looked, Unread, look
from shipbar.canary.walk import File, Remark, walk
from shipbar.grading import workers

_FILES, _BYTES = 64, 16 << 20
"""How much goes to a process at once."""
_BUNDLES = 4096
"""Bundles that one set of processes takes."""
_TELL_S = 0.2

_Looker = Callable[[str], list[Looked]]


def _ignored(count: int) -> None:
    del count


def scan(
    paths: Sequence[str | Path],
    known: Known | None = None,
    *,
    jobs: int = 1,
    bounds: Bounds | None = None,
    advance: Advance = _ignored,
) -> Iterator[Looked]:
    """Yield what comes of each file at and below ``paths``.

    Args:
        paths: files and folders.
        known: canaries whose owners are known; those of our form are found without.
        jobs: processes that search at once, by files.
        bounds: how far what is packed is taken apart.
        advance: called with each number of bytes that was read.

    Raises:
        UserError: one of the paths is not there.
    """
    known, bounds = known or Known(), bounds or Bounds()
    walked = walk(paths)
    if jobs > 1:
        while batch := list(islice(_bundled(walked), _BUNDLES)):
            yield from _shared(batch, (known, bounds), jobs, advance)
        return
    for it in walked:
        if isinstance(it, File):
            yield look(it.path, known, bounds, advance)
        else:
            yield _beside(it)


def total(paths: Sequence[str | Path]) -> int:
    """Return how many bytes a search of ``paths`` has to read."""
    return sum(it.size for it in walk(paths) if isinstance(it, File))


def _beside(it: Unread | Remark) -> Looked:
    """What comes of something that is not opened."""
    if isinstance(it, Unread):
        return Looked(path=it.path, unread=(it,))
    return Looked(path="", remarks=(it.text,))


# -- in several processes ----------------------------------------------------------------

_Bundle = list[str | Looked]
"""Paths to look at, and what is known already, in the order of the walk."""


def _bundled(walked: Iterator[File | Unread | Remark]) -> Iterator[_Bundle]:
    """Put small files together, so that handing out costs less than looking."""
    bundle: _Bundle = []
    held = 0
    for it in walked:
        bundle.append(it.path if isinstance(it, File) else _beside(it))
        held += it.size if isinstance(it, File) else 0
        if len(bundle) == _FILES or held >= _BYTES:
            yield bundle
            bundle, held = [], 0
    if bundle:
        yield bundle


def _shared(
    batch: Sequence[_Bundle],
    asked: tuple[Known, Bounds],
    jobs: int,
    advance: Advance,
) -> Iterator[Looked]:
    """Hand bundles out to processes; yield what comes of each file, in order."""
    # A worker takes text; a path may hold what is not, which JSON escapes.
    texts = [
        json.dumps([it for it in bundle if isinstance(it, str)]) for bundle in batch
    ]
    results = workers.each(
        texts,
        jobs=min(jobs, len(texts)),
        opener=functools.partial(_opened, *asked),
        lost=_lost,
        heard=lambda _text, word: advance(int(word)),
    )
    for bundle, looked in zip(batch, results, strict=True):
        found = iter(looked)
        for it in bundle:
            yield it if isinstance(it, Looked) else next(found)


@contextmanager
def _opened(known: Known, bounds: Bounds) -> Iterator[_Looker]:
    """In a process: look at the files of a bundle, and tell how far it is now and then."""
    told = time.monotonic()
    read = 0

    def advance(count: int) -> None:
        nonlocal told, read
        read += count
        if time.monotonic() - told >= _TELL_S:
            tell()

    def tell() -> None:
        nonlocal told, read
        workers.tell(str(read))
        told, read = time.monotonic(), 0

    def look_at(text: str) -> list[Looked]:
        looked = [look(path, known, bounds, advance) for path in json.loads(text)]
        tell()
        return looked

    yield look_at


def _lost(text: str, how: str) -> list[Looked]:
    why = f"the process that searched it ended by {how}; search it again, alone"
    return [
        Looked(path=path, unread=(Unread(path=path, why=why),))
        for path in json.loads(text)
    ]
