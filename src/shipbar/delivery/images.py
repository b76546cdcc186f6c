"""The images of the tasks, in a bundle: one layout for each."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from shipbar.bundles.index import Image
from shipbar.delivery.order import Item
from shipbar.oci.bases import Base
from shipbar.oci.building import build
from shipbar.oci.layout import Layout


def write(
    layout: Path, kind: str, items: Sequence[Item], base: Base
) -> Mapping[str, Image]:
    """Write the images of one kind; return them by the task's id.

    Args:
        layout: the folder to write, which is not there.
        kind: `solver` or `grader`.
        items: the tasks.
        base: what the images stand on.

    Raises:
        UserError: the base is damaged, or has no Python to grade with.
        SeamError: it cannot be written.
    """
    if not items:
        return {}
    layout.parent.mkdir(parents=True, exist_ok=True)
    made = build([it.folder for it in items], layout, base, kinds=[kind])
    return told(made)


def told(layout: Layout) -> dict[str, Image]:
    """Return what an index says of the images of a layout, by the task's id."""
    return {
        image.task: Image(
            name=image.name,
            config=image.config_digest,
            manifest=image.manifest_digest,
        )
        for image in layout.images
    }
