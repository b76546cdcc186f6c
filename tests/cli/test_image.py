"""`shipbar image`, as it is typed."""

import json
from pathlib import Path

import pytest

from shipbar import oci
from tests.cli.tiny import Command, command
from tests.oci.places import flip, small_base, two_tasks


@pytest.fixture
def shipbar(capsys) -> Command:
    return command(capsys)


@pytest.fixture
def tasks(tmp_path: Path) -> list[Path]:
    (tmp_path / "tasks").mkdir()
    return two_tasks(tmp_path / "tasks")


@pytest.fixture
def base(tmp_path: Path) -> oci.Base:
    return small_base(tmp_path / "base")


@pytest.fixture
def images(tmp_path: Path, tasks: list[Path], base: oci.Base) -> Path:
    oci.build(tasks, tmp_path / "images", base)
    return tmp_path / "images"


def test_build_prints_both_ids_of_each_image(shipbar, tmp_path, tasks, base):
    out = tmp_path / "out"
    where = f"{base.path}@{base.manifest_digest}"
    said = shipbar("image", "build", tmp_path / "tasks", "-o", out, "--base", where)
    assert said.code == 0
    layout = oci.Layout.open(out)
    assert said.out.splitlines() == [
        f"{it.name} config {it.config_digest} manifest {it.manifest_digest}"
        for it in layout.images
    ]
    assert [it.name for it in layout.images] == [
        *("grader-ribbons", "grader-strips", "solver-ribbons", "solver-strips")
    ]


def test_kind_labels_and_json(shipbar, tmp_path, tasks, base):
    words = ("--kind", "solver", "--label", "client=one", "--json")
    out = tmp_path / "out"
    said = shipbar("image", "build", tasks[0], "-o", out, "--base", base.path, *words)
    [told] = json.loads(said.out)
    [image] = oci.Layout.open(out).images
    assert told["config"] == image.config_digest
    assert told["manifest"] == image.manifest_digest
    assert told["reference"] == "localhost/shipbar/solver:strips"
    assert image.labels["client"] == "one"


@pytest.mark.slow
def test_without_a_base_there_is_the_least_one(shipbar, tmp_path, tasks):
    for name in ("one", "two"):
        said = shipbar("image", "build", tasks[0], "-o", tmp_path / name)
        assert said.code == 0, said.err
    one, two = (oci.Layout.open(tmp_path / name).images for name in ("one", "two"))
    assert [it.manifest_digest for it in one] == [it.manifest_digest for it in two]
    said = shipbar("image", "base", "-o", tmp_path / "least")
    assert said.out.startswith("base config sha256:")


MISTAKES = [
    (("--kind", "solvers"), "expected solver, grader, or both"),
    (("--kind", ","), "expected solver, grader, or both"),
    (("--label", "word"), "expected NAME=TEXT"),
    (("--label", "a=\udcff"), "in one line of text"),
    (("--label", "dev.shipbar.task=x"), "labels in dev.shipbar.* are set by Shipbar"),
    (("--base", "nowhere"), "there is no such file or folder"),
    (("--base", "{base}@sha256:0"), "expected the base sha256:0, found sha256:"),
    (("--base", "{tasks}"), "expected an OCI layout"),
]


@pytest.mark.parametrize(("words", "told"), MISTAKES)
def test_a_mistake_is_told_and_nothing_written(
    shipbar, tmp_path, tasks, base, words, told
):
    filled = [it.format(base=base.path, tasks=tmp_path / "tasks") for it in words]
    before = [] if "--base" in words else ["--base", base.path]
    out = tmp_path / "out"
    said = shipbar("image", "build", tasks[0], "-o", out, *before, *filled)
    assert said.code == 2
    assert told in said.err
    assert not [it for it in tmp_path.iterdir() if "out" in it.name]


def test_a_folder_that_is_there_is_not_written_over(shipbar, tasks, base, images):
    said = shipbar("image", "build", tasks[0], "-o", images, "--base", base.path)
    assert said.code == 2
    assert "is there already; name another folder, or remove it" in said.err
    assert oci.Layout.open(images).problems() == []


def test_check_says_that_all_is_in_order(shipbar, tmp_path, base, images):
    words = ("--against", tmp_path / "tasks", "--base", base.path)
    said = shipbar("image", "check", images, *words)
    assert said.code == 0
    first, *lines = said.out.splitlines()
    assert first == f"{images}: 4 images, in order"
    assert len(lines) == 4


def test_check_tells_every_problem_and_ends_with_two(shipbar, tasks, images):
    layout = oci.Layout.open(images)
    flip(layout.layer_file(layout.image("solver-strips"), 1))
    flip(layout.layer_file(layout.image("solver-ribbons"), 1))
    said = shipbar("image", "check", images)
    assert said.code == 2
    assert said.out.splitlines()[0] == f"{images}: 4 images, 2 problems"
    assert "belongs to solver-ribbons" in said.out
    told = json.loads(shipbar("image", "check", images, "--json").out)
    assert len(told["problems"]) == 2
    assert len(told["images"]) == 4


def test_check_of_a_task_that_changed(shipbar, tmp_path, tasks, images):
    with (tasks[1] / "solver" / "SPEC.md").open("a") as file:
        file.write("more\n")
    said = shipbar("image", "check", images, "--against", tmp_path / "tasks")
    assert said.code == 2
    assert "problem: solver-ribbons: built again from the task it is config" in said.out
    assert "solver-strips: built again" not in said.out


def engine(folder: Path, script: str, monkeypatch) -> None:
    folder.mkdir()
    (folder / "docker").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_load_compares_what_the_engine_reports(shipbar, tmp_path, images, monkeypatch):
    image = oci.Layout.open(images).image("solver-strips")
    answer = [{"Id": image.config_digest, "RepoTags": [image.reference]}]
    (tmp_path / "answer").write_text(json.dumps(answer))
    script = f'case "$1" in image) cat {tmp_path}/answer;; *) exit 9;; esac'
    engine(tmp_path / "bin", script, monkeypatch)
    words = ("image", "load", images, "--engine", "docker", "--image", image.name)
    said = shipbar(*words)
    assert said.code == 0
    assert said.out == f"{image.reference} was there as {image.config_digest}\n"
    [told] = json.loads(shipbar(*words, "--json").out)
    assert told["engine_id"] == image.config_digest
    assert told["was_there"] is True


@pytest.fixture
def without_daemon(tmp_path: Path, monkeypatch) -> None:
    engine(tmp_path / "bin", "echo 'no daemon' >&2; exit 1", monkeypatch)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--engine", "lxc"), 2, "no engine named 'lxc'; known: docker, podman"),
        (("--engine", "podman"), 3, "no podman on the PATH"),
        (("--engine", "docker", "--image", "other"), 2, "no image 'other'; there are"),
        (
            ("--engine", "docker"),
            3,
            "cannot ask for images: no daemon; start its daemon",
        ),
    ],
)
@pytest.mark.usefixtures("without_daemon")
def test_load_tells_what_is_wrong(shipbar, images, words, code, told):
    said = shipbar("image", "load", images, *words)
    assert said.code == code
    assert told in said.err


def test_options_of_debian_go_with_it(shipbar, tmp_path):
    said = shipbar("image", "base", "-o", tmp_path / "b", "--package", "git")
    assert said.code == 2
    assert "--source and --package go with --debian SUITE" in said.err


def test_debian_without_its_tool(shipbar, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    said = shipbar("image", "base", "-o", tmp_path / "b", "--debian", "bookworm")
    assert said.code == 3
    assert "apt install mmdebstrap" in said.err
    assert list(tmp_path.iterdir()) == []
