"""The reference tranche comes out to the same bytes on this machine, passes every gate, and can be implemented from its specifications."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner

from shipbar import config, grade, oci, wiring
from shipbar.building.tranche import read_pins
from shipbar.building.upstream import fetch
from shipbar.cli import build, cli
from shipbar.grading.grader import Grader
from shipbar.grading.intake import take_in
from shipbar.grading.tasks import digest_of, load_task
from shipbar.ports import Written
from tests.oci.started import started_or_skip
from tests.repository import ROOT

PINS = read_pins(build.PINS)
INDEPENDENT = ROOT / "tests" / "cases" / "independent"
"""Packages by task, each written from the task's SPEC.md alone."""
WRITTEN = sorted(path.name for path in INDEPENDENT.iterdir())
LEAST_WRITTEN = 4
NO_NETWORK = (("unshare", "--net"), ("unshare", "--map-root-user", "--net"))
"""Words before a command that take the network away, as root and as anybody else."""
LOOPBACK = """\
import fcntl, os, socket, struct, sys
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
fcntl.ioctl(socket.socket(), SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", IFF_UP))
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Brings up what a machine without a network still has; weak graders listen there."""


@pytest.fixture(scope="module")
def tranche(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tranche")
    words = ["build", "reference", "-o", str(folder), "--jobs", "2"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.stderr
    return folder


def test_places_and_names_are_taken_once():
    assert len({pin.number for pin in PINS}) == len(PINS)
    assert len({pin.task_id for pin in PINS}) == len(PINS)
    assert all(pin.digest.startswith("sha256:") for pin in PINS)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_every_task_is_built_to_its_pinned_digest(tranche):
    for pin in PINS:
        folder = tranche / pin.task_id
        assert digest_of(folder) == pin.digest
        assert len(load_task(folder).suite.cases) == pin.assertions


def test_independent_implementations_are_of_pinned_tasks():
    assert set(WRITTEN) <= {pin.task_id for pin in PINS}
    assert len(WRITTEN) >= LEAST_WRITTEN


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("task_id", WRITTEN)
def test_who_read_only_the_specification_ships(task_id, tranche):
    settings = config.current()
    task = load_task(tranche / task_id)
    sandbox = wiring.sandbox(wiring.AUTO, settings)
    guard = wiring.guard(task, settings)
    with Grader(task, sandbox, settings.work, guard=guard) as grader:
        verdict = grader.grade(INDEPENDENT / task_id)
    missed = [case.id for case in verdict.cases if case.outcome != "passed"]
    assert (verdict.shipped, missed) == (True, [])
    assert verdict.copying is not None
    assert not verdict.copying.flagged


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_leaked_reference_is_flagged_and_no_wrong_package_is(tranche):
    settings = config.current()
    for pin in PINS:
        folder = tranche / pin.task_id
        guard = wiring.guard(load_task(folder), settings)
        found = {}
        bad = sorted((folder / "grader" / "known_bad").iterdir())
        for package in [folder / "grader" / "reference", *bad]:
            taken = take_in(package)
            written = Written(files=taken.files, digest=taken.digest)
            found[package.name] = guard.check(written).flagged
        assert [name for name, flagged in found.items() if flagged] == ["reference"]


# -- from the maker to the buyer and back


@attrs.frozen
class Side:
    """A maker or a buyer: a home, keys, a cache and a ledger of their own."""

    home: Path
    net: tuple[str, ...] = ()
    """Words before a command that take the network away."""

    def __call__(self, *words: object) -> str:
        done = subprocess.run(
            [*self.net, sys.executable, "-m", "shipbar", *map(str, words)],
            env={
                **{
                    name: os.environ[name]
                    for name in ("PATH", "TMPDIR", "CI")
                    if name in os.environ
                },
                "HOME": str(self.home),
                "SHIPBAR_KEYS": str(self.home / "keys"),
                "SHIPBAR_CACHE": str(self.home / "cache"),
                "SHIPBAR_LEDGER": str(self.home / "ledger.db"),
            },
            cwd=self.home,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (
            f"{words}: {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        )
        return done.stdout


@pytest.fixture(scope="module")
def sides(tranche):
    """A maker, and a buyer without a network, both with the pinned upstreams."""
    settings = config.current()
    for pin in (wiring.family(name).upstream for name in wiring.names("family")):
        if pin is not None:
            fetch(pin, settings.cache, settings.inherited)
    cut = next(it for it in NO_NETWORK if not subprocess.call([*it, "true"]))
    alone = (*cut, sys.executable, "-c", LOOPBACK)
    with tempfile.TemporaryDirectory(prefix="shipbar-tests-") as name:
        root = Path(name)
        root.chmod(0o755)
        made = []
        for side, net in (("maker", ()), ("buyer", alone)):
            home = root / side
            shutil.copytree(settings.cache / "upstream", home / "cache" / "upstream")
            made.append(Side(home, net))
        yield made


@pytest.fixture(scope="module")
def proven(tranche, sides):
    """The tranche with an evaluation task beside it, through every gate; what was printed."""
    maker, _ = sides
    tasks = maker.home / "tasks"
    shutil.copytree(tranche, tasks)
    (tasks / "built.jsonl").unlink(missing_ok=True)
    maker(
        "build",
        "check-characters",
        "--seed",
        "held-back",
        "--split",
        "eval",
        "-o",
        maker.home / "eval",
    )
    (evaluation,) = (path.parent for path in (maker.home / "eval").glob("*/task.toml"))
    shutil.copytree(evaluation, tasks / evaluation.name)
    for name, role in (("ada", "breaker"), ("brook", "senior")):
        maker("key", "new", name)
        for task in sorted(path.parent for path in tasks.glob("*/task.toml")):
            maker("review", "sign", task, "--role", role, "--name", name, "--key", name)
    asked = (), ("--gate", "review")
    told = [maker("verify", tasks, *gates, "--jobs", 2, "--json") for gates in asked]
    return [task for it in told for task in json.loads(it)["tasks"]]


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_every_task_passes_every_gate(proven):
    found = {
        (task["task_id"], gate["gate"]): gate["status"]
        for task in proven
        for gate in task["gates"]
    }
    assert len(found) == (len(PINS) + 1) * len(wiring.names("gate"))
    mutated = {
        pin.task_id for pin in PINS if wiring.family(pin.family).upstream is not None
    }
    open_ = {key for key, status in found.items() if status != "passed"}
    assert {gate for _, gate in open_} == {"G3"}, "an invented task has no upstream"
    assert {task_id for task_id, _ in open_}.isdisjoint(mutated)


@pytest.fixture(scope="module")
def delivered(proven, sides):
    maker, _ = sides
    delivery = maker.home / "delivery"
    maker(
        *("deliver", maker.home / "tasks", "-o", delivery, "--client", "acme"),
        *("--withhold", "eval", "--images", "solver,grader"),
    )
    return delivery


@pytest.mark.slow
@pytest.mark.engine
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("engine", ["docker", "podman"])
def test_a_delivered_image_grades_in_an_engine_as_the_host_does(
    engine, delivered, tmp_path_factory
):
    task = delivered.parent / "tasks" / "check-characters-1"
    candidate = task / "grader" / "reference"
    (images,) = delivered.glob("*-grader/images")
    with started_or_skip(engine, tmp_path_factory.mktemp("home")) as started:
        (loaded,) = oci.load(
            oci.Layout.open(images), started.engine, [f"grader-{task.name}"]
        )
        there = started.run("-v", f"{candidate}:/candidate:ro", loaded.image.reference)
    assert there.returncode == 0, there.stderr
    here = grade(task, candidate)
    assert json.loads(there.stdout)["digest"] == here.digest
    assert here.shipped


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_what_is_delivered_is_accepted_on_the_other_side(delivered, sides):
    maker, buyer = sides
    shutil.copytree(delivered, buyer.home / "delivery")
    shutil.copy(maker.home / "keys" / "default.pub", buyer.home / "maker.pub")
    buyer("key", "new")
    report = buyer.home / "report"
    buyer(
        *("accept", buyer.home / "delivery", "-o", report, "--jobs", 2),
        *("--key", buyer.home / "maker.pub"),
    )
    tasks = json.loads((report / "report.json").read_text())["tasks"]
    outcomes = Counter(task["outcome"] for task in tasks)
    assert outcomes == {"accepted": len(PINS), "not measured": 1}
    maker("ledger", "import", report, "--key", buyer.home / "keys" / "default.pub")
    (listed,) = json.loads(maker("ledger", "list", "acceptance", "--json"))
    outcomes = Counter(task["outcome"] for task in listed["record"]["tasks"])
    assert outcomes["accepted"] == len(PINS)
