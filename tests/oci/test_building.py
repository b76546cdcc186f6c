"""Images of tasks: what is in them, and that nothing but that decides their ids."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from shipbar import config, grade, oci, wiring
from shipbar.errors import SeamError, UserError
from shipbar.gates.heldout import HeldOut
from shipbar.gates.images import problems_of
from shipbar.gates.layers import read_store
from shipbar.gates.trial import Trial
from shipbar.grading.tasks import digest_of, load_task
from shipbar.oci.values import TASK_DIGEST
from tests.grading.authoring import sandbox
from tests.oci.places import blob, contents, members, small_base
from tests.repository import ROOT

BUILD = """
import os, sys
os.umask(int(sys.argv[1], 8))
from shipbar import oci
base, out, *tasks = sys.argv[2:]
kinds = os.environ.get("KINDS", "solver,grader").split(",")
layout = oci.build(tasks, out, oci.open_base(base), kinds=kinds)
for it in layout.images:
    print(it.name, it.config_digest, it.manifest_digest)
"""


def top(layout: oci.Layout, name: str, number: int = -1) -> bytes:
    return blob(layout, layout.image(name).layers[number].digest).read_bytes()


def unpacked(layer: bytes, folder: Path) -> Path:
    (folder.parent / "layer.tar").write_bytes(layer)
    with tarfile.open(folder.parent / "layer.tar") as archive:
        archive.extractall(folder, filter="data")
    return folder


def test_a_solvers_image_holds_the_specification_and_nothing_else(
    layout: oci.Layout, tasks: list[Path]
):
    layer = top(layout, "solver-strips")
    assert list(members(layer)) == ["work", "work/SPEC.md"]
    assert (tasks[0] / "solver/SPEC.md").read_bytes() in layer
    assert members(layer)["work/SPEC.md"].mode == 0o644
    said = layout.config(layout.image("solver-strips"))
    assert said["config"]["WorkingDir"] == "/work"
    assert said["config"]["Labels"] == {
        "dev.shipbar.kind": "solver",
        "dev.shipbar.task": "strips",
    }


def test_the_isolation_gate_finds_nothing_in_a_solvers_image(
    layout: oci.Layout, tasks: list[Path], tmp_path: Path
):
    task = load_task(tasks[0])
    one = oci.take(layout, ["solver-strips"], tmp_path / "one")
    with Trial(task=task, sandbox=sandbox(), work=tmp_path, cache=tmp_path) as trial:
        held = HeldOut.of(trial, {})
    assert problems_of(read_store(one.path), held) == []


def test_a_canary_in_a_label_is_left_alone_by_the_isolation_gate(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    task = load_task(tasks[0])
    labels = {tasks[0]: {"org.example.canary": task.contract.canary}}
    layout = oci.build(
        tasks[:1], tmp_path / "one", base, kinds=["solver"], labels=labels
    )
    with Trial(task=task, sandbox=sandbox(), work=tmp_path, cache=tmp_path) as trial:
        held = HeldOut.of(trial, {})
    assert problems_of(read_store(layout.path), held) == []
    assert task.contract.canary in layout.images[0].labels.values()


def test_a_graders_image_holds_the_task_as_it_is(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    (tasks[0] / "grader" / "__pycache__").mkdir()
    (tasks[0] / "grader" / "__pycache__" / "left.pyc").write_bytes(b"behind")
    layout = oci.build(tasks[:1], tmp_path / "out", base, kinds=["grader"])
    inside = unpacked(top(layout, "grader-strips"), tmp_path / "inside") / "task"
    assert digest_of(inside) == digest_of(tasks[0])
    assert not (inside / "grader" / "__pycache__").exists()
    assert layout.images[0].labels[TASK_DIGEST] == digest_of(tasks[0])


def test_a_graders_runtime_grades_without_what_is_installed_here(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    """The layer alone, on a Python that sees no other library."""
    layout = oci.build(tasks[:1], tmp_path / "out", base, kinds=["grader"])
    runtime = unpacked(top(layout, "grader-strips", 1), tmp_path / "runtime")
    settings = config.current()
    landlock = wiring.sandbox("landlock", settings)
    if not landlock.available().works:
        pytest.skip("there is no Landlock here, and a grader's image has nothing else")
    words = ("grade", tasks[0], tasks[0] / "grader/reference", "--json")
    done = subprocess.run(
        [
            *(sys.executable, "-I", "-S", "-B", str(runtime / "opt" / "shipbar")),
            *map(str, words),
            *("--sandbox", "landlock"),
        ],
        capture_output=True,
        text=True,
        check=False,
        env={"SHIPBAR_CACHE": str(settings.cache), "PATH": os.defpath},
    )
    assert done.returncode == 0, done.stderr
    ours = grade(tasks[0], tasks[0] / "grader/reference")
    assert ours.shipped
    assert json.loads(done.stdout)["digest"] == ours.digest


PIN = """
[upstream_sdist]
name = "ribbon"
version = "1.0"
file = "ribbon-1.0.tar.gz"
sha256 = "{}"
licence = "MIT"
"""


@pytest.fixture
def mutated(tasks: list[Path], tmp_path: Path) -> Path:
    """A task with a pinned upstream, which lies in the cache `tmp_path / "cache"`."""
    sdist = b"an archive"
    (tmp_path / "cache" / "upstream").mkdir(parents=True)
    (tmp_path / "cache" / "upstream" / "ribbon-1.0.tar.gz").write_bytes(sdist)
    path = tasks[0] / "task.toml"
    text = path.read_text().replace('"invented"', '"mutated"')
    path.write_text(text + PIN.format(hashlib.sha256(sdist).hexdigest()))
    return tasks[0]


def test_an_upstream_is_in_a_graders_image_only_if_asked_for(
    base: oci.Base, mutated: Path, tmp_path: Path
):
    path = "var/cache/shipbar/upstream/ribbon-1.0.tar.gz"
    plain = oci.build([mutated], tmp_path / "plain", base)
    full = oci.build([mutated], tmp_path / "full", base, upstreams=tmp_path / "cache")
    assert path not in members(top(plain, "grader-strips"))
    assert members(top(full, "grader-strips"))[path].size == 10
    assert path not in members(top(full, "solver-strips"))
    for layout in (plain, full):
        assert oci.check(layout, against=[mutated]) == []
    nowhere = tmp_path / "nowhere"
    with pytest.raises(SeamError, match="run `shipbar upstream fetch ribbon`"):
        oci.build([mutated], tmp_path / "out", base, upstreams=nowhere)
    assert not (tmp_path / "out").exists()


def test_an_upstream_that_was_changed_in_an_image_is_found(
    base: oci.Base, mutated: Path, tmp_path: Path
):
    path = tmp_path / "cache" / "upstream" / "ribbon-1.0.tar.gz"
    path.write_bytes(b"an archive of another kind")
    with pytest.raises(SeamError, match="expected sha256"):
        oci.build([mutated], tmp_path / "out", base, upstreams=tmp_path / "cache")


def test_the_runtime_has_nothing_of_the_makers_side(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    layout = oci.build(tasks[:1], tmp_path / "out", base, kinds=["grader"])
    paths = [
        it.removeprefix("opt/shipbar/")
        for it in members(top(layout, "grader-strips", 1))
    ]
    ours = {it.split("/")[1] for it in paths if it.startswith("shipbar/")}
    assert {"grading", "sealed", "subject", "sandboxes"} <= ours
    assert not {"families", "building", "attacks", "gates", "oci"} & ours
    assert [it for it in paths if it.endswith((".pyc", ".exe"))] == []
    assert [it for it in paths if it.endswith(("direct_url.json", "INSTALLER"))] == []


def test_a_task_that_moved_and_aged_has_the_same_images(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    first = oci.build(tasks, tmp_path / "one", base)
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for task in reversed(tasks):
        shutil.copytree(task, moved / task.name)
    for number, path in enumerate(sorted(moved.rglob("*"))):
        path.chmod(0o700 if path.is_dir() else 0o600)
        os.utime(path, (number, number))
    again = [moved / task.name for task in reversed(tasks)]
    second = oci.build(again, tmp_path / "two", small_base(tmp_path / "base2"))
    assert contents(first.path) == contents(second.path)


def test_what_differs_has_another_id(base: oci.Base, tasks: list[Path], tmp_path: Path):
    kinds = ["solver"]
    plain = oci.build(tasks[:1], tmp_path / "a", base, kinds=kinds)
    labels = {str(tasks[0]): {"client": "one"}}
    labelled = oci.build(tasks[:1], tmp_path / "b", base, kinds=kinds, labels=labels)
    with (tasks[0] / "solver/SPEC.md").open("a") as file:
        file.write(" ")
    changed = oci.build(tasks[:1], tmp_path / "c", base, kinds=kinds)
    assert len({it.images[0].config_digest for it in (plain, labelled, changed)}) == 3
    assert plain.images[0].layers == labelled.images[0].layers


def built(python: str, tmp_path: Path, name: str, *words: str, **env: str) -> list[str]:
    """Build in another process; return what it says of the images."""
    path = os.pathsep.join(
        [str(ROOT / "src"), *(it for it in sys.path if "site-pack" in it)]
    )
    done = subprocess.run(
        [
            python,
            "-S",
            "-c",
            BUILD,
            words[0],
            *words[1:2],
            str(tmp_path / name),
            *words[2:],
        ],
        capture_output=True,
        text=True,
        check=False,
        env={
            "PATH": os.defpath,
            "PYTHONPATH": path,
            "PYTHONDONTWRITEBYTECODE": "1",
            **env,
        },
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_umask_time_zone_locale_and_hash_seed_do_not_show(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    words = (str(base.path), *map(str, tasks))
    one = built(sys.executable, tmp_path, "one", "022", *words, TZ="UTC", LC_ALL="C")
    two = built(
        sys.executable,
        tmp_path,
        "two",
        "077",
        *words,
        TZ="Pacific/Kiritimati",
        LC_ALL="C.UTF-8",
        PYTHONHASHSEED="7",
    )
    assert one == two
    assert len(one) == 4
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def others() -> list[str]:
    """Other builds of Python on this machine, found by running them."""
    found = {sys.version: sys.executable}
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        for minor in (11, 12, 13):
            path = Path(folder, f"python3.{minor}")
            if path.is_file():
                command = [str(path), "-c", "import sys; print(sys.version)"]
                probe = subprocess.run(
                    command, capture_output=True, text=True, check=False
                )
                if probe.returncode == 0:
                    found.setdefault(probe.stdout.removesuffix("\n"), str(path))
    return list(found.values())[1:]


@pytest.mark.slow
def test_the_python_that_builds_does_not_show(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    pythons = others()
    if not pythons:
        pytest.skip("there is no other build of Python on the PATH, from 3.11 on")
    words = ("022", str(base.path), *map(str, tasks))
    ours = built(sys.executable, tmp_path, "ours", *words)
    solvers = [it for it in ours if it.startswith("solver-")]
    for number, python in enumerate(pythons):
        # Compiled libraries are for one minor version: another one makes no grader.
        same = Path(python).name == f"python3.{sys.version_info.minor}"
        kinds = "solver,grader" if same else "solver"
        out = f"other-{number}"
        theirs = built(python, tmp_path, out, *words, KINDS=kinds)
        assert theirs == (ours if same else solvers), python


@pytest.mark.slow
def test_several_processes_write_what_one_does(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    one = oci.build(tasks, tmp_path / "one", base)
    two = oci.build(tasks, tmp_path / "two", base, jobs=2)
    assert contents(one.path) == contents(two.path)


def test_no_task_no_image(base: oci.Base, tasks: list[Path], tmp_path: Path):
    with pytest.raises(UserError, match="no task to make an image of"):
        oci.build([], tmp_path / "out", base)
    with pytest.raises(UserError, match="is no task"):
        oci.build([tmp_path], tmp_path / "out", base, kinds=["solver"])
    with pytest.raises(UserError, match="expected one of solver, grader"):
        oci.build(tasks, tmp_path / "out", base, kinds=["solvers"])
    assert not (tmp_path / "out").exists()


def test_a_task_without_a_specification_is_told(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    (tasks[1] / "solver" / "SPEC.md").unlink()
    with pytest.raises(UserError, match=r"SPEC\.md: cannot be read"):
        oci.build(tasks, tmp_path / "out", base, kinds=["solver"])
    assert not (tmp_path / "out").exists()


def test_two_tasks_of_one_id_are_refused(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    with pytest.raises(UserError, match="two images 'solver-strips'"):
        oci.build([tasks[0], tasks[0]], tmp_path / "out", base, kinds=["solver"])


def test_a_folder_that_cannot_be_written_is_the_machines(
    base: oci.Base, tasks: list[Path], tmp_path: Path
):
    (tmp_path / "file").write_text("")
    with pytest.raises(SeamError, match="make room there or name another folder"):
        oci.build(tasks, tmp_path / "file" / "out", base, kinds=["solver"])
