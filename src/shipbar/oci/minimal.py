"""The least base: one interpreter, its standard library, and nothing to run beside it.

For machines that can have no other. It is made from files of this machine's own
Python, so that its digest says which Python it is: two machines with the same build of
Python make the same base, others do not. There is no shell in it.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from shipbar.errors import SeamError
from shipbar.oci.tars import EPOCH, Entry, tree

FORMAT = 2
"""Raised whenever a base comes out otherwise, so that an old one is not used."""
MACHINES = {
    "x86_64": "amd64",
    "aarch64": "arm64",
    "armv7l": "arm",
    "ppc64le": "ppc64le",
}
"""The kernel's names of processors, and OCI's."""
DROPPED = (
    "shipbar",
    "program",
    "candidate",
    "extra",
    "dev",
    "proc",
    "sys",
    "etc",
    "tmp",
)
"""Places of a sandbox's root that an image does not need, or that its engine fills."""
OLD_NAMES = (
    *("libpthread.so.0", "libdl.so.2", "librt.so.1", "libutil.so.1"),
    *("libm.so.6", "libgcc_s.so.1", "libstdc++.so.6"),
)
"""Libraries that a compiled module may name, whether or not Python itself does."""
_COMPILE = """
import importlib.util, json, marshal, sys
epoch, files = json.load(sys.stdin)
for source, inside, target in files:
    with open(source, "rb") as file:
        data = file.read()
    try:
        code = compile(data, inside, "exec", dont_inherit=True, optimize=0)
    except (SyntaxError, ValueError):
        continue  # lib2to3 has some that are meant not to parse
    head = importlib.util.MAGIC_NUMBER + bytes(4)
    head += epoch.to_bytes(4, "little") + (len(data) & 0xFFFFFFFF).to_bytes(4, "little")
    with open(target, "wb") as file:
        file.write(head + marshal.dumps(code))
"""
_LDD = """#!{python} -IS
\"\"\"Says what programs are linked against, as the C library's own script does.\"\"\"
import os
import sys

for path in sys.argv[1:]:
    if len(sys.argv) > 2:
        print(path + ":", flush=True)
    loader = os.posix_spawn({loader!r}, [{loader!r}, "--list", path], os.environ)
    os.waitpid(loader, 0)
"""
_PASSWD = b"root:x:0:0:root:/root:/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\n"
_GROUP = b"root:x:0:\nnogroup:x:65534:\n"


def architecture() -> str:
    """Return this machine's processor as OCI calls it."""
    machine = platform.machine()
    return MACHINES.get(machine, machine)


def minimal_entries(
    root: Path, *, python: str, stdlib: str, libraries: str
) -> list[Entry]:
    """Return the base made from the root of a sandbox.

    Args:
        root: the sandbox's root, as a folder.
        python: the interpreter's path inside, absolute.
        stdlib: the standard library's folder inside, absolute.
        libraries: the folder of the C library, inside and on this machine.

    Raises:
        SeamError: the interpreter cannot compile its library.
    """
    with tempfile.TemporaryDirectory(prefix="shipbar-base-") as scratch:
        compiled = _compiled(root, stdlib.lstrip("/"), Path(scratch))
    plain = {it.path: it for it in _plain(root)}
    old = {it.path: it for it in _old_names(Path(libraries))}
    return [*(old | plain).values(), *compiled, *_added(root, python)]


def _plain(root: Path) -> Iterator[Entry]:
    for entry in tree(root, leave_out=["__pycache__"]):
        if entry.path.split("/")[0] not in DROPPED:
            yield entry


def _old_names(libraries: Path) -> Iterator[Entry]:
    """Yield what compiled libraries name that were made for an older C library."""
    for name in OLD_NAMES:
        if (libraries / name).is_file():
            path = f"{libraries}/{name}".lstrip("/")
            yield Entry(path=path, content=libraries / name, mode=0o755)


def _added(root: Path, python: str) -> Iterator[Entry]:
    folder = Path(python).parent.as_posix().lstrip("/")
    yield Entry(path=f"{folder}/python3", kind="link", target=Path(python).name)
    yield Entry(path="etc/passwd", content=_PASSWD)
    yield Entry(path="etc/group", content=_GROUP)
    yield Entry(path="root", kind="folder", mode=0o700)
    yield Entry(path="tmp", kind="folder", mode=0o1777)
    for loader in sorted(root.glob("lib*/ld-*.so*")):
        inside = f"/{loader.relative_to(root).as_posix()}"
        script = _LDD.format(python=python, loader=inside).encode()
        yield Entry(path="usr/bin/ldd", content=script, mode=0o755)
        break


def _compiled(root: Path, stdlib: str, scratch: Path) -> list[Entry]:
    """Compile the library for the one time that it has in the image.

    In a process of its own, which has read nothing else, with a fixed hash seed: what
    an interpreter writes depends on what it has met before.
    """
    tag = sys.implementation.cache_tag
    work, homes = [], {}
    for number, source in enumerate(sorted((root / stdlib).rglob("*.py"))):
        inside = source.relative_to(root)
        target = scratch / f"{number}.pyc"
        homes[target] = inside.parent / "__pycache__" / f"{source.stem}.{tag}.pyc"
        work.append((str(source), f"/{inside.as_posix()}", str(target)))
    done = subprocess.run(  # noqa: S603  # our own interpreter, our own program
        [sys.executable, "-S", "-P", "-s", "-c", _COMPILE],
        input=json.dumps([EPOCH, work]).encode(),
        capture_output=True,
        check=False,
        env={"PYTHONHASHSEED": "0", "PATH": os.defpath},
    )
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise SeamError(f"cannot compile the standard library in {root}: {said}")
    return [
        Entry(path=inside.as_posix(), content=target.read_bytes())
        for target, inside in homes.items()
        if target.is_file()
    ]
