"""Writes images of a solver by hand: layers, configs, OCI layouts, `docker save` archives."""

import gzip
import io
import json
import tarfile
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

TIME = 1_700_000_000
CREATED = "2023-11-14T22:13:20Z"
BASE = {"usr/bin/python3": b"\x7fELF" + bytes(40), "etc/os-release": b"ID=small\n"}


def layer(files: Mapping[str, Any], **facts: Any) -> bytes:
    """Return a layer: contents by path, or whole members; facts go to every member."""
    raw = io.BytesIO()
    folders = {
        "/".join(path.split("/")[:depth])
        for path in files
        for depth in range(1, path.count("/") + 1)
    }
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for folder in sorted(folders):
            archive.addfile(
                member(folder, **{"type": tarfile.DIRTYPE, "mode": 0o755, **facts})
            )
        for path, data in files.items():
            if isinstance(data, tarfile.TarInfo):
                archive.addfile(data)
            else:
                it = member(path, size=len(data), **facts)
                archive.addfile(it, io.BytesIO(data))
    return raw.getvalue()


def member(path: str, **facts: Any) -> tarfile.TarInfo:
    """Return a member's header."""
    it = tarfile.TarInfo(path)
    it.mtime, it.mode = TIME, 0o644
    for name, value in facts.items():
        setattr(it, name, value)
    return it


def config(layers: Sequence[bytes], **more: Any) -> dict[str, Any]:
    """Return what is said about an image of those layers."""
    return {
        "architecture": "amd64",
        "os": "linux",
        "created": CREATED,
        "config": {"Env": ["PATH=/usr/bin"], "WorkingDir": "/work"},
        "rootfs": {"type": "layers", "diff_ids": [_digest(it) for it in layers]},
        "history": [
            {"created": CREATED, "created_by": f"layer {n}"}
            for n, _ in enumerate(layers)
        ],
        **more,
    }


def oci(
    folder: Path, layers: Sequence[bytes], *, packed: bool = False, **more: Any
) -> Path:
    """Write an OCI layout of one image; ``packed`` compresses its layers."""
    blobs = folder / "blobs" / "sha256"
    blobs.mkdir(parents=True)

    def put(data: bytes) -> dict[str, Any]:
        (blobs / sha256(data).hexdigest()).write_bytes(data)
        return {"digest": _digest(data), "size": len(data)}

    said = put(json.dumps(config(layers, **more)).encode())
    kept = [put(gzip.compress(it, mtime=0) if packed else it) for it in layers]
    manifest = put(json.dumps({"config": said, "layers": kept}).encode())
    (folder / "index.json").write_text(json.dumps({"manifests": [manifest]}))
    (folder / "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')
    return folder


def tarred(folder: Path) -> Path:
    """Return a tar of a layout."""
    path = folder.with_suffix(".tar")
    with tarfile.open(path, "w") as archive:
        for it in sorted(folder.rglob("*")):
            archive.add(it, it.relative_to(folder).as_posix(), recursive=False)
    return path


def saved(path: Path, layers: Sequence[bytes], **more: Any) -> Path:
    """Write what `docker save` wrote before it knew of OCI."""
    said = json.dumps(config(layers, **more)).encode()
    names = [f"{sha256(it).hexdigest()}/layer.tar" for it in layers]
    where = f"{sha256(said).hexdigest()}.json"
    manifest = [{"Config": where, "RepoTags": ["solver:1"], "Layers": names}]
    files = {
        where: said,
        "manifest.json": json.dumps(manifest).encode(),
        **dict(zip(names, layers, strict=True)),
    }
    path.write_bytes(layer(files))
    return path


def _digest(data: bytes) -> str:
    return f"sha256:{sha256(data).hexdigest()}"


SAID: dict[str, dict[str, Any]] = {
    "environment": {"config": {"Env": ["SUITE=/srv/grader/tests"]}},
    "seed": {"config": {"Env": ["BUILD_SEED: seed=20260117"]}},
    "canary": {"config": {"Env": ["shipbar-canary-c12d1e9c-6338-479e-8077-ec80bc5434e4"]}},
    "label": {"config": {"Labels": {"note": "see grader/reference"}}},
    "command": {"config": {"Cmd": ["python3", "-m", "tavrick"]}},
    "author": {"author": "see /home/ada/notes"},
    "created": {"created": "2024-01-01T00:00:00Z"},
    "no history": {"history": [{"created_by": "one of two"}]},
    "history": {
        "history": [{}, {"created_by": "COPY grader/known_bad/hollow /tmp"}]
    },
    "time of history": {"history": [{}, {"created": "2024-01-01T00:00:00Z"}]},
    "diff ids": {"rootfs": {"diff_ids": []}},
}  # fmt: skip
