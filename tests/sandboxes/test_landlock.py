"""Landlock, tried by programs that want out; the kernel answers, not a stand-in."""

import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pytest

from shipbar.config import Config
from shipbar.contract import Limits
from shipbar.errors import SandboxError
from shipbar.ports import SURROUNDINGS, Job
from shipbar.sandboxes import landlock
from shipbar.sandboxes.host import NOBODY_ID, drop_root
from shipbar.sandboxes.landlock import Landlock, abi, lacks_of, remove_tree

KERNEL_ABI = abi()
HEARD_S = 20.0
MIB = 1 << 20
REPOSITORY = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(KERNEL_ABI < 1, reason="this kernel has no Landlock")

# Every program of these tests says line by line what became of what it tried.
HEAD = """
import os, signal, sys, time
def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())
def attempt(name, action):
    try:
        action()
    except BaseException as error:
        say(name, type(error).__name__)
    else:
        say(name, "worked")
places = dict(word.split("=", 1) for word in sys.argv[1:])
own = os.getcwd()
"""


@attrs.frozen(kw_only=True)
class Place:
    """Where sandboxes keep things for one run of this module."""

    top: Path
    sandbox: Landlock

    @property
    def work(self) -> Path:
        return self.top / "work"


@attrs.frozen(kw_only=True)
class Said:
    lines: list[str]
    tail: str

    @property
    def outcomes(self) -> dict[str, str]:
        return dict(line.rsplit(" ", 1) for line in self.lines)


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    # Not pytest's own temporary folder, which nobody but its owner may enter.
    with tempfile.TemporaryDirectory(prefix="landlock-") as name:
        top = Path(name).resolve()
        top.chmod(0o755)
        config = Config(cache=top / "cache", work=top / "work", inherited={})
        config.work.mkdir()
        yield Place(top=top, sandbox=Landlock(config))


@pytest.fixture
def folder(place: Place) -> Iterator[Path]:
    """A host folder that anyone may read."""
    with tempfile.TemporaryDirectory(dir=place.top) as name:
        Path(name).chmod(0o755)
        yield Path(name)


@contextlib.contextmanager
def started(
    place: Place, source: str, folder: Path, **job: object
) -> Iterator[Callable[[], Said]]:
    """Start a program; yield what hears it to its end. Leaving checks that nothing is left."""
    program = folder / "program"
    program.mkdir(exist_ok=True)
    (program / "__main__.py").write_text(HEAD + source)
    for path in (program, *program.iterdir()):
        path.chmod(0o755)
    given = Job(program=program, **job)  # type: ignore[arg-type]  # each test its own fields
    running = place.sandbox.start(given)

    def hear() -> Said:
        text, until = b"", time.monotonic() + HEARD_S
        while select.select(
            [running.answers], [], [], max(0.0, until - time.monotonic())
        )[0]:
            part = os.read(running.answers, 65536)
            if not part:
                return Said(lines=text.decode().splitlines(), tail=running.stop())
            text += part
        raise AssertionError(f"no end in {HEARD_S} s; heard {text[-500:]!r}")

    try:
        yield hear
    finally:
        running.stop()
    assert list(place.work.iterdir()) == [], "the job's folder was left behind"
    assert processes_with(str(program)) == [], "processes were left behind"


def run(place: Place, source: str, folder: Path, **job: object) -> Said:
    with started(place, source, folder, **job) as hear:
        return hear()


def processes_with(word: str) -> list[int]:
    """Processes that have ``word`` on their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if (
                entry.name.isdecimal()
                and word.encode() in (entry / "cmdline").read_bytes()
            ):
                found.append(int(entry.name))
    return found


def several(count: int) -> Limits:
    return attrs.evolve(Limits(), processes=count)


@pytest.fixture(params=range(1, max(KERNEL_ABI, 1) + 1))
def any_abi(place: Place, request: pytest.FixtureRequest) -> Place:
    """The sandbox as it is on a kernel with an older Landlock."""
    sandbox = Landlock(place.sandbox._config)
    sandbox._abi = min(request.param, landlock.KNOWN_ABI)
    return attrs.evolve(place, sandbox=sandbox)


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
        "WORD": "ä=b c",
        "TMPDIR": own,
        "LD_LIBRARY_PATH": str(made.root) + made.libraries,
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
        for depth in range(1500):
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
    # Our own interpreter may lie where another user can't go; its copy does not.
    made = place.sandbox._runtime
    with tempfile.TemporaryDirectory(prefix="ordinary-") as home:
        os.chown(home, NOBODY_ID, NOBODY_ID)
        ran = subprocess.run(
            [
                f"{made.root}{made.python}", "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                f"--basetemp={home}/pytest", "-c", str(REPOSITORY / "pyproject.toml"), __file__,
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
