"""Real engines take our images, report our ids, and grade as the host does."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from shipbar import config, grade, oci
from shipbar.errors import SeamError, UnknownNameError, UserError
from shipbar.oci.engines import Engine
from shipbar.oci.making import write_base
from shipbar.oci.minimal import minimal_entries
from shipbar.sandboxes.runtime import runtime
from tests.oci.places import flip, two_tasks
from tests.oci.started import Started, started_or_skip

ENGINES = [
    pytest.param("docker", marks=[pytest.mark.engine, pytest.mark.slow]),
    pytest.param("podman", marks=[pytest.mark.engine, pytest.mark.slow]),
]
LOOK = """
import json, os
found = [os.path.join(at, it) for at, folders, files in os.walk("/") if not at.startswith(("/proc", "/sys", "/usr", "/dev")) for it in files]
print(json.dumps([os.getcwd(), open("SPEC.md").read(), sorted(found)]))
"""


@pytest.fixture(scope="module")
def docker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    with started_or_skip("docker", tmp_path_factory.mktemp("home")) as it:
        yield it


@pytest.fixture(scope="module")
def podman(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    with started_or_skip("podman", tmp_path_factory.mktemp("home")) as it:
        yield it


@pytest.fixture(params=ENGINES)
def started(request: pytest.FixtureRequest) -> Started:
    found: Started = request.getfixturevalue(request.param)
    return found


@attrs.frozen(kw_only=True)
class Real:
    layout: oci.Layout
    task: Path


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Real:
    """Images of two tasks that run: on the least base, made of this machine's Python."""
    place = tmp_path_factory.mktemp("real")
    made = runtime(config.current().cache)
    entries = minimal_entries(
        made.root, python=made.python, stdlib=made.stdlib, libraries=made.libraries
    )
    write_base(place / "base", entries, command=[made.python], made_by="a test")
    tasks = two_tasks(place)
    layout = oci.build(tasks, place / "images", oci.open_base(place / "base"))
    return Real(layout=layout, task=tasks[0])


def test_an_engine_reports_our_ids_and_loads_them_once(started: Started, real: Real):
    loaded = oci.load(real.layout, started.engine)
    assert len(loaded) == 4
    for it in loaded:
        assert it.id in (it.image.config_digest, it.image.manifest_digest)
    again = oci.load(real.layout, started.engine)
    assert all(it.was_there for it in again)
    assert [it.id for it in again] == [it.id for it in loaded]


def test_a_solver_starts_where_the_specification_is_and_sees_nothing_else(
    started: Started, real: Real
):
    [loaded] = oci.load(real.layout, started.engine, ["solver-strips"])
    words = ("--entrypoint", "/usr/bin/python3", loaded.image.reference)
    done = started.run(*words, "-c", LOOK)
    assert done.returncode == 0, done.stderr
    where, text, files = json.loads(done.stdout)
    assert where == "/work"
    assert text == (real.task / "solver/SPEC.md").read_text()
    of_others = ("/etc/", "/run/", "/.dockerenv", "/lib")
    assert [it for it in files if not it.startswith(of_others)] == [f"{where}/SPEC.md"]


@pytest.mark.parametrize("package", ["grader/reference", "grader/known_bad/hollow"])
def test_a_grade_in_the_container_is_the_hosts(
    started: Started, real: Real, package: str
):
    [loaded] = oci.load(real.layout, started.engine, ["grader-strips"])
    candidate = real.task / package
    for path in (*real.task.parents, real.task):
        if path.is_relative_to("/tmp"):
            path.chmod(path.stat().st_mode | 0o055)
    there = started.run("-v", f"{candidate}:/candidate:ro", loaded.image.reference)
    assert there.returncode == 0, there.stderr
    here = grade(real.task, candidate)
    said = json.loads(there.stdout)
    assert said["digest"] == here.digest
    assert said["shipped"] == here.shipped == (package == "grader/reference")
    assert said["task_digest"] == here.task_digest


def test_a_grade_on_a_root_that_is_read_only(started: Started, real: Real):
    [loaded] = oci.load(real.layout, started.engine, ["grader-strips"])
    there = started.run(
        *("--read-only", "--tmpfs", "/tmp:exec,mode=1777"),
        *("--tmpfs", "/var/cache/shipbar:exec,mode=755"),
        *("-v", f"{real.task / 'grader/reference'}:/candidate:ro"),
        loaded.image.reference,
    )
    assert there.returncode == 0, there.stderr
    assert json.loads(there.stdout)["shipped"]


def test_an_archive_is_loaded_too(started: Started, real: Real, tmp_path: Path):
    path = tmp_path / "images.tar"
    with path.open("wb") as file:
        real.layout.write_archive(file, real.layout.images[:1])
    [loaded] = oci.load(oci.Layout.open(path), started.engine)
    assert loaded.image.config_digest == real.layout.images[0].config_digest


@pytest.mark.slow
def test_skopeo_copies_an_image_and_keeps_its_ids(real: Real, tmp_path: Path):
    skopeo = shutil.which("skopeo")
    if skopeo is None:
        pytest.skip("there is no skopeo on the PATH")
    image = real.layout.image("solver-strips")
    words = [skopeo, "--insecure-policy", "copy", "--preserve-digests"]
    source = f"oci:{real.layout.path}:{image.name}"
    done = subprocess.run(
        [*words, source, f"oci:{tmp_path / 'copy'}:{image.name}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    copied = json.loads((tmp_path / "copy" / "index.json").read_text())
    assert copied["manifests"][0]["digest"] == image.manifest_digest


# -- clients of a few lines ------------------------------------------------------------


def client(folder: Path, script: str, name: str = "docker") -> Engine:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return Engine(name=name, env={"PATH": f"{folder}:/usr/bin:/bin"})


def answering(layout: oci.Layout, folder: Path, ids: dict[str, str]) -> Engine:
    """A client that takes everything, and reports those ids once it was given images."""
    folder.mkdir(exist_ok=True)
    answers = [{"Id": ids[it.name], "RepoTags": [it.reference]} for it in layout.images]
    (folder / "answers").write_text(json.dumps(answers))
    return client(
        folder,
        f'case "$1" in load) cat > {folder}/loaded;; *) '
        f"if [ -e {folder}/loaded ]; then cat {folder}/answers; "
        'else echo "Error: No such image: x" >&2; exit 1; fi;; esac',
    )


@pytest.mark.parametrize("which", ["config_digest", "manifest_digest"])
def test_either_id_is_right(layout: oci.Layout, tmp_path: Path, which: str):
    ids = {it.name: getattr(it, which) for it in layout.images}
    engine = answering(layout, tmp_path / "bin", ids)
    loaded = oci.load(layout, engine)
    assert [it.id for it in loaded] == list(ids.values())
    assert not any(it.was_there for it in loaded)
    assert all(it.was_there for it in oci.load(layout, engine))
    handed = oci.Layout.open(tmp_path / "bin" / "loaded")
    assert handed.problems() == []


def test_another_id_is_an_error_that_names_both(layout: oci.Layout, tmp_path: Path):
    ids = {it.name: f"sha256:{'0' * 64}" for it in layout.images}
    with pytest.raises(SeamError) as told:
        oci.load(layout, answering(layout, tmp_path / "bin", ids))
    assert f"the engine reports sha256:{'0' * 64}" in str(told.value)
    assert layout.images[0].config_digest in str(told.value)
    assert "Do not use it" in str(told.value)


def test_an_engine_that_forgets_what_it_took_is_an_error(
    layout: oci.Layout, tmp_path: Path
):
    engine = client(
        tmp_path / "bin",
        'case "$1" in load) cat > /dev/null;; *) echo "No such image" >&2; exit 1;; esac',
    )
    with pytest.raises(SeamError, match="the engine reports no such image"):
        oci.load(layout, engine)


def test_an_engine_that_refuses_is_heard(layout: oci.Layout, tmp_path: Path):
    engine = client(
        tmp_path / "bin",
        'case "$1" in load) echo "no space left on device" >&2; exit 1;; '
        '*) echo "image not known" >&2; exit 125;; esac',
    )
    with pytest.raises(
        SeamError, match=r"cannot load .*images: no space left on device"
    ):
        oci.load(layout, engine)


def test_an_engine_without_a_daemon_is_told_before_anything_is_sent(
    layout: oci.Layout, tmp_path: Path
):
    script = f'echo "$1" >> {tmp_path}/calls; echo "Cannot connect" >&2; exit 1'
    with pytest.raises(SeamError, match="Cannot connect; start its daemon"):
        oci.load(layout, client(tmp_path / "bin", script))
    assert (tmp_path / "calls").read_text().split() == ["image"]


def test_an_engine_that_is_unknown_or_not_there(layout: oci.Layout, tmp_path: Path):
    env = {"PATH": str(tmp_path)}
    with pytest.raises(
        UnknownNameError, match="no engine named 'lxc'; known: docker, podman"
    ):
        oci.load(layout, Engine(name="lxc", env=env))
    with pytest.raises(SeamError, match="no podman on the PATH; install it"):
        oci.load(layout, Engine(name="podman", env=env))


def test_an_engine_that_does_not_answer(
    layout: oci.Layout, tmp_path: Path, monkeypatch
):
    monkeypatch.setattr("shipbar.oci.engines.ANSWER_S", 0.2)
    with pytest.raises(SeamError, match="no answer to `image`"):
        oci.load(layout, client(tmp_path / "bin", "exec sleep 30"))


def test_a_damaged_layout_is_not_handed_over(layout: oci.Layout, tmp_path: Path):
    flip(layout.layer_file(layout.images[0], 1))
    engine = client(tmp_path / "bin", f"touch {tmp_path}/asked; exit 1")
    with pytest.raises(UserError, match="the layout is damaged; get it again"):
        oci.load(layout, engine)
    assert not (tmp_path / "asked").exists()


def test_an_image_that_is_no_tasks_has_no_name_to_load_it_by(
    base: oci.Base, tmp_path: Path
):
    engine = client(tmp_path / "bin", "exit 1")
    with pytest.raises(UserError, match="base is no image of a task"):
        oci.load(oci.Layout.open(base.path), engine)
