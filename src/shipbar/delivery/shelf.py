"""One bundle that is being written: every file noted as it goes to disk, then signed."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from securesystemslib.signer import CryptoSigner, SSlibKey

from shipbar.attest import keys
from shipbar.attest.tool import tool_digest, tool_version
from shipbar.bundles import paths
from shipbar.bundles.index import lines_text
from shipbar.bundles.manifest import File, Manifest
from shipbar.delivery.order import Order
from shipbar.delivery.packing import Packed
from shipbar.delivery.place import Place, failing


class Shelf:
    """Writes one bundle below a place."""

    def __init__(self, place: Place, order: Order, kind: str) -> None:
        """Begin the bundle of a kind, `solver` or `grader`."""
        self._place, self._order, self._kind = place, order, kind
        self._name = paths.root(order.tranche, kind)
        self._files: dict[str, File] = {}
        self._lines: dict[str, bytes] = {}

    @property
    def root(self) -> Path:
        """Where it is being written."""
        return self._place.partial / self._name

    def put(self, path: str, data: bytes) -> None:
        """Write a file.

        Raises:
            SeamError: the disk is full, or fails.
            UserError: it cannot be written.
        """
        self._place.write(f"{self._name}/{path}", data)
        self._files[path] = File.of(data)

    def add(self, task_id: str, packed: Packed) -> None:
        """Write a task; see `put`."""
        for path, data in packed.files.items():
            self.put(path, data)
        self._lines[task_id] = packed.line

    def adopt(self, folder: str) -> None:
        """Note the files that somebody else has written below ``folder``."""
        for path in sorted((self.root / folder).rglob("*")):
            if path.is_file():
                with failing(path), path.open("rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
                    size = path.stat().st_size
                noted = File(size=size, digest=f"sha256:{digest}")
                self._files[path.relative_to(self.root).as_posix()] = noted

    def legal(self, files: Mapping[str, bytes]) -> None:
        """Write the licences: their texts, and what is under which."""
        for path, data in files.items():
            self.put(path, data)

    def close(
        self,
        signer: CryptoSigner,
        known: Iterable[SSlibKey],
        *,
        serial: int,
        previous: str,
        solver: str | None = None,
    ) -> str:
        """Write the index, the keys and the signed manifest; return its digest.

        Args:
            signer: the maker's.
            known: public keys of whoever signed something in it.
            serial: the delivery's number.
            previous: digest of the client's previous delivery; empty for the first.
            solver: of a grader bundle, the digest of the solver bundle's manifest.
        """
        for key in known:
            self.put(paths.key(key.keyid), keys.public_text(key).encode())
        self.put(paths.INDEX, lines_text(self._lines))
        manifest = Manifest(
            kind=self._kind,
            tranche=self._order.tranche,
            client=self._order.client,
            serial=serial,
            previous=previous or None,
            tool_version=tool_version(),
            tool_digest=tool_digest(),
            solver=solver,
            tasks={
                task_id: File.of(line).digest for task_id, line in self._lines.items()
            },
            files=self._files,
        )
        data = manifest.render()
        self._place.write(f"{self._name}/{paths.MANIFEST}", data)
        self._place.write(
            f"{self._name}/{paths.SIGNATURE}", manifest.sign(data, signer)
        )
        return File.of(data).digest
