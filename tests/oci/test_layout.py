"""A layout that was touched anywhere is told to be damaged, and where."""

import gzip
import hashlib
import json
import tarfile
from pathlib import Path

import pytest

from shipbar import oci
from shipbar.errors import UserError
from shipbar.oci.blobs import MOST_DOCUMENT
from tests.oci.places import blob, flip, ids


def test_one_that_was_just_written_has_no_problems(layout: oci.Layout):
    assert layout.problems() == []
    layout.verify()
    assert [it.name for it in layout.images] == ["solver-ribbons", "solver-strips"]
    first = layout.images[0]
    assert (first.kind, first.task) == ("solver", "ribbons")
    assert first.reference == "localhost/shipbar/solver:ribbons"


def test_images_are_found_by_name_and_by_either_id(layout: oci.Layout):
    it = layout.images[1]
    for name in (it.name, it.config_digest, it.manifest_digest):
        assert layout.image(name) is it
    with pytest.raises(UserError, match=r"no image 'other'; there are: solver-ribbons"):
        layout.image("other")


@pytest.mark.parametrize("part", ["config", "layer", "base layer"])
def test_a_flipped_byte_names_the_blob_and_the_images_that_have_it(
    layout: oci.Layout, part: str
):
    one, other = layout.images
    digest = {
        "config": one.config_digest,
        "layer": one.layers[-1].digest,
        "base layer": one.layers[0].digest,
    }[part]
    flip(blob(layout, digest), 30)
    [problem] = layout.problems()
    assert problem.startswith(
        f"blobs/{digest.replace(':', '/')}: its content is sha256:"
    )
    who = f"{one.name}, {other.name}" if part == "base layer" else one.name
    assert problem.endswith(f"it belongs to {who}")
    with pytest.raises(UserError, match="the layout is damaged; get it again"):
        layout.verify()


def test_a_flipped_byte_of_a_manifest_is_told(layout: oci.Layout):
    it = layout.images[0]
    path = blob(layout, it.manifest_digest)
    path.write_bytes(path.read_bytes().replace(b'"2"', b'"3"').replace(b'"1"', b'"2"'))
    again = oci.Layout.open(layout.path)
    assert any(it.manifest_digest[7:] in why for why in again.problems())


def test_a_blob_that_is_cut_short_or_gone(layout: oci.Layout):
    one, other = (blob(layout, it.layers[-1].digest) for it in layout.images)
    one.write_bytes(one.read_bytes()[:-512])
    other.unlink()
    problems = layout.problems()
    assert any(f"{one.name}: expected" in it and "bytes, got" in it for it in problems)
    assert any(f"{other.name}: is not there" in it for it in problems)


@pytest.mark.parametrize("name", ["notes.txt", "blobs/sha256/hidden", "blobs/more"])
def test_a_file_that_no_image_names_is_told(layout: oci.Layout, name: str):
    (layout.path / name).write_text("suite")
    assert layout.problems() == [f"{name}: belongs to no image"]


def test_a_link_is_not_followed(layout: oci.Layout, tmp_path: Path):
    path = blob(layout, layout.images[0].layers[-1].digest)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert any("is not there" in it for it in layout.problems())


def test_the_list_for_older_engines_names_the_same_images(layout: oci.Layout):
    path = layout.path / "manifest.json"
    said = json.loads(path.read_text())
    said[0]["Layers"].append(said[1]["Layers"][-1])
    path.write_text(json.dumps(said))
    assert layout.problems() == [
        "manifest.json: does not name the images of index.json, in their order"
    ]


def test_packed_layers_are_held_to_the_digests_of_the_config(
    layout: oci.Layout, tmp_path: Path
):
    """As when a registry has compressed them on the way."""
    packed = repacked(layout, tmp_path / "packed", b"")
    assert packed.problems() == []
    assert packed.images[0].config_digest == layout.images[0].config_digest
    assert packed.images[0].manifest_digest != layout.images[0].manifest_digest
    other = repacked(layout, tmp_path / "other", b"more")
    [problem] = other.problems()
    assert "uncompressed; its config says" in problem


def repacked(layout: oci.Layout, folder: Path, more: bytes) -> oci.Layout:
    """Write the first image with its last layer in gzip, with something behind it."""
    image, config = layout.images[0], layout.config(layout.images[0])
    store = oci.Writer(folder).store
    store = type(store)(folder=folder)
    (folder / "blobs" / "sha256").mkdir(parents=True)
    raw = blob(layout, image.layers[-1].digest).read_bytes() + more
    kind = "application/vnd.oci.image.layer.v1.tar+gzip"
    layers = [
        store.put(
            [blob(layout, image.layers[0].digest).read_bytes()],
            image.layers[0].media_type,
        ),
        store.put([gzip.compress(raw, mtime=0)], kind),
    ]
    made = store.bare(config, layers)
    assert made.config_digest == image.config_digest
    (folder / "oci-layout").write_text("{}")
    (folder / "index.json").write_text(
        json.dumps({"manifests": [made.manifest.as_json()]})
    )
    return oci.Layout.open(folder)


# -- what cannot be read ---------------------------------------------------------------


def edit_index(layout: oci.Layout, **facts: object) -> None:
    path = layout.path / "index.json"
    said = json.loads(path.read_text())
    said["manifests"][0] |= facts
    path.write_text(json.dumps(said))


BAD = {
    "a path for a digest": {"digest": "../../../etc/passwd"},
    "upper case": {"digest": "sha256:" + "A" * 64},
    "a number for a digest": {"digest": 7},
    "another kind of digest": {"digest": "md5:" + "a" * 64},
    "a blob that is not there": {"digest": "sha256:" + "a" * 64},
    "no size": {"size": None},
    "a size below nothing": {"size": -1},
    "an unknown kind": {"mediaType": "text/plain"},
}


@pytest.mark.parametrize("facts", BAD.values(), ids=BAD.keys())
def test_an_index_that_names_nothing_is_refused(
    layout: oci.Layout, facts: dict[str, object]
):
    edit_index(layout, **facts)
    with pytest.raises(UserError, match="get it again"):
        oci.Layout.open(layout.path)


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"manifests": 3}', '{"manifests": [3]}']
)
def test_an_index_of_another_shape_is_refused(layout: oci.Layout, text: str):
    (layout.path / "index.json").write_text(text)
    with pytest.raises(UserError, match=r"index\.json: .*damaged, get it again"):
        oci.Layout.open(layout.path)


def test_indexes_inside_indexes_have_an_end(layout: oci.Layout):
    """One that names itself cannot be made; a long chain of them can."""
    inner = (layout.path / "index.json").read_bytes()
    for _ in range(6):
        digest = f"sha256:{hashlib.sha256(inner).hexdigest()}"
        blob(layout, digest).write_bytes(inner)
        kind = "application/vnd.oci.image.index.v1+json"
        item = {"mediaType": kind, "digest": digest, "size": len(inner)}
        inner = json.dumps({"manifests": [item]}).encode()
    (layout.path / "index.json").write_bytes(inner)
    with pytest.raises(UserError, match="indexes inside indexes"):
        oci.Layout.open(layout.path)


def test_a_document_without_an_end_is_not_read(layout: oci.Layout):
    with (layout.path / "index.json").open("wb") as file:
        file.truncate(MOST_DOCUMENT + 1)
    with pytest.raises(UserError, match="no document of an image is that large"):
        oci.Layout.open(layout.path)


def test_what_is_no_layout_is_told_so(tmp_path: Path):
    with pytest.raises(UserError, match="there is no such file or folder"):
        oci.Layout.open(tmp_path / "nothing")
    with pytest.raises(UserError, match=r"which has an index\.json and an oci-layout"):
        oci.Layout.open(tmp_path)
    (tmp_path / "file").write_text("no tar")
    with pytest.raises(UserError, match="in a folder or in an uncompressed tar"):
        oci.Layout.open(tmp_path / "file")


# -- as one file -----------------------------------------------------------------------


def archive(layout: oci.Layout, path: Path) -> Path:
    with path.open("wb") as file:
        layout.write_archive(file)
    return path


def test_an_archive_is_the_same_layout(layout: oci.Layout, tmp_path: Path):
    path = archive(layout, tmp_path / "images.tar")
    again = oci.Layout.open(path)
    assert ids(again) == ids(layout)
    assert again.problems() == []
    with again.layer(again.images[0], 1) as file:
        assert file.read() == layout.layer_file(layout.images[0], 1).read_bytes()
    with tarfile.open(path) as whole:
        assert "manifest.json" in whole.getnames()


def test_two_archives_of_one_layout_are_equal(layout: oci.Layout, tmp_path: Path):
    one = archive(layout, tmp_path / "one.tar")
    blob(layout, layout.images[0].config_digest).chmod(0o600)
    two = archive(layout, tmp_path / "two.tar")
    assert one.read_bytes() == two.read_bytes()


def test_a_flipped_byte_of_an_archive_is_told(layout: oci.Layout, tmp_path: Path):
    path = archive(layout, tmp_path / "images.tar")
    at = path.read_bytes().find(b"ID=small")
    flip(path, at)
    [problem] = oci.Layout.open(path).problems()
    assert "its content is" in problem


def test_some_images_are_taken_out(layout: oci.Layout, tmp_path: Path):
    one = oci.take(layout, ["solver-strips"], tmp_path / "one")
    assert ids(one) == ids(layout)[1:]
    assert one.problems() == []
    from_tar = oci.Layout.open(archive(layout, tmp_path / "images.tar"))
    two = oci.take(from_tar, ["solver-strips"], tmp_path / "two")
    assert ids(two) == ids(one)
