"""Writes an OCI layout: a base, layers, images; nothing is there until all of it is.

    with Writer(Path("images")) as out:
        base = out.base(open_base("debian.oci@sha256:…"))
        layer = out.layer([Entry(path="work/SPEC.md", content=spec)], made_by="…")
        out.add(Plan(kind="solver", task="…", base=base, layers=(layer,)))
        layout = out.finish()

Blobs are written beside the final place, under their digests, each once however many
images use it; `finish` writes the index and moves all of it to its place in one step.
Leaving the `with` before that removes everything. No daemon is asked and no right
needed beyond that of writing the folder.
"""

import contextlib
import fcntl
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import attrs

from shipbar.errors import SeamError, UserError
from shipbar.oci.bases import Base
from shipbar.oci.blobs import blob_name, parts
from shipbar.oci.layout import Layout, check_name, documents
from shipbar.oci.tars import Entry, Hashing, write_tar
from shipbar.oci.values import (
    BASE_DIGEST,
    BASE_LAYERS,
    CONFIG,
    CREATED,
    FULL_NAME,
    KIND,
    LAYER,
    MANIFEST,
    OURS,
    REF,
    TASK,
    Descriptor,
    Image,
    Json,
    compact,
    name_of,
    reference_of,
)


@attrs.frozen(kw_only=True)
class Layer:
    """A layer of ours, in a layout that is being written."""

    descriptor: Descriptor
    """Its blob; raw, so that its digest is also the one that a config names."""
    made_by: str
    """What an image's history says of it."""


@attrs.frozen(kw_only=True)
class Plan:
    """What an image is made of. The same plan gives the same digests anywhere."""

    kind: str
    """`solver` or `grader`."""
    task: str
    """The task's id."""
    base: Base
    """What it stands on."""
    layers: tuple[Layer, ...]
    """Ours, from the lowest up."""
    labels: Mapping[str, str] = attrs.field(factory=dict)
    """More labels; a canary of one client's, for example."""
    settings: Mapping[str, object] = attrs.field(factory=dict)
    """Fields of the config to set over the base's: `WorkingDir`, `Entrypoint`, `Cmd`."""
    own_labels: Mapping[str, str] = attrs.field(factory=dict)
    """Labels of ours beside kind and task."""


class Writer:
    """Writes one layout. Used in a `with`, then finished."""

    def __init__(self, path: str | Path) -> None:
        """Write to the folder ``path``, which must not be there yet.

        Raises:
            UserError: there is something at that place.
        """
        self.path = Path(path)
        if self.path.exists() or self.path.is_symlink():
            raise UserError(
                f"{self.path}: is there already; name another folder, or remove it"
            )
        self._begins = f".{self.path.name}.making-"
        self._folder = self.path.parent / f"{self._begins}{secrets.token_hex(6)}"
        self._images: dict[str, Image] = {}

    def __enter__(self) -> Self:
        """Make the folder to work in, beside the final one.

        What a process that was killed has left there is removed: a writer holds a lock
        on its folder from before it has its name, and the kernel drops it.
        """
        with _disk(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._remove_what_was_left()
            new = self.path.parent / f".shipbar-{secrets.token_hex(8)}"
            try:
                (new / "blobs" / "sha256").mkdir(parents=True)
                self._lock = os.open(new, os.O_RDONLY)
                fcntl.flock(self._lock, fcntl.LOCK_EX)
                new.rename(self._folder)
            except BaseException:
                shutil.rmtree(new, ignore_errors=True)
                raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove what was not finished."""
        shutil.rmtree(self._folder, ignore_errors=True)
        os.close(self._lock)

    @property
    def store(self) -> "Store":
        """Where blobs go; it can be sent to another process that writes some of them."""
        return Store(folder=self._folder)

    def base(self, base: Base) -> Base:
        """Take in a base's layers, each held to its digest on the way.

        Raises:
            UserError: a layer is not what the base's manifest says.
            SeamError: it cannot be written.
        """
        for layer in base.layers:
            with base.blobs.open(blob_name(layer.digest, str(base.path))) as file:
                got = self.store.put(parts(file), layer.media_type)
            if got.digest != layer.digest:
                raise UserError(
                    f"{base.path}: layer {layer.digest} has the content {got.digest}; the base is damaged, get it again"
                )
        return base

    def layer(self, entries: Iterable[Entry], *, made_by: str) -> Layer:
        """Write a layer; the same entries are the same layer.

        Raises:
            UserError: the entries contradict each other.
            SeamError: it cannot be written.
        """
        return self.store.layer(entries, made_by=made_by)

    def add(self, plan: Plan) -> Image:
        """Write an image's config and manifest.

        Raises:
            UserError: it has that name already, or a label is not the caller's to set.
            SeamError: it cannot be written.
        """
        return self.adopt(self.store.image(plan))

    def adopt(self, image: Image) -> Image:
        """Take up an image whose blobs another process has written to `store`."""
        if image.name in self._images:
            raise UserError(f"{self.path}: there are two images {image.name!r}")
        self._images[image.name] = image
        return image

    def finish(self) -> Layout:
        """Write the index, move the layout to its place, and return it.

        Images stand in the order of their names, whoever was added first. A blob that
        no image names is dropped.

        Raises:
            UserError: something came to be at that place meanwhile, or there is no image.
            SeamError: it cannot be written.
        """
        if not self._images:
            raise UserError(f"{self.path}: no image was added")
        images = [self._images[name] for name in sorted(self._images)]
        with _disk(self.path):
            for name, data in documents(images).items():
                (self._folder / name).write_bytes(data)
            self._drop_what_nobody_names(images)
            for path in (self._folder, *self._folder.rglob("*")):
                path.chmod(0o755 if path.is_dir() else 0o644)
            try:
                self._folder.rename(self.path)
            except OSError:
                if self.path.exists():
                    raise UserError(
                        f"{self.path}: was made by somebody else meanwhile; remove it, or name another folder"
                    ) from None
                raise
        return Layout.open(self.path)

    def _remove_what_was_left(self) -> None:
        for it in self.path.parent.iterdir():
            if it.name.startswith(self._begins) and _abandoned(it):
                shutil.rmtree(it, ignore_errors=True)

    def _drop_what_nobody_names(self, images: Sequence[Image]) -> None:
        """Remove blobs that were written for nothing: a check would call them hidden."""
        named = {
            blob_name(it.digest, image.name)
            for image in images
            for it in (image.manifest, image.config, *image.layers)
        }
        for path in (self._folder / "blobs" / "sha256").iterdir():
            if path.relative_to(self._folder).as_posix() not in named:
                path.unlink()


@attrs.frozen(kw_only=True)
class Store:
    """A folder of blobs, each written beside its place and then moved there."""

    folder: Path
    """The layout that is being written."""

    def put(self, chunks: Iterable[bytes], media_type: str) -> Descriptor:
        """Write a blob."""
        with self._written() as out:
            for chunk in chunks:
                out.write(chunk)
        return Descriptor(media_type=media_type, digest=out.digest, size=out.size)

    def link(self, source: Path, digest: str) -> bool:
        """Have a file under its digest as a second name of it; say whether that went."""
        try:
            (self.folder / blob_name(digest, "")).hardlink_to(source)
        except FileExistsError:
            return True
        except OSError:  # a tar, another file system, one without links
            return False
        return True

    def document(self, value: Json, media_type: str) -> Descriptor:
        """Write a document."""
        return self.put([compact(value)], media_type)

    def layer(self, entries: Iterable[Entry], *, made_by: str) -> Layer:
        """Write a layer."""
        with self._written() as out:
            write_tar(entries, out)
        descriptor = Descriptor(media_type=LAYER, digest=out.digest, size=out.size)
        return Layer(descriptor=descriptor, made_by=made_by)

    def image(self, plan: Plan) -> Image:
        """Write an image's config and manifest."""
        name = name_of(plan.kind, plan.task)
        check_name(plan.task)
        image = self.bare(
            config_of(plan),
            (*plan.base.layers, *(it.descriptor for it in plan.layers)),
            {
                BASE_DIGEST: plan.base.manifest_digest,
                BASE_LAYERS: str(len(plan.base.layers)),
            },
        )
        said = {REF: name, FULL_NAME: reference_of(plan.kind, plan.task)}
        manifest = attrs.evolve(image.manifest, annotations=said)
        return attrs.evolve(image, name=name, manifest=manifest)

    def bare(
        self,
        said: Json,
        layers: Sequence[Descriptor],
        annotations: Mapping[str, str] | None = None,
    ) -> Image:
        """Write a config and a manifest as they are given; the image has no name yet.

        Args:
            said: the config.
            layers: the blobs of its layers, from the bottom up.
            annotations: what the manifest says beside.
        """
        config = self.document(said, CONFIG)
        document = {
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": config.as_json(),
            "layers": [it.as_json() for it in layers],
        }
        if annotations:
            document["annotations"] = dict(annotations)
        return Image(
            name="",
            manifest=self.document(document, MANIFEST),
            config=config,
            layers=tuple(layers),
            labels=said["config"].get("Labels", {}),
            annotations=annotations or {},
        )

    @contextlib.contextmanager
    def _written(self) -> Iterator[Hashing]:
        """Write to a scratch file; once all is there, move it to its digest."""
        scratch = self.folder / f".blob-{secrets.token_hex(8)}"
        with _disk(self.folder.parent):
            try:
                with scratch.open("xb") as file:
                    out = Hashing(file)
                    yield out
                scratch.rename(self.folder / blob_name(out.digest, ""))
            finally:
                scratch.unlink(missing_ok=True)


def config_of(plan: Plan) -> Json:
    """Return what is said about an image: the base's words, and ours over them.

    Raises:
        UserError: a label is one of ours.
    """
    if taken := sorted(key for key in plan.labels if key.startswith(OURS)):
        raise UserError(
            f"label {taken[0]}: labels in {OURS}* are set by Shipbar; choose another name"
        )
    base = plan.base.config
    said = dict(base.get("config") or {})
    labels = {
        **(said.get("Labels") or {}),
        **plan.labels,
        **plan.own_labels,
        KIND: plan.kind,
        TASK: plan.task,
    }
    said |= {**plan.settings, "Labels": dict(sorted(labels.items()))}
    ours = [it.descriptor.digest for it in plan.layers]
    platform: Json = {
        key: base[key] for key in ("architecture", "os", "variant") if key in base
    }
    return {
        **platform,
        "created": CREATED,
        "config": said,
        "rootfs": {"type": "layers", "diff_ids": [*plan.base.diff_ids, *ours]},
        "history": [
            *plan.base.history,
            *({"created": CREATED, "created_by": it.made_by} for it in plan.layers),
        ],
    }


def _abandoned(folder: Path) -> bool:
    """Whether no writer holds a folder."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # gone meanwhile, or another user's
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(handle)


@contextlib.contextmanager
def _disk(path: Path) -> Iterator[None]:
    """Say what to do when the machine cannot take what is written."""
    try:
        yield
    except OSError as cause:
        where = cause.filename or path
        raise SeamError(
            f"cannot write images at {path}: {where}: {os.strerror(cause.errno) if cause.errno else cause}; "
            "make room there or name another folder; nothing was left behind"
        ) from cause
