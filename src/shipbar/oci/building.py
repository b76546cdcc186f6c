"""Builds the images of tasks, one after another or side by side, into one layout.

Each task's layer is written by whichever process has it; the index is written once,
when all are there. So the order of the work does not show in the result.
"""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs

from shipbar.errors import SeamError, ShipbarError, UserError
from shipbar.grading import workers
from shipbar.grading.tasks import read_contract
from shipbar.grading.upstream import cached
from shipbar.oci.bases import Base
from shipbar.oci.layout import Layout
from shipbar.oci.recipes import KINDS, Recipe, recipe
from shipbar.oci.values import Image
from shipbar.oci.writer import Store, Writer

Labels = Mapping[str, Mapping[str, str]] | Mapping[Path, Mapping[str, str]]
"""More labels for the images of a task, by the task's folder as it was given."""


@attrs.frozen(kw_only=True)
class _Made:
    """What a process sends back."""

    images: tuple[Image, ...] = ()
    failure: ShipbarError | None = None


def build(  # noqa: PLR0913  # each a thing of its own to choose
    tasks: Sequence[str | Path],
    path: str | Path,
    base: Base,
    *,
    kinds: Sequence[str] = KINDS,
    labels: Labels | None = None,
    upstreams: Path | None = None,
    jobs: int = 1,
) -> Layout:
    """Write the images of ``tasks`` as the layout ``path``.

    Args:
        tasks: folders of tasks.
        path: the layout's folder, not there yet.
        base: what the images stand on.
        kinds: `solver`, `grader` or both.
        labels: more labels, by the task's folder as it stands in ``tasks``; a canary
            of one client's, for example.
        upstreams: the cache with the fetched upstreams, to put the pinned one of each
            mutated task into its grader's image. None leaves them out: they are others'
            code, under licences of their own.
        jobs: processes that write at once.

    Raises:
        UserError: a folder is no task, two tasks have one id, there is something at
            ``path``, or the base is not what it says or has no Python to grade with.
        NotFetchedError: an upstream is not in ``upstreams``.
        SeamError: it cannot be written.
    """
    if not tasks:
        raise UserError("no task to make an image of; name one or more")
    for task in tasks:
        read_contract(Path(task))  # here, where all that is wrong with it can be told
    with Writer(path) as out:
        out.base(base)
        recipes = tuple(recipe(kind, base, out.store) for kind in dict.fromkeys(kinds))
        opener = functools.partial(_opened, recipes, out.store, labels or {}, upstreams)
        for made in _each([str(it) for it in tasks], opener, jobs):
            if made.failure is not None:
                raise made.failure
            for image in made.images:
                out.adopt(image)
        return out.finish()


def _each(
    tasks: Sequence[str], opener: workers.Opener[_Made], jobs: int
) -> Iterator[_Made]:
    if jobs > 1 and len(tasks) > 1:
        yield from workers.each(tasks, jobs=jobs, opener=opener, lost=_lost)
        return
    with opener() as made:
        for task in tasks:
            yield made(task)


@contextmanager
def _opened(
    recipes: Sequence[Recipe], store: Store, labels: Labels, upstreams: Path | None
) -> Iterator[Callable[[str], _Made]]:
    by_folder = {str(key): value for key, value in labels.items()}

    def made(task: str) -> _Made:
        try:
            folder, mine = Path(task), by_folder.get(task)
            sdist = _sdist(folder, upstreams)
            images = [
                store.image(it.plan(store, folder, mine, sdist=sdist)) for it in recipes
            ]
        except ShipbarError as failure:
            return _Made(failure=failure)
        return _Made(images=tuple(images))

    yield made


def _sdist(task: Path, upstreams: Path | None) -> bytes | None:
    pin = read_contract(task).upstream_sdist
    if upstreams is None or pin is None:
        return None
    return cached(pin, upstreams).read_bytes()


def _lost(task: str, how: str) -> _Made:
    return _Made(
        failure=SeamError(
            f"{task}: the process that wrote its image ended ({how}); nothing was written, do it again"
        )
    )
