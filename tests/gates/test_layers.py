"""Images that are hostile to whoever reads them."""

import io
import tarfile

import pytest

from shipbar.gates import layers
from shipbar.gates.layers import ImageError
from tests.gates import solver_images
from tests.gates.solver_images import layer


def test_a_layer_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(layers, "LARGEST", 1 << 20)
    fair = layer({"zeros": bytes(1 << 19)})
    bomb = layer({"zeros": bytes(2 << 20)})
    read = layers.read_store(solver_images.oci(tmp_path / "fair", [fair], packed=True))
    assert [len(it.layers) for it in read.images] == [1]
    with pytest.raises(ImageError, match="unpacks to over 1 MiB"):
        layers.read_store(solver_images.oci(tmp_path / "bomb", [bomb], packed=True))


def test_a_sparse_file_is_refused(tmp_path):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        sparse = tarfile.TarInfo("hole")
        sparse.pax_headers = {
            "GNU.sparse.map": "0,1",
            "GNU.sparse.size": str(1 << 40),
            "GNU.sparse.numblocks": "1",
        }
        sparse.size = 1
        archive.addfile(sparse, io.BytesIO(b"x"))
    with pytest.raises(ImageError, match="a sparse file"):
        layers.read_store(solver_images.oci(tmp_path / "image", [raw.getvalue()]))
