"""What images stand on: a base, which is any image in an OCI layout, named by its digest.

A base is taken as it is: its layers are copied byte by byte, never written anew, so
that it is shared by all images on it and known by the digest that its maker gave it.
"""

import re
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import attrs

from shipbar.errors import UserError
from shipbar.oci.blobs import Blobs, blob_name
from shipbar.oci.layout import Layout
from shipbar.oci.values import CREATED, Descriptor, Image, Json

_PYTHON = re.compile(r"python3\.\d+")
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_PLAIN = "application/vnd.oci.image.layer.v1.tar"


@attrs.frozen(kw_only=True)
class Base:
    """An image to put layers on."""

    blobs: Blobs = attrs.field(repr=False, eq=False)
    """Where its layers lie."""
    path: Path = attrs.field(eq=False)
    """The layout that it came from."""
    config: Json = attrs.field(repr=False)
    """All that is said about it."""
    layers: tuple[Descriptor, ...]
    """From the bottom up, as they are stored."""
    config_digest: str
    """`sha256:…` of its config."""
    manifest_digest: str
    """`sha256:…` of its manifest."""

    @property
    def diff_ids(self) -> list[str]:
        """Digests of its layers uncompressed."""
        return [str(it) for it in self.config["rootfs"]["diff_ids"]]

    @property
    def history(self) -> list[Json]:
        """Its history, with one entry a layer; made up where there is none that fits."""
        told = list(self.config.get("history") or [])
        if sum(not it.get("empty_layer") for it in told) == len(self.layers):
            return told
        return [{"created": CREATED, "created_by": "base"} for _ in self.layers]

    def python(self, minor: int) -> str:
        """Return the path of its Python 3.``minor``, as in `/usr/bin/python3.11`.

        Raises:
            UserError: it has none on its PATH, or cannot be looked into.
        """
        paths = self.paths()
        name = f"python3.{minor}"
        for folder in self.search_path():
            if f"{folder}/{name}".strip("/") in paths:
                return f"{folder}/{name}"
        others = {
            found
            for it in paths
            if _PYTHON.fullmatch(found := it.rpartition("/")[2]) and "bin/" in it
        }
        raise UserError(
            f"{self.path}: the base has no {name} on its PATH ({', '.join(sorted(others)) or 'no Python at all'}), and a grader needs the one that builds its image; "
            "choose another base, or run Shipbar with a Python that the base has"
        )

    def search_path(self) -> list[str]:
        """Return the folders of its PATH, and behind them the usual ones."""
        env = (self.config.get("config") or {}).get("Env") or []
        told = next((it[5:] for it in env if str(it).startswith("PATH=")), "")
        return list(dict.fromkeys([*told.split(":"), *_PATH.split(":")]))

    def paths(self) -> frozenset[str]:
        """Return every path of its layers.

        Raises:
            UserError: a layer cannot be read here.
        """
        found: set[str] = set()
        for layer in self.layers:
            name = blob_name(layer.digest, str(self.path))
            try:
                with (
                    self.blobs.open(name) as file,
                    tarfile.open(fileobj=file, mode="r:*") as archive,
                ):
                    found |= {
                        PurePosixPath(it.name.lstrip("/")).as_posix() for it in archive
                    }
            except (tarfile.TarError, OSError, EOFError) as cause:
                raise UserError(
                    f"{self.path}: {name} cannot be looked into: {cause}; choose a base with layers plain or in gzip"
                ) from cause
        return frozenset(found)


def open_base(name: str | Path) -> Base:
    """Open the base called ``name``: `PATH`, or `PATH@sha256:…` to say which it must be.

    PATH is an OCI layout, in a folder or an uncompressed tar. The digest is the
    manifest's or the config's.

    Raises:
        UserError: there is none, it has another digest, or there are several and no
            digest says which.
    """
    place, _, digest = str(name).partition("@sha256:")
    layout = Layout.open(place)
    if not digest:
        if len(layout.images) != 1:
            known = ", ".join(it.manifest_digest for it in layout.images)
            raise UserError(
                f"{place}: holds {len(layout.images)} images; say which is the base, as {place}@sha256:…; there are: {known}"
            )
        return base_of(layout, layout.images[0])
    wanted = f"sha256:{digest}"
    for image in layout.images:
        if wanted in (image.manifest_digest, image.config_digest):
            return base_of(layout, image)
    known = ", ".join(
        f"{it.manifest_digest} (config {it.config_digest})" for it in layout.images
    )
    raise UserError(
        f"{place}: expected the base {wanted}, found {known}; get the right one, or name the digest of this one"
    )


def base_of(layout: Layout, image: Image) -> Base:
    """Return an image of a layout as a base, its documents held to their digests.

    Raises:
        UserError: a document is not what its digest says, or the two do not fit.
    """
    for it in (image.manifest, image.config):
        name = blob_name(it.digest, str(layout.path))
        if (got := layout.blobs.digest(name)) != it.digest:
            raise UserError(
                f"{layout.path}: {name} has the content {got}; the base is damaged, get it again"
            )
    config = layout.config(image)
    claimed = (config.get("rootfs") or {}).get("diff_ids")
    if not isinstance(claimed, list) or len(claimed) != len(image.layers):
        raise UserError(
            f"{layout.path}: the config of {image.name or image.manifest_digest} does not name its {len(image.layers)} layers; the base is damaged, get it again"
        )
    return Base(
        blobs=layout.blobs,
        path=layout.path,
        config=config,
        layers=tuple(attrs.evolve(it, annotations={}) for it in _plain(image, claimed)),
        config_digest=image.config_digest,
        manifest_digest=image.manifest_digest,
    )


def _plain(image: Image, diff_ids: list[Any]) -> Iterator[Descriptor]:
    """Yield its layers, one that is raw under the media type which says so."""
    for layer, digest in zip(image.layers, diff_ids, strict=True):
        raw = layer.digest == digest
        yield attrs.evolve(layer, media_type=_PLAIN) if raw else _oci(layer)


def _oci(layer: Descriptor) -> Descriptor:
    """Return a packed layer of Docker's under the name that OCI has for the same bytes."""
    docker = "application/vnd.docker.image.rootfs.diff.tar.gzip"
    same = layer.media_type == docker
    return attrs.evolve(layer, media_type=f"{_PLAIN}+gzip") if same else layer


def lower_part(layout: Layout, image: Image, taken: Mapping[str, object]) -> Base:
    """Return what an image of ours stands on, as far as the image itself tells.

    Its layers are known by their digests. Of what is said about the base, all but
    what ours say over it: the fields in ``taken``, and the labels, are left out.
    """
    count = image.base_layers
    config = layout.config(image)
    said = {
        key: value
        for key, value in (config.get("config") or {}).items()
        if key not in {*taken, "Labels"}
    }
    history: list[Json] = []
    for it in config.get("history") or []:
        if sum(not told.get("empty_layer") for told in history) == count:
            break
        history.append(it)
    return Base(
        blobs=layout.blobs,
        path=layout.path,
        config={
            **config,
            "config": said,
            "history": history,
            "rootfs": {"diff_ids": config["rootfs"]["diff_ids"][:count]},
        },
        layers=image.layers[:count],
        config_digest="",
        manifest_digest=image.annotations.get(
            "org.opencontainers.image.base.digest", ""
        ),
    )
