"""Reads the images of a solver as data: every layer, and all that is said about them.

An image comes as an OCI layout or as what `docker save` writes, in a folder or a tar,
compressed or not. Nothing is run, mounted or unpacked to disk. What is read is held to
what it claims: a blob to the digest in its name, a layer to the one in its config. A
layer is read entry by entry, whiteouts included, since what a later layer removes is
still in the earlier one.
"""

import gzip
import io
import json
import tarfile
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import attrs

WHITEOUT, OPAQUE = ".wh.", ".wh..wh..opq"
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_INDEX = frozenset(
    {
        "application/vnd.oci.image.index.v1+json",
        "application/vnd.docker.distribution.manifest.list.v2+json",
    }
)
# What reading JSON of another shape, or a file cut short, comes to.
_DAMAGED = (OSError, EOFError, ValueError, TypeError, AttributeError)
_DEEPEST = 4
"""Indexes inside indexes."""
LARGEST = 2 << 30
"""Bytes that one compressed layer may unpack to: it is held in memory."""

Kind = Literal["file", "folder", "link", "hard link", "whiteout", "special file"]
Blobs = Mapping[str, bytes]


class ImageError(Exception):
    """What is there is no image that can be read here; says why."""


@attrs.frozen(kw_only=True)
class Entry:
    """One entry of a layer."""

    path: str
    """Below the root, without a slash in front."""
    kind: Kind
    """What it is."""
    data: bytes
    """A file's content; else empty."""
    target: str
    """Where a link leads; else empty."""
    mode: int
    """Permission bits."""
    owner: tuple[int, int, str, str]
    """User and group, by number and by name."""
    time: float
    """Seconds since 1970."""
    extras: Mapping[str, str]
    """What extended headers say beside that."""


@attrs.frozen(kw_only=True)
class Layer:
    """One layer of an image."""

    digest: str
    """`sha256:…` of it uncompressed."""
    entries: tuple[Entry, ...]
    """In its own order."""
    raw: bytes = attrs.field(repr=False)
    """Uncompressed."""
    trailing: bool
    """Whether anything but zeros follows its end."""


@attrs.frozen(kw_only=True)
class Image:
    """One image."""

    name: str
    """Its config's digest, shortened."""
    config: Mapping[str, Any]
    """What is said about it: environment, labels, history and so on."""
    layers: tuple[Layer, ...]
    """From the base up."""

    def merged(self) -> dict[str, tuple[int, Entry]]:
        """Return what a container would see, by path, each with its layer's number."""
        seen: dict[str, tuple[int, Entry]] = {}
        for number, layer in enumerate(self.layers):
            for entry in layer.entries:
                if entry.kind == "whiteout":
                    _remove(seen, entry.path)
            for entry in layer.entries:
                if entry.kind != "whiteout":
                    if entry.kind != "folder":
                        _remove(seen, entry.path, inside=True)
                    seen[entry.path] = number, entry
        return seen


@attrs.frozen(kw_only=True)
class Store:
    """Everything that one file or folder of images holds."""

    images: tuple[Image, ...]
    """Its images."""
    documents: Mapping[str, str]
    """Indexes and manifests by path, as text."""
    loose: tuple[str, ...]
    """Files that belong to no image."""
    problems: tuple[str, ...]
    """Where something is not what it claims to be."""


def _remove(seen: dict[str, Any], path: str, *, inside: bool = False) -> None:
    """Take away what a whiteout or a replacement hides."""
    folder, _, name = path.rpartition("/")
    if name == OPAQUE:
        prefix = f"{folder}/" if folder else ""
        gone = [it for it in seen if it.startswith(prefix)]
    else:
        hidden = path if inside else f"{folder}/{name.removeprefix(WHITEOUT)}"
        hidden = hidden.lstrip("/")
        gone = [it for it in seen if it == hidden or it.startswith(f"{hidden}/")]
    for it in gone:
        del seen[it]


def read_store(path: Path) -> Store:
    """Read every image at ``path``.

    Raises:
        ImageError: it is none, it is damaged, or it is compressed in a way that cannot
            be read here.
    """
    try:
        blobs = _blobs(path)
        reader = _Reader(blobs)
        if "index.json" in blobs:
            reader.index("index.json", 0)
        if "manifest.json" in blobs:
            reader.saved()
    except KeyError as cause:
        raise ImageError(f"{path}: it names {cause}, which is not there") from cause
    except (*_DAMAGED, tarfile.TarError) as cause:
        raise ImageError(f"{path}: {type(cause).__name__}: {cause}") from cause
    if not reader.images:
        raise ImageError(
            f"{path}: expected an OCI layout or what `docker save` writes; found neither an index.json nor a manifest.json with an image"
        )
    return reader.store()


def _blobs(path: Path) -> Blobs:
    """Return the files of a layout, by path."""
    if path.is_dir():
        return {
            it.relative_to(path).as_posix(): it.read_bytes()
            for it in sorted(path.rglob("*"))
            if it.is_file()
        }
    with tarfile.open(path) as archive:
        files = {
            member.name.removeprefix("./"): archive.extractfile(member)
            for member in archive
            if member.isreg()
        }
        found = {name: file.read() for name, file in files.items() if file is not None}
        for member in archive.getmembers():
            # `docker save` writes a layer that it has written already as a link to it.
            if member.issym() or member.islnk():
                base = Path(member.name).parent if member.issym() else Path()
                aim = _settled((base / member.linkname).as_posix())
                if aim in found:
                    found[member.name.removeprefix("./")] = found[aim]
        return found


def _settled(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


class _Reader:
    """Follows indexes and manifests to configs and layers."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs
        self._used: set[str] = {"oci-layout", "repositories"} & set(blobs)
        self._layers: dict[str, Layer] = {}
        self.images: dict[str, Image] = {}
        self.documents: dict[str, str] = {}
        self.problems: list[str] = []
        for name in self._used:
            self.documents[name] = blobs[name].decode("utf-8", "replace")

    def store(self) -> Store:
        return Store(
            images=tuple(self.images.values()),
            documents=self.documents,
            loose=tuple(sorted(set(self._blobs) - self._used)),
            problems=tuple(dict.fromkeys(self.problems)),
        )

    def index(self, path: str, depth: int) -> None:
        """Read an OCI index, and whatever it names."""
        if depth > _DEEPEST:
            raise ImageError(f"{path}: indexes inside indexes, {depth} deep")
        for item in self._document(path)["manifests"]:
            inner = _blob_path(item["digest"])
            if item.get("mediaType") in _INDEX:
                self.index(inner, depth + 1)
            else:
                found = self._document(inner)
                paths = [_blob_path(it["digest"]) for it in found["layers"]]
                self._image(_blob_path(found["config"]["digest"]), paths)

    def saved(self) -> None:
        """Read the manifest that `docker save` writes."""
        for item in self._document("manifest.json"):
            self._image(item["Config"], [_settled(it) for it in item["Layers"]])
        for path in self._blobs:
            # Beside each layer of an old archive lie its own notes.
            if path.endswith(("/json", "/VERSION")):
                self._document(path, parse=False)

    def _document(self, path: str, *, parse: bool = True) -> Any:  # noqa: ANN401  # JSON
        text = self._take(path).decode("utf-8")
        self.documents[path] = text
        return json.loads(text) if parse else None

    def _take(self, path: str) -> bytes:
        data = self._blobs[path]
        self._used.add(path)
        name = Path(path).name.removesuffix(".json")
        claimed = path.startswith("blobs/sha256/") or len(name) == 64  # noqa: PLR2004  # hexadecimal digits
        if claimed and sha256(data).hexdigest() != name:
            self.problems.append(f"{path} does not have the digest in its name")
        return data

    def _image(self, config_path: str, layer_paths: list[str]) -> None:
        config = json.loads(self._take(config_path))
        if not isinstance(config, dict):
            raise ImageError(f"{config_path}: expected a config, got {config!r:.80}")
        layers = tuple(self._layer(path) for path in layer_paths)
        claimed = config.get("rootfs", {}).get("diff_ids", [])
        if [layer.digest for layer in layers] != claimed:
            self.problems.append(
                f"{config_path} names {len(claimed)} layers by digest, which are not the {len(layers)} that are there"
            )
        name = sha256(self._blobs[config_path]).hexdigest()[:12]
        self.images[name] = Image(name=name, config=config, layers=layers)

    def _layer(self, path: str) -> Layer:
        if path not in self._layers:
            raw = _plain(self._take(path), path)
            self._layers[path] = _read_layer(raw)
        return self._layers[path]


def _blob_path(digest: str) -> str:
    return f"blobs/{digest.replace(':', '/', 1)}"


def _plain(data: bytes, path: str) -> bytes:
    if data.startswith(_ZSTD):
        raise ImageError(
            f"{path}: compressed with zstd, which is not read here; write its layers plain or with gzip"
        )
    if not data.startswith(_GZIP):
        return data
    with gzip.open(io.BytesIO(data)) as packed:
        plain = packed.read(LARGEST + 1)
    if len(plain) > LARGEST:
        raise ImageError(f"{path}: unpacks to over {LARGEST >> 20} MiB")
    return plain


def _read_layer(raw: bytes) -> Layer:
    with tarfile.open(fileobj=io.BytesIO(raw), mode="r:") as archive:
        entries = tuple(_entries(archive))
        end = archive.offset
    return Layer(
        digest=f"sha256:{sha256(raw).hexdigest()}",
        entries=entries,
        raw=raw,
        trailing=bool(raw[end:].strip(b"\0")),
    )


def _entries(archive: tarfile.TarFile) -> Iterator[Entry]:
    for member in archive:
        path = _settled(member.name)
        if not path:
            continue  # the root itself
        if member.issparse():
            raise ImageError(f"{path}: a sparse file, which can claim any size")
        file = archive.extractfile(member) if member.isreg() else None
        yield Entry(
            path=path,
            kind=_kind(member, path),
            data=b"" if file is None else file.read(),
            target=member.linkname,
            mode=member.mode,
            owner=(member.uid, member.gid, member.uname, member.gname),
            time=member.mtime,
            extras={
                key: value
                for key, value in member.pax_headers.items()
                if key not in ("path", "linkpath", "size", "mtime", "uid", "gid")
            },
        )


def _kind(member: tarfile.TarInfo, path: str) -> Kind:
    if path.rpartition("/")[2].startswith(WHITEOUT):
        return "whiteout"
    if member.isdir():
        return "folder"
    if member.issym():
        return "link"
    if member.islnk():
        return "hard link"
    return "file" if member.isreg() else "special file"
