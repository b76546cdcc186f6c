"""Containers: what the conformance suite does not ask of every backend."""

import contextlib
import io
import os
import re
import tarfile
import time
from pathlib import Path

import pytest

from shipbar.config import Config
from shipbar.contract import Limits
from shipbar.errors import SandboxError
from shipbar.ports import Job
from shipbar.sandboxes import container
from shipbar.sandboxes.container import Container
from shipbar.testing.harness import program

ENGINES = [
    pytest.param("docker", marks=[pytest.mark.engine, pytest.mark.slow]),
    pytest.param("podman", marks=[pytest.mark.engine, pytest.mark.slow]),
]


@pytest.fixture(params=ENGINES)
def sandbox(request: pytest.FixtureRequest) -> Container:
    found: Container = request.getfixturevalue(request.param)
    return found


def listed(sandbox: Container, *words: str) -> list[str]:
    told = sandbox._call(*words)
    assert told.returncode == 0, told.stderr
    return told.stdout.decode().split()


def engine_processes(place: str) -> list[str]:
    """What runs on the host on behalf of containers of the engine that lives there."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            told = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            # A container's keeper names the engine's folder.
            if place in told and ("conmon" in told or "shim" in told):
                found.append(told)
    return found


def stub(folder: Path, script: str) -> Config:
    """A client of a few lines."""
    client = folder / "docker"
    client.write_text(f"#!/bin/sh\n{script}\n")
    client.chmod(0o755)
    return Config(
        cache=folder / "cache",
        work=folder,
        inherited={"PATH": f"{folder}:/usr/bin:/bin"},
    )


def test_all_processes_together_stay_below_the_memory_limit(sandbox: Container):
    limits = Limits(memory_mib=384, processes=8, cpu_s=20.0)
    job = Job(limits=limits, tmp_mib=1)
    # Twelve children of at most 64 MiB each want twice the limit.
    with program(sandbox, "bombs.memory_of_many", job=job, most_mib=64) as inside:
        heard = inside.hear(20.0, 5)
    # Where the kernel ended the parent too, nothing was told.
    held = int(heard.text.split()[0]) if heard.text else 0
    assert held <= 384 + 1 + container.OWN_MIB


def test_a_container_that_its_starter_lost_ends_by_itself(sandbox: Container):
    job = Job(limits=Limits(wall_s=1.0, cpu_s=10.0))
    with program(sandbox, "bombs.sleep", job=job) as inside:
        inside.expect("asleep")
        inside.close_requests()  # as the kernel does when the judge is killed
        assert inside.hear(15.0).ended


def test_nothing_is_left_with_the_engine(sandbox: Container):
    with program(sandbox, "bombs.sleep") as inside:
        inside.expect("asleep")
        assert len(listed(sandbox, "ps", "--all", "--quiet")) == 1
    assert listed(sandbox, "ps", "--all", "--quiet") == []
    assert listed(sandbox, "volume", "ls", "--quiet") == []


def test_nothing_stays_of_a_start_that_was_cut_short(sandbox: Container):
    for step in range(8):
        running = sandbox.start(Job())
        time.sleep(0.05 * step)
        running.stop()
    [place] = set(re.findall(r"engine-[^/]+", " ".join(sandbox._options)))
    assert engine_processes(place) == []


def test_the_image_is_imported_once(sandbox: Container):
    sandbox.available()
    first = listed(sandbox, "images", "--quiet", "shipbar-runtime")
    del sandbox._image
    sandbox.available()
    assert listed(sandbox, "images", "--quiet", "shipbar-runtime") == first
    assert len(first) == 1


def test_a_folder_with_a_comma_in_its_name(sandbox: Container, ground: Config):
    candidate = ground.work / 'a,"b":c'
    candidate.mkdir(exist_ok=True)
    (candidate / "file").write_text("read me")
    job = Job(folders={"candidate": candidate})
    with program(sandbox, "talk.late", job=job, name="file") as inside:
        inside.expect("waiting")
        inside.say(b"\n")
        inside.expect("read me")


@pytest.mark.engine
@pytest.mark.slow
def test_a_runtime_that_the_engine_does_not_know(docker: Container):
    sandbox = Container(
        docker._config, oci_runtime="no-such-runtime", options=docker._options
    )
    assert sandbox.name == "docker:no-such-runtime"
    found = sandbox.available()
    assert not found.works
    assert "no-such-runtime" in found.detail


def test_no_client(tmp_path: Path):
    config = Config(cache=tmp_path, work=tmp_path, inherited={"PATH": str(tmp_path)})
    found = Container(config).available()
    assert not found.works
    assert found.detail == f"no docker on PATH ({tmp_path})"
    assert "apt install docker.io" in found.remedy
    with pytest.raises(SandboxError, match="no docker on PATH"):
        Container(config).start(Job())


def test_a_client_without_a_daemon(tmp_path: Path):
    config = stub(tmp_path, "echo 'Cannot connect to the daemon' >&2; exit 1")
    found = Container(config).available()
    assert not found.works
    assert found.detail == "Cannot connect to the daemon"
    assert "start its daemon" in found.remedy


def test_a_client_that_does_not_answer(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(container, "CALL_S", 0.2)
    found = Container(stub(tmp_path, "exec sleep 60")).available()
    assert not found.works
    assert "no answer to `info`" in found.detail


def test_a_limit_that_the_engine_drops_is_refused(ground: Config, tmp_path: Path):
    config = stub(
        tmp_path,
        f'echo "$1" >> {tmp_path}/calls; case "$1" in\n'
        'create) echo "WARNING: Your kernel does not support pids limit. PIDs limit discarded." >&2;;\n'
        'container) echo "Error: No such container" >&2; exit 1;;\n'
        "esac",
    )
    sandbox = Container(
        Config(cache=ground.cache, work=tmp_path, inherited=config.inherited)
    )
    with pytest.raises(SandboxError, match=r"cannot keep a limit: .*PIDs limit"):
        sandbox.start(Job())
    calls = (tmp_path / "calls").read_text().split()
    assert calls[calls.index("create") :] == ["create", "rm", "container"]


def test_a_container_that_stays_is_an_error(
    ground: Config, tmp_path: Path, monkeypatch
):
    monkeypatch.setattr(container, "GONE_S", 0.2)
    config = stub(tmp_path, 'case "$1" in start) cat;; esac')
    running = Container(
        Config(cache=ground.cache, work=tmp_path, inherited=config.inherited)
    ).start(Job())
    with pytest.raises(SandboxError, match="is still there after"):
        running.stop()


def test_the_client_sees_what_config_lets_it_see(ground: Config, tmp_path: Path):
    inherited = stub(tmp_path, f"env > {tmp_path}/seen; exit 1").inherited
    inherited = {**inherited, "DOCKER_HOST": "unix:///nowhere"}
    Container(
        Config(cache=ground.cache, work=tmp_path, inherited=inherited)
    ).available()
    seen = (tmp_path / "seen").read_text().splitlines()
    ours = {
        line
        for line in seen
        if not line.startswith(("PWD=", "_=", "SHLVL=", "OLDPWD="))
    }
    assert ours == {f"{name}={value}" for name, value in inherited.items()}


def test_the_image_depends_on_names_and_content_alone(tmp_path: Path):
    tars: list[bytes] = []
    for name in ("one", "two"):
        root = tmp_path / name
        (root / "usr").mkdir(parents=True)
        (root / "tmp").mkdir()
        for file in ("b", "a") if name == "one" else ("a", "b"):
            (root / "usr" / file).write_text(file)
            (root / "usr" / file).chmod(0o644)
            os.utime(root / "usr" / file, (len(tars), len(tars)))
        out = io.BytesIO()
        container._write_tar(root, out)
        tars.append(out.getvalue())
    assert tars[0] == tars[1]
    with tarfile.open(fileobj=io.BytesIO(tars[0])) as tar:
        modes = {member.name: (member.mode, member.uid) for member in tar}
    assert modes["tmp"] == (0o1777, 0)
    assert list(modes) == ["tmp", "usr", "usr/a", "usr/b"]
