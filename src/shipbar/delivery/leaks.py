"""A scan of what was written, for what is held out: every file, and every layer of every image.

It knows the graders that are not open, and looks for whole files of them, their
canaries and pieces of them, also where they were packed. What stands in such a grader,
and is not said in its task's specification, may be in no file: a delivery in which
something is found is not made.
"""

import json
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from shipbar.bundles import paths
from shipbar.bundles.held import Held, Secret
from shipbar.bundles.index import OPEN
from shipbar.delivery.order import Item
from shipbar.errors import UserError
from shipbar.gates.fragments import views
from shipbar.grading.tasks import RECORD, SPECIFICATION
from shipbar.oci.layout import Layout
from shipbar.oci.values import Image

LEAST_NAME = 5
"""Letters from which on a name can be one that stands in a task alone."""
_SHOWN = 20


def held_of(items: Sequence[Item]) -> Held:
    """Return what is held out of the graders that are not open."""
    return Held.of(
        (_secret(item) for item in items if item.state != OPEN),
        shared=(
            data
            for item in items
            if item.state == OPEN
            for data in item.files().values()
        ),
    )


def _secret(item: Item) -> Secret:
    files = item.files()
    specification = files.pop(SPECIFICATION)
    return Secret(
        task_id=item.id,
        files=files,
        specification=specification,
        names=_names(item, files),
        canary=item.contract.canary,
    )


def _names(item: Item, files: Mapping[str, bytes]) -> list[str]:
    """The package, and what was invented for it."""
    named = json.loads(files.get(RECORD, b"{}")).get("names", {})
    invented = {name for name in named.values() if len(name) >= LEAST_NAME}
    return sorted({item.contract.import_name, *invented})


def check(root: Path, held: Held) -> None:
    """Refuse a delivery that holds something of a grader that is not open.

    Args:
        root: the folder of both bundles.
        held: what is held out.

    Raises:
        UserError: it does; says where and what.
    """
    if not held:
        return
    found = [f"  {where}: {what}" for where, what in _leaks(root, held)]
    if found:
        more = [f"  and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
        raise UserError(
            "\n".join(
                [
                    "nothing is delivered: graders that are not open would be given away:",
                    *found[:_SHOWN],
                    *more,
                    "  take it out of the task that holds it, prove that task, and deliver again",
                ]
            )
        )


def _leaks(root: Path, held: Held) -> Iterator[tuple[str, str]]:
    for path in sorted(root.rglob("*")):
        inner = path.relative_to(root).as_posix()
        if path.is_file() and f"/{paths.IMAGES}/blobs/" not in inner:
            yield from _found(inner, path.read_bytes(), held)
    for layout in sorted(root.glob(f"*/{paths.IMAGES}")):
        yield from _in_images(Layout.open(layout), layout.relative_to(root), held)


def _in_images(layout: Layout, where: Path, held: Held) -> Iterator[tuple[str, str]]:
    """Look through each document and layer once, however many images share it."""
    seen: set[str] = set()
    for image in layout.images:
        for document in (image.manifest, image.config):
            at = f"{where}: {image.name}"
            data = layout.blobs.read(f"blobs/{document.digest.replace(':', '/')}")
            yield from _found(at, data, held)
        for number, layer in enumerate(image.layers):
            if layer.digest not in seen:
                seen.add(layer.digest)
                yield from _in_layer(layout, (image, number), where, held)


def _in_layer(
    layout: Layout, layer: tuple[Image, int], where: Path, held: Held
) -> Iterator[tuple[str, str]]:
    image, number = layer
    # A base is read as it lies, and nothing of it unpacked: it was there before any
    # task. Only the last layer is of the task; those below hold programs of others.
    undo = _as_it_lies if number < image.base_layers else views
    foreign = number < len(image.layers) - 1
    with (
        layout.layer(image, number) as file,
        tarfile.open(fileobj=file, mode="r|*") as archive,
    ):
        for member in archive:
            content = archive.extractfile(member) if member.isreg() else None
            at = f"{where}: {image.name}, layer {number}: {member.name}"
            data = member.linkname.encode() if content is None else content.read()
            for what in held.found(data, undo, foreign=foreign):
                yield at, what


def _found(where: str, data: bytes, held: Held) -> Iterator[tuple[str, str]]:
    for what in held.found(data, views):
        yield where, what


def _as_it_lies(data: bytes) -> Iterator[tuple[str, bytes]]:
    yield "", data
