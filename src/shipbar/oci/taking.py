"""Takes some images of a layout into a layout of their own.

For what wants one image at a time: the isolation gate looks at every image that it is
given as one of its task's, so of a layout of many tasks it is given one.
"""

from collections.abc import Sequence
from pathlib import Path

from shipbar.oci.blobs import blob_name, parts
from shipbar.oci.layout import Layout
from shipbar.oci.writer import Writer


def take(layout: Layout, names: Sequence[str], path: str | Path) -> Layout:
    """Write the images of those names as the layout ``path``.

    Where both lie on one file system a blob is linked and takes no room; what is in a
    layout is never written to again, so the two do not meet.

    Args:
        layout: where they are.
        names: names or digests of images, as `Layout.image` takes them.
        path: the new layout's folder, not there yet.

    Raises:
        UserError: there is no such image, or something at ``path``.
        SeamError: it cannot be written.
    """
    with Writer(path) as out:
        for image in [layout.image(it) for it in names]:
            for it in (image.manifest, image.config, *image.layers):
                name = blob_name(it.digest, image.name)
                if not out.store.link(layout.path / name, it.digest):
                    with layout.blobs.open(name) as file:
                        out.store.put(parts(file), it.media_type)
            out.adopt(image)
        return out.finish()
