"""Images: OCI layouts that are the same bit for bit wherever and whenever they are made.

Reading a layout: `Layout`. Writing one: `Writer`, with a `Base` from `open_base` and
layers of `Entry` values; `build` makes the images of tasks. Whether a layout is what
it should be: `check`. Handing it to Docker or Podman: `load`.

No daemon takes part in writing and no right is needed; layers are not compressed, so
that no digest depends on anybody's compressor.
"""

from shipbar.oci.bases import Base, open_base
from shipbar.oci.building import build
from shipbar.oci.checking import check
from shipbar.oci.engines import Engine, load
from shipbar.oci.layout import Layout
from shipbar.oci.recipes import KINDS, SPEC, recipe
from shipbar.oci.taking import take
from shipbar.oci.tars import EPOCH, Entry
from shipbar.oci.values import Image
from shipbar.oci.writer import Layer, Plan, Writer

__all__ = [
    "EPOCH",
    "KINDS",
    "SPEC",
    "Base",
    "Engine",
    "Entry",
    "Image",
    "Layer",
    "Layout",
    "Plan",
    "Writer",
    "build",
    "check",
    "load",
    "open_base",
    "recipe",
    "take",
]
