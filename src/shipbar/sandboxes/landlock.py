"""The backend for places where user namespaces are forbidden: a pod, a hardened container.

The process gives up what it must not have before any candidate code is there
(`subject/lockdown.py`), and the kernel holds it to that:

- Landlock: no file but the runtime root, the program and the job's folders, to
  read (a build: also which release the host is), and one folder of the job's own,
  to write (E01, E10, I09, L05);
- the filter of system calls: no socket, no fork with one process, no leaving of
  the process group, no change to the modes and times of files, which Landlock
  leaves unguarded (L02-L05, K01);
- no signal to a stranger: Landlock from its version 6 on, before that the filter
  lets a process signal itself alone (K05);
- one end: a job of one process is killed; where there may be more, a supervisor
  that the job can't signal kills the group and reaps what was left to it, and
  does so too when the judge ends (B16, G07, K02).

What namespaces would give is not there: `lacks` says it, one sentence each, those
that name a promise of `shipbar.testing.check_sandbox` with that name in front.

The environment is the job's, with the job's own folder in place of `/tmp`, and four
more: TMPDIR, that folder; LD_LIBRARY_PATH and LOCPATH, the runtime root's libraries
and locales; and PYTHONTZPATH, so that `zoneinfo` looks where there is nothing and not at the host's.

The size of the job's folder is watched, not enforced: no file can be larger than
`tmp_mib`, and 50 times a second a thread adds up what the folder holds, files that
were deleted while open included, and kills the job when it is too much. So between
two looks more can be written; it is removed with the job.
"""

import contextlib
import ctypes
import functools
import os
import secrets
import signal
import stat
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from shipbar.config import Config
from shipbar.errors import SandboxError
from shipbar.ports import SURROUNDINGS, Availability, Job, Running, Sandbox
from shipbar.sandboxes import seccomp
from shipbar.sandboxes.host import NOBODY_ID, drop_root, subject_folder, try_out
from shipbar.sandboxes.limits import MIB, limit_words
from shipbar.sandboxes.process import PipedProcess, kill_group
from shipbar.sandboxes.runtime import LOCALES, Runtime, runtime

KNOWN_ABI = 7
"""The newest version of Landlock whose rights are listed here."""
NET_ABI, SIGNAL_ABI, QUIET_ABI = 4, 6, 7
"""From which version on TCP is guarded, signals are, refusals need not be logged."""
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16, 6: 16, 7: 16}
"""How many rights to files a version knows; they are bits from 0 on."""
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE = 1 << 14
_READ = _READ_FILE | _READ_DIR
_OWN = (
    _READ
    | _WRITE_FILE
    | _TRUNCATE
    | sum(1 << bit for bit in (4, 5, 7, 8, 9, 10, 12, 13))
)
"""In the job's folder: all but to execute, to make devices and to control them."""
_TCP, _SCOPES = 0b11, 0b11

POLL_S = 0.02
"""Seconds between two looks at a job's folder."""
MOST_FILES = 4096
"""Files and folders that a job may have at a time."""
LONGEST_PATH = 1024
"""Characters of a folder's path; deeper ones would take long to look through."""
TOO_MUCH = 1 << 62
"""Bytes that no folder may hold."""
BLOCK = 512
"""Bytes of the unit in which the kernel says what a file takes on disk."""
BESIDE = 60
"""Processes and threads of the same user that may start beside a job and not count."""

RELEASE = (Path("/etc/os-release"), Path("/etc/debian_version"))
"""All that a build may read of the host: pip opens these where they are, and gives up if it can't."""

REMEDY = (
    "use Linux 5.13 or newer with Landlock: its name has to be in CONFIG_LSM or in the kernel's lsm= parameter "
    "(lsm=landlock,...); in a container, run it with a seccomp profile that allows the landlock_* calls"
)
SHARED = (
    "host_name_is_fixed: the host's name is seen",
    "environment_is_declared: HOME and TMPDIR name the job's own folder, LD_LIBRARY_PATH, LOCPATH and PYTHONTZPATH are set",
    "starts_in_tmp: the job's own folder, where it starts, is not at /tmp, which it can't use",
    "disk_filler_is_bounded: a watcher kills a job whose folder is too large; until it looks, more can be written",
    "names, sizes and times of the host's files can be asked for (stat), their contents can't be read",
    "the ids of the host's processes can be asked for; the host's network is there, but no socket to use it",
    "a host file that is not for the job answers 'permission denied', not 'no such file' (mimetypes gives up on it)",
    "a file's mode and times can't be changed: a job of one process is refused, a build is told that it is done",
    "memory is bounded for each process, not for the job as a whole",
    "processes and threads are counted for the user, so jobs at the same time can take them from each other",
    "files deleted while open count towards the folder's size only where /proc shows them to the judge",
)
OLDER = {
    2: "files can't be moved from one folder to another",
    NET_ABI: "TCP is held back by the filter of system calls alone",
    5: "requests to devices are held back by the filter of system calls alone",
    SIGNAL_ABI: "a process can signal the job's first process alone, not its children",
}
"""What is missing before a version."""


class Landlock(Sandbox):
    """Starts programs that the kernel holds to a list of files and calls."""

    name = "landlock"

    def __init__(self, config: Config) -> None:
        """Keep the runtime root under ``config.cache``, jobs' folders under ``config.work``."""
        self._config = config
        self._abi = min(abi(), KNOWN_ABI)
        self.lacks = lacks_of(self._abi)

    @functools.cached_property
    def _runtime(self) -> Runtime:
        return runtime(self._config.cache)

    @functools.cached_property
    def _subject(self) -> Path:
        return subject_folder(self._config.cache)

    def _start(self, job: Job) -> Running:
        if self._abi < 1:
            raise SandboxError(
                f"landlock: the kernel refuses it: {os.strerror(-self._abi)}"
            )
        folder = self._own_folder()
        try:
            popen = subprocess.Popen(  # noqa: S603  # our own interpreter, our own words
                self._command(job, folder),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self._environment(job, folder),
                cwd=folder,
                start_new_session=True,
                **drop_root(),
            )
        except BaseException:
            remove_tree(folder)
            raise
        end = functools.partial(_end, popen.pid, supervised=job.limits.processes > 1)
        watch = Watch(folder, job.tmp_mib * MIB, popen.pid, end)
        return PipedProcess(popen, kill=watch.stop, after=[lambda: remove_tree(folder)])

    def _own_folder(self) -> Path:
        self._config.work.mkdir(parents=True, exist_ok=True)
        folder = Path(
            tempfile.mkdtemp(prefix="shipbar-job-", dir=self._config.work)
        ).resolve()
        if os.geteuid() == 0:
            os.chown(folder, NOBODY_ID, NOBODY_ID)
        return folder

    def _environment(self, job: Job, folder: Path) -> dict[str, str]:
        own = {
            name: str(folder) if value == SURROUNDINGS["HOME"] else value
            for name, value in job.surroundings.items()
        }
        return own | {
            "TMPDIR": str(folder),
            "LD_LIBRARY_PATH": self._inside(self._runtime.libraries),
            "LOCPATH": self._inside(LOCALES),
            "PYTHONTZPATH": self._inside("/usr/share/zoneinfo"),
        }

    def _inside(self, path: str) -> str:
        return str(self._runtime.root) + path

    def _command(self, job: Job, folder: Path) -> list[str]:
        program = job.program or self._subject
        return [
            self._inside(self._runtime.python),
            *("-s", "-S", "-P", "-B", str(self._subject / "boot.py")),
            *_limits(job),
            "lock=" + "\n".join(self._lock(job, folder, program)),
            *("--", str(program)),
            *(f"{name}={place}" for name, place in job.folders.items()),
        ]

    def _lock(self, job: Job, folder: Path, program: Path) -> Iterator[str]:
        """Yield the instructions of `subject/lockdown.py`."""
        known = (1 << _RIGHTS[self._abi]) - 1
        net = _TCP if self._abi >= NET_ABI else 0
        scopes = _SCOPES if self._abi >= SIGNAL_ABI else 0
        size = 24 if scopes else 16 if net else 8
        yield f"parent {os.getpid()}"
        several = job.limits.processes > 1
        if several:
            yield "supervise"
        yield f"ruleset {known} {net} {scopes} {size} {int(self._abi >= QUIET_ABI)}"
        places = dict.fromkeys(
            [self._runtime.root, self._subject, program, *job.folders.values()], _READ
        )
        places |= {
            Path("/dev/urandom"): _READ_FILE,
            Path("/dev/null"): _READ_FILE | _WRITE_FILE | _TRUNCATE,
        }
        places[folder] = _OWN
        if several:
            places |= dict.fromkeys(self._programs(), _READ_FILE | _EXECUTE)
            places |= dict.fromkeys(filter(Path.exists, RELEASE), _READ_FILE)
        for place, rights in places.items():
            if "\n" in str(place):
                raise SandboxError(
                    f"a path with a line end can't be given to a job: {str(place)!r}"
                )
            yield f"allow {rights & known} {place}"
        code = seccomp.program(
            processes=job.limits.processes,
            shared_host=True,
            signals_to_self=self._abi < SIGNAL_ABI,
        )
        yield f"filter {code.hex()} {seccomp.OWN_PID.to_bytes(4, 'little').hex()}"

    def _programs(self) -> list[Path]:
        """What may be executed: our interpreter, and the host's loader, whose path is fixed inside it."""
        root = self._runtime.root
        loaders = [
            Path("/") / path.relative_to(root) for path in root.glob("lib*/ld-*")
        ]
        return [
            Path(self._inside(self._runtime.python)),
            *(path for path in loaders if path.exists()),
        ]

    def available(self) -> Availability:
        """Try it for real on this machine."""
        return try_out(self, REMEDY, f"Landlock, ABI version {self._abi}")


class Watch:
    """Looks at a job's folder until it is stopped; ends the job when the folder is too large."""

    def __init__(
        self, folder: Path, most: int, pid: int, end: Callable[[], None]
    ) -> None:
        """Watch at once.

        Args:
            folder: the job's own.
            most: bytes that it may hold.
            pid: the process from which all others of the job descend.
            end: ends every process of the job; it is called again by `stop`.
        """
        self._folder, self._most, self._pid, self._end = folder, most, pid, end
        self._done = threading.Event()
        self._thread = threading.Thread(
            target=self._look, name=f"watch-{pid}", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End the job and the watch. Not before the thread is gone may the process be reaped."""
        self._end()
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._done.wait(POLL_S):
            if self._excess():
                self._end()

    def _excess(self) -> bool:
        held, files = 0, 0
        # Files that were deleted while open: no folder shows them, descriptors do.
        for size in (*_deleted(self._pid), *_sizes(self._folder)):
            held, files = held + size, files + 1
            if held > self._most or files > MOST_FILES:
                return True
        return False


def abi() -> int:
    """Return the kernel's version of Landlock, or the negative number of the error that came."""
    libc = ctypes.CDLL(None, use_errno=True)
    version: int = libc.syscall(
        444, None, ctypes.c_size_t(0), 1
    )  # landlock_create_ruleset, to ask
    return version if version > 0 else -ctypes.get_errno()


def lacks_of(version: int) -> tuple[str, ...]:
    """Return what this backend can't promise with a version of Landlock."""
    missing = [words for since, words in OLDER.items() if version < since]
    return (*SHARED, *(f"with Landlock {version} {words}" for words in missing))


def _end(pid: int, *, supervised: bool) -> None:
    """Tell the supervisor, which kills and reaps the group before it goes; else kill."""
    if supervised:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    else:
        kill_group(pid)


def _limits(job: Job) -> Iterator[str]:
    """Yield the job's limits; processes are counted for the user, so those that there are come on top."""
    for word in limit_words(job.limits, job.tmp_mib):
        name, _, value = word.partition("=")
        if name == "RLIMIT_NPROC":
            yield f"{name}={int(value) + _tasks_of_user() + BESIDE}"
        else:
            yield word


def _tasks_of_user() -> int:
    """Count processes and threads of the user that jobs run as, as far as /proc shows them."""
    user: int = drop_root().get("user", os.geteuid())
    count = 0
    for entry in os.scandir("/proc"):
        with contextlib.suppress(OSError):
            if entry.name.isdecimal() and entry.stat().st_uid == user:
                count += Path(entry.path, "task").stat().st_nlink - 2
    return count


def _sizes(folder: Path) -> Iterator[int]:
    """Yield what each file below takes on disk; more than anything for a folder that can't be listed."""
    folders = [str(folder)]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    with contextlib.suppress(FileNotFoundError):
                        yield entry.stat(follow_symlinks=False).st_blocks * BLOCK
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
                        if len(entry.path) > LONGEST_PATH:
                            yield TOO_MUCH
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            yield TOO_MUCH  # made so that nobody may list it


def _deleted(pid: int) -> Iterator[int]:
    """Yield the sizes of files that a job's processes hold open and no folder shows."""
    for member in _family(pid):
        with contextlib.suppress(OSError):
            for opened in Path(f"/proc/{member}/fd").iterdir():
                with contextlib.suppress(OSError):
                    seen = opened.stat()
                    if stat.S_ISREG(seen.st_mode) and not seen.st_nlink:
                        yield seen.st_blocks * BLOCK


def _family(pid: int) -> Iterator[str]:
    """Yield a process and its descendants; none is missing, since its supervisor adopts orphans."""
    found = [str(pid)]
    while found:
        member = found.pop()
        yield member
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{member}/task").iterdir():
                with contextlib.suppress(OSError):
                    found += (task / "children").read_text().split()


def remove_tree(top: Path) -> None:
    """Remove a folder and whatever a job, of which nothing runs any more, made in it.

    Folders are moved to the top before they are emptied, so neither their modes nor
    their depth matter. Nothing is followed.

    Raises:
        SandboxError: it could not be removed.
    """
    try:
        with _opened(top) as place:
            while folders := _folders_after_unlinking(place):
                for name in folders:
                    _move_folders_up(name, place)
                    os.rmdir(name, dir_fd=place)
        top.rmdir()
    except FileNotFoundError:
        return
    except OSError as cause:
        raise SandboxError(f"landlock: cannot remove {top}: {cause}") from cause


@contextlib.contextmanager
def _opened(path: Path | str, inside: int | None = None) -> Iterator[int]:
    place = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=inside)
    try:
        yield place
    finally:
        os.close(place)


def _folders_after_unlinking(place: int) -> list[str]:
    """Unlink everything but folders; make the folders ours to enter and return their names."""
    folders = []
    with os.scandir(place) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                os.chmod(entry.name, 0o700, dir_fd=place)
                folders.append(entry.name)
            else:
                os.unlink(entry.name, dir_fd=place)
    return folders


def _move_folders_up(name: str, top: int) -> None:
    with _opened(name, top) as place:
        for folder in _folders_after_unlinking(place):
            os.rename(folder, secrets.token_hex(8), src_dir_fd=place, dst_dir_fd=top)
