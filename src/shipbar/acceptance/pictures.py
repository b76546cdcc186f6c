"""The images of a bundle: whose each blob is, and one task's image alone.

Nothing is unpacked and no name that an image gives is taken for a path. An index, a
list for engines or a blob that belongs to nothing touches every task with an image,
since nobody could say whom it is for; any other blob touches the tasks whose image
names it.
"""

import functools
import shutil
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

from shipbar.attest.plain import read_object
from shipbar.bundles import paths
from shipbar.bundles.index import Image as Told
from shipbar.bundles.reading import Bundle
from shipbar.errors import AttestationError, SeamError, UserError
from shipbar.oci.blobs import MOST_DOCUMENT, blob_name
from shipbar.oci.layout import Layout, documents, documents_of_ours
from shipbar.oci.values import compact
from shipbar.verdict import sha256

_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ")
"""What gzip, zstd, bzip2 and xz begin with."""


@attrs.frozen(kw_only=True)
class Pictures:
    """What lies in a bundle's `images/`, as far as its index tells of it."""

    users: Mapping[str, tuple[str, ...]]
    """The tasks whose image needs a file, by the file's path in the bundle."""
    all: tuple[str, ...]
    """The tasks that have an image."""
    problems: tuple[str, ...]
    """What is wrong with all of it together."""

    def touched_by(self, path: str) -> tuple[str, ...]:
        """Return the tasks that a damaged file of `images/` touches."""
        return self.users.get(path, self.all)


def pictures(bundle: Bundle, told: Mapping[str, Told], *, whole: bool) -> Pictures:
    """Look at the images of a bundle.

    Args:
        bundle: as it was signed; its files may be damaged.
        told: what the index says of the image of each task that has one.
        whole: whether every line of the index is as signed; else there are images of
            tasks that it does not tell of.
    """
    users: dict[str, list[str]] = {}
    for task_id, image in told.items():
        for path in _blobs(bundle, image):
            users.setdefault(path, []).append(task_id)
    there = [it for it in bundle.manifest.files if it.startswith(f"{paths.IMAGES}/")]
    problems = []
    if there or told:
        problems = [*_documents(bundle, told, whole=whole)]
        problems += _loose(there, users) if whole else []
    return Pictures(
        users={path: tuple(its) for path, its in users.items()},
        all=tuple(told),
        problems=tuple(problems),
    )


def _blobs(bundle: Bundle, image: Told) -> Iterator[str]:
    """The files of one image, as far as its manifest can be believed."""
    yield _place(image.manifest)
    yield _place(image.config)
    data = _document(bundle, image.manifest)
    if data is None:
        return
    try:
        for layer in read_object(data)["layers"]:
            yield _place(layer["digest"])
    except (ValueError, KeyError, TypeError, UserError):
        return


def _place(digest: object) -> str:
    return f"{paths.IMAGES}/{blob_name(digest, paths.IMAGES)}"


def _document(bundle: Bundle, digest: str) -> bytes | None:
    """Return a blob that is a document; None if it is not there, or not what it is called."""
    path = bundle.root / _place(digest)
    try:
        if not path.is_file() or path.stat().st_size > MOST_DOCUMENT:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    return data if sha256(data) == digest else None


def _loose(there: list[str], users: Mapping[str, object]) -> Iterator[str]:
    """Blobs that were signed and belong to no image: a place to hide something in."""
    for path in there:
        if path.startswith(f"{paths.IMAGES}/blobs/") and path not in users:
            yield f"{path}: belongs to no image of the index"


def _documents(
    bundle: Bundle, told: Mapping[str, Told], *, whole: bool
) -> Iterator[str]:
    """Hold the lists of images to the index of the bundle, and to what we would write."""
    where = bundle.root / paths.IMAGES
    try:
        layout = Layout.open(where)
    except UserError as why:
        # A damaged blob is told as damage, of the task that it is of.
        its = [digest for it in told.values() for digest in (it.manifest, it.config)]
        if all(_document(bundle, digest) is not None for digest in its):
            # Told of a bundle, by the place in it and not by where it lies here.
            yield str(why).replace(str(where), paths.IMAGES)
        return
    listed = {
        (it.name, it.config_digest, it.manifest_digest): it for it in layout.images
    }
    wanted = {(it.name, it.config, it.manifest) for it in told.values()}
    for name, *_ in sorted(wanted - listed.keys()):
        yield f"{paths.IMAGES}/index.json: has no image {name} with the ids that the index of the bundle gives"
    for name, *_ in sorted(listed.keys() - wanted) if whole else ():
        yield f"{paths.IMAGES}/index.json: image {name or 'without a name'} is of no task of the bundle"
    for name, data in documents_of_ours(layout.images).items():
        if name in layout.blobs and layout.blobs.read(name) != data:
            yield f"{paths.IMAGES}/{name}: says more, or something else, than which images there are"


def alone(bundle_root: Path, told: Told, into: Path) -> Path:
    """Lay out one image by itself, so that it can be looked through; return the layout.

    Args:
        bundle_root: of the bundle, held to its manifest.
        told: what its index says of the image.
        into: the folder to make.

    Raises:
        AttestationError: it is packed in a way that could be made to fill the memory.
        UserError: there is no such image.
        SeamError: it cannot be laid out.
    """
    root = bundle_root / paths.IMAGES
    entry = _entry(root, told)
    try:
        for digest in (told.manifest, told.config):
            blob = blob_name(digest, paths.IMAGES)
            (into / blob).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / blob, into / blob)
        for path, data in documents([]).items():
            (into / path).write_bytes(data)
        index = {"schemaVersion": 2, "manifests": [entry]}
        (into / "index.json").write_bytes(compact(index))
        image = Layout.open(into).image(told.manifest)
        for layer in image.layers:
            _bounded((root / blob_name(layer.digest, told.name)).resolve())
            _link(root, into, layer.digest)
        for path, data in documents([image]).items():
            (into / path).write_bytes(data)
    except OSError as cause:
        raise SeamError(f"{into}: cannot be written ({cause.strerror})") from cause
    return into


def _entry(root: Path, told: Told) -> Mapping[str, object]:
    """What the list of images says of one; other images may be damaged."""
    try:
        listed = read_object((root / "index.json").read_bytes())["manifests"]
        return next(it for it in listed if it["digest"] == told.manifest)
    except (OSError, ValueError, KeyError, TypeError, StopIteration) as cause:
        raise UserError(
            f"{paths.IMAGES}/index.json: has no image {told.name} with manifest {told.manifest}"
        ) from cause


def _link(root: Path, into: Path, digest: str) -> None:
    """Show a layer, which may be large, without copying it."""
    blob = blob_name(digest, paths.IMAGES)
    if not (into / blob).is_symlink():
        (into / blob).symlink_to((root / blob).resolve())


@functools.lru_cache(maxsize=64)
def _bounded(path: Path) -> None:
    """Refuse a layer that comes to more than lies there: a base is looked at once a process."""
    with path.open("rb") as file:
        head = file.read(8)
    if head.startswith(_PACKED):
        raise AttestationError(
            f"{path.name}: the layer is compressed; layers of a delivery are plain, so that their size is what it says"
        )
    size, total = path.stat().st_size, 0
    try:
        with tarfile.open(path, "r:") as archive:
            for member in archive:
                total += member.size
                if member.issparse() or total > size:
                    raise AttestationError(
                        f"{path.name}: {member.name!r} says that it is larger than what lies there"
                    )
    except (tarfile.TarError, EOFError, ValueError) as cause:
        raise AttestationError(f"{path.name}: no layer: {cause}") from cause
