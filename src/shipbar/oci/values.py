"""What an image is made of, as values: descriptors, images, media types, names.

An image has two ids. Its *config digest* is over what is said about it and over the
digests of its uncompressed layers; nothing of how it is stored or moved is in it, and
it is what an image is known by. Its *manifest digest* is over the files as they lie
in a layout, and changes when somebody compresses a layer on the way. An engine shows
the one or the other as the image's id.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

import attrs

from shipbar.oci.tars import EPOCH

INDEX = "application/vnd.oci.image.index.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar"
INDEXES = frozenset(
    {INDEX, "application/vnd.docker.distribution.manifest.list.v2+json"}
)
MANIFESTS = frozenset(
    {MANIFEST, "application/vnd.docker.distribution.manifest.v2+json"}
)

REF = "org.opencontainers.image.ref.name"
"""Annotation of an index: an image's name in its layout."""
FULL_NAME = "io.containerd.image.name"
"""Annotation of an index: the name that Docker gives an image which it loads."""
BASE_DIGEST = "org.opencontainers.image.base.digest"
"""Annotation of a manifest: the manifest digest of the base."""
BASE_LAYERS = "dev.shipbar.base-layers"
"""Annotation of a manifest: how many layers are the base's, in decimal."""

OURS = "dev.shipbar."
"""Begins the labels that are ours to set."""
KIND, TASK, VERSION = f"{OURS}kind", f"{OURS}task", f"{OURS}version"
TASK_DIGEST = f"{OURS}task-digest"

REPOSITORY = "localhost/shipbar"
"""Begins the names under which engines know our images; no registry is at that name."""

CREATED = datetime.fromtimestamp(EPOCH, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
"""The one time of everything ours, as a config says it."""

Json = dict[str, Any]


@attrs.frozen(kw_only=True)
class Descriptor:
    """Names a blob."""

    media_type: str
    """What it is."""
    digest: str
    """`sha256:…` of its bytes."""
    size: int
    """Bytes."""
    annotations: Mapping[str, str] = attrs.field(factory=dict)
    """What else is said about it where it is named."""

    def as_json(self) -> Json:
        """The descriptor as an index or a manifest holds it."""
        said: Json = {
            "mediaType": self.media_type,
            "digest": self.digest,
            "size": self.size,
        }
        return (
            said | {"annotations": dict(self.annotations)} if self.annotations else said
        )


@attrs.frozen(kw_only=True)
class Image:
    """One image of a layout."""

    name: str
    """Its name in the layout, as `solver-check-character-36`; empty if it has none."""
    manifest: Descriptor
    """Its manifest."""
    config: Descriptor
    """What is said about it."""
    layers: tuple[Descriptor, ...]
    """From the base up, as they are stored."""
    labels: Mapping[str, str]
    """Labels of its config."""
    annotations: Mapping[str, str]
    """Annotations of its manifest."""

    @property
    def config_digest(self) -> str:
        """The id that no storage changes; Docker's classic store and Podman show it."""
        return self.config.digest

    @property
    def manifest_digest(self) -> str:
        """The id as it lies in the layout; Docker's containerd store shows it."""
        return self.manifest.digest

    @property
    def kind(self) -> str:
        """`solver` or `grader`; empty for an image that is not ours."""
        return self.labels.get(KIND, "")

    @property
    def task(self) -> str:
        """The task's id; empty for an image that is not ours."""
        return self.labels.get(TASK, "")

    @property
    def reference(self) -> str:
        """The name that an engine gives it, as `localhost/shipbar/solver:TASK`."""
        return reference_of(self.kind, self.task) if self.kind else ""

    @property
    def base_layers(self) -> int:
        """How many of its layers are the base's."""
        told = self.annotations.get(BASE_LAYERS, "")
        return int(told) if told.isdecimal() else 0


def version() -> str:
    """Return which Shipbar this is."""
    return metadata.version("shipbar")


def name_of(kind: str, task: str) -> str:
    """Return an image's name in a layout."""
    return f"{kind}-{task}"


def reference_of(kind: str, task: str) -> str:
    """Return the name that an engine gives an image."""
    return f"{REPOSITORY}/{kind}:{task}"


def compact(value: Mapping[str, Any] | Sequence[Any]) -> bytes:
    """Return the one JSON form in which documents are written here."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    ).encode()
