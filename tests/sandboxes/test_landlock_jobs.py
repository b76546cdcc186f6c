"""How jobs under Landlock are held to their processes and to their folder."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from shipbar.ports import Job
from shipbar.sandboxes.landlock import remove_tree
from tests.sandboxes.locked import (
    HEAD,
    HEARD_S,
    KERNEL_ABI,
    VERSIONS,
    Place,
    as_of,
    open_folder,
    open_place,
    processes_with,
    run,
    several,
    started,
)

MIB = 1 << 20
REPOSITORY = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(KERNEL_ABI < 1, reason="this kernel has no Landlock")


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with open_place() as made:
        yield made


@pytest.fixture
def folder(place: Place) -> Iterator[Path]:
    with open_folder(place) as made:
        yield made


@pytest.fixture(params=VERSIONS)
def any_abi(place: Place, request: pytest.FixtureRequest) -> Place:
    return as_of(place, request.param)


# -- processes -------------------------------------------------------------------


def test_one_process_is_one(any_abi: Place, folder: Path) -> None:
    source = """
import asyncio, subprocess, threading
attempt("fork", os.fork)
attempt("subprocess", lambda: subprocess.run([sys.executable, "-c", ""]))
attempt("exec", lambda: os.execv(sys.executable, [sys.executable, "-c", ""]))
attempt("thread", lambda: threading.Thread(target=int).start())
attempt("asyncio", lambda: asyncio.run(asyncio.to_thread(int)))
"""
    assert run(any_abi, source, folder).outcomes == {
        "fork": "BlockingIOError",
        "subprocess": "BlockingIOError",
        "exec": "PermissionError",
        "thread": "worked",
        "asyncio": "worked",
    }


def test_several_processes_run_our_interpreter_and_nothing_else(
    any_abi: Place, folder: Path
) -> None:
    source = """
import subprocess
def check(*words):
    assert subprocess.run(words, capture_output=True, check=True).stdout == b"7\\n"
attempt("python", lambda: check(sys.executable, "-c", "print(7)"))
attempt("echo", lambda: check("/bin/echo", "7"))
attempt("loader", lambda: check(next(p for p in ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1") if os.path.exists(p)), "/bin/echo", "7"))
attempt("session", os.setsid)
attempt("group", lambda: os.setpgid(0, 0))
"""
    found = run(any_abi, source, folder, limits=several(8)).outcomes
    assert found.pop("python") == "worked"
    assert found.pop("loader") == "CalledProcessError"
    assert set(found.values()) == {"PermissionError"}


def test_a_daemon_ends_with_its_job_and_is_reaped(place: Place, folder: Path) -> None:
    source = """
reading, writing = os.pipe()
if os.fork() == 0:
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    try:
        os.setsid()
    except PermissionError:
        pass
    if os.fork():
        os._exit(0)
    os.write(writing, str(os.getpid()).encode())
    while True:
        time.sleep(60)
os.wait()
say(os.read(reading, 20).decode())
time.sleep(60)
"""
    program = folder / "program"
    program.mkdir()
    (program / "__main__.py").write_text(HEAD + source)
    running = place.sandbox.start(Job(program=program, limits=several(8)))
    assert select.select([running.answers], [], [], HEARD_S)[0]
    daemon = int(os.read(running.answers, 64))
    assert Path(f"/proc/{daemon}").exists()
    running.stop()
    assert not Path(f"/proc/{daemon}").exists(), (
        "the daemon, or its zombie, is still there"
    )


def test_a_daemon_ends_when_its_job_ended_by_itself(place: Place, folder: Path) -> None:
    source = """
if os.fork() == 0:
    os.closerange(0, 3)
    time.sleep(60)
say("gone")
"""
    with started(place, source, folder, limits=several(8)) as hear:
        assert hear().lines == ["gone"]


def test_a_fork_bomb_is_bounded_and_the_next_job_unharmed(
    place: Place, folder: Path
) -> None:
    source = """
count = 0
while count < 3000:
    try:
        child = os.fork()
    except BlockingIOError:
        break
    if not child:
        time.sleep(60)
    count += 1
say(count)
os._exit(0)
"""
    count = int(run(place, source, folder, limits=several(8)).lines[0])
    assert 7 <= count <= 8 + 128
    assert run(place, "say('well')", folder).lines == ["well"]


def test_jobs_end_with_the_judge(place: Place, folder: Path) -> None:
    program = folder / "program"
    program.mkdir()
    (program / "__main__.py").write_text(
        HEAD
        + "if places['extra'].endswith('8'):\n    os.fork()\nsay('up')\ntime.sleep(60)\n"
    )
    judge = f"""
import os, select, sys, time
from pathlib import Path
sys.path[:] = {sys.path!r}
from shipbar.config import Config
from shipbar.contract import Limits
from shipbar.ports import Job
from shipbar.sandboxes.landlock import Landlock
sandbox = Landlock(Config(cache=Path({str(place.top / "cache")!r}), work=Path({str(folder)!r}), inherited={{}}))
for count in (1, 8):
    extra = Path({str(folder)!r}, f"extra{{count}}"); extra.mkdir(); extra.chmod(0o755)
    running = sandbox.start(Job(program=Path({str(program)!r}), folders={{"extra": extra}}, limits=Limits(processes=count)))
    for _ in range(1 + (count > 1)):
        select.select([running.answers], [], [], 10) and os.read(running.answers, 3)
print("started", flush=True)
time.sleep(60)
"""
    with subprocess.Popen(
        [sys.executable, "-c", judge], stdout=subprocess.PIPE, text=True
    ) as started_judge:
        assert started_judge.stdout is not None
        assert started_judge.stdout.readline() == "started\n"
        before = [p for p in processes_with(str(program)) if p != started_judge.pid]
        started_judge.kill()
    until = time.monotonic() + 5
    while (left := processes_with(str(program))) and time.monotonic() < until:
        time.sleep(0.01)
    assert len(before) == 4  # one alone; a supervisor, its child and its grandchild
    assert left == []


# -- the job's folder and its bound ----------------------------------------------


def test_no_file_is_larger_than_the_folder_may_be(place: Place, folder: Path) -> None:
    source = """
with open("large", "wb", buffering=0) as file:
    written = 0
    def fill():
        global written
        while written < 64 << 20:
            written += file.write(b"x" * 65536)
    attempt("fill", fill)
say("written", written)
"""
    found = run(place, source, folder, tmp_mib=2).outcomes
    assert found == {"fill": "OSError", "written": str(2 * MIB)}


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            'for n in range(64):\n    open(f"f{n}", "wb").write(b"x" * (1 << 20))\n    time.sleep(0.01)',
            id="many-large",
        ),
        pytest.param(
            "kept = []\nfor n in range(40):\n"
            '    kept.append(open("f", "wb", buffering=0)); os.unlink("f"); kept[-1].write(b"x" * (1 << 20))\n'
            "    time.sleep(0.01)",
            id="deleted",
        ),
        pytest.param(
            'for n in range(100_000):\n    open(f"f{n}", "wb")', id="many-empty"
        ),
        pytest.param(
            "for n in range(100_000):\n    os.mkdir('d'); os.chdir('d')", id="deep"
        ),
    ],
)
def test_a_job_that_fills_the_disk_is_killed(
    place: Place, folder: Path, source: str
) -> None:
    said = run(place, source + "\nsay('still here')", folder, tmp_mib=4)
    assert said.lines == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list any folder")
def test_a_folder_that_hides_what_it_holds_is_killed(
    place: Place, folder: Path
) -> None:
    source = "os.mkdir('d', 0o300)\ntime.sleep(5)\nsay('still here')"
    assert run(place, source, folder).lines == []


def test_a_deleted_file_of_a_child_counts(place: Place, folder: Path) -> None:
    source = """
if os.fork():
    os.wait()
    time.sleep(2)
    say("still here")
else:
    if os.fork():
        os._exit(0)
    kept = []
    for n in range(40):
        kept.append(open("f", "wb", buffering=0)); os.unlink("f"); kept[-1].write(b"x" * (1 << 20))
        time.sleep(0.01)
    time.sleep(5)
"""
    assert run(place, source, folder, tmp_mib=4, limits=several(8)).lines == []


def test_any_tree_can_be_removed_and_links_are_not_followed(folder: Path) -> None:
    kept = folder / "kept"
    kept.mkdir()
    (kept / "file").write_text("kept")
    top = folder / "top"
    top.mkdir()
    (top / "link").symlink_to(kept)
    (top / "file").write_text("x")
    here = Path.cwd()
    os.chdir(top)
    try:
        for depth in range(1100):
            Path("inner").mkdir()
            if depth % 100 == 1:
                Path("link").symlink_to(kept)
                Path("locked").mkdir(mode=0)
            os.chdir("inner")
    finally:
        os.chdir(here)
    (top / "inner").chmod(0)
    remove_tree(top)
    assert not top.exists()
    assert (kept / "file").read_text() == "kept"
    remove_tree(top)  # again is fine
