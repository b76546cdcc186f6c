"""The filter, run by a small machine of our own for both processors and by the kernel for real."""

import errno
import json
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from shipbar.errors import SandboxError
from shipbar.sandboxes import seccomp

ALLOW, KILL, DONE = seccomp.ALLOW, seccomp.KILL, seccomp.DONE
EPERM, EAGAIN, ENOSYS = seccomp.EPERM, seccomp.EAGAIN, seccomp.ENOSYS
MACHINES = ["x86_64", "aarch64"]
NEW_USER, NEW_NET, PARENT, THREAD, FORK = (
    0x10000000,
    0x40000000,
    0x8000,
    0x3D0F00,
    0x1200011,
)
AF_UNIX, AF_INET, STREAM, DATAGRAM, CLOEXEC = 1, 2, 1, 2, 0o2000000

# Puts the filter in force, then runs the source that comes with it.
APPLY = """
import ctypes, errno, os, struct, sys
code = bytes.fromhex(sys.argv[1])
held = ctypes.create_string_buffer(code, len(code))
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(38, 1, 0, 0, 0)
rules = struct.pack("@HP", len(code) // 8, ctypes.addressof(held))
if libc.prctl(22, 2, rules, 0, 0):
    sys.exit(f"no filter: {os.strerror(ctypes.get_errno())}")
def attempt(name, action):
    try:
        action()
    except BaseException as error:
        print(name, type(error).__name__, flush=True)
    else:
        print(name, "worked", flush=True)
exec(sys.argv[2])
"""


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    name: str = request.param
    monkeypatch.setattr(seccomp, "machine_name", lambda: name)
    return name


def call(
    name: str,
    *arguments: int,
    processes: int = 1,
    shared: bool = False,
    own: bool = False,
) -> int:
    """What the filter answers to a call by name, on the machine that `machine_name` names."""
    machine = seccomp.MACHINES[seccomp.machine_name()]
    number = seccomp._numbers(
        seccomp.PLAIN + seccomp.MODES + seccomp.TESTED, machine.column
    )[name]
    code = seccomp.program(processes=processes, shared_host=shared, signals_to_self=own)
    return execute(code, number, machine.audit, arguments)


def execute(
    code: bytes, number: int, audit: int, arguments: tuple[int, ...] = ()
) -> int:
    """Run a classic BPF program as the kernel would."""
    filled = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    data = struct.pack("=IIQ6Q", number & 0xFFFFFFFF, audit, 0, *filled)
    loaded, at = 0, 0
    while True:
        operation, true, false, value = struct.unpack_from("=HBBI", code, 8 * at)
        at += 1
        if operation == 0x20:
            (loaded,) = struct.unpack_from("=I", data, value)
        elif operation == 0x54:
            loaded &= value
        elif operation == 0x15:
            at += true if loaded == value else false
        elif operation == 0x35:
            at += true if loaded >= value else false
        elif operation == 0x06:
            return int(value)
        else:
            raise AssertionError(f"no such instruction: {operation:#x}")


@pytest.mark.parametrize("processes", [1, 8])
@pytest.mark.parametrize("shared", [False, True])
def test_what_no_list_holds_is_refused(
    machine: str, processes: int, shared: bool
) -> None:
    found = seccomp.MACHINES[machine]
    listed = seccomp._numbers(
        seccomp.PLAIN + seccomp.MODES + seccomp.TESTED, found.column
    ).values()
    code = seccomp.program(processes=processes, shared_host=shared)
    others = set(range(600)) - set(listed)
    assert {execute(code, number, found.audit) for number in others} == {EPERM}


@pytest.mark.parametrize(
    "name",
    [
        "socket", "connect", "bind", "listen", "accept", "sendmsg", "recvmsg", "ptrace", "process_vm_readv",
        "bpf", "perf_event_open", "io_uring_setup", "userfaultfd", "keyctl", "add_key", "mount", "umount2", "unshare",
        "setns", "pivot_root", "chroot", "kexec_load", "init_module", "memfd_create", "mq_open", "shmget", "semget",
        "msgget", "personality", "pidfd_open", "pidfd_send_signal", "rt_sigqueueinfo", "sched_setaffinity",
        "setpriority", "inotify_add_watch", "fanotify_init", "name_to_handle_at", "execveat", "setuid", "chown",
        "setxattr", "process_madvise", "kcmp", "landlock_create_ruleset", "seccomp",
    ],
)  # fmt: skip
def test_calls_that_reach_others_are_on_no_list(name: str) -> None:
    assert name not in seccomp._numbers(seccomp.PLAIN + seccomp.MODES + seccomp.TESTED)


def test_another_architecture_is_killed(machine: str) -> None:
    other = next(m for n, m in seccomp.MACHINES.items() if n != machine)
    i386 = 0x40000003
    code = seccomp.program(processes=1)
    assert execute(code, 1, other.audit) == KILL
    assert execute(code, 1, i386) == KILL


def test_x32_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seccomp, "machine_name", lambda: "x86_64")
    code = seccomp.program(processes=1)
    audit = seccomp.MACHINES["x86_64"].audit
    assert execute(code, seccomp.X32, audit) == KILL
    assert execute(code, seccomp.X32 + 1, audit) == KILL
    assert execute(code, -1, audit) == KILL


def test_one_process_starts_threads_and_no_process(machine: str) -> None:
    assert call("clone", THREAD) == ALLOW
    assert call("clone", FORK) == EAGAIN
    assert call("clone", THREAD | NEW_NET) == EPERM
    assert call("clone", THREAD | PARENT) == EPERM
    assert call("clone", FORK | NEW_USER) == EAGAIN
    assert call("clone3") == ENOSYS


def test_several_processes_fork_into_no_namespace_and_to_no_other_parent(
    machine: str,
) -> None:
    assert call("clone", FORK, processes=8) == ALLOW
    assert call("clone", THREAD, processes=8) == ALLOW
    for flag in (
        0x20000,
        0x02000000,
        0x04000000,
        0x08000000,
        NEW_USER,
        0x20000000,
        NEW_NET,
    ):
        assert call("clone", FORK | flag, processes=8) == EPERM
    assert call("clone", FORK | PARENT, processes=8) == EPERM
    assert call("clone3", processes=8) == ENOSYS


def test_fork_and_vfork_are_held_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seccomp, "machine_name", lambda: "x86_64")
    for name in ("fork", "vfork"):
        assert call(name) == EAGAIN
        assert call(name, processes=8) == ALLOW


def test_only_a_pair_of_stream_sockets_can_be_made(machine: str) -> None:
    assert call("socketpair", AF_UNIX, STREAM | CLOEXEC) == ALLOW
    assert call("socketpair", AF_UNIX, DATAGRAM) == EPERM
    assert call("socketpair", AF_INET, STREAM) == EPERM
    assert call("sendto", 3, 0x1000, 5, 0, 0, 0) == ALLOW
    assert call("sendto", 3, 0x1000, 5, 0, 0x1000, 16) == EPERM
    assert call("sendto", 3, 0x1000, 5, 0, 0x100000000, 16) == EPERM


def test_arguments_that_act_on_others_are_refused(machine: str) -> None:
    tiocsti, tioclinux, fiosetown = 0x5412, 0x541C, 0x8901
    for request in (tiocsti, tioclinux, fiosetown):
        assert call("ioctl", 0, request) == EPERM
    assert call("ioctl", 0, 0x5401) == ALLOW
    set_owner, set_owner_ex, set_signal, set_lease = 8, 15, 10, 1024
    for command in (set_owner, set_owner_ex, set_signal, set_lease):
        assert call("fcntl", 0, command) == EPERM
    assert call("fcntl", 0, 4) == ALLOW
    set_dumpable, set_ptracer, set_seccomp = 4, 0x59616D61, 22
    for option in (set_dumpable, set_ptracer, set_seccomp):
        assert call("prctl", option) == EPERM
    assert call("prlimit64", 0) == ALLOW
    assert call("prlimit64", 1) == EPERM
    assert call("getpriority", 0, 0) == ALLOW
    assert call("getpriority", 0, 1) == EPERM


def test_a_shared_host_keeps_its_files_and_its_group(machine: str) -> None:
    rdonly, wronly, neither, truncate = 0, 1, 3, 0o1000
    assert call("openat", 0, 0, rdonly | truncate, shared=True) == EPERM
    assert call("openat", 0, 0, neither, shared=True) == EPERM
    assert call("openat", 0, 0, neither | truncate, shared=True) == EPERM
    assert call("openat", 0, 0, wronly | truncate, shared=True) == ALLOW
    assert call("openat", 0, 0, rdonly, shared=True) == ALLOW
    for name in ("setsid", "setpgid", "truncate"):
        assert call(name, shared=True) == EPERM
        assert call(name) == ALLOW
    for name in ("fchmod", "fchmodat", "fchmodat2", "utimensat"):
        assert call(name) == ALLOW
        assert call(name, shared=True) == EPERM
        assert call(name, shared=True, processes=8) == DONE
    assert call("execve", shared=True) == EPERM
    assert call("execve", shared=True, processes=8) == ALLOW
    assert call("execve") == ALLOW
    assert call("prctl", 1, shared=True) == EPERM


def test_signals_can_be_kept_to_oneself(machine: str) -> None:
    for name in ("kill", "tgkill"):
        assert call(name, seccomp.OWN_PID, 9, own=True) == ALLOW
        for stranger in (1, 0, 0xFFFFFFFF):
            assert call(name, stranger, 9, own=True) == EPERM
        assert call(name, 1, 9) == ALLOW
    assert call("tkill", seccomp.OWN_PID, 9, own=True) == EPERM


def test_the_mark_for_the_own_process_is_nowhere_by_chance() -> None:
    mark = struct.pack("=I", seccomp.OWN_PID)
    assert mark not in seccomp.program(processes=1, shared_host=True)
    assert mark not in seccomp.program(processes=8)
    assert seccomp.program(processes=1, signals_to_self=True).count(mark) == 2


def test_no_number_stands_for_two_calls(machine: str) -> None:
    column = seccomp.MACHINES[machine].column
    numbers = list(
        seccomp._numbers(
            seccomp.PLAIN + seccomp.MODES + seccomp.TESTED, column
        ).values()
    )
    assert len(numbers) == len(set(numbers))
    assert len(numbers) > 120


@pytest.mark.parametrize(
    ("machine", "header"),
    [
        ("x86_64", "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        ("aarch64", "/usr/include/asm-generic/unistd.h"),
    ],
)
def test_numbers_are_the_kernels(machine: str, header: str) -> None:
    if not Path(header).is_file():
        pytest.skip(f"{header} comes with the C library's development files")
    text = Path(header).read_text()
    theirs = {
        name: int(number)
        for name, number in re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)\b", text)
    }
    # The generic names of calls that 64-bit machines call otherwise.
    theirs |= {"newfstatat": theirs.get("newfstatat", theirs.get("fstatat", -1))}
    ours = seccomp._numbers(
        seccomp.PLAIN + seccomp.MODES + seccomp.TESTED, seccomp.MACHINES[machine].column
    )
    wrong = {
        name: number
        for name, number in ours.items()
        if theirs.get(name, number) != number
    }
    assert wrong == {}


def test_a_machine_without_a_table_is_an_error_that_names_those_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seccomp, "machine_name", lambda: "riscv64")
    with pytest.raises(SandboxError, match=r"riscv64.*x86_64 and aarch64"):
        seccomp.program(processes=1)


@pytest.mark.parametrize("processes", [1, 8])
def test_an_engines_profile_says_the_same(machine: str, processes: int) -> None:
    profile = json.loads(json.dumps(seccomp.profile(processes)))
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    assert profile["defaultErrnoRet"] == errno.EPERM
    assert profile["architectures"] == [seccomp.MACHINES[machine].engine]

    def answer(name: str, *arguments: int) -> int:
        filled = (*arguments, 0, 0, 0, 0, 0, 0)
        for entry in profile["syscalls"]:
            fits = all(
                filled[one["index"]] & one["value"] == one["valueTwo"]
                for one in entry.get("args", ())
            )
            if name in entry["names"] and fits:
                allowed = entry["action"] == "SCMP_ACT_ALLOW"
                return ALLOW if allowed else 0x00050000 | entry["errnoRet"]
        return EPERM

    tried: list[tuple[str, tuple[int, ...]]] = [
        ("read", ()), ("clone3", ()), ("clone", (THREAD,)), ("clone", (FORK,)), ("clone", (FORK | NEW_USER,)), ("kill", (1, 9,)),
        ("socketpair", (AF_UNIX, STREAM,)), ("socketpair", (AF_UNIX, DATAGRAM,)), ("execve", ()), ("prctl", (4,)), ("fcntl", (0, 8,)),
        ("sendto", (3, 0, 0, 0, 0, 0,)), ("sendto", (3, 0, 0, 0, 0x1000, 16,)), ("fchmodat", ()), ("prlimit64", (7,)),
    ]  # fmt: skip
    for name, arguments in tried:
        assert answer(name, *arguments) == call(
            name, *arguments, processes=processes
        ), name


def under_filter(
    source: str, *, processes: int = 1, shared: bool = False
) -> "subprocess.CompletedProcess[str]":
    """Run Python under the filter, with nothing else to hold it."""
    code = seccomp.program(processes=processes, shared_host=shared)
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", APPLY, code.hex(), source],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
        env={},
    )


def outcomes(ran: "subprocess.CompletedProcess[str]") -> dict[str, str]:
    assert ran.returncode == 0, ran.stderr
    return dict(line.rsplit(" ", 1) for line in ran.stdout.splitlines())


def test_honest_code_works_under_the_kernels_filter() -> None:
    source = """
import asyncio, sqlite3, signal, tempfile, threading, zlib, decimal, subprocess
async def several():
    return await asyncio.gather(asyncio.sleep(0.001, 1), asyncio.to_thread(int, "2"))
def thread():
    one = threading.Thread(target=int); one.start(); one.join()
def temporary():
    with tempfile.TemporaryDirectory() as place, open(place + "/a", "w") as file:
        file.write("x"); os.rename(place + "/a", place + "/b"); os.chmod(place + "/b", 0o600)
attempt("asyncio", lambda: asyncio.run(several()))
attempt("thread", thread)
attempt("temporary", temporary)
attempt("sqlite", lambda: sqlite3.connect(":memory:").execute("select 1").fetchall())
attempt("timer", lambda: (signal.signal(signal.SIGALRM, lambda *a: 0), signal.setitimer(0, 0.001), signal.pause()))
attempt("signal", lambda: (signal.signal(signal.SIGUSR1, lambda *a: 0), os.kill(os.getpid(), signal.SIGUSR1)))
"""
    assert set(outcomes(under_filter(source)).values()) == {"worked"}


def test_hostile_code_meets_errors_under_the_kernels_filter() -> None:
    source = """
import socket, subprocess, fcntl
attempt("socket", lambda: socket.socket())
attempt("unix socket", lambda: socket.socket(socket.AF_UNIX))
attempt("datagram pair", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
attempt("fork", os.fork)
attempt("subprocess", lambda: subprocess.run([sys.executable, "-c", ""]))
attempt("memfd", lambda: os.memfd_create("x"))
attempt("owner", lambda: fcntl.fcntl(1, fcntl.F_SETOWN, os.getppid()))
attempt("mode", lambda: os.chmod("/", 0o755))
attempt("exec", lambda: os.execv(sys.executable, [sys.executable, "-c", ""]))
attempt("session", os.setsid)
"""
    found = outcomes(under_filter(source, shared=True))
    processes = {found.pop("fork"), found.pop("subprocess")}
    assert processes == {"BlockingIOError"}
    assert set(found.values()) == {"PermissionError"}


def test_several_processes_work_under_the_kernels_filter() -> None:
    source = """
import subprocess
attempt("subprocess", lambda: subprocess.run([sys.executable, "-I", "-S", "-c", ""], check=True))
attempt("fork", lambda: os.fork() and os.wait() or os._exit(0))
"""
    found = outcomes(under_filter(source, processes=8, shared=True))
    assert set(found.values()) == {"worked"}


@pytest.mark.skipif(
    seccomp.machine_name() != "x86_64", reason="numbers of x86_64's other tables"
)
@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            "libc.syscall(ctypes.c_long(0x40000000 + 39)); print('alive')", id="x32"
        ),
        pytest.param(
            "import mmap\n"
            "page = mmap.mmap(-1, 4096, prot=7)\n"
            "page.write(bytes.fromhex('b814000000cd80c3'))\n"  # getpid by i386's number
            "at = ctypes.addressof(ctypes.c_char.from_buffer(page))\n"
            "ctypes.CFUNCTYPE(ctypes.c_int)(at)(); print('alive')",
            id="i386",
        ),
    ],
)
def test_calls_by_other_numbers_kill(source: str) -> None:
    ran = under_filter(source)
    assert ran.returncode in (-31, -11), (
        ran
    )  # SIGSYS; SIGSEGV where the kernel has no i386 calls
    assert ran.stdout == ""
