"""The root file system of a subject: one interpreter, its standard library, nothing else.

What is not copied here does not exist for a candidate. The root is made once
for an interpreter and kept in the cache; every backend uses the same one, so a
candidate meets the same modules wherever it is graded.

Left out on purpose:

- site-packages and dist-packages: no third-party library is importable (I01, I09);
- ensurepip: its bundled wheels hold pip and what pip vendors (I09);
- test, idlelib, lib2to3, tkinter, turtledemo: never needed, and large;
- every program but the interpreter: nothing to shell out to (I02).
"""

import compileall
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path

import attrs

from shipbar.errors import SandboxError

FORMAT = 2
"""Raised whenever the layout changes, so that an old cache is not used."""

LEFT_OUT = frozenset(
    {
        "site-packages", "dist-packages", "ensurepip", "test", "tests", "idlelib", "idle_test",
        "lib2to3", "tkinter", "turtledemo", "turtle.py", "pydoc_data", "__phello__",
    }
)  # fmt: skip
MOUNT_POINTS = (
    *("shipbar", "program", "candidate", "extra"),
    *("tmp", "proc", "sys", "dev", "etc"),
)
LOCALES = "/usr/lib/locale"
"""Where the C library looks for locales, inside."""
DEVICES = ("null", "zero", "urandom")


@attrs.frozen(kw_only=True)
class Runtime:
    """A made root."""

    root: Path
    """Host folder that becomes `/`."""
    python: str
    """The interpreter's path inside, absolute."""
    libraries: str
    """The folder inside that holds the shared libraries, absolute."""
    stdlib: str
    """The folder inside that holds the standard library, absolute."""


def runtime(cache: Path) -> Runtime:
    """Return the root for the running interpreter, making it if the cache has none.

    Raises:
        SandboxError: the interpreter's files cannot be read or the cache not written.
    """
    libc = _libc()
    folder = cache / "runtime" / _key(libc)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    made = Runtime(
        root=folder,
        python=f"/usr/bin/{version}",
        libraries=str(libc.parent),
        stdlib=f"/usr/lib/{version}",
    )
    if not folder.is_dir():
        try:
            _make(made)
        except OSError as cause:
            raise SandboxError(
                f"cannot make a sandbox root in {folder}: {cause}; set SHIPBAR_CACHE to a folder that can be written"
            ) from cause
    return made


def _interpreter() -> Path:
    """The real binary that runs us, whatever links and virtual environments lie before it."""
    return Path("/proc/self/exe").resolve()


def _libc() -> Path:
    """The C library in use; its folder is one that the loader searches by itself."""
    with Path("/proc/self/maps").open() as maps:
        for line in maps:
            path = line.rstrip("\n").rpartition(" ")[2]
            if Path(path).name.startswith(("libc.so", "libc-2")):
                return Path(path)
    raise SandboxError(
        "this interpreter does not use the GNU C library; use a glibc build of Python"
    )


def _key(libc: Path) -> str:
    """Names the root by what it is made from; a changed interpreter makes a new one."""
    stdlib = Path(sysconfig.get_path("stdlib"))
    facts = [str(FORMAT), sys.version]
    for path in (_interpreter(), libc, stdlib / "os.py"):
        stat = path.stat()
        facts.append(f"{path} {stat.st_size} {stat.st_mtime_ns}")
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]


def _make(made: Runtime) -> None:
    """Make the root beside its final place and move it there in one step.

    Two processes may do so at once; the second finds the place taken and drops its own.
    """
    made.root.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=".making-", dir=made.root.parent))
    try:
        _fill(scratch, made)
        scratch.chmod(0o755)
        scratch.rename(made.root)
    except OSError:
        if not made.root.is_dir():
            raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _fill(root: Path, made: Runtime) -> None:
    for name in MOUNT_POINTS:
        (root / name).mkdir()
    for name in DEVICES:
        (root / "dev" / name).touch()
    python = root / made.python.lstrip("/")
    python.parent.mkdir(parents=True)
    shutil.copyfile(_interpreter(), python)
    python.chmod(0o755)
    _copy_stdlib(Path(sysconfig.get_path("stdlib")), root / made.stdlib.lstrip("/"))
    _copy_libraries(root, made)
    _copy_locale(root)
    # Here, since it takes long to import, and a root is made once.
    from multiprocessing import current_process  # noqa: PLC0415

    # A worker of ours is a daemon, and such a one may not start processes of its own.
    alone = current_process().daemon
    compileall.compile_dir(
        root / made.stdlib.lstrip("/"),
        quiet=2,
        workers=1 if alone else os.cpu_count() or 1,
    )
    for path in root.rglob("*"):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & 0o755 | 0o444)


def _copy_stdlib(source: Path, target: Path) -> None:
    def left_out(_folder: str, names: list[str]) -> set[str]:
        return {
            name
            for name in names
            if name in LEFT_OUT
            or name.startswith(("config-", "_test", "_ctypes_test", "xxlimited"))
            or name.endswith((".opt-1.pyc", ".opt-2.pyc", ".a", ".whl"))
        }

    shutil.copytree(
        source, target, ignore=left_out, symlinks=False, ignore_dangling_symlinks=True
    )


def _copy_locale(root: Path) -> None:
    """Copy the data of C.UTF-8, where the host keeps it outside the C library."""
    for name in ("C.utf8", "C.UTF-8"):
        source = Path("/usr/lib/locale") / name
        if source.is_dir():
            shutil.copytree(source, root / LOCALES.lstrip("/") / name)


def _copy_libraries(root: Path, made: Runtime) -> None:
    """Copy what the interpreter and its extension modules are linked against."""
    folder = root / made.libraries.lstrip("/")
    folder.mkdir(parents=True, exist_ok=True)
    modules = sorted((root / made.stdlib.lstrip("/") / "lib-dynload").glob("*.so"))
    for name, path in sorted(_linked([_interpreter(), *modules]).items()):
        if name.startswith("/"):  # the loader: its path is fixed inside every binary
            target = root / name.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
        else:
            target = folder / name
        shutil.copyfile(path, target)
        target.chmod(0o755)


def _linked(binaries: Iterable[Path]) -> dict[str, Path]:
    """Map each needed library's name (the loader's: its absolute path) to its file on this host."""
    out = subprocess.run(  # noqa: S603  # fixed program, files of our own interpreter
        ["/usr/bin/ldd", *map(str, binaries)],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    found: dict[str, Path] = {}
    for line in out.splitlines():
        left, _, right = line.strip().partition(" => ")
        name, path = left.split(" (")[0].strip(), right.split(" (")[0].strip()
        if right and Path(path).is_file():
            found[name] = Path(path)
        elif name.startswith("/") and Path(name).is_file() and "ld-" in Path(name).name:
            found[name] = Path(name)
    return found
