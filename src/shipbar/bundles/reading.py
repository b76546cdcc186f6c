"""A bundle on disk: held to its manifest, and its tasks put together again.

Nothing here is trusted before it was held to a signature: first `MANIFEST.sig` and with
it the manifest, then every file by its digest. A file is read in pieces and a line at a
time, so that the size of a delivery does not matter. Links are damage: a bundle has none.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from io import BufferedReader
from pathlib import Path

import attrs
from securesystemslib.signer import Key

from shipbar.bundles import licences, paths
from shipbar.bundles.index import GraderLine, SolverLine
from shipbar.bundles.manifest import File, Manifest
from shipbar.errors import AttestationError, UserError
from shipbar.grading.tasks import SPECIFICATION, digest_of
from shipbar.verdict import sha256

MOST_LINE = 2**20
"""A longer line of an index is none."""


@attrs.frozen(kw_only=True)
class Found:
    """Where the bundles of a delivery lie."""

    solver: Path | None
    """The solver bundle; None if it is not there."""
    grader: Path | None
    """The grader bundle; None if it is not there."""


@attrs.frozen(kw_only=True)
class Bundle:
    """A bundle whose manifest is as it was signed."""

    root: Path
    """Where it lies."""
    manifest: Manifest
    """What it holds."""
    digest: str
    """``sha256:…`` of `MANIFEST.json`."""
    signers: tuple[str, ...]
    """Ids of the trusted keys that signed it."""

    def files_of(self, task_id: str) -> dict[str, bytes]:
        """Return the files that are of one task alone, by path, as far as they are as signed."""
        found = {}
        for path, said in self.manifest.files.items():
            if paths.task_of(path) == task_id:
                data = _bytes(self.root / path)
                if data is not None and File.of(data) == said:
                    found[path] = data
        return found


@attrs.frozen(kw_only=True)
class Damage:
    """Something of a bundle that is not as it was signed."""

    path: str
    """The file."""
    what: str
    """What is wrong with it, with what was signed and what was found."""
    task: str = ""
    """The id of the task that it touches; empty if it is none alone."""


def find(delivery: Path) -> Found:
    """Return where the bundles lie: in ``delivery``, or it is one of them itself.

    Raises:
        UserError: there is none, or more than one of a kind.
    """
    try:
        here = [it for it in sorted(delivery.iterdir()) if it.is_dir()]
    except OSError as cause:
        raise UserError(
            f"{delivery}: expected a folder of bundles, cannot read it ({cause.strerror})"
        ) from cause
    whole = [
        it for it in (delivery.resolve(), *here) if (it / paths.MANIFEST).is_file()
    ]
    # A bundle whose manifest is gone is damaged, which is another thing than not there.
    bare = [it for it in here if it not in whole and (not whole or _beside(it, whole))]
    by_kind = {
        kind: [it for it in (*whole, *bare) if it.name.endswith(f"-{kind}")]
        for kind in paths.KINDS
    }
    for kind, found in by_kind.items():
        if len(found) > 1:
            raise UserError(
                f"{delivery}: expected one {kind} bundle, got {', '.join(it.name for it in found)}; give the folder of one delivery"
            )
    if not any(by_kind.values()):
        raise UserError(
            f"{delivery}: expected a delivery, with folders that end in -{' or -'.join(paths.KINDS)}; "
            "`shipbar deliver` writes one"
        )
    solver, grader = (next(iter(by_kind[kind]), None) for kind in paths.KINDS)
    return Found(solver=solver, grader=grader)


def _beside(folder: Path, bundles: Sequence[Path]) -> bool:
    """Whether a folder is called as the other bundle of a delivery is."""
    named = {it.name.removesuffix(f"-{kind}") for it in bundles for kind in paths.KINDS}
    pairs = {paths.root(tranche, kind) for tranche in named for kind in paths.KINDS}
    return folder.name in pairs and folder.parent in {it.parent for it in bundles}


def open_bundle(root: Path, keys: Sequence[Key]) -> Bundle:
    """Open a bundle: its signature and its manifest are checked, and nothing else yet.

    Args:
        root: its folder.
        keys: those that the caller trusts.

    Raises:
        AttestationError: it is not as a trusted key signed it.
        UserError: it cannot be read.
    """
    data, signature = (
        _needed(root / name) for name in (paths.MANIFEST, paths.SIGNATURE)
    )
    manifest = Manifest.parse(data, str(root / paths.MANIFEST))
    signers = manifest.held_to(data, signature, list(keys), str(root))
    return Bundle(root=root, manifest=manifest, digest=sha256(data), signers=signers)


def damages(bundle: Bundle) -> Iterator[Damage]:
    """Yield what of a bundle is not as it was signed; nothing, if all is well."""
    left = set(bundle.manifest.files)
    for path in _walk(bundle.root):
        if path in (paths.MANIFEST, paths.SIGNATURE):
            continue
        left.discard(path)
        yield from _damage(bundle, path)
    for path in sorted(left):
        yield from _told(bundle, path, "is missing")


def solver_lines(bundle: Bundle) -> Iterator[SolverLine]:
    """Yield the lines of a solver bundle that are as signed; see `damages` for the others.

    Raises:
        AttestationError: one that was signed is no line.
    """
    for task_id, line in _signed_lines(bundle):
        where = f"{bundle.root / paths.INDEX}: {task_id}"
        yield SolverLine.parse(line, where)


def grader_lines(bundle: Bundle) -> Iterator[GraderLine]:
    """Yield the lines of a grader bundle; see `solver_lines`."""
    for task_id, line in _signed_lines(bundle):
        where = f"{bundle.root / paths.INDEX}: {task_id}"
        yield GraderLine.parse(line, where)


def assemble(
    task_id: str,
    specification: bytes,
    files: Mapping[str, bytes],
    into: Path,
    *,
    digest: str | None,
) -> None:
    """Put a task together again, and its reviews beside it in `INTO.reviews`.

    Args:
        task_id: the task.
        specification: from the solver bundle.
        files: of the grader bundle, or out of a sealed grader: by path in the bundle.
        into: the folder to write, which is not there.
        digest: ``sha256:…`` that the task must have, as the index says.

    Raises:
        AttestationError: it is another task.
        UserError: it cannot be written.
    """
    tree, reviews = f"{paths.TASKS}/{task_id}/", f"{paths.REVIEWS}/{task_id}/"
    wanted = {into / SPECIFICATION: specification}
    for path, data in files.items():
        inner = (
            paths.in_task(path.removeprefix(tree)) if path.startswith(tree) else None
        )
        if inner is not None:
            wanted[into / inner] = data
        elif path.startswith(reviews):
            beside = into.with_name(into.name + ".reviews")
            wanted[beside / path.removeprefix(reviews)] = data
    try:
        into.mkdir(parents=True)
        for place, data in wanted.items():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    except OSError as cause:
        raise UserError(
            f"{into}: cannot put {task_id} together there ({cause.strerror})"
        ) from cause
    if digest is not None and (is_now := digest_of(into)) != digest:
        raise AttestationError(
            f"{task_id}: the bundles do not make the task that was proven: expected {digest}, got {is_now}"
        )


def _damage(bundle: Bundle, path: str) -> Iterator[Damage]:
    said = bundle.manifest.files.get(path)
    place = bundle.root / path
    if place.is_symlink() or not place.is_file():
        yield from _told(bundle, path, "is no plain file")
    elif said is None:
        yield from _told(bundle, path, "is there and was not signed; remove it")
    else:
        try:
            size, digest = place.stat().st_size, _digest(place)
        except OSError as cause:
            yield from _told(bundle, path, f"cannot be read ({cause.strerror})")
            return
        if (size, digest) != (said.size, said.digest):
            why = f"was changed: signed {said.digest} of {said.size} bytes, found {digest} of {size}"
            yield from _told(bundle, path, why)


def _told(bundle: Bundle, path: str, what: str) -> Iterator[Damage]:
    """One damage for each task that a file touches; one for none if it touches them all."""
    known = bundle.manifest.tasks
    if path == paths.INDEX:
        touched = sorted(known.keys() - dict(_signed_lines(bundle)).keys())
    elif path.startswith(f"{paths.LICENCES}/"):
        touched = _under(bundle, path)
    else:
        own = paths.task_of(path)
        touched = [own] if own in known else []
    for task in touched or [""]:
        yield Damage(path=path, what=what, task=task)


def _under(bundle: Bundle, path: str) -> list[str]:
    """The tasks under a licence; none, for all, if that cannot be told."""
    name = path.removeprefix(f"{paths.LICENCES}/").removesuffix(".txt")
    lines = solver_lines if bundle.manifest.kind == paths.SOLVER else grader_lines
    try:
        return [
            it.task_id
            for it in lines(bundle)
            if name in licences.ids(it.licence, it.task_id)
        ]
    except UserError:
        return []


def _signed_lines(bundle: Bundle) -> Iterator[tuple[str, bytes]]:
    """The lines of the index whose digests were signed, by task, each once."""
    by_digest = {digest: task_id for task_id, digest in bundle.manifest.tasks.items()}
    try:
        with _regular(bundle.root / paths.INDEX) as file:
            while line := file.readline(MOST_LINE):
                task_id = by_digest.pop(sha256(line.removesuffix(b"\n")), None)
                if task_id is not None:
                    yield task_id, line.removesuffix(b"\n")
    except OSError:
        return


def _walk(root: Path) -> Iterator[str]:
    for folder, names, files in os.walk(root):
        names.sort()
        links = [name for name in names if Path(folder, name).is_symlink()]
        for name in sorted([*files, *links]):
            yield Path(folder, name).relative_to(root).as_posix()


def _digest(path: Path) -> str:
    with _regular(path) as file:
        return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()


def _bytes(path: Path) -> bytes | None:
    try:
        with _regular(path) as file:
            return file.read()
    except OSError:
        return None


def _regular(path: Path) -> BufferedReader:
    """Open a file of a bundle; neither a link nor a pipe, at which a reader would wait for ever.

    Raises:
        OSError: it is no regular file, or cannot be opened.
    """
    opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return os.fdopen(opened, "rb")


def _needed(path: Path) -> bytes:
    try:
        with _regular(path) as file:
            return file.read()
    except OSError as cause:
        raise UserError(
            f"{path}: cannot be read ({cause.strerror}); a bundle holds {paths.MANIFEST} and {paths.SIGNATURE}, ask for it again"
        ) from cause
