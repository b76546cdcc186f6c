"""Reads an OCI layout: its images, its blobs, and whether all of it is what it says.

    layout = Layout.open("images")
    for image in layout.images:
        print(image.name, image.config_digest, image.manifest_digest)
    problems = layout.problems()

Ours are *hybrid*: beside the index of OCI lies the `manifest.json` that `docker save`
writes, since Docker's classic store takes nothing else, and `podman load` takes
several images from nothing else. Both name the same blobs.
"""

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import attrs

from shipbar.errors import UserError
from shipbar.oci.blobs import Blobs, blob_name, blobs_at, parts
from shipbar.oci.tars import Entry, Out, write_tar
from shipbar.oci.values import (
    FULL_NAME,
    INDEXES,
    MANIFESTS,
    REF,
    Descriptor,
    Image,
    Json,
    compact,
    name_of,
)

SAVED = "manifest.json"
"""What `docker save` writes."""
DOCUMENTS = ("index.json", "oci-layout", SAVED)
_DEEPEST = 4
_SHAPE = (KeyError, TypeError, AttributeError, ValueError)
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"


class Layout:
    """An OCI layout that is there already. To write one, see `Writer`."""

    def __init__(self, blobs: Blobs) -> None:
        """Read the layout of those files; `open` is how it is usually got."""
        self.blobs = blobs
        self.path = blobs.path
        self.images: tuple[Image, ...] = tuple(self._indexed("index.json", 0))
        """Its images, in the order of its index."""

    @classmethod
    def open(cls, path: str | Path) -> "Layout":
        """Open the layout at ``path``: a folder, or an uncompressed tar of one.

        Raises:
            UserError: there is none, or an index, manifest or config cannot be read.
        """
        return cls(blobs_at(Path(path)))

    def image(self, name: str) -> Image:
        """Return the image of that name, or of that config or manifest digest.

        Raises:
            UserError: there is none; the message lists those there are.
        """
        for image in self.images:
            if name in (image.name, image.config_digest, image.manifest_digest):
                return image
        known = ", ".join(it.name or it.config_digest for it in self.images)
        raise UserError(f"{self.path}: no image {name!r}; there are: {known}")

    def config(self, image: Image) -> Json:
        """Return all that is said about an image."""
        found: Json = self._document(blob_name(image.config.digest, image.name))
        return found

    def layer(self, image: Image, number: int) -> BinaryIO:
        """Open a layer as it is stored; 0 is the lowest."""
        return self.blobs.open(blob_name(image.layers[number].digest, image.name))

    def layer_file(self, image: Image, number: int) -> Path:
        """Return a layer's file.

        Raises:
            UserError: the layout is a tar; unpack it first.
        """
        if not self.path.is_dir():
            raise UserError(f"{self.path}: expected a folder; unpack the tar first")
        return self.path / blob_name(image.layers[number].digest, image.name)

    # -- whether it is what it says ------------------------------------------------------

    def problems(self, *, deep: bool = True) -> list[str]:
        """Return what is wrong: a blob that is not its digest, a size, a file too many.

        Each problem names the file, and the images that it belongs to. What is not said
        here is whether the layout is the one that somebody meant: compare ids for that.

        Args:
            deep: whether to digest every blob, and every layer uncompressed. Else
                only documents are held against each other.
        """
        found = [*self._unnamed(), *self._saved()]
        for digest, (size, users) in self._named().items():
            name = blob_name(digest, "index.json")
            who = f"belongs to {', '.join(sorted(users))}"
            if name not in self.blobs:
                found.append(f"{name}: is not there; it {who}")
            elif (got := self.blobs.size(name)) != size:
                found.append(f"{name}: expected {size} bytes, got {got}; it {who}")
            elif deep and (came := self.blobs.digest(name)) != digest:
                found.append(f"{name}: its content is {came}; it {who}")
        if deep and not found:
            found += [why for image in self.images for why in self._layers(image)]
        return list(dict.fromkeys(found))

    def verify(self) -> None:
        """Raise unless every blob is what it says.

        Raises:
            UserError: it is not; the message lists every problem.
        """
        if problems := self.problems():
            lines = "\n".join(f"  {it}" for it in problems)
            raise UserError(
                f"{self.path}: the layout is damaged; get it again\n{lines}"
            )

    def _named(self) -> dict[str, tuple[int, set[str]]]:
        """Every blob that an image names: its size, and the images."""
        found: dict[str, tuple[int, set[str]]] = {}
        for image in self.images:
            for it in (image.manifest, image.config, *image.layers):
                found.setdefault(it.digest, (it.size, set()))[1].add(
                    image.name or image.config_digest
                )
        return found

    def _unnamed(self) -> Iterator[str]:
        """Files that belong to nothing: a place to hide something in."""
        known = {*DOCUMENTS, *self._indexes}
        known |= {blob_name(it, "index.json") for it in self._named()}
        for name in self.blobs.names():
            if name not in known:
                yield f"{name}: belongs to no image"

    def _saved(self) -> Iterator[str]:
        """What is wrong with the list for older engines."""
        if SAVED not in self.blobs:
            return
        said = self._document(SAVED)
        if saved_form(self.images) != said:
            yield f"{SAVED}: does not name the images of index.json, in their order"

    def _layers(self, image: Image) -> Iterator[str]:
        """Hold the layers, uncompressed, to the digests of the config."""
        claimed = self.config(image).get("rootfs", {}).get("diff_ids", [])
        if len(claimed) != len(image.layers):
            yield f"{image.name}: its config names {len(claimed)} layers, its manifest {len(image.layers)}"
            return
        for number, (layer, digest) in enumerate(
            zip(image.layers, claimed, strict=True)
        ):
            got = layer.digest if layer.digest == digest else self._plain(layer)
            if got is not None and got != digest:
                yield f"{image.name}: layer {number} is {got} uncompressed; its config says {digest}"

    def _plain(self, layer: Descriptor) -> str | None:
        """Digest a layer uncompressed; None where that cannot be done here (zstd)."""
        name = blob_name(layer.digest, "index.json")
        with self.blobs.open(name) as file:
            head = file.read(4)
            file.seek(0)
            if head == _ZSTD:
                return None
            packed = head.startswith(_GZIP)
            reader: Any = gzip.GzipFile(fileobj=file) if packed else file
            try:
                digest = hashlib.sha256()
                for chunk in parts(reader):
                    digest.update(chunk)
            except (OSError, EOFError, zlib.error) as cause:
                raise UserError(
                    f"{self.path}: {name} cannot be uncompressed: {cause}; get the layout again"
                ) from cause
        return f"sha256:{digest.hexdigest()}"

    # -- going on with it ------------------------------------------------------------------

    def write_archive(self, out: Out, only: Sequence[Image] | None = None) -> None:
        """Write it as one tar, which `docker load` and `podman load` read.

        The bytes depend on the images alone.

        Args:
            out: where to.
            only: images to write, with their blobs; None for all.

        Raises:
            UserError: the layout is a tar already.
        """
        if not self.path.is_dir():
            raise UserError(f"{self.path}: is an archive already; use it as it is")
        chosen = self.images if only is None else tuple(only)
        names = dict.fromkeys(
            blob_name(it.digest, image.name)
            for image in chosen
            for it in (image.manifest, image.config, *image.layers)
        )
        entries = [Entry(path=name, content=self.path / name) for name in names]
        entries += [
            Entry(path=name, content=data) for name, data in documents(chosen).items()
        ]
        write_tar(entries, out)

    # -- reading ---------------------------------------------------------------------------

    _indexes: tuple[str, ...] = ()

    def _indexed(self, name: str, depth: int) -> Iterator[Image]:
        if depth > _DEEPEST:
            raise self._damaged(name, f"indexes inside indexes, {depth} deep")
        try:
            for item in self._document(name)["manifests"]:
                inner = blob_name(item["digest"], f"{self.path}: {name}")
                if item.get("mediaType") in INDEXES:
                    self._indexes = (*self._indexes, inner)
                    yield from self._indexed(inner, depth + 1)
                elif item.get("mediaType") in MANIFESTS:
                    yield self._image(inner, _descriptor(item))
                else:
                    raise self._damaged(
                        name, f"expected a manifest, got {item.get('mediaType')!r}"
                    )
        except _SHAPE as cause:
            raise self._damaged(name, f"{type(cause).__name__}: {cause}") from cause

    def _image(self, name: str, manifest: Descriptor) -> Image:
        said = self._document(name)
        try:
            config = _descriptor(said["config"])
            found = self._document(blob_name(config.digest, f"{self.path}: {name}"))
            labels = (found.get("config") or {}).get("Labels") or {}
            layers = tuple(_descriptor(it) for it in said["layers"])
            for it in layers:
                blob_name(it.digest, f"{self.path}: {name}")
            return Image(
                name=str(manifest.annotations.get(REF, "")),
                manifest=manifest,
                config=config,
                layers=layers,
                labels={str(key): str(value) for key, value in labels.items()},
                annotations={
                    str(key): str(value)
                    for key, value in (said.get("annotations") or {}).items()
                },
            )
        except _SHAPE as cause:
            raise self._damaged(name, f"{type(cause).__name__}: {cause}") from cause

    def _document(self, name: str) -> Any:  # noqa: ANN401  # JSON
        try:
            return json.loads(self.blobs.read(name))
        except ValueError as cause:
            raise self._damaged(name, f"is no JSON: {cause}") from cause

    def _damaged(self, name: str, why: str) -> UserError:
        return UserError(
            f"{self.path}: {name}: {why}; the layout is damaged, get it again"
        )


def _descriptor(said: Json) -> Descriptor:
    size = said["size"]
    if not isinstance(size, int) or size < 0:
        raise ValueError(f"a size of {size!r}")
    return Descriptor(
        media_type=str(said.get("mediaType", "")),
        digest=str(said["digest"]),
        size=size,
        annotations=dict(said.get("annotations") or {}),
    )


def saved_form(images: Sequence[Image]) -> list[Json]:
    """Return the images as `docker save` lists them."""
    return [
        {
            "Config": blob_name(image.config.digest, image.name),
            "RepoTags": [image.reference] if image.reference else [],
            "Layers": [blob_name(it.digest, image.name) for it in image.layers],
        }
        for image in images
    ]


def documents(images: Sequence[Image]) -> dict[str, bytes]:
    """Return the files of a layout that are no blobs, by path."""
    return {
        "oci-layout": compact({"imageLayoutVersion": "1.0.0"}),
        "index.json": compact(
            {
                "schemaVersion": 2,
                "mediaType": "application/vnd.oci.image.index.v1+json",
                "manifests": [it.manifest.as_json() for it in images],
            }
        ),
        SAVED: compact(saved_form(images)),
    }


def documents_of_ours(images: Sequence[Image]) -> dict[str, bytes]:
    """Return those files as we write them of images of ours, whatever a layout says beside."""
    named = []
    for it in images:
        said = {REF: name_of(it.kind, it.task), FULL_NAME: it.reference}
        manifest = attrs.evolve(it.manifest, annotations=said)
        named.append(attrs.evolve(it, manifest=manifest))
    return documents(named)


_NAME = re.compile(r"[a-z0-9]+(?:[._-]+[a-z0-9]+)*")
"""What a task's id may be as a tag, for every engine."""
_LONGEST = 120
"""Characters of it; a tag may have 128, and a kind may come before it."""


def check_name(name: str) -> None:
    """Refuse a task's id that some engine would not take in an image's name.

    Raises:
        UserError: it has other characters than engines take, or is too long.
    """
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise UserError(
            f"image name {name!r}: expected lower-case letters and digits with . _ - between them, at most {_LONGEST}"
        )
