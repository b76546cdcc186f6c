"""Landlock, tried by programs that want out; the kernel answers, not a stand-in."""

import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from shipbar.errors import SandboxError
from shipbar.ports import SURROUNDINGS, Job
from shipbar.sandboxes import landlock
from shipbar.sandboxes.host import NOBODY_ID, drop_root
from shipbar.sandboxes.landlock import Landlock, lacks_of
from tests.sandboxes.locked import (
    KERNEL_ABI,
    VERSIONS,
    Place,
    as_of,
    open_folder,
    open_place,
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


# -- files -----------------------------------------------------------------------


def test_files_of_the_host_cannot_be_read(any_abi: Place, folder: Path) -> None:
    secret = folder / "secret.txt"
    secret.write_text("the answer")
    secret.chmod(0o644)
    files = [
        "/etc/passwd", "/proc/1/environ", "/proc/self/environ", "/proc/self/mem", "/proc/meminfo",
        f"/proc/{os.getpid()}/environ", f"/proc/{os.getpid()}/cmdline", str(REPOSITORY / "pyproject.toml"),
        str(secret), sys.executable, "/dev/zero",
    ]  # fmt: skip
    folders = [
        "/",
        "/proc",
        "/tmp",
        "/etc",
        str(REPOSITORY),
        str(folder),
        str(any_abi.work),
    ]
    source = f"""
for path in {files!r}:
    attempt(path, lambda: open(path, "rb").read(1))
for path in {folders!r}:
    attempt(path, lambda: os.listdir(path))
attempt("link", lambda: os.link({str(secret)!r}, "link"))
os.symlink({str(secret)!r}, "soft")
attempt("symlink", lambda: open("soft").read())
attempt("own", lambda: open("own", "w").write("x"))
"""
    found = run(any_abi, source, folder).outcomes
    assert found.pop("own") == "worked"
    assert found.pop("link") in (
        "PermissionError",
        "OSError",
    )  # EXDEV before Landlock 2
    assert set(found.values()) == {"PermissionError"}, found


def test_files_of_the_host_cannot_be_changed(any_abi: Place, folder: Path) -> None:
    open_to_all = folder / "candidate"
    open_to_all.mkdir()
    (open_to_all / "file.txt").write_text("as it was")
    (open_to_all / "file.txt").chmod(0o666)
    open_to_all.chmod(0o777)
    if os.geteuid() == 0:  # the worst case: the job's own user owns it
        os.chown(open_to_all, NOBODY_ID, NOBODY_ID)
        os.chown(open_to_all / "file.txt", NOBODY_ID, NOBODY_ID)
    before = [
        (p.stat().st_mode, p.stat().st_mtime_ns)
        for p in (open_to_all, open_to_all / "file.txt")
    ]
    source = """
place = places["candidate"]
file = place + "/file.txt"
attempt("write", lambda: open(file, "w"))
attempt("append", lambda: open(file, "a"))
attempt("update", lambda: open(file, "r+"))
attempt("read and truncate", lambda: os.open(file, os.O_RDONLY | os.O_TRUNC))
attempt("neither and truncate", lambda: os.open(file, 3 | os.O_TRUNC))
attempt("truncate", lambda: os.truncate(file, 0))
attempt("mode", lambda: os.chmod(file, 0))
attempt("mode by descriptor", lambda: os.fchmod(os.open(file, os.O_RDONLY), 0))
attempt("mode of folder", lambda: os.chmod(place, 0))
attempt("time", lambda: os.utime(file))
attempt("owner", lambda: os.chown(file, -1, -1))
attempt("attribute", lambda: os.setxattr(file, "user.x", b"x"))
attempt("new", lambda: open(place + "/new", "w"))
attempt("remove", lambda: os.unlink(file))
attempt("rename", lambda: os.rename(file, file + "2"))
attempt("in", lambda: (open("a", "w"), os.rename("a", place + "/a")))
attempt("out", lambda: os.rename(file, "b"))
attempt("folder", lambda: os.mkdir(place + "/inner"))
attempt("fifo", lambda: os.mkfifo(place + "/fifo"))
attempt("/tmp", lambda: open("/tmp/left", "w"))
attempt("runtime", lambda: open(os.__file__, "a"))
attempt("program", lambda: open(__file__, "a"))
say("reads", open(file).read().replace(" ", "-"))
"""
    found = run(any_abi, source, folder, folders={"candidate": open_to_all}).outcomes
    assert found.pop("reads") == "as-it-was"
    assert {found.pop(n) for n in ("in", "out")} <= {"PermissionError", "OSError"}
    assert set(found.values()) == {"PermissionError"}, found
    assert (open_to_all / "file.txt").read_text() == "as it was"
    after = [
        (p.stat().st_mode, p.stat().st_mtime_ns)
        for p in (open_to_all, open_to_all / "file.txt")
    ]
    assert after == before


def test_a_build_is_told_that_modes_are_set_and_they_are_not(
    place: Place, folder: Path
) -> None:
    target = folder / "candidate"
    target.mkdir()
    target.chmod(0o755)
    if os.geteuid() == 0:
        os.chown(target, NOBODY_ID, NOBODY_ID)
    source = 'attempt("mode", lambda: os.chmod(places["candidate"], 0o777))'
    said = run(place, source, folder, folders={"candidate": target}, limits=several(2))
    assert said.outcomes == {"mode": "worked"}
    assert target.stat().st_mode & 0o777 == 0o755


def test_a_build_may_ask_which_release_the_host_is_and_no_more(
    place: Place, folder: Path
) -> None:
    source = """
for path in ("/etc/os-release", "/etc/passwd", "/etc"):
    attempt(path, lambda: os.listdir(path) if path == "/etc" else open(path).read())
"""
    alone = run(place, source, folder)
    assert set(alone.outcomes.values()) <= {"PermissionError", "FileNotFoundError"}
    build = run(place, source, folder, limits=several(2)).outcomes
    exists = Path("/etc/os-release").exists()
    assert build.pop("/etc/os-release") == ("worked" if exists else "FileNotFoundError")
    assert set(build.values()) == {"PermissionError"}


def test_a_zone_is_not_there_rather_than_forbidden(place: Place, folder: Path) -> None:
    source = "import zoneinfo\nattempt('zone', lambda: zoneinfo.ZoneInfo('Asia/Tokyo'))"
    assert run(place, source, folder).outcomes == {"zone": "ZoneInfoNotFoundError"}


def test_the_jobs_own_folder_is_an_ordinary_one(place: Place, folder: Path) -> None:
    source = """
import tempfile, sqlite3, shutil, stat
def use():
    with tempfile.TemporaryDirectory() as inner:
        assert inner.startswith(own), inner
        with open(inner + "/a", "w") as file:
            file.write("text")
        os.mkdir(inner + "/deeper")
        os.rename(inner + "/a", inner + "/deeper/b")
        os.symlink("deeper/b", inner + "/c")
        assert open(inner + "/c").read() == "text"
        os.mkfifo(inner + "/fifo")
    with tempfile.TemporaryFile() as file:
        file.write(b"x")
    with sqlite3.connect("data") as data:
        data.execute("create table t (a)")
    assert os.environ["HOME"] == own
attempt("use", use)
attempt("execute", lambda: (open("run", "w").write("#!/bin/sh"), os.execv("run", ["run"])))
attempt("device", lambda: os.mknod("device", 0o60600, 0x0700))
"""
    found = run(place, source, folder).outcomes
    assert found == {
        "use": "worked",
        "execute": "PermissionError",
        "device": "PermissionError",
    }


# -- everything else that could be reached ---------------------------------------


def test_no_socket_of_the_host_is_reached(any_abi: Place, folder: Path) -> None:
    with contextlib.ExitStack() as doors:
        abstract = doors.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind("\0shipbar-test-" + folder.name)
        abstract.listen()
        datagrams = doors.enter_context(
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        )
        datagrams.bind("\0shipbar-test-datagrams-" + folder.name)
        tcp = doors.enter_context(socket.create_server(("127.0.0.1", 0)))
        source = f"""
import socket
def reach(family, kind, address):
    with socket.socket(family, kind) as one:
        one.connect(address)
attempt("abstract", lambda: reach(socket.AF_UNIX, socket.SOCK_STREAM, "\\0shipbar-test-{folder.name}"))
attempt("tcp", lambda: reach(socket.AF_INET, socket.SOCK_STREAM, {tcp.getsockname()!r}))
attempt("pair", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
one, other = socket.socketpair()
attempt("through a pair", lambda: one.sendto(b"x", "\\0shipbar-test-datagrams-{folder.name}"))
attempt("from a pair", lambda: one.connect("\\0shipbar-test-{folder.name}"))
attempt("descriptor", lambda: socket.send_fds(one, [b"x"], [1]))
"""
        found = run(any_abi, source, folder).outcomes
        assert set(found.values()) == {"PermissionError"}, found
        assert select.select([abstract, datagrams, tcp], [], [], 0)[0] == []


def test_no_other_process_is_signalled(any_abi: Place, folder: Path) -> None:
    victim = subprocess.Popen(["/bin/sleep", "30"], **drop_root())
    source = f"""
for number in (0, signal.SIGTERM, signal.SIGKILL):
    attempt("victim", lambda: os.kill({victim.pid}, number))
    attempt("judge", lambda: os.kill({os.getpid()}, number))
    attempt("parent", lambda: os.kill(os.getppid(), number))
import resource, ctypes
attempt("limits", lambda: resource.prlimit({victim.pid}, resource.RLIMIT_CPU, (1, 1)))
attempt("affinity", lambda: os.sched_setaffinity({victim.pid}, {{0}}))
attempt("handle", lambda: os.pidfd_open({victim.pid}))
signal.signal(signal.SIGUSR1, lambda *_: say("heard itself"))
os.kill(os.getpid(), signal.SIGUSR1)
os.abort()
"""
    try:
        said = run(any_abi, source, folder)
        assert victim.poll() is None
    finally:
        victim.kill()
        victim.wait()
    assert said.outcomes.pop("heard") == "itself"
    assert {v for k, v in said.outcomes.items() if k != "heard"} == {"PermissionError"}


def test_environment_and_descriptors_are_as_declared(
    place: Place, folder: Path
) -> None:
    source = """
import json
def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
held = [number for number in range(64) if is_open(number)]
say(json.dumps([dict(os.environ), own, held, os.getuid(), os.listdir(own)]))
"""
    inherited = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(inherited, True)
    try:
        said = run(
            place, source, folder, surroundings={**SURROUNDINGS, "WORD": "ä=b c"}
        )
    finally:
        os.close(inherited)
    environment, own, held, user, files = json.loads(said.lines[0])
    made = place.sandbox._runtime
    assert environment == {
        **SURROUNDINGS,
        "HOME": own,
        "PWD": own,
        "WORD": "ä=b c",
        "TMPDIR": own,
        "LD_LIBRARY_PATH": str(made.root) + made.libraries,
        "LOCPATH": f"{made.root}/usr/lib/locale",
        "PYTHONTZPATH": f"{made.root}/usr/share/zoneinfo",
    }
    assert Path(own).parent == place.work
    assert held == [0, 1, 2]
    assert user != 0
    assert files == []


def test_a_folder_may_be_filled_after_the_start(place: Place, folder: Path) -> None:
    candidate = folder / "candidate"
    candidate.mkdir()
    candidate.chmod(0o755)
    source = """
until = time.monotonic() + 10
while not os.path.exists(places["candidate"] + "/late.py") and time.monotonic() < until:
    time.sleep(0.005)
sys.path.append(places["candidate"])
import late
say(late.WORD)
"""
    with started(place, source, folder, folders={"candidate": candidate}) as hear:
        (folder / "late.py").write_text("WORD = 'here'")
        (folder / "late.py").chmod(0o644)
        (folder / "late.py").rename(candidate / "late.py")
        assert hear().lines == ["here"]


# -- starting, and what is said --------------------------------------------------


def test_nothing_runs_half_locked(place: Place, folder: Path) -> None:
    said = run(place, "say('ran')", folder, folders={"candidate": folder / "missing"})
    assert said.lines == []
    assert "lockdown" in said.tail
    assert "missing" in said.tail


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(
            lambda lock: [line for line in lock if not line.startswith("ruleset")],
            id="no-ruleset",
        ),
        pytest.param(
            lambda lock: [line for line in lock if not line.startswith("filter")],
            id="no-filter",
        ),
        pytest.param(lambda lock: ["parent 1", *lock[1:]], id="another-parent"),
        pytest.param(lambda lock: [*lock, "dance"], id="unknown"),
        pytest.param(
            lambda lock: [*lock[:-1], "filter 0000000000000000 00"], id="bad-filter"
        ),
        pytest.param(
            lambda lock: [line.replace("ruleset ", "ruleset 9") for line in lock],
            id="bad-ruleset",
        ),
    ],
)
def test_a_lock_that_cannot_be_closed_runs_nothing(
    place: Place,
    folder: Path,
    spoil: Callable[[list[str]], list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compose = Landlock._lock
    monkeypatch.setattr(
        Landlock, "_lock", lambda self, *args: spoil(list(compose(self, *args)))
    )
    said = run(place, "say('ran')", folder)
    assert said.lines == []
    assert said.tail.startswith("lockdown: ")


def test_a_path_with_a_line_end_is_refused_and_leaves_nothing(
    place: Place, folder: Path
) -> None:
    odd = folder / "a\nallow 65535 /"
    odd.mkdir()
    with pytest.raises(SandboxError, match="line end"):
        place.sandbox.start(Job(folders={"candidate": odd}))
    assert list(place.work.iterdir()) == []


def test_it_says_that_it_works_and_by_which_version(place: Place) -> None:
    found = place.sandbox.available()
    assert found.works, found
    assert str(min(KERNEL_ABI, landlock.KNOWN_ABI)) in found.detail
    assert found.lacks == place.sandbox.lacks


def test_a_kernel_without_landlock_is_said_to_be_one(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: -38)
    sandbox = Landlock(place.sandbox._config)
    found = sandbox.available()
    assert not found.works
    assert "Function not implemented" in found.detail
    assert "lsm=" in found.remedy
    with pytest.raises(SandboxError):
        sandbox.start(Job())


def test_older_versions_lack_more() -> None:
    counts = [len(lacks_of(version)) for version in range(1, 8)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1] > 0
    assert not any("with Landlock" in words for words in lacks_of(7))


def readable_by_others(path: Path) -> bool:
    return all(one.stat().st_mode & 0o005 == 0o005 for one in (path, *path.parents))


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.skipif(os.geteuid() != 0, reason="this run is an ordinary user's")
def test_all_of_this_holds_for_an_ordinary_user(place: Place) -> None:
    libraries = [Path(pytest.__file__).parents[1], REPOSITORY / "src"]
    if not all(map(readable_by_others, libraries)):
        pytest.skip("another user can't read this project")
    modules = [__file__, __file__.replace(".py", "_jobs.py")]
    # Our own interpreter may lie where another user can't go; its copy does not.
    made = place.sandbox._runtime
    with tempfile.TemporaryDirectory(prefix="ordinary-") as home:
        os.chown(home, NOBODY_ID, NOBODY_ID)
        ran = subprocess.run(
            [
                f"{made.root}{made.python}", "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                f"--basetemp={home}/pytest", "-c", str(REPOSITORY / "pyproject.toml"), *modules,
            ],
            env={
                "HOME": home,
                "TMPDIR": home,
                "PATH": "/usr/bin:/bin",
                "PYTHONPATH": ":".join(map(str, libraries)),
                "LD_LIBRARY_PATH": f"{made.root}{made.libraries}",
            },
            cwd=REPOSITORY,
            user=NOBODY_ID,
            group=NOBODY_ID,
            extra_groups=[],
            capture_output=True,
            text=True,
            timeout=170,
            check=False,
        )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-1000:]
    assert " passed" in ran.stdout
