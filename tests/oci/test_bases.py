"""A base is the one that was asked for, or it is refused."""

import gzip
import json
import sys
from pathlib import Path

import pytest

from shipbar import oci
from shipbar.errors import UserError
from shipbar.oci.tars import Entry
from tests.oci.places import BASE, PYTHON, blob, flip, small_base


def test_it_is_named_by_either_digest(base: oci.Base):
    for digest in (base.manifest_digest, base.config_digest):
        assert oci.open_base(f"{base.path}@{digest}") == base


def test_another_digest_is_refused_and_the_real_one_told(base: oci.Base):
    with pytest.raises(UserError) as told:
        oci.open_base(f"{base.path}@sha256:{'0' * 64}")
    assert f"expected the base sha256:{'0' * 64}" in str(told.value)
    assert base.manifest_digest in str(told.value)


def test_of_several_images_one_must_be_named(layout: oci.Layout):
    with pytest.raises(UserError, match="holds 2 images; say which is the base"):
        oci.open_base(layout.path)
    chosen = layout.images[1]
    assert (
        oci.open_base(f"{layout.path}@{chosen.manifest_digest}").layers == chosen.layers
    )


@pytest.mark.parametrize("part", ["manifest", "config"])
def test_a_document_that_was_changed_is_refused(base: oci.Base, part: str):
    digest = base.manifest_digest if part == "manifest" else base.config_digest
    path = blob(oci.Layout.open(base.path), digest)
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(UserError, match="the base is damaged"):
        oci.open_base(base.path)


def test_a_flipped_byte_of_a_layer_is_found_when_it_is_built_on(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    flip(blob(oci.Layout.open(base.path), base.layers[0].digest))
    with pytest.raises(UserError, match="the base is damaged"):
        oci.build(tasks, tmp_path / "out", base, kinds=["solver"])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ([f"usr/bin/{PYTHON}"], f"/usr/bin/{PYTHON}"),
        ([f"usr/bin/{PYTHON}", "usr/bin/python3.99"], f"/usr/bin/{PYTHON}"),
        ([f"usr/bin/{PYTHON}", f"usr/local/bin/{PYTHON}"], f"/usr/local/bin/{PYTHON}"),
        ([f"opt/{PYTHON}", f"usr/bin/{PYTHON}"], f"/usr/bin/{PYTHON}"),
    ],
)
def test_the_python_that_builds_is_the_one_that_grades(
    tmp_path: Path, paths: list[str], expected: str
):
    entries = [Entry(path=path, mode=0o755) for path in paths]
    base = small_base(tmp_path / "b", entries)
    assert base.python(sys.version_info.minor) == expected


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("usr/bin/sh", "no Python at all"),
        ("usr/bin/python3.10", r"python3\.10"),
        (f"opt/{PYTHON}", "no Python at all"),
    ],
)
def test_without_that_python_there_is_no_grader(
    tmp_path: Path, tasks: list[Path], path: str, told: str
):
    base = small_base(tmp_path / "b", [Entry(path=path, mode=0o755)])
    with pytest.raises(UserError, match=rf"no {PYTHON} on its PATH \({told}\)"):
        oci.build(tasks, tmp_path / "out", base)
    assert oci.build(tasks, tmp_path / "out", base, kinds=["solver"]).images


def test_for_another_processor_there_is_no_grader(tmp_path: Path, tasks: list[Path]):
    base = foreign(tmp_path, architecture="riscv64")
    with pytest.raises(UserError, match="the base is for riscv64, and this machine is"):
        oci.build(tasks, tmp_path / "out", base)
    assert not (tmp_path / "out").exists()


def foreign(tmp_path: Path, **facts: object) -> oci.Base:
    """A base as others write it: packed, with a history that does not fit, and more."""
    folder = tmp_path / "foreign"
    plain = small_base(tmp_path / "plain")
    (folder / "blobs" / "sha256").mkdir(parents=True)
    store = oci.Writer(tmp_path / "unused").store
    store = type(store)(folder=folder)
    raw = blob(oci.Layout.open(plain.path), plain.layers[0].digest).read_bytes()
    layer = store.put(
        [gzip.compress(raw, mtime=7)],
        "application/vnd.docker.image.rootfs.diff.tar.gzip",
    )
    config = {**plain.config, **facts}
    made = store.bare(config, [layer])
    (folder / "oci-layout").write_text("{}")
    (folder / "index.json").write_text(
        json.dumps({"manifests": [made.manifest.as_json()]})
    )
    return oci.open_base(folder)


def test_one_that_others_packed_is_taken_as_it_is(tmp_path: Path, tasks: list[Path]):
    base = foreign(tmp_path, history=[{"empty_layer": True}], docker_version="20")
    layout = oci.build(tasks, tmp_path / "out", base)
    assert layout.problems() == []
    assert oci.check(layout, against=tasks, base=base) == []
    image = layout.image("solver-strips")
    assert image.layers[0].digest == base.layers[0].digest
    assert image.layers[0].media_type.endswith("v1.tar+gzip")
    said = layout.config(image)
    assert len(said["history"]) == len(image.layers)
    assert "docker_version" not in said
    assert base.python(sys.version_info.minor) == f"/usr/bin/{PYTHON}"


def test_what_a_base_says_is_what_its_images_say(tmp_path: Path, tasks: list[Path]):
    settings = {"Env": ["A=b", "PATH=/usr/bin"], "User": "7", "Labels": {"l": "m"}}
    base = foreign(tmp_path, config=settings, architecture="arm64", variant="v8")
    layout = oci.build(tasks, tmp_path / "out", base, kinds=["solver"])
    said = layout.config(layout.images[0])
    assert (said["architecture"], said["variant"]) == ("arm64", "v8")
    assert said["config"]["Env"] == settings["Env"]
    assert said["config"]["User"] == "7"
    assert said["config"]["Labels"]["l"] == "m"


def test_a_config_that_does_not_name_the_layers_is_refused(tmp_path: Path):
    with pytest.raises(UserError, match="does not name its 1 layers"):
        foreign(tmp_path, rootfs={"type": "layers", "diff_ids": []})


def test_the_base_of_three_files_is_what_it_says(base: oci.Base):
    assert base.paths() >= {it.path for it in BASE}
    assert base.history[0]["created_by"] == "by hand"
